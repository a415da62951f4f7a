"""The settings panel of a server or direct message, and the commands; changes show at open tables at once."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from bot.features.settings import storage
from bot.features.settings.all_settings import (
    LANGUAGE,
    OPTIONS,
    REMINDERS,
    direct_sections,
    find_setting,
    settings_on,
)
from bot.features.settings.kinds import (
    AnyOf,
    Channels,
    Chosen,
    GamesOff,
    Ids,
    Roles,
    Setting,
    SettingsSection,
    T,
    Values,
    labels_of,
)
from bot.features.settings.messages import (
    ChangeSettingId,
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsPagesId,
    SettingsSectionId,
    ShownSettings,
    describe_change,
    page_of_option,
    render_changes,
    render_defaults,
    render_preview,
    render_section,
)
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG
from bot.features.settings.reasons import SettingReason
from bot.features.settings.service import SettingsCache, default_options, existing_roles, may_mention
from bot.features.settings.storage import SettingsAuthor, SettingsChange
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow, is_command, note_languages, speaking_to_everyone
from bot.platform.discord.channels import existing_channels, fetch_channels
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.context import is_outside, location_of, server_of
from bot.platform.discord.languages import Languages
from bot.platform.discord.menus import MAX_CHOSEN, chosen_value, chosen_values
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.rules.game import Options
from bot.rules.options import load_options, set_option
from bot.rules.refusals import Refusal
from bot.tables.host import Host
from bot.tables.refusals import GameFacts, HostReason
from bot.tables.registry import AnyPackage
from bot.words import format_number, gettext as _, ngettext

_CHANGES_SHOWN: Final = 10

Preview: TypeAlias = Callable[[int, Any], Awaitable[str]]
"""Tells what a new value of a setting would do in a server; an empty text if there is nothing to tell."""


class SettingsPanels:
    """Shows the settings of a server in pages, or those of a user's direct messages, and applies choices."""

    def __init__(
        self,
        host: Host,
        settings: SettingsCache,
        db: Database,
        *,
        log: ModeratorLog,
        ephemeral_messages: EphemeralMessages,
        languages: Languages,
    ) -> None:
        self._log = log
        self._languages = languages
        self.pages: dict[SettingsSection, Callable[[Interaction, str], Awaitable[MessageContent]]] = {}
        """The pages of other features; each gets what was done last."""
        self._host = host
        self._settings = settings
        self._db = db
        self._ephemeral_messages = ephemeral_messages
        self.previews: dict[Setting[Any], Preview] = {}
        """By setting of a server, what tells the consequences of a change, which is then asked for once more."""
        self.make_data_buttons: Callable[[], tuple[Button, ...]] = tuple
        """Makes the buttons about a server's data, below its changes."""
        self.warnings: dict[Setting[Any], Callable[[Interaction, Chosen], Awaitable[str]]] = {}
        """By setting, what tells of trouble with its value in a server."""

    @deferred_if_slow
    async def open(self, command: Interaction, section: SettingsSection = SettingsSection.TABLES) -> None:
        """Send the panel."""
        require_manager(command)
        await self._show_newest(command, section)

    async def press(
        self,
        click: Interaction,
        pressed: SettingId
        | ChangeSettingId
        | SettingsSectionId
        | SettingsPagesId
        | DefaultsPageId
        | DefaultOptionId
        | ResetDefaultsId,
    ) -> None:
        """Show a page, or apply a choice and refresh the panel.

        Raises:
            Refusal: The user may not change the settings, or the panel does not offer the choice here.
        """
        require_manager(click)
        match pressed:
            case SettingsSectionId(section):
                await self._turn_to(click, section)
            case SettingsPagesId() if (chosen := chosen_value(click)) in list(SettingsSection):
                await self._turn_to(click, SettingsSection(chosen))
            case SettingId(OPTIONS.key):
                await self.show_defaults(click, chosen_value(click), 1)
            case SettingId(key):
                setting = parse_setting(key)
                if setting in self.previews:
                    await self.ask_or_set(click, setting, chosen_value(click))
                else:
                    await self.show(click, setting.section, await self.choose(click, setting))
            case ChangeSettingId(key, value):
                setting = parse_setting(key)
                await self.show(click, setting.section, await self.set_value(click, setting, value))
            case DefaultsPageId(game, page):
                await self.show_defaults(click, game, page)
            case DefaultOptionId(game, option):
                await self.set_option(click, game, option, chosen_value(click))
            case ResetDefaultsId(game):
                await self.reset_options(click, game)
            case _:
                raise Refusal(ClickReason.UNKNOWN_BUTTON)

    async def _turn_to(self, click: Interaction, section: SettingsSection) -> None:
        """Show a page that is offered here."""
        if section not in direct_sections():
            require_server(click)
        await self._show_newest(click, section)

    async def _show_newest(self, interaction: Interaction, section: SettingsSection) -> None:
        """Show a page with the stored settings, which another process may have changed."""
        await self._settings.reload(location_of(interaction).scope_id)
        if interaction.guild_id is None:
            await self._settings.reload(interaction.user.id)
        await self.show(interaction, section)

    async def show(self, interaction: Interaction, section: SettingsSection | None, news: str = "") -> None:
        """Show a page (in a direct message, the only one) in the clicked message or in a new one."""
        await self._send(interaction, await self._render(interaction, section or SettingsSection.TABLES, news))

    async def show_defaults(self, interaction: Interaction, game: str, page: int, news: str = "") -> None:
        """Show a page of the options with which new tables of a game start."""
        require_server(interaction)
        package = self._package(game)
        options = default_options(await self._settings.get(location_of(interaction).scope_id), package)
        await self._send(interaction, render_defaults(package, options, page, news))

    async def set_option(self, interaction: Interaction, game: str, option: str, value: str) -> None:
        """Choose the default of an option for new tables, and show its page."""
        require_server(interaction)
        package = self._package(game)
        model: type[Options] = package.game.info.options
        refusal = Refusal(HostReason.NO_SUCH_CHOICE, GameFacts(_(package.game.info.title)))
        if option not in model.model_fields:
            raise refusal

        def choose(chosen: Mapping[str, str]) -> Mapping[str, str]:
            options = set_option(load_options(model, chosen.get(game, "{}")), option, value)
            text = options.model_dump_json(exclude_defaults=True)
            return {**chosen, game: text} if text != "{}" else _without(chosen, game)

        try:
            news = await self.apply(interaction, OPTIONS, choose)
        except ValueError:
            raise refusal from None
        await self.show_defaults(interaction, game, page_of_option(model(), option), news)

    async def reset_options(self, interaction: Interaction, game: str) -> None:
        """Reset the options with which new tables of a game start."""
        require_server(interaction)
        self._package(game)
        news = await self.apply(interaction, OPTIONS, lambda chosen: _without(chosen, game))
        await self.show_defaults(interaction, game, 1, news)

    async def set_value(self, interaction: Interaction, setting: Setting[Any], text: str) -> str:
        """Choose the value of a setting with a few values; return a sentence that confirms it."""
        value = self._decode(interaction, setting, text)
        return await self.apply(interaction, setting, lambda _: value)

    async def ask_or_set(self, interaction: Interaction, setting: Setting[Any], text: str) -> None:
        """Choose the value of a setting with a few values, or ask first if the change has consequences to tell."""
        value, preview = self._decode(interaction, setting, text), self.previews.get(setting)
        told = await preview(location_of(interaction).scope_id, value) if preview is not None else ""
        if told:
            await self._send(interaction, render_preview(setting, text, told))
        else:
            await self.show(interaction, setting.section, await self.set_value(interaction, setting, text))

    def _decode(self, interaction: Interaction, setting: Setting[Any], text: str) -> Any:
        """Return the value that a text stands for; raise a Refusal if the setting can't have it here."""
        if not self._is_changeable(interaction, setting) or text not in labels_of(setting.values):
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        return setting.values.decode(text)

    async def apply(self, interaction: Interaction, setting: Setting[T], choose: Callable[[T], T]) -> str:
        """Change a setting of this place or of the user; return a sentence that confirms it."""
        place_id, user_id = location_of(interaction).scope_id, interaction.user.id
        scope_id, owner_id, author = place_id, None, None
        if interaction.guild_id is None:
            scope_id, owner_id = (user_id if setting.is_personal else place_id), user_id
        else:
            author = SettingsAuthor(user_id, self._host.service.clock())
        before = await self._settings.reload(scope_id)
        after = await self._settings.change(scope_id, setting, choose, author, owner_id)
        if setting is LANGUAGE:
            note_languages(interaction, *await self._languages.of_interaction(interaction))
            if owner_id is not None:
                await self._languages.show_again(owner_id)
        if author is not None and after != before:
            with speaking_to_everyone(interaction):
                line = describe_change(SettingsChange.of(setting, after, author), self._host.service.games)
            news = await self._log_change(place_id, SettingsChange.of(setting, after, author), line, before)
            if news:
                return news
        if not setting.is_shown_at_tables or after == before:
            return _("Saved.")
        count = await self._host.refresh_open_tables(place_id)
        text = ngettext("Saved. Updating {count} table.", "Saved. Updating {count} tables.", count)
        return text.format(count=format_number(count)) if count else _("Saved.")

    async def _log_change(self, guild_id: int, change: SettingsChange, line: str, before: Chosen) -> str:
        """Add a change to the server's log; return a warning if a new log can't be written."""
        if change.key != LOG.key:
            self._log.note(guild_id, lambda: line)
            return ""
        # The change of the log stands in the old one, too.
        for channel_id in before.get(LOG):
            await self._log.post(channel_id, line)
        is_written = [await self._log.post(channel_id, line) for channel_id in LOG.values.decode(change.value)]
        if all(is_written):
            return ""
        return _("Saved, but I can't write there. Allow me *View Channel* and *Send Messages* in that channel.")

    async def choose_all(
        self, command: Interaction, given: Mapping[Setting[Any], Any], section: SettingsSection
    ) -> None:
        """Choose the values of several settings, and show their page."""
        news = ""
        for setting, value in given.items():
            news = await self.apply(command, setting, partial(_replace, value))
        await self.show(command, section, news)

    def _package(self, game: str) -> AnyPackage:
        package = self._host.service.games.get(game)
        if package is None:
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        return package

    def _unavailable(self) -> tuple[Setting[Any], ...]:
        """Return the settings whose features the host has turned off."""
        return () if self._host.service.settings.reminders else (REMINDERS,)

    def _is_changeable(self, interaction: Interaction, setting: Setting[Any]) -> bool:
        """Return whether a setting can be changed here."""
        is_shown = interaction.guild_id is not None or not isinstance(setting.direct, str | None)
        return is_shown and setting not in self._unavailable()

    async def choose(self, click: Interaction, setting: Setting[Any]) -> str:
        """Apply a choice from a menu; return a sentence that confirms it."""
        if not self._is_changeable(click, setting):
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        match setting.values:
            case Ids() as values:
                texts = [text for text in chosen_values(click) if text.isascii() and text.isdecimal()]
                keep_existing = await existing_ids_of(click, values)
                ids = require_choosable(click, values, keep_existing(map(int, texts)))
                return await self.apply(click, setting, lambda _: ids)
            case AnyOf() as choices:
                picked = set(chosen_values(click))
                if not picked <= {each.value for each in choices.labels}:
                    raise Refusal(SettingReason.NO_SUCH_SETTING)
                return await self.apply(click, setting, lambda _: choices.decode(" ".join(picked)))
            case GamesOff():
                games_off = frozenset(self._host.service.games) - set(chosen_values(click))
                return await self.apply(click, setting, lambda _: games_off)
            case _:
                return await self.set_value(click, setting, chosen_value(click))

    async def _send(self, interaction: Interaction, panel: MessageContent) -> None:
        if is_command(interaction):
            shown = await send_ephemeral_content(interaction, panel)
        elif (edited := await edit_or_send_ephemeral(interaction, panel)) is not None:
            shown = edited
        else:
            return
        scope_id = location_of(interaction).scope_id
        self._ephemeral_messages.replace_previous(interaction, EphemeralKind.SETTINGS, scope_id, shown)

    async def _render(self, interaction: Interaction, section: SettingsSection, news: str) -> MessageContent:
        scope_id, games = location_of(interaction).scope_id, self._host.service.games
        chosen = await self._settings.get(scope_id)
        if interaction.guild_id is None:
            # Outside, the person's scope also has settings that hold only there.
            own = (await self._settings.get(interaction.user.id)).texts
            personal = [key for key in own if (setting := find_setting(key)) is not None and setting.is_personal]
            chosen = Chosen({**chosen.texts, **{key: own[key] for key in personal}})
            section = section if section in direct_sections() else direct_sections()[0]
            notes = _missing_notes(interaction, settings_on(section, in_server=False), chosen)
            shown = ShownSettings(chosen, games, in_server=False, is_outside=is_outside(interaction), notes=notes)
            return render_section(section, shown, news)
        if section in self.pages:
            return await self.pages[section](interaction, news)
        if section is SettingsSection.CHANGES:
            changes = await self._db.read(storage.find_changes, scope_id, _CHANGES_SHOWN)
            return render_changes(changes, games, self.make_data_buttons())
        return render_section(section, await self.describe(interaction, settings_on(section)), news)

    async def describe(self, interaction: Interaction, settings: Sequence[Setting[Any]]) -> ShownSettings:
        """Return the facts that are needed to show some settings of a server."""
        chosen = await self._settings.get(location_of(interaction).scope_id)
        existing = {}
        for setting in settings:
            # Ask Discord only if there is something to look up.
            if isinstance(setting.values, Ids) and (ids := chosen.get(setting)):
                existing[setting] = tuple(sorted((await existing_ids_of(interaction, setting.values))(ids)))
        notes = dict(_missing_notes(interaction, settings, chosen))
        for setting in settings:
            if (warn := self.warnings.get(setting)) is not None:
                notes[setting] = await warn(interaction, chosen)
        return ShownSettings(
            chosen, self._host.service.games, unavailable=self._unavailable(), existing=existing, notes=notes
        )


