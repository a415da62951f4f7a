"""Slash commands about the seats of a lobby."""

import logging
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.tables.levels import levels_of
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import DuplicateInteraction, Stale
from bot.tables.runtime.host import Host
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.context import person_of
from bot.ui.interactions.responses import defer_if_slow, send_ephemeral
from bot.ui.render.levels import parse_level
from bot.ui.render.links import escape_name, table_link
from bot.words import gettext as _

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]


class LobbyCommands:
    """Seats computer players and removes people from lobbies, on behalf of commands."""

    def __init__(self, host: Host, table_commands: TableCommands) -> None:
        self._host = host
        self._table_commands = table_commands

    async def add_computer(self, command: Interaction, level: str) -> None:
        """Seat a computer player of a level at this channel's table."""
        await defer_if_slow(command, self._add_computer(command, level))

    async def _add_computer(self, command: Interaction, level: str) -> None:
        table = await self._table_commands.common_table(command)
        level_key = parse_level(level)
        person, revision = person_of(command), table.header.revision
        try:
            await self._host.service.add_computer_of_level(table.id, person, revision, level_key, command.id)
        except DuplicateInteraction:
            return  # another process handles the command
        except Stale:
            await send_ephemeral(
                command, _("The table just changed. Look again: {link}").format(link=table_link(table))
            )
            return
        await send_ephemeral(command, _("A computer player joined: {link}").format(link=table_link(table)))

    async def levels_here(self, command: Interaction) -> list[str]:
        """Return the computer levels of this channel's game, weakest first."""
        try:
            table = await self._host.service.open_table_in(command.channel_id or 0)
        except (Refusal, StoreUnavailable):
            return []  # the game is no longer installed, or the database fails
        return [] if table is None else list(levels_of(table.package))

    async def kick(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Remove a person from this channel's table."""
        await defer_if_slow(command, self._kick(command, person))

    async def _kick(self, command: Interaction, person: discord.Member | discord.User) -> None:
        table = await self._table_commands.common_table(command)
        await self._host.service.kick(table.id, person_of(command), person.id, command.id)
        done = _("{name} was removed from this table: {link}")
        await send_ephemeral(command, done.format(name=escape_name(person.display_name), link=table_link(table)))
