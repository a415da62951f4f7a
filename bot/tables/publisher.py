"""Shows tables: one publisher edits each table's message, in order, skipping what is overtaken."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Protocol

from bot.rules.refusals import Refusal
from bot.tables.locks import TableLocks
from bot.tables.model import Header, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.retries import Retries
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet
from bot.watch.trace import continued

log = logging.getLogger(__name__)

_GATHER_SECONDS = 0.03
"""How long a change waits to be shown: the click that caused it may carry the frame in its own answer meanwhile."""


class MessageGone(Exception):
    """The table's message was deleted; it can be posted anew."""


class OutOfReach(Exception):
    """The table's channel can't be written to: it is deleted, or the bot may not post there."""


class Asleep(OutOfReach):
    """The table's thread is archived: nothing in it can be edited until somebody writes or acts there."""


class Vanished(OutOfReach):
    """The table's channel was deleted: nothing will ever be shown there again."""


class NotShown(Exception):
    """Showing the table failed for now."""


class Board(Protocol):
    """Where tables are shown."""

    async def post(self, table: Table) -> int:
        """Show the table in a new message and return its id; raises OutOfReach and NotShown."""
        ...

    async def edit(self, table: Table) -> None:
        """Show the table in its message; raises MessageGone, OutOfReach and NotShown."""
        ...

    async def strike(self, header: Header) -> None:
        """Say in its message, if that is possible, how a table has ended whose game is not here."""
        ...


Carrier = Callable[[Table], Awaitable[int]]
"""Shows a table by answering a click and returns the id of the message."""


class Publisher:
    """Keeps what is shown in step with what is saved."""

    def __init__(self, service: TableService, board: Board) -> None:
        self._service = service
        self._board = board
        self._locks = TableLocks()
        self._tasks = TaskSet("publisher")
        self._rounds = count()
        self._retries = Retries(lambda table_id: self.wake(table_id, again=True))

    def wake(self, table_id: TableId, *, again: bool = False) -> None:
        """See to it that the newest revision is shown soon; `again` shows it even if it is already."""
        self._tasks.start_later((table_id, again), _GATHER_SECONDS, lambda: self._catch_up(table_id, again=again))

    def show_anew(self, table_ids: Sequence[TableId]) -> None:
        """Show tables once more, one after the other, so that nobody's click has to wait for all of them."""
        self._tasks.start(("anew", next(self._rounds)), self._show_anew(table_ids))

    def is_stuck(self, table_id: TableId) -> bool:
        """Tell whether the table could not be shown where it stands the last time."""
        return self._retries.has(table_id)

    async def carry(self, table_id: TableId, message_id: int, send: Carrier, *, patience: float = 0.0) -> bool:
        """Let a click's answer show the table in the message that was clicked; tell whether it did.

        It may not when another message shows the table, nor while an edit is under way that takes longer than so
        many seconds.
        """
        if not await self._locks.taken_within(table_id, patience):
            return False
        try:
            table = await self._service.table(table_id)
            if table.header.message_id not in (None, message_id):
                return False
            # What is shown here need not be shown again; whatever changes from now on wakes the publisher anew.
            self._tasks.forgo((table_id, False))
            try:
                await self._shown(table, await send(table))
            except BaseException:
                self.wake(table_id)
                raise
        finally:
            self._locks.release(table_id)
        return True

    async def post_anew(self, table_id: TableId, send: Carrier | None = None) -> int | None:
        """Show the table in a new message and return the id of the message it replaces.

        Without a carrier it is the board's message, and what the board raises is raised.
        """
        async with self._locks.held(table_id):
            table = await self._service.table(table_id)
            await self._shown(table, await (send or self._board.post)(table))
            return table.header.message_id

    async def close(self, seconds: float | None = None) -> None:
        """Finish the edits under way, or stop them after some seconds."""
        await self._retries.close()
        await self._tasks.close(seconds)

    async def _show_anew(self, table_ids: Sequence[TableId]) -> None:
        for table_id in table_ids:
            try:
                await self._catch_up(table_id, again=True)
            except (Refusal, StoreUnavailable) as fault:
                log.warning("table %s can't be shown anew: %s", table_id, fault)

    async def _catch_up(self, table_id: TableId, *, again: bool) -> None:
        async with self._locks.held(table_id):
            table = await self._service.table(table_id)
            continued(table_id, table.header.game)
            while again or table.header.published < table.header.revision:
                again = False
                try:
                    await self._publish(table)
                except NotShown as fault:
                    log.warning("table %s could not be shown, the next sweep tries again: %s", table_id, fault)
                    return
                table = await self._service.table(table_id)

    async def _publish(self, table: Table) -> None:
        try:
            message_id = await self._show(table)
        except OutOfReach as fault:
            log.warning("table %s can't be shown where it stands: %s", table.id, fault)
            self._try_later(table, fault)
            await self._note(table, table.header.message_id)
        else:
            await self._shown(table, message_id)

    def _try_later(self, table: Table, fault: OutOfReach) -> None:
        match fault:
            case Vanished():
                self._retries.forget(table.id)
            case Asleep():
                self._retries.later(table.id, for_long=False)
            case _:
                self._retries.later(table.id, for_long=table.header.status.is_open)

    async def _show(self, table: Table) -> int:
        if table.header.message_id is None:
            # Another process may have posted it since it was read here.
            table = await self._service.reread(table.id)
        if table.header.message_id is not None:
            try:
                await self._board.edit(table)
            except MessageGone:
                # Another process may have posted it anew since it was read here.
                now = await self._service.reread(table.id)
                if now.header.message_id != table.header.message_id:
                    return await self._show(now)
                log.info("the message of table %s is gone; posting it anew", table.id)
            else:
                return table.header.message_id
        return await self._board.post(table)

    async def _shown(self, table: Table, message_id: int) -> None:
        self._retries.forget(table.id)
        await self._note(table, message_id)

    async def _note(self, table: Table, message_id: int | None) -> None:
        """Note what is shown; where a new message shows it, write that down at once, lest it is posted twice."""
        self._service.note_published(table, message_id)
        if message_id != table.header.message_id:
            try:
                await self._service.flush()
            except StoreUnavailable as fault:
                log.warning("the message of table %s could not be written down yet: %s", table.id, fault)