def require_manager(interaction: Interaction) -> None:
    """Raise a Refusal unless the user manages the server; a direct message needs no permission."""
    location_of(interaction)
    if interaction.guild_id is not None and not interaction.permissions.manage_guild:
        raise Refusal(SettingReason.NOT_MANAGER)


def require_server(interaction: Interaction) -> None:
    """Raise a Refusal where there is no server, because these settings are lacking there."""
    server_of(interaction, SettingReason.NO_SUCH_SETTING)


def require_choosable(interaction: Interaction, values: Values[frozenset[int]], ids: frozenset[int]) -> frozenset[int]:
    """Return channels or roles.

    Raises:
        Refusal: There are too many, everybody has one of the roles, or the user may not mention one that will be.
    """
    if isinstance(values, Roles) and interaction.guild_id in ids:
        raise Refusal(values.refuses_everyone)
    if isinstance(values, Roles) and values.are_mentioned and not all(may_mention(interaction, role) for role in ids):
        raise Refusal(SettingReason.ROLE_NOT_MENTIONABLE)
    if len(ids) > (values.most if isinstance(values, Channels | Roles) else MAX_CHOSEN):
        raise Refusal(SettingReason.TOO_MANY_CHOSEN)
    return ids


async def existing_ids_of(interaction: Interaction, values: Ids) -> Callable[[Iterable[int]], frozenset[int]]:
    """Return a function that keeps only the channels or roles that exist in the server."""
    if not isinstance(values, Channels):
        return lambda ids: existing_roles(interaction, ids)
    channels = await fetch_channels(interaction.guild)
    return lambda ids: existing_channels(channels, ids)


def parse_setting(key: str) -> Setting[Any]:
    """Return the setting whose key Discord has sent; raise a Refusal for anything else."""
    setting = find_setting(key)
    if setting is None:
        raise Refusal(SettingReason.NO_SUCH_SETTING)
    return setting


def _missing_notes(
    interaction: Interaction, settings: Iterable[Setting[Any]], chosen: Chosen
) -> Mapping[Setting[Any], str]:
    """Return, by setting, the permissions that the bot lacks here for the chosen value."""
    return {setting: setting.note(interaction, chosen) for setting in settings if setting.note is not None}


def _replace(value: T, _before: T) -> T:
    return value


def _without(options: Mapping[str, str], game: str) -> Mapping[str, str]:
    return {key: text for key, text in options.items() if key != game}
