"""Commands and buttons about the seats of a lobby."""

from collections.abc import Awaitable

import discord

from bot.platform.discord.answers import Interaction, deferred_if_slow, finish, send_ephemeral
from bot.platform.discord.context import person_of
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.private_messages import edit_or_send_ephemeral
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.closing import MayModerate
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import LobbyButton, LobbyId, RemovePlayerId
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale
from bot.tables.shown.links import escape_name, table_link
from bot.tables.shown.lobby import render_removal
from bot.tables.table import Table
from bot.tables.turns import require_opener
from bot.words import gettext as _


def is_double_click(reason: object, lobby_id: LobbyId, table: Table, person: Person) -> bool:
    """Return whether a refused click on a lobby only repeats an action of the same person."""
    if lobby_id.revision == table.header.revision:
        return False
    is_seated = table.seat_of(person.id) is not None
    match reason:
        case HostReason.ALREADY_SEATED:
            return True
        case HostReason.NOT_SEATED:
            return lobby_id.button is LobbyButton.LEAVE
        case HostReason.ALREADY_STARTED:
            return is_seated
        case HostReason.TABLE_OVER:
            return is_seated and table.header.status is Status.CANCELLED
        case _:
            return False


class LobbyCommands:
    """Seats people and computer players in lobbies, removes them and starts games."""

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        table_responses: TableResponses,
        readings: Readings,
        may_moderate: MayModerate,
    ) -> None:
        self._host = host
        self._table_commands = table_commands
        self._table_responses = table_responses
        self._readings = readings
        self._may_moderate = may_moderate

    async def press(self, click: Interaction, table: Table, pressed: LobbyId | RemovePlayerId) -> None:
        """Apply a button of a lobby, or a choice in the menu that one of them opens."""
        if isinstance(pressed, RemovePlayerId):
            await self._remove_player(click, table, pressed)
        elif pressed.button is LobbyButton.REMOVE_PLAYER and table.header.status is Status.LOBBY:
            await self._ask_whom_to_remove(click, table)
        else:
            await self._press_button(click, table, pressed)

    async def _press_button(self, click: Interaction, table: Table, lobby_id: LobbyId) -> None:
        """Apply a button and show the table; a late or double click only shows it."""
        person, after = person_of(click), None
        if click.message is not None:
            self._host.service.note_message(table, click.message.id)
        with self._host.publisher.claim(table.id):
            try:
                after = await self._apply(click, lobby_id, person)
            except Stale:
                pass
            except Refusal as refusal:
                if not is_double_click(refusal.reason, lobby_id, await self._host.service.table(table.id), person):
                    raise
            await self._table_responses.show(click, table if after is None else after)
        if after is not None and after.header.status is Status.PLAYING:
            self._readings.after_action(click, after)

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
            case LobbyButton.LEVEL:
                return service.change_level(lobby_id.table_id, person, lobby_id.revision)
            case LobbyButton.REMOVE_PLAYER:
                # This button only opens a menu, which no longer exists once the game has started.
                raise Stale(lobby_id.table_id)

    @deferred_if_slow
    async def kick(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Remove a person from this channel's table."""
        table = await self._table_commands.common_table(command)
        is_moderator = await self._may_moderate(command)
        await self._host.service.kick(table.id, person_of(command), person.id, command.id, is_moderator=is_moderator)
        done = _("{name} was removed, and can't take a seat here again unless the host invites them: {link}")
        await send_ephemeral(command, done.format(name=escape_name(person.display_name), link=table_link(table)))

    async def _remove_player(self, click: Interaction, table: Table, menu_id: RemovePlayerId) -> None:
        """Free the seat chosen in a menu; only refresh an outdated menu."""
        chosen, is_moderator = chosen_value(click), await self._may_moderate(click)
        if not (chosen.isascii() and chosen.isdecimal() and len(chosen) == 1):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        seat = int(chosen)
        try:
            await self._host.service.remove_player(
                table.id, person_of(click), menu_id.revision, seat, is_moderator=is_moderator
            )
        except Stale:
            await self._ask_whom_to_remove(click, await self._host.service.table(table.id))
        else:
            text = _("That seat is free now: {link}")
            if any(not occupant.is_computer for occupant in table.seats[seat : seat + 1]):
                text = _(
                    "That seat is free now. The player who had it can't sit down here again unless the host invites "
                    "them: {link}"
                )
            await finish(click, text.format(link=table_link(table)))

    async def _ask_whom_to_remove(self, click: Interaction, table: Table) -> None:
        """Show the opener or a moderator a menu of the other players; raise a Refusal for anyone else."""
        if not await self._may_moderate(click):
            require_opener(table, person_of(click))
        if all(occupant.user_id == click.user.id for occupant in table.seats):
            await finish(click, _("No one else is at this table."))
        else:
            await edit_or_send_ephemeral(click, render_removal(table, click.user.id))
