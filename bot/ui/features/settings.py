"""The panel with the settings of a server or direct message; open tables follow changes at once."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

import discord

from bot.community.people import PeopleCache
from bot.community.preferences import PreferenceCache
from bot.rules.picture import Theme
from bot.rules.refusals import Refusal
from bot.tables.preferences import Preferences
from bot.tables.refusals import HostReason
from bot.tables.runtime.host import Host
from bot.ui.interactions.context import attach_files_note, location_of
from bot.ui.interactions.ephemeral_content import edit_or_send_ephemeral, send_ephemeral_content
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import Interaction, deferred_if_slow
from bot.ui.render.embeds import PLAIN_COLOUR
from bot.ui.render.menus import SelectMenu, SelectOption, chosen_value
from bot.ui.render.message import MessageContent
from bot.ui.result_ids import Setting, SettingId
from bot.words import N_, format_number, gettext as _, ngettext


class PictureChoice(StrEnum):
    """How tables are shown."""

    STANDARD = "standard"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"
    OFF = "off"

    @property
    def theme(self) -> Theme | None:
        """The theme of pictures; None for words only."""
        return None if self is PictureChoice.OFF else Theme(self.value)


ON, OFF = "on", "off"
_SWITCH = {ON: N_("On"), OFF: N_("Off")}

VALUE_LABELS: Mapping[Setting, Mapping[str, str]] = {
    Setting.PICTURES: {
        PictureChoice.STANDARD: N_("Standard"),
        PictureChoice.DARK: N_("Dark"),
        PictureChoice.HIGH_CONTRAST: N_("High contrast"),
        PictureChoice.OFF: N_("Off, words only"),
    },
    Setting.REMINDERS: _SWITCH,
    Setting.INVITATIONS: _SWITCH,
    Setting.TIPS: _SWITCH,
    Setting.HINTS: _SWITCH,
}
"""The values of each setting, with their names."""

_PERSONAL_SETTINGS = (Setting.INVITATIONS, Setting.TIPS)
"""The settings that, in a direct message, are for the user, everywhere."""

_TITLES = {
    Setting.PICTURES: N_("Pictures"),
    Setting.REMINDERS: N_("Reminders"),
    Setting.INVITATIONS: N_("Invitations"),
    Setting.TIPS: N_("Tips"),
    Setting.HINTS: N_("Hints"),
}


class SettingsPanels:
    """Shows the settings of a server or of a user's direct messages, with a menu for each, and applies the choices."""

    def __init__(
        self, host: Host, preferences: PreferenceCache, people: PeopleCache, ephemeral_messages: EphemeralMessages
    ) -> None:
        self._host = host
        self._preferences = preferences
        self._people = people
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def open(self, command: Interaction) -> None:
        """Send the panel."""
        location = location_of(command)
        _require_manager(command)
        panel = await self._render(command, await self._preferences.get(location))
        shown = await send_ephemeral_content(command, panel)
        self._ephemeral_messages.replace_previous(command, EphemeralKind.SETTINGS, location.scope_id, shown)

    async def press(self, click: Interaction, pressed: SettingId) -> None:
        """Apply a choice and refresh the panel.

        Raises:
            Refusal: The user may not change the settings, or the panel does not offer the choice here.
        """
        location = location_of(click)
        _require_manager(click)
        value = chosen_value(click)
        if pressed.setting not in self._changeable(click) or value not in VALUE_LABELS[pressed.setting]:
            raise Refusal(HostReason.NO_SUCH_SETTING)
        before = await self._preferences.get(location)
        after = await self._choose(click, pressed.setting, value)
        is_visible = (after.theme, after.hints) != (before.theme, before.hints)
        count = await self._host.refresh_open_tables(location.scope_id) if is_visible else 0
        if shown := await edit_or_send_ephemeral(click, await self._render(click, after, _saved_text(count))):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.SETTINGS, location.scope_id, shown)

    def _changeable(self, interaction: Interaction) -> tuple[Setting, ...]:
        """Return the settings that can be changed here."""
        reminds = interaction.guild_id is not None and self._host.reminders.is_enabled
        return tuple(each for each in Setting if each is not Setting.REMINDERS or reminds)

    async def _choose(self, click: Interaction, setting: Setting, value: str) -> Preferences:
        """Set a setting and return all of them."""
        location, is_on = location_of(click), value == ON
        if setting in _PERSONAL_SETTINGS and click.guild_id is None:
            await self._choose_for_user(click.user.id, setting, is_on=is_on)
            return await self._preferences.get(location)
        return await self._preferences.change(location, lambda preferences: _with_value(preferences, setting, value))

    async def _choose_for_user(self, user_id: int, setting: Setting, *, is_on: bool) -> None:
        """Choose what a setting is for a user, in every server."""
        if setting is Setting.INVITATIONS:
            await self._host.invitations.set_refuses(user_id, refuses=not is_on)
        else:
            await self._people.change(user_id, lambda chosen: replace(chosen, tips=is_on))

    async def _render(self, interaction: Interaction, preferences: Preferences, news: str = "") -> MessageContent:
        """Render the panel, with what a choice has just led to."""
        in_server, invites, tips = interaction.guild_id is not None, preferences.invites, preferences.tips
        if not in_server:
            invites = not await self._host.invitations.refuses(interaction.user.id)
            tips = (await self._people.get(interaction.user.id)).preferences.tips
        texts = {
            Setting.PICTURES: _pictures_text(interaction, preferences),
            Setting.REMINDERS: self._reminders_text(preferences, in_server=in_server),
            Setting.INVITATIONS: _invitations_text(in_server=in_server, is_on=invites),
            Setting.TIPS: _tips_text(in_server=in_server, is_on=tips),
            Setting.HINTS: _hints_text(is_on=preferences.hints),
        }
        title = _("Settings of this server") if in_server else _("Settings of our direct messages")
        embed = discord.Embed(title=title, description=news, colour=PLAIN_COLOUR)
        for setting, text in texts.items():
            embed.add_field(name=_(_TITLES[setting]), value=text, inline=False)
        embed.set_footer(text=_("Changes apply immediately."))
        chosen = {
            Setting.PICTURES: _picture_choice(preferences),
            Setting.REMINDERS: _switch_value(is_on=preferences.reminds),
            Setting.INVITATIONS: _switch_value(is_on=invites),
            Setting.TIPS: _switch_value(is_on=tips),
            Setting.HINTS: _switch_value(is_on=preferences.hints),
        }
        menus = tuple(_select_menu(each, chosen[each]) for each in self._changeable(interaction))
        return MessageContent(embed.to_dict(), menus=menus)

    def _reminders_text(self, preferences: Preferences, *, in_server: bool) -> str:
        if not in_server:
            return _("**Off** in direct messages, always: no one else is waiting here.")
        if not self._host.reminders.is_enabled:
            return _("**Off** everywhere: they are turned off for the whole bot.")
        if not preferences.reminds:
            return _("**Off**: no one is reminded of their turn.")
        return _("**On**: ping players after two minutes, once per turn.")


