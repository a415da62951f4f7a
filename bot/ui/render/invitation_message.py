"""The message that invites somebody to a table."""

import discord

from bot.tables.model import Person, TableId
from bot.tables.table import Table
from bot.ui.custom_ids import InviteAction, InviteId
from bot.ui.render.links import jump_link, safe
from bot.ui.render.message import Press
from bot.words import gettext as _, listed


def invitation_presses(table_id: TableId, guest_id: int) -> tuple[Press, ...]:
    """Make the buttons of an invitation."""
    join, refuse = (InviteId(table_id, guest_id, action) for action in (InviteAction.JOIN, InviteAction.REFUSE))
    return (
        Press(_("Join"), str(join), discord.ButtonStyle.success),
        Press(_("No more invitations"), str(refuse)),
    )


def invitation_text(table: Table, host: Person, guest: Person) -> str:
    """Ask somebody to a table, in the one message that mentions them."""
    game = table.package.game.info.title
    if unusual := table.package.describe_options(table.options):
        game = _("{game} ({options})").format(game=game, options=listed(unusual))
    text = _("<@{guest}>, {host} invites you to a game of {game}. Press *Join* to sit down: {link}")
    return text.format(guest=guest.id, host=safe(host.name), game=game, link=jump_link(table))
