"""The message that invites a user to a table."""

import discord

from bot.platform.discord.content import Button
from bot.platform.places import Person
from bot.tables.handlers.ids import InvitationButton, InvitationId
from bot.tables.model import TableId
from bot.tables.shown.links import escape_name, table_link
from bot.tables.table import Table
from bot.words import gettext as _, join_items


def invitation_buttons(table_id: TableId, guest_id: int) -> tuple[Button, ...]:
    """Return the buttons of an invitation."""
    join, refuse = (
        InvitationId(table_id, guest_id, button) for button in (InvitationButton.JOIN, InvitationButton.REFUSE)
    )
    return (
        Button(_("Join"), str(join), discord.ButtonStyle.success),
        Button(_("No more invitations"), str(refuse)),
    )


def invitation_text(table: Table, inviter: Person, guest: Person) -> str:
    """Return the text of an invitation, which mentions the guest."""
    game = table.package.game.info.title
    if options := table.package.describe_options(table.options):
        game = _("{game} ({options})").format(game=game, options=join_items(options))
    text = _("<@{guest}>, {inviter} invites you to a game of {game}. Press *Join* to play: {link}")
    return text.format(guest=guest.id, inviter=escape_name(inviter.name), game=game, link=table_link(table))
