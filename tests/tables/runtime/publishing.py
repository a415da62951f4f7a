"""A publisher, and lobbies that it shows."""

import asyncio

from bot.tables.publisher import Publisher
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, make_service, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.support.responses import show_in_response
from tests.support.waiting import Gate

OTHER_MESSAGE = 4711


async def send_elsewhere(_: Table) -> int:
    """Show a table in a message of its own, as the response to a command does."""
    return OTHER_MESSAGE


async def change_lobby(service: TableService, table: Table, times: int = 1) -> Table:
    """Change a lobby of Robin's a number of times."""
    for _ in range(times):
        if len(table.seats) == table.package.game.info.most_seats:
            table = await service.remove_computers(table.id, ROBIN, table.header.revision)
        else:
            table = await service.add_computer(table.id, ROBIN, table.header.revision, "normal")
    return table


class Publishing:
    """A publisher over a store, the service that wakes it, and the messages in which it shows tables."""

    def __init__(self, db: MemoryDatabase, messages: FakeTableMessages) -> None:
        self.db, self.messages = db, messages
        self.service = make_service(db)
        self.publisher = Publisher(self.service, messages)
        self.service.add_listener(lambda table: self.publisher.wake(table.id))

    @property
    def deeds(self) -> list[tuple[ShowAction, int]]:
        """What was shown, and how."""
        return [(shown.action, shown.revision) for shown in self.messages.shown]

    async def finish(self) -> None:
        """Wait until all that can be shown is."""
        await self.publisher.close()

    async def open(self) -> Table:
        """Open a lobby, and wait until it is shown."""
        table = await open_lobby(self.service, ROBIN)
        await self.finish()
        return await self.service.table(table.id)

    async def change(self, table: Table, times: int = 1) -> Table:
        """Change a lobby, and do not wait until that is shown."""
        return await change_lobby(self.service, table, times)

    async def change_and_show(self, table: Table, times: int = 1) -> Table:
        """Change a lobby, and wait until that is shown."""
        table = await self.change(table, times)
        await self.finish()
        return table

    async def begin_edit(self, table: Table) -> tuple[Table, Gate]:
        """Change a lobby, and hold the request that shows it."""
        self.messages.gates[ShowAction.EDIT] = gate = Gate()
        table = await self.change(table)
        await gate.reached.wait()
        return table, gate

    async def respond(self, table: Table, message_id: int | None = None, *, max_wait: float = 0.0) -> int | None:
        """Show a table in the response to a click; return the revision shown, or None if the publisher forbids it."""
        carried: list[int] = []

        async def send(now: Table) -> int:
            carried.append(now.header.revision)
            return now.header.message_id or 0

        message_id = message_id or table.header.message_id or 0
        is_shown = await show_in_response(self.publisher, table.id, message_id, send, max_wait=max_wait)
        assert len(carried) == is_shown
        return carried[0] if is_shown else None


async def run_others(turns: int = 20) -> None:
    """Let other tasks do what they can at once."""
    for _ in range(turns):
        await asyncio.sleep(0)
