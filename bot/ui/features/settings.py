"""The settings of a server or direct message; open tables follow changes at once."""

from dataclasses import dataclass, replace
from enum import StrEnum

import discord

from bot.community.preferences import PreferenceCache
from bot.rules.picture import Theme
from bot.rules.refusals import Refusal
from bot.tables.model import Preferences
from bot.tables.refusals import HostReason
from bot.tables.runtime.host import Host
from bot.ui.interactions.context import attach_files_note, place_of
from bot.ui.interactions.responses import Interaction, deferred_if_slow, send_ephemeral
from bot.ui.render.table_message import PLAIN_COLOUR
from bot.words import N_, format_number, gettext as _, ngettext


class PictureChoice(StrEnum):
    """How tables are shown."""

    STANDARD = "standard"
    HIGH_CONTRAST = "high_contrast"
    OFF = "off"

    @property
    def theme(self) -> Theme | None:
        """The theme of pictures; None for words only."""
        return None if self is PictureChoice.OFF else Theme(self.value)


PICTURE_LABELS = {
    PictureChoice.STANDARD: N_("Standard"),
    PictureChoice.HIGH_CONTRAST: N_("High contrast"),
    PictureChoice.OFF: N_("Off, words only"),
}


def parse_picture_choice(value: str) -> PictureChoice:
    """Return the choice with a value; raise a Refusal if there is none."""
    try:
        return PictureChoice(value)
    except ValueError:
        raise Refusal(HostReason.NO_SUCH_PICTURES) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanges:
    """Requested changes; None keeps a setting."""

    pictures: PictureChoice | None = None
    reminders: bool | None = None
    invitations: bool | None = None

    def apply_to(self, preferences: Preferences) -> Preferences:
        """Return the preferences after the changes."""
        return Preferences(
            theme=preferences.theme if self.pictures is None else self.pictures.theme,
            reminds=preferences.reminds if self.reminders is None else self.reminders,
            invites=preferences.invites if self.invitations is None else self.invitations,
        )


class SettingsCommands:
    """Shows and changes the settings of a server or of a user's direct messages."""

    def __init__(self, host: Host, preferences: PreferenceCache) -> None:
        self._host = host
        self._preferences = preferences

    @deferred_if_slow
    async def update(self, command: Interaction, changes: SettingsChanges) -> None:
        """Change the given settings, and show all of them."""
        place = place_of(command)
        _require_manager(command)
        before = await self._preferences.get(place)
        if changes == SettingsChanges():
            await send_ephemeral(command, embed=await self._settings_embed(command, before))
            return
        after = before
        if command.guild_id is None and changes.invitations is not None:
            # Here the setting means invitations to the user, everywhere: a direct message has no guests.
            await self._host.invitations.set_refuses(command.user.id, refuses=not changes.invitations)
            changes = replace(changes, invitations=None)
        if changes != SettingsChanges():
            after = await self._preferences.change(place, changes.apply_to)
        count = await self._host.refresh_open_tables(place.scope_id) if after.theme != before.theme else 0
        await send_ephemeral(command, _saved_text(count), embed=await self._settings_embed(command, after))

    async def _settings_embed(self, command: Interaction, preferences: Preferences) -> discord.Embed:
        in_server = command.guild_id is not None
        title = _("Settings of this server") if in_server else _("Settings of our direct messages")
        embed = discord.Embed(title=title, colour=PLAIN_COLOUR)
        embed.add_field(name=_("Pictures"), value=_pictures_text(command, preferences), inline=False)
        embed.add_field(name=_("Reminders"), value=self._reminders_text(preferences, in_server=in_server), inline=False)
        embed.add_field(name=_("Invitations"), value=await self._invitations_text(command, preferences), inline=False)
        return embed

    async def _invitations_text(self, command: Interaction, preferences: Preferences) -> str:
        if command.guild_id is not None:
            if preferences.invites:
                return _("**On**: players can invite others to their table, each person at most once a day.")
            return _("**Off**: no one is invited to tables here.")
        if await self._host.invitations.refuses(command.user.id):
            return _("**Off**: no one can invite you to a table, in any server.")
        return _("**On**: players can invite you to their table, each of them at most once a day.")

    def _reminders_text(self, preferences: Preferences, *, in_server: bool) -> str:
        if not in_server:
            return _("**Off** in direct messages, always: no one else is waiting here.")
        if not self._host.reminders.is_enabled:
            return _("**Off** everywhere: my host has turned them off.")
        if not preferences.reminds:
            return _("**Off**: no one is reminded of their turn.")
        return _("**On**: ping players after two minutes, once per turn.")


def _pictures_text(command: Interaction, preferences: Preferences) -> str:
    choice = PictureChoice.OFF if preferences.theme is None else PictureChoice(preferences.theme.value)
    text = _("**{choice}**: how tables look. *Read the table* tells you what a picture shows.")
    line = text.format(choice=_(PICTURE_LABELS[choice]))
    return line if preferences.theme is None else "\n".join(filter(None, (line, attach_files_note(command))))


def _saved_text(count: int) -> str:
    if not count:
        return _("Saved.")
    text = ngettext(
        "Saved. Updating {count} table.",
        "Saved. Updating {count} tables.",
        count,
    )
    return text.format(count=format_number(count))


def _require_manager(command: Interaction) -> None:
    """Raise a Refusal unless the user manages the server; direct messages need no permission."""
    if command.guild_id is not None and not command.permissions.manage_guild:
        raise Refusal(HostReason.NOT_MANAGER)
