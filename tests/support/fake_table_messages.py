"""Table messages that are recorded instead of being sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum

from bot.platform.discord.errors import MessageGone
from bot.tables.model import Header, Status, TableId
from bot.tables.publisher import ShowTable
from bot.tables.table import Table
from tests.support.waiting import Gate


class ShowAction(Enum):
    """A way to show a table."""

    POST = "post"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table that was shown, and how."""

    action: ShowAction
    table_id: TableId
    revision: int
    message_id: int
    status: Status


class FakeTableMessages:
    """Records requested and shown tables."""

    def __init__(self) -> None:
        self.permits = 0
        """How many requests were about to start."""
        self.asked: list[ShownTable] = []
        self.shown: list[ShownTable] = []
        self.faults: dict[ShowAction, list[Exception]] = {ShowAction.POST: [], ShowAction.EDIT: []}
        """The next faults, in order."""
        self.deleted: set[int] = set()
        self.marked_closed: list[Header] = []
        """The tables of removed games whose messages say how they ended."""
        self.limits: dict[ShowAction, Gate] = {}
        """Blocks requests before they start."""
        self.gates: dict[ShowAction, Gate] = {}
        """Blocks requests under way."""
        self.late_pictures: dict[TableId, asyncio.Future[None]] = {}
        """Pictures that are still being drawn when their tables are shown next."""
        self.rolls: dict[int, float] = {}
        """How long dice move when a revision is shown first, after which its words follow."""
        self.removed: list[int] = []
        """The messages that were replaced and are deleted."""
        self.removal_faults: list[Exception] = []
        self.turns = 0
        """How often others run while something is being shown."""
        self._messages = 1000

    @asynccontextmanager
    async def reserve_post(self, table: Table, *, is_urgent: bool = True) -> AsyncIterator[ShowTable]:
        await self._start_request(ShowAction.POST, table)
        yield self._post

    @asynccontextmanager
    async def reserve_edit(self, table: Table, *, is_new: bool) -> AsyncIterator[ShowTable]:
        await self._start_request(ShowAction.EDIT, table)
        yield self._edit

    def can_reach(self, table: Table) -> bool:
        return True

    def take_late_picture(self, table_id: TableId) -> asyncio.Future[None] | None:
        return self.late_pictures.pop(table_id, None)

    def rolling_seconds(self, table: Table) -> float:
        return self.rolls.get(table.header.revision, 0.0)

    def awaits_words(self, table: Table) -> bool:
        return table.header.revision in self.rolls and self.shown[-1].revision != self.shown[-2].revision

    async def remove(self, table: Table, message_id: int) -> None:
        if self.removal_faults:
            raise self.removal_faults.pop(0)
        self.removed.append(message_id)

    async def _start_request(self, action: ShowAction, table: Table) -> None:
        self.permits += 1
        if (limit := self.limits.get(action)) is not None:
            await limit.wait()

    async def _post(self, table: Table) -> int:
        self._messages += 1
        message_id = self._messages
        await self._show(ShowAction.POST, table, message_id)
        return message_id

    async def _edit(self, table: Table) -> int:
        assert table.header.message_id is not None
        await self._show(ShowAction.EDIT, table, table.header.message_id)
        return table.header.message_id

    async def mark_closed(self, header: Header) -> None:
        self.marked_closed.append(header)

    @property
    def revisions(self) -> list[int]:
        """The revisions that were shown, in order."""
        return [shown.revision for shown in self.shown]

    async def _show(self, action: ShowAction, table: Table, message_id: int) -> None:
        shown = ShownTable(action, table.id, table.header.revision, message_id, table.header.status)
        self.asked.append(shown)
        if gate := self.gates.get(action):
            await gate.wait()
        for _ in range(self.turns):
            await asyncio.sleep(0)
        if self.faults[action]:
            raise self.faults[action].pop(0)
        if message_id in self.deleted:
            raise MessageGone(str(message_id))
        self.shown.append(shown)
