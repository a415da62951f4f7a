"""Commands and buttons about the seats of a lobby."""

from collections.abc import Awaitable

import discord

from bot.rules.refusals import Refusal
from bot.tables.levels import levels_of
from bot.tables.model import Person
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import DuplicateInteraction, Stale
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.custom_ids import LobbyButton, LobbyId
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.context import person_of
from bot.ui.interactions.lobby_double_clicks import is_double_click
from bot.ui.interactions.responses import Interaction, deferred_if_slow, send_ephemeral
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.render.levels import parse_level
from bot.ui.render.links import escape_name, table_link
from bot.words import gettext as _


class LobbyCommands:
    """Seats people and computer players in lobbies, removes them and starts games."""

    def __init__(self, host: Host, table_commands: TableCommands, table_responses: TableResponses) -> None:
        self._host = host
        self._table_commands = table_commands
        self._table_responses = table_responses

    async def press(self, click: Interaction, table: Table, lobby_id: LobbyId) -> None:
        """Apply a button of a lobby and show the table; a late or double click only shows it."""
        person = person_of(click)
        if click.message is not None:
            self._host.service.note_message(table, click.message.id)
        with self._host.publisher.claim(table.id):
            try:
                await self._apply(click, lobby_id, person)
            except Stale:
                pass
            except Refusal as refusal:
                if not is_double_click(refusal.reason, lobby_id, await self._host.service.table(table.id), person):
                    raise
            await self._table_responses.show(click, table)

    def _apply(self, click: Interaction, lobby_id: LobbyId, person: Person) -> Awaitable[Table]:
        service = self._host.service
        match lobby_id.button:
            case LobbyButton.JOIN:
                return service.join(lobby_id.table_id, person, click.id)
            case LobbyButton.LEAVE:
                return service.leave(lobby_id.table_id, person)
            case LobbyButton.START:
                return service.start(lobby_id.table_id, person, click.id)
            case LobbyButton.ADD_COMPUTER:
                return service.add_computer(lobby_id.table_id, person, lobby_id.revision)
            case LobbyButton.REMOVE_COMPUTER:
                return service.remove_computer(lobby_id.table_id, person, lobby_id.revision)

    @deferred_if_slow
    async def add_computer(self, command: Interaction, level: str) -> None:
        """Seat a computer player of a level at this channel's table."""
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

    @deferred_if_slow
    async def kick(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Remove a person from this channel's table."""
        table = await self._table_commands.common_table(command)
        await self._host.service.kick(table.id, person_of(command), person.id, command.id)
        done = _("{name} was removed from this table: {link}")
        await send_ephemeral(command, done.format(name=escape_name(person.display_name), link=table_link(table)))
