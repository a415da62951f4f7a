"""The message that invites a person to a table."""

from dataclasses import dataclass
from enum import StrEnum

import discord

from bot.features.invitations.model import Invitation
from bot.platform.discord.content import Button, Json
from bot.platform.discord.ids import CustomId
from bot.platform.discord.rate_limits import Urgency
from bot.platform.notices.sending import Line, button_ids
from bot.platform.places import Person
from bot.tables.model import TableId
from bot.tables.shown.links import escape_name, table_link
from bot.tables.table import Table
from bot.words import gettext as _, join_items


class InvitationButton(StrEnum):
    """The buttons of an invitation."""

    JOIN = "join"
    REFUSE = "refuse"


@dataclass(frozen=True)
class InvitationId(CustomId, prefix="i"):
    """A button of an invitation."""

    table_id: TableId
    guest_id: int
    button: InvitationButton


def invite_guest(table: Table, inviter: Person, guest: Person) -> Line:
    """Return the line that invites and notifies a guest, with the buttons to join and to refuse invitations."""
    game = _(table.package.game.info.title)
    if options := table.package.words.describe_options(table.options):
        game = _("{game} ({options})").format(game=game, options=join_items(options))
    text = _("<@{guest}>, {inviter} invites you to a game of {game}. Press *Join* to play: {link}")
    text = text.format(guest=guest.id, inviter=escape_name(inviter.name), game=game, link=table_link(table))
    join, refuse = (
        str(InvitationId(table.id, guest.id, button)) for button in (InvitationButton.JOIN, InvitationButton.REFUSE)
    )
    buttons = Button(_("Join"), join, discord.ButtonStyle.success), Button(_("No more invitations"), refuse)
    return Line(text, (guest.id,), buttons, Urgency.POST)


def is_invitation(invitation: Invitation, message: Json) -> bool:
    """Return whether a message belongs to an invitation."""
    join = InvitationId(invitation.table_id, invitation.user_id, InvitationButton.JOIN)
    return str(join) in button_ids(message)