def _with_value(preferences: Preferences, setting: Setting, value: str) -> Preferences:
    match setting:
        case Setting.PICTURES:
            return replace(preferences, theme=PictureChoice(value).theme)
        case Setting.REMINDERS:
            return replace(preferences, reminds=value == ON)
        case Setting.INVITATIONS:
            return replace(preferences, invites=value == ON)
        case Setting.TIPS:
            return replace(preferences, tips=value == ON)
        case Setting.HINTS:
            return replace(preferences, hints=value == ON)


def _select_menu(setting: Setting, chosen: str) -> SelectMenu:
    title = _(_TITLES[setting])
    # A closed menu shows only its choice, so the choice names the setting too.
    options = (
        SelectOption(_("{setting}: {value}").format(setting=title, value=_(label)), value, is_chosen=value == chosen)
        for value, label in VALUE_LABELS[setting].items()
    )
    return SelectMenu(title, str(SettingId(setting)), tuple(options))


def _switch_value(*, is_on: bool) -> str:
    return ON if is_on else OFF


def _picture_choice(preferences: Preferences) -> PictureChoice:
    return PictureChoice.OFF if preferences.theme is None else PictureChoice(preferences.theme.value)


def _pictures_text(interaction: Interaction, preferences: Preferences) -> str:
    label = VALUE_LABELS[Setting.PICTURES][_picture_choice(preferences)]
    text = _("How tables look: **{choice}**. *Read the table* tells you what a picture shows.")
    line = text.format(choice=_(label))
    return line if preferences.theme is None else "\n".join(filter(None, (line, attach_files_note(interaction))))


def _invitations_text(*, in_server: bool, is_on: bool) -> str:
    if in_server:
        if is_on:
            return _("**On**: players can invite others to their table, each person at most once a day.")
        return _("**Off**: no one is invited to tables here.")
    if is_on:
        return _("**On**: players can invite you to their table, each of them at most once a day.")
    return _("**Off**: no one can invite you to a table, in any server.")


def _tips_text(*, in_server: bool, is_on: bool) -> str:
    if in_server:
        if is_on:
            return _("**On**: tables show tips to players who are new to a game, until they finish it once.")
        return _("**Off**: no tips at tables here.")
    if is_on:
        return _("**On**: you get tips in games that are new to you, until you finish them once.")
    return _("**Off**: you get no tips, in any server.")


def _hints_text(*, is_on: bool) -> str:
    if is_on:
        return _("**On**: players to move can ask for the best moves, unless a table's host turns that off.")
    return _("**Off**: no hints at tables here.")


def _saved_text(count: int) -> str:
    if not count:
        return _("Saved.")
    text = ngettext(
        "Saved. Updating {count} table.",
        "Saved. Updating {count} tables.",
        count,
    )
    return text.format(count=format_number(count))


def _require_manager(interaction: Interaction) -> None:
    """Raise a Refusal unless the user manages the server; direct messages need no permission."""
    if interaction.guild_id is not None and not interaction.permissions.manage_guild:
        raise Refusal(HostReason.NOT_MANAGER)
