"""The table that a click is about."""

from bot.platform.discord.answers import Interaction
from bot.platform.observability.trace import set_table
from bot.rules.refusals import Refusal
from bot.tables.model import TableId
from bot.tables.refusals import HostReason
from bot.tables.service import TableService
from bot.tables.table import Table


async def clicked_table(
    click: Interaction, service: TableService, table_id: TableId, *, step: int = 0, revision: int = 0
) -> Table:
    """Return a table at the step and revision that the message showed, or newer.

    Raises:
        Refusal: The table is not in the channel of the click.
    """
    table = await service.table(table_id, step=step, revision=revision)
    if table.header.location.channel_id != click.channel_id:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    set_table(table.id, table.header.game)
    return table
