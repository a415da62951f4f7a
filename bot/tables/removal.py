"""Takes people out of tables, as moderators decide."""

from bot.tables import lobby
from bot.tables.control_entries import Remove
from bot.tables.events import TableChange
from bot.tables.model import ClosedBy, Status, TableId
from bot.tables.refusals import Stale
from bot.tables.seats import remove_seat
from bot.tables.service import TableService
from bot.tables.table import Table, apply_control_entry, stop
from bot.tables.turns import require_new_interaction


async def take_out(service: TableService, table_id: TableId, user_id: int, click_id: int | None = None) -> Table:
    """Free a person's seat in a lobby, or give it to a computer player; close a table at which no other person plays.

    A lobby whose seats are fixed waits for its start, so that a computer player can take the seat.

    Args:
        service: The tables.
        table_id: The table.
        user_id: The person.
        click_id: The id of the moderator's interaction; None if it concerns several tables.

    Raises:
        Stale: The table is neither played nor a lobby in which seats can be freed.
        Refusal: The person does not play at the table.
        DuplicateInteraction: Another process handled the same interaction.
    """

    def decide(table: Table) -> TableChange:
        if click_id is not None:
            require_new_interaction(table, click_id)
        if table.header.status not in (Status.LOBBY, Status.PLAYING):
            raise Stale(table_id)
        seat, entry = remove_seat(table, user_id)
        if table.header.status is Status.LOBBY and not table.is_fixed:
            return TableChange(lobby.without_seat(table, seat))
        if table.remaining_players <= {seat}:
            return TableChange(stop(table, Status.CANCELLED, ClosedBy.MODERATOR))
        if table.header.status is Status.LOBBY:
            raise Stale(table_id)
        return service.make_entry(apply_control_entry(table, seat, entry), seat, str(Remove()), click_id)

    return await service.change(table_id, decide)
