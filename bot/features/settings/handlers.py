"""The panel with the settings of a server or direct message; open tables follow changes at once."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from discord import app_commands
from discord.abc import Snowflake

from bot.features.invitations.service import Invitations
from bot.features.reminders.service import Reminders
from bot.features.settings import storage
from bot.features.settings.ids import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    Setting,
    SettingId,
    SettingsSection,
    SettingsSectionId,
)
from bot.features.settings.messages import (
    page_of_option,
    render_changes,
    render_defaults,
    render_direct,
    render_section,
)
from bot.features.settings.people import PeopleCache, PreferenceCache
from bot.features.settings.preferences import Preferences, SettingsAuthor
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rules import (
    choosing_ids,
    default_options,
    existing_ids_of,
    existing_roles,
    ids_in,
    missing_notes,
    require_manager,
    require_no_everyone,
    require_server,
    saved_text,
    with_ids,
    with_options,
)
from bot.features.settings.values import (
    DIRECT_SETTINGS,
    ON,
    PERSONAL_SETTINGS,
    VALUE_LABELS,
    ShownSettings,
    section_of,
    with_value,
)
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow, is_command
from bot.platform.discord.channels import existing_channels, fetch_channels
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import location_of
from bot.platform.discord.menus import chosen_value, chosen_values, make_choices
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.rules.game import Options
from bot.rules.options import encode_value, option_texts, option_values, set_option
from bot.rules.refusals import Refusal
from bot.tables.host import Host
from bot.tables.refusals import GameFacts, HostReason
from bot.tables.registry import AnyPackage
from bot.tables.shown.words import find_game, format_value
from bot.words import gettext as _

_CHANGES_SHOWN = 10

Choose = Callable[[Preferences], Preferences]


class SettingsPanels:
    """Shows the settings of a server, in pages, or of a user's direct messages, and applies the choices."""

    def __init__(
        self,
        host: Host,
        find_reminders: Callable[[], Reminders],
        find_invitations: Callable[[], Invitations],
        preferences: PreferenceCache,
        db: Database,
        *,
        people: PeopleCache,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._host = host
        self._find_reminders = find_reminders
        self._find_invitations = find_invitations
        self._preferences = preferences
        self._db = db
        self._people = people
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def open(self, command: Interaction, section: SettingsSection = SettingsSection.TABLES) -> None:
        """Send the panel."""
        require_manager(command)
        await self._show_newest(command, section)

    async def press(
        self,
        click: Interaction,
        pressed: SettingId | SettingsSectionId | DefaultsPageId | DefaultOptionId | ResetDefaultsId,
    ) -> None:
        """Show a page, or apply a choice and refresh the panel.

        Raises:
            Refusal: The user may not change the settings, or the panel does not offer the choice here.
        """
        require_manager(click)
        match pressed:
            case SettingsSectionId(section):
                require_server(click)
                await self._show_newest(click, section)
            case SettingId(Setting.OPTIONS):
                await self.show_defaults(click, chosen_value(click), 1)
            case SettingId(setting):
                await self.show(click, section_of(setting), await self._choose(click, setting))
            case DefaultsPageId(game, page):
                await self.show_defaults(click, game, page)
            case DefaultOptionId(game, option):
                await self.set_option(click, game, option, chosen_value(click))
            case ResetDefaultsId(game):
                await self.reset_options(click, game)

    async def _show_newest(self, interaction: Interaction, section: SettingsSection) -> None:
        """Show a page as it is stored now: another process may have changed something."""
        await self._preferences.reload(location_of(interaction))
        await self.show(interaction, section)

    async def show(self, interaction: Interaction, section: SettingsSection, news: str = "") -> None:
        """Show a page, or in a direct message the only one, in the clicked message or a new one."""
        await self._send(interaction, await self._render(interaction, section, news))

    async def show_defaults(self, interaction: Interaction, game: str, page: int, news: str = "") -> None:
        """Show a page of the options that new tables of a game start with."""
        require_server(interaction)
        package = self._package(game)
        options = default_options(await self._preferences.get(location_of(interaction)), package)
        await self._send(interaction, render_defaults(package, options, page, news))

    async def set_option(self, interaction: Interaction, game: str, option: str, value: str) -> None:
        """Choose what an option of new tables starts with, and show its page."""
        require_server(interaction)
        package = self._package(game)
        refusal = Refusal(HostReason.NO_SUCH_CHOICE, GameFacts(package.game.info.title))
        if option not in package.game.info.options.model_fields:
            raise refusal

        def choose(chosen: Preferences) -> Preferences:
            options = set_option(default_options(chosen, package), option, value)
            return with_options(chosen, game, options.model_dump_json(exclude_defaults=True))

        try:
            news = await self.apply(interaction, choose)
        except ValueError:
            raise refusal from None
        page = page_of_option(package.game.info.options(), option)
        await self.show_defaults(interaction, game, page, news)

    async def reset_options(self, interaction: Interaction, game: str) -> None:
        """Let new tables of a game start with its usual options."""
        require_server(interaction)
        self._package(game)
        news = await self.apply(interaction, lambda chosen: with_options(chosen, game, "{}"))
        await self.show_defaults(interaction, game, 1, news)

    async def set_value(self, interaction: Interaction, setting: Setting, value: str) -> str:
        """Choose the value of a setting that has a few, and return what that has led to."""
        if setting not in self._changeable(interaction) or value not in VALUE_LABELS.get(setting, ()):
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        if setting in PERSONAL_SETTINGS and interaction.guild_id is None:
            await self._choose_for_user(interaction.user.id, setting, is_on=value == ON)
            return saved_text(0)
        return await self.apply(interaction, lambda chosen: with_value(chosen, setting, value))

    async def apply(self, interaction: Interaction, choose: Choose) -> str:
        """Change the settings of this place and return what that has led to."""
        location, author, owner_id = location_of(interaction), None, None
        if interaction.guild_id is None:
            owner_id = interaction.user.id
        else:
            author = SettingsAuthor(interaction.user.id, self._host.service.clock())
        before = await self._preferences.reload(location)
        after = await self._preferences.change(location, choose, author, owner_id)
        is_visible = (after.theme, after.hints) != (before.theme, before.hints)
        return saved_text(await self._host.refresh_open_tables(location.scope_id) if is_visible else 0)

    def games(self) -> Collection[str]:
        """Return the keys of all games."""
        return self._host.service.games.keys()

    def _package(self, game: str) -> AnyPackage:
        package = self._host.service.games.get(game)
        if package is None:
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        return package

    def _changeable(self, interaction: Interaction) -> Collection[Setting]:
        """Return the settings that can be changed here."""
        if interaction.guild_id is None:
            return DIRECT_SETTINGS
        return [each for each in Setting if each is not Setting.REMINDERS or self._find_reminders().is_enabled]

    async def _choose(self, click: Interaction, setting: Setting) -> str:
        """Apply a choice in a menu and return what that has led to."""
        if setting not in self._changeable(click):
            raise Refusal(SettingReason.NO_SUCH_SETTING)
        match setting:
            case Setting.CHANNELS | Setting.OPENERS | Setting.MODERATORS:
                return await self.apply(click, await choosing_ids(click, setting))
            case Setting.GAMES:
                games_off = frozenset(self.games()) - set(chosen_values(click))
                return await self.apply(click, lambda chosen: replace(chosen, games_off=games_off))
            case _:
                return await self.set_value(click, setting, chosen_value(click))

    async def _choose_for_user(self, user_id: int, setting: Setting, *, is_on: bool) -> None:
        """Choose what a setting is for a user, in every server."""
        if setting is Setting.INVITATIONS:
            await self._find_invitations().set_refuses(user_id, refuses=not is_on)
        else:
            await self._people.change(user_id, lambda chosen: replace(chosen, tips=is_on))

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
        location, games = location_of(interaction), self._host.service.games
        if interaction.guild_id is None:
            return render_direct(await self._personal(interaction, await self._preferences.get(location)), news)
        if section is SettingsSection.CHANGES:
            return render_changes(await self._db.read(storage.find_changes, location.scope_id, _CHANGES_SHOWN), games)
        chosen = await self._preferences.get(location)
        # Discord is asked only if there is something to look up.
        channels = await fetch_channels(interaction) if chosen.channels else None
        shown = ShownSettings(
            chosen,
            games,
            sends_reminders=self._find_reminders().is_enabled,
            channels=_in_order(existing_channels(channels, chosen.channels)),
            opener_roles=_in_order(existing_roles(interaction, chosen.opener_roles)),
            moderator_roles=_in_order(existing_roles(interaction, chosen.moderator_roles)),
            notes=missing_notes(interaction, chosen),
        )
        return render_section(section, shown, news)

    async def _personal(self, interaction: Interaction, chosen: Preferences) -> ShownSettings:
        """Return the settings of a direct message, with what the user has chosen for themselves everywhere."""
        invites = not await self._find_invitations().refuses(interaction.user.id)
        tips = (await self._people.get(interaction.user.id)).preferences.tips
        chosen = replace(chosen, invites=invites, tips=tips)
        return ShownSettings(
            chosen, self._host.service.games, in_server=False, notes=missing_notes(interaction, chosen)
        )


def _in_order(ids: Collection[int]) -> tuple[int, ...]:
    return tuple(sorted(ids))


class SettingsCommands:
    """Changes a setting and shows its page of the panel."""

    def __init__(self, panels: SettingsPanels, games: Mapping[str, AnyPackage]) -> None:
        self._panels = panels
        self._games = games

    @deferred_if_slow
    async def set_value(self, command: Interaction, name: str, value: str) -> None:
        """Choose the value of a setting that has a few."""
        require_manager(command)
        setting = _parse_setting(name)
        news = await self._panels.set_value(command, setting, value.strip().casefold())
        await self._panels.show(command, section_of(setting), news)

    @deferred_if_slow
    async def change_ids(
        self, command: Interaction, name: str, add: Snowflake | None, remove: Snowflake | None
    ) -> None:
        """Add and remove channels or roles of a setting; without either, show them."""
        added, removed = _ids(add), _ids(remove)
        require_manager(command)
        require_server(command)
        setting = _parse_setting(name)
        if setting is not Setting.CHANNELS:
            require_no_everyone(command, setting, added)
        news = ""
        if added or removed:
            keep_existing = await existing_ids_of(command, setting)

            def choose(chosen: Preferences) -> Preferences:
                return with_ids(chosen, setting, keep_existing((ids_in(chosen, setting) | added) - removed))

            news = await self._panels.apply(command, choose)
        await self._panels.show(command, section_of(setting), news)

    @deferred_if_slow
    async def switch_game(self, command: Interaction, name: str, *, is_on: bool) -> None:
        """Switch a game on or off."""
        require_manager(command)
        require_server(command)
        key = {find_game(self._games, name).game.info.key}

        def choose(chosen: Preferences) -> Preferences:
            return replace(chosen, games_off=chosen.games_off - key if is_on else chosen.games_off | key)

        await self._panels.show(command, SettingsSection.GAMES, await self._panels.apply(command, choose))

    @deferred_if_slow
    async def set_option(self, command: Interaction, name: str, option: str | None, value: str | None) -> None:
        """Choose what an option of new tables of a game starts with; without option and value, show them all."""
        require_manager(command)
        package = find_game(self._games, name)
        key = package.game.info.key
        if option is None or value is None:
            await self._panels.show_defaults(command, key, 1)
        else:
            await self._panels.set_option(command, key, option, _encode(package, option, value))

    def suggest_values(self, name: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the values of a setting that has a few."""
        labels = next((labels for setting, labels in VALUE_LABELS.items() if setting.value == name), {})
        return _matching(typed, ((_(label), value) for value, label in labels.items()))

    def suggest_options(self, name: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the options of a game."""
        texts = {} if (model := self._model(name)) is None else option_texts(model)
        return _matching(typed, ((_(text.label), option) for option, text in texts.items()))

    def suggest_option_values(self, name: str, option: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the values of an option of a game."""
        model = self._model(name)
        return [] if model is None else _matching(typed, _values(model, option))

    def _model(self, name: str) -> type[Options] | None:
        try:
            return find_game(self._games, name).game.info.options
        except Refusal:
            return None


def _ids(entity: Snowflake | None) -> frozenset[int]:
    return frozenset() if entity is None else frozenset({entity.id})


def _parse_setting(name: str) -> Setting:
    """Parse the name of a setting, as Discord sends it; raise a Refusal for anything else."""
    if name not in list(Setting):
        raise Refusal(SettingReason.NO_SUCH_SETTING)
    return Setting(name)


def _matching(typed: str, labels: Iterable[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    return make_choices(each for each in labels if typed.strip().casefold() in each[0].casefold())


def _values(model: type[Options], option: str) -> list[tuple[str, str]]:
    """Return the values to offer for an option, as players read them and as they are stored."""
    text = option_texts(model).get(option)
    if text is None:
        return []
    return [(format_value(text, value), encode_value(value)) for value in option_values(model(), option)]


def _encode(package: AnyPackage, option: str, typed: str) -> str:
    """Return a typed value of an option as it is stored, if it is one of those offered."""
    wanted = typed.strip().casefold()
    values = _values(package.game.info.options, option)
    return next((stored for label, stored in values if wanted in (label.casefold(), stored.casefold())), wanted)
