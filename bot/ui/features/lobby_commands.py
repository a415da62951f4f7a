"""What slash commands ask of a lobby."""

import logging
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.tables.levels import levels_of
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import Repeated, Stale
from bot.tables.runtime.host import Host
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.context import person_of
from bot.ui.interactions.responses import promptly, whisper
from bot.ui.render.links import jump_link, safe
from bot.words import gettext as _

log = logging.getLogger(__name__)

Command = discord.Interaction[Any]


class Lobbies:
    """Lets people say who sits at a table, or is asked to."""

    def __init__(self, host: Host, desk: Desk) -> None:
        self._host = host
        self._desk = desk

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
        except (Refusal, StoreUnavailable):
            return []  # Its game is not here any more, or nothing can be read.
        return [] if table is None else list(levels_of(table.package))

    async def kick(self, command: Command, person: discord.Member | discord.User) -> None:
        """Take somebody's seat away."""
        await promptly(command, self._kick(command, person))

    async def _kick(self, command: Command, person: discord.Member | discord.User) -> None:
        table = await self._desk.common_table(command)
        await self._host.service.kick(table.id, person_of(command), person.id, command.id)
        done = _("{name} has no seat at this table any more: {link}")
        await whisper(command, done.format(name=safe(person.display_name), link=jump_link(table)))
