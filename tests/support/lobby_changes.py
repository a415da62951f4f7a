"""Lobbies that are shown, and changed."""

from bot.tables.publisher import Publisher
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import ROBIN, open_lobby


async def change_lobby(service: TableService, table: Table, times: int) -> Table:
    """Change a lobby of Robin's a number of times."""
    for _ in range(times):
        revision = table.header.revision
        full = len(table.seats) == 6
        action = service.remove_computer if full else service.add_computer
        table = await action(table.id, ROBIN, revision)
    return table


async def open_shown_lobby(service: TableService, publisher: Publisher) -> Table:
    table = await open_lobby(service, ROBIN)
    await publisher.close()
    return await service.table(table.id)
