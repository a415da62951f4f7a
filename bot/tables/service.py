"""The service for all actions on tables: each is checked, saved, and only then visible."""

from dataclasses import replace

from bot.platform.places import Person
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tables import lobby, turns
from bot.tables.events import TableChange
from bot.tables.lobby import SeatBlocked
from bot.tables.model import Entry, TableId
from bot.tables.opening import OpenedTables
from bot.tables.refusals import DuplicateInteraction, HostReason, Stale
from bot.tables.seats import SeatAction
from bot.tables.table import Table, apply_control_entry, apply_move, position_digest
from bot.tables.turns import find_forced_end, require_scripted


class TableService(OpenedTables):
    """Opens tables and applies people's actions to them.

    Every method that changes a table may raise what its action in `bot.tables` raises, StoreUnavailable, and
    DuplicateInteraction or Stale if another process has handled the same interaction.
    """

    async def join(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Take the next free seat."""
        try:
            return await self.replace(table_id, lambda table: lobby.join(table, person, click_id), person.id)
        except SeatBlocked as fault:
            does_block = any(each.blocker_id == person.id for each in fault.blocks)
            raise Refusal(HostReason.YOU_BLOCK_SOMEONE if does_block else HostReason.NO_SEAT_FOR_YOU) from fault

    async def leave(self, table_id: TableId, person: Person) -> Table:
        """Leave a seat in the lobby."""
        return await self.replace(table_id, lambda table: lobby.leave(table, person), person.id)

    async def add_computer(self, table_id: TableId, person: Person, revision: int) -> Table:
        """Give the next free seat to a computer player."""
        return await self.replace(table_id, lambda table: lobby.add_computer(table, person, revision))

    async def change_level(self, table_id: TableId, person: Person, revision: int) -> Table:
        """Change the level of the computer players."""
        return await self.replace(table_id, lambda table: lobby.change_level(table, person, revision))

    async def choose_option(self, table_id: TableId, person: Person, option: str, value: str, shown: str) -> Table:
        """Change one of the game's options in the lobby."""
        return await self.replace(table_id, lambda table: lobby.choose_option(table, person, option, value, shown))

    async def allow_hints(self, table_id: TableId, person: Person, *, allows: bool) -> Table:
        """Turn hints at a table on or off in the lobby."""
        return await self.replace(table_id, lambda table: lobby.allow_hints(table, person, allows=allows))

    async def kick(
        self, table_id: TableId, person: Person, other_id: int, click_id: int, *, is_moderator: bool = False
    ) -> Table:
        """Remove another person from their seat in the lobby."""

        def decide(table: Table) -> TableChange:
            # Overlapping processes both receive each command.
            if table.header.lobby_click_id == click_id:
                raise DuplicateInteraction(table.id)
            after = lobby.kick(table, person, other_id, is_moderator=is_moderator)
            return TableChange(replace(after, header=replace(after.header, lobby_click_id=click_id)))

        return await self._change(table_id, decide)

    async def remove_player(
        self, table_id: TableId, person: Person, revision: int, seat: Seat, *, is_moderator: bool = False
    ) -> Table:
        """Free the seat of another person or of a computer player in the lobby."""
        return await self.replace(
            table_id, lambda table: lobby.remove_player(table, person, revision, seat, is_moderator=is_moderator)
        )

    async def remove_computer(self, table_id: TableId, person: Person, revision: int) -> Table:
        """Remove the computer player seated last."""
        return await self.replace(table_id, lambda table: lobby.remove_computer(table, person, revision))

    async def start(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Start the game."""
        since = self.clock.ago(lobby.OPENER_AWAY_AFTER)
        return await self.replace(table_id, lambda table: lobby.start(table, person, click_id, since))

    async def play(self, table_id: TableId, person: Person, step: int, text: str, click_id: int) -> Table:
        """Make a person's move.

        Args:
            table_id: The table.
            person: The person to move.
            step: The table's step that the person saw.
            text: The move in the game's notation.
            click_id: The id of the interaction.

        Raises:
            Stale: The table is at another step, or has handled this interaction.
            Refusal: The person is not to move, or the game does not allow the move.
        """

        def decide(table: Table) -> TableChange:
            _require_new_interaction(table, click_id)
            turns.require_turn(table, person, step)
            require_scripted(table, text)
            return self._make_move(table, text, click_id)

        return await self._change(table_id, decide)

    async def play_computer(self, table_id: TableId, step: int, text: str) -> Table:
        """Make a computer player's move at a step, or the move that ends a turn in which a person can do nothing.

        Raises:
            Stale: The table is at another step, or a person has a choice.
        """

        def decide(table: Table) -> TableChange:
            if table.header.step != step or not (table.header.awaits_computer or find_forced_end(table) == text):
                raise Stale(table_id)
            return self._make_move(table, text, None)

        return await self._change(table_id, decide)

    async def apply_seat_action(self, table_id: TableId, person: Person, action: SeatAction, click_id: int) -> Table:
        """Apply a person's action on a seat."""

        def decide(table: Table) -> TableChange:
            _require_new_interaction(table, click_id)
            seat, entry = action(table, person)
            return self._make_entry(apply_control_entry(table, seat, entry), seat, str(entry), click_id)

        return await self._change(table_id, decide)

    def _make_move(self, table: Table, text: str, click_id: int | None) -> TableChange:
        seat = table.header.to_move
        if seat is None:
            raise Stale(table.id)
        move = table.package.game.parse_move(text)
        return self._make_entry(apply_move(table, seat, move, by_host=click_id is None), seat, str(move), click_id)

    def _make_entry(self, after: Table, seat: Seat, text: str, click_id: int | None) -> TableChange:
        entry = Entry(after.header.step, seat, text, position_digest(after), click_id, self.clock())
        return TableChange(after, entry)


def _require_new_interaction(table: Table, click_id: int) -> None:
    """Raise if the interaction is the table's newest entry: overlapping processes both receive each interaction."""
    if table.click_id == click_id:
        raise DuplicateInteraction(table.id)
