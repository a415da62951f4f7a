"""The person, location and permissions of an interaction."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.platform.discord.picture_attachments import may_attach_files
from bot.platform.discord.refusals import ClickReason, InstallFacts, PermissionFacts
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal, RefusalReason
from bot.words import N_, gettext as _, join_items

_MISSING_PERMISSIONS = N_(
    "I'm missing permissions in this channel: **{permissions}**. Ask someone who runs this server to "
    "allow them. Until then the table may lag behind; click any of its buttons to update it."
)
_NO_ATTACHMENTS = N_(
    "I can't attach files in this channel, so tables are shown in words. For pictures, ask someone "
    "who runs this server to allow me **Attach Files**."
)
UPLOADS_ARE_LIMITED = N_(
    "Discord limits uploads in this server for now, so tables are shown in words. I'll try pictures again in an hour."
)


_INVITED_WITH: Final = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, embed_links=True, attach_files=True
)
"""The permissions that the bot asks for when it is added to a server."""


def person_of(interaction: discord.Interaction[Any]) -> Person:
    """Return the user of an interaction with their name in the server."""
    return Person(interaction.user.id, interaction.user.display_name)


def account_of(interaction: discord.Interaction[Any]) -> Person:
    """Return the user of an interaction with their account's name, which other servers see."""
    user = interaction.user
    return Person(user.id, user.global_name or user.name)


def guest_of(interaction: discord.Interaction[Any], guest: discord.Member | discord.User) -> Person:
    """Return the guest named by a command.

    Raises:
        Refusal: The guest can't take a seat here.
    """
    server_of(interaction, ClickReason.NO_GUESTS_HERE)
    if guest.bot:
        raise Refusal(ClickReason.APPS_CANNOT_PLAY)
    if isinstance(guest, discord.User):
        raise Refusal(ClickReason.NOT_A_MEMBER)
    # Discord sends the member's permissions in this channel.
    if guest.resolved_permissions is not None and not guest.resolved_permissions.view_channel:
        raise Refusal(ClickReason.CANNOT_SEE)
    return Person(guest.id, guest.display_name)


def channel_of(interaction: discord.Interaction[Any]) -> int:
    """Return the channel of an interaction, or 0 for none."""
    return interaction.channel_id or 0


def location_of(interaction: discord.Interaction[Any]) -> Location:
    """Return the location of an interaction.

    Raises:
        Refusal: There is no channel.
    """
    if interaction.channel_id is None:
        raise Refusal(ClickReason.NO_PLACE)
    if is_outside(interaction):
        return Location(None, interaction.channel_id, interaction.user.id, is_outside=True)
    return Location(interaction.guild_id, interaction.channel_id)


def is_outside(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot is not in the channel, and its user has installed it for themselves."""
    return not (interaction.is_guild_integration() or interaction.context.dm_channel)


def server_of(interaction: discord.Interaction[Any], refused_directly: RefusalReason) -> int:
    """Return the server of an interaction.

    Args:
        interaction: The interaction.
        refused_directly: The reason of the refusal in a direct message with the bot.

    Raises:
        Refusal: The bot is not in a server there.
    """
    require_presence(interaction)
    if interaction.guild_id is None:
        raise Refusal(refused_directly)
    return interaction.guild_id


def require_presence(interaction: discord.Interaction[Any]) -> None:
    """Raise a Refusal that says how to add the bot to a server, if it is not in the channel."""
    if is_outside(interaction):
        reason = ClickReason.NEEDS_THIS_SERVER if interaction.context.guild else ClickReason.NEEDS_A_SERVER
        raise Refusal(reason, InstallFacts(make_invitation(interaction.application_id)))


def make_invitation(application_id: int) -> str:
    """Return the link that adds the bot to a server."""
    return discord.utils.oauth_url(application_id, permissions=_INVITED_WITH, scopes=("bot", "applications.commands"))


def attach_files_note(interaction: discord.Interaction[Any]) -> str:
    """Return the reason why tables show no pictures in this channel; empty if they do."""
    return "" if may_attach_files(interaction) else _(_NO_ATTACHMENTS)


def require_posting(interaction: discord.Interaction[Any]) -> None:
    """Raise a Refusal if the bot can't post a message for everyone in this channel."""
    require_presence(interaction)
    require_permissions(interaction)


def require_permissions(interaction: discord.Interaction[Any]) -> None:
    """Raise a Refusal if the bot can't keep a table's message up to date in this channel."""
    if missing := _missing_permissions(interaction):
        raise Refusal(ClickReason.MISSING_PERMISSIONS, PermissionFacts(join_items(missing)))


def permissions_note(interaction: discord.Interaction[Any]) -> str:
    """Return a note about permissions that the bot lacks to show a table; empty if it lacks none."""
    missing = _missing_permissions(interaction)
    return _(_MISSING_PERMISSIONS).format(permissions=join_items(missing)) if missing else ""


def _missing_permissions(interaction: discord.Interaction[Any]) -> Sequence[str]:
    """Return the names of missing permissions that a table needs here."""
    if interaction.guild_id is None:
        return ()
    given = interaction.app_permissions
    needed = (
        (_("View Channel"), given.view_channel),
        (_("Send Messages in Threads"), given.send_messages_in_threads)
        if isinstance(interaction.channel, discord.Thread)
        else (_("Send Messages"), given.send_messages),
        (_("Embed Links"), given.embed_links),
    )
    return tuple(name for name, has in needed if not has)
