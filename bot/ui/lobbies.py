"""What slash commands ask of a lobby."""

import logging
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.tables.host import Host
from bot.tables.levels import levels_of
from bot.tables.model import Invitation, Person
from bot.tables.publisher import NotShown, OutOfReach
from bot.tables.refusals import HostReason, Repeated, Stale
from bot.tables.table import Table
from bot.ui.board import DiscordBoard
from bot.ui.desk import Desk
from bot.ui.links import jump_link, safe
from bot.ui.people import guest_of, person_of, require_permissions
from bot.ui.replies import promptly, whisper
from bot.words import gettext as _, listed

log = logging.getLogger(__name__)

Command = discord.Interaction[Any]


class Lobbies:
    """Lets people say who sits at a table, or is asked to."""

    def __init__(self, host: Host, desk: Desk, board: DiscordBoard) -> None:
        self._host = host
        self._desk = desk
        self._board = board

    async def add_computer(self, command: Command, level: str) -> None:
        """Seat a computer player of a level."""
        await promptly(command, self._add_computer(command, level))

    async def _add_computer(self, command: Command, level: str) -> None:
        table = await self._desk.common_table(command)
        wanted = level.strip().casefold()
        person, revision = person_of(command), table.header.revision
        try:
            await self._host.service.seat_computer(table.id, person, revision, wanted, command.id)
        except Repeated:
            return  # The process that has seated it answers.
        except Stale:
            await whisper(command, _("The table has just changed. Look again: {link}").format(link=jump_link(table)))
            return
        await whisper(command, _("A computer player sits down: {link}").format(link=jump_link(table)))

    async def levels_here(self, command: Command) -> list[str]:
        """Return the levels of the game in this channel, weakest first."""
        try:
            table = await self._host.service.table_in(command.channel_id or 0)
        except Refusal:
            return []  # Its game is not here any more.
        return [] if table is None else list(levels_of(table.package))

    async def kick(self, command: Command, person: discord.Member | discord.User) -> None:
        """Take somebody's seat away."""
        await promptly(command, self._kick(command, person))

    async def _kick(self, command: Command, person: discord.Member | discord.User) -> None:
        table = await self._desk.common_table(command)
        await self._host.service.kick(table.id, person_of(command), person.id, command.id)
        done = _("{name} has no seat at this table any more: {link}")
        await whisper(command, done.format(name=safe(person.display_name), link=jump_link(table)))

    async def invite(self, command: Command, person: discord.Member | discord.User) -> None:
        """Ask somebody to the table."""
        await promptly(command, self._invite(command, person))

    async def _invite(self, command: Command, person: discord.Member | discord.User) -> None:
        table = await self._desk.common_table(command)
        host, guest = person_of(command), guest_of(command, person)
        require_permissions(command)
        try:
            invitation = await self._host.service.invite(table.id, host, guest.id, command.id)
        except Stale:
            return  # The process that has noted it asks and answers.
        # It was read anew meanwhile: another process may have posted it elsewhere.
        table = await self._host.service.table(table.id)
        said = await self._called(table, host, guest, invitation)
        await whisper(command, said.format(name=safe(guest.name)))

    async def _called(self, table: Table, host: Person, guest: Person, invitation: Invitation) -> str:
        """Ask somebody in the channel, and return what to say about it."""
        try:
            await self._board.call(table, guest.id, invitation_text(table, host, guest))
        except OutOfReach as fault:
            await self._host.service.withdraw(invitation)
            needed = listed([_("View Channel"), _("Send Messages")])
            raise Refusal(HostReason.MISSING_PERMISSIONS, permissions=needed) from fault
        except NotShown as fault:
            # It may have arrived all the same, and nobody is to be asked twice.
            log.warning("an invitation to table %s may be lost: %s", table.id, fault)
            return _("I can't tell whether the invitation arrived. If it is not in the channel, ask {name} yourself.")
        return _("{name} is invited. If there is still a seat, they can press *Join* at the table.")


def invitation_text(table: Table, host: Person, guest: Person) -> str:
    """Ask somebody to a table, in the one message that mentions them."""
    game = table.package.game.info.title
    if unusual := table.package.describe_options(table.options):
        game = _("{game} ({options})").format(game=game, options=listed(unusual))
    text = _("<@{guest}>, {host} invites you to a game of {game}. Press *Join* here to sit down: {link}")
    return text.format(guest=guest.id, host=safe(host.name), game=game, link=jump_link(table))
