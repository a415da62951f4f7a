"""Responses that show a table or fail to, and moves made from their texts."""

from bot.rules.game import Seat
from bot.tables.model import TableId
from bot.tables.publisher import Publisher, ShowTable
from bot.tables.table import Table, apply_move


async def show_in_response(
    publisher: Publisher, table_id: TableId, message_id: int, send: ShowTable, *, max_wait: float = 0.0
) -> bool:
    """Show a table in the response to a click if the publisher allows it; return whether it was shown."""
    async with publisher.responding(table_id, message_id, max_wait=max_wait) as table:
        if table is None:
            return False
        await send(table)
    return True


async def fail_to_send(_: Table) -> int:
    """Fail as a response that Discord does not take."""
    raise RuntimeError("not sent")


def apply_text(table: Table, seat: Seat, text: str) -> Table:
    """Make the move that a text names."""
    return apply_move(table, seat, table.package.game.parse_move(text))
