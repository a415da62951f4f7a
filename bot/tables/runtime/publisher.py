"""Shows tables: one publisher edits each table's message, in order, skipping what is overtaken."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from itertools import count
from typing import Final, Protocol

from bot.observability.trace import continued
from bot.rules.refusals import Refusal
from bot.tables.model import Header, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.runtime.locks import TableLocks
from bot.tables.runtime.retries import Retries, at_once, seldom, soon, soon_then_seldom
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

_GATHER_SECONDS = 0.03
"""How long a change waits to be shown: the click that caused it may carry the frame in its own answer meanwhile."""

_PATIENCE_SECONDS: Final = 10.0
"""How long somebody who asks for a table to be posted waits until Discord takes it."""

_SILENT_SECONDS: Final = 0.1
"""How much later the next table is tried again while Discord does not answer: ten a second do it no harm."""

_BARRED_SECONDS: Final = 1.0
"""The same where the bot may not do it: Discord counts such requests, and bans a bot at 10,000 in ten minutes."""

_POINTING_SECONDS: Final = (600.0, 1200.0, 2400.0)
"""After what pauses an old message is to point to the new one: it was edited too often within an hour."""

_SHOWN_AT_ONCE: Final = 50
"""So many tables at most are shown anew at the same time."""


class MessageGone(Exception):
    """The table's message was deleted; it can be posted anew."""


class OutOfReach(Exception):
    """The table's channel can't be written to: it is deleted, or the bot may not post there."""


class Asleep(OutOfReach):
    """The table's thread is archived: nothing in it can be edited until somebody writes or acts there."""


class Vanished(OutOfReach):
    """The table's channel was deleted: nothing will ever be shown there again."""


class TooManyEdits(MessageGone):
    """The table's message was edited too often: for an hour or so it stays as it is."""


class NotShown(Exception):
    """Showing the table failed for now."""


class NotNow(NotShown):
    """Discord wants no more such requests for a while, and the board knows for how long."""


class Silent(NotShown):
    """Discord could not be reached, or could not do what it was asked for."""


class Unanswered(Silent):
    """Discord took what it was asked for and did not answer for some seconds: so long has been waited already."""


class Board(Protocol):
    """Where tables are shown.

    Whatever has to be waited for comes before a table is shown, so that nobody waits with a table to themselves.
    """

    def posting(self, table: Table) -> "AbstractAsyncContextManager[Carrier]":
        """Wait until a table may be posted, and return what shows it in a new message at once.

        That raises OutOfReach and NotShown.
        """
        ...

    def editing(self, table: Table, *, is_new: bool) -> "AbstractAsyncContextManager[Carrier]":
        """Wait until a table's message may be edited, and return what shows the table in it at once.

        That raises MessageGone, OutOfReach and NotShown. What has just changed comes first.
        """
        ...

    async def point_on(self, table: Table, message_id: int) -> None:
        """Let a message that shows a table no longer say where it is; raises MessageGone, OutOfReach and NotShown."""
        ...

    async def strike(self, header: Header) -> None:
        """Say in its message, if that is possible, how a table has ended whose game is not here."""
        ...


Carrier = Callable[[Table], Awaitable[int]]
"""Shows a table and returns the id of the message."""


class Publisher:
    """Keeps what is shown in step with what is saved."""

    def __init__(self, service: TableService, board: Board) -> None:
        self._service = service
        self._board = board
        self._locks = TableLocks()
        self._tasks = TaskSet("publisher")
        again = partial(self.wake, again=True)
        self._silent = Retries(again, soon, between=_SILENT_SECONDS)
        self._barred = Retries(again, soon_then_seldom, between=_BARRED_SECONDS)
        self._pointers = TaskSet("pointer")
        self._rounds = count()

    def wake(self, table_id: TableId, *, again: bool = False) -> None:
        """See to it that the newest revision is shown soon; `again` shows it even if it is already."""
        self._tasks.start_later((table_id, again), _GATHER_SECONDS, lambda: self._catch_up(table_id, again=again))

    def show_anew(self, table_ids: Sequence[TableId]) -> None:
        """Show tables once more, after whatever has just changed."""
        self._tasks.start(("anew", next(self._rounds)), self._show_anew(table_ids))

    def is_stuck(self, table_id: TableId) -> bool:
        """Tell whether the table could not be shown where it stands the last time."""
        return self._barred.has(table_id)

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
        async with AsyncExitStack() as stack:
            if send is None:
                turn = self._board.posting(await self._service.table(table_id))
                try:
                    async with asyncio.timeout(_PATIENCE_SECONDS):
                        send = await stack.enter_async_context(turn)
                except TimeoutError as fault:
                    raise NotNow("Discord takes no messages here for a while") from fault
            async with self._locks.held(table_id):
                table = await self._service.table(table_id)
                await self._shown(table, await send(table))
                return table.header.message_id

    async def close(self, seconds: float | None = None) -> None:
        """Finish the edits under way, or stop them after some seconds."""
        await asyncio.gather(self._silent.close(), self._barred.close(), self._pointers.cancel())
        await self._tasks.close(seconds)

    async def _show_anew(self, table_ids: Sequence[TableId]) -> None:
        remaining = iter(table_ids)

        async def show() -> None:
            for table_id in remaining:
                try:
                    await self._catch_up(table_id, again=True)
                except Refusal as fault:
                    log.warning("table %s can't be shown anew: %s", table_id, fault)
                except StoreUnavailable as fault:
                    log.debug("table %s can't be shown anew: %s", table_id, fault)

        await asyncio.gather(*(show() for _ in range(min(_SHOWN_AT_ONCE, len(table_ids)))))

    async def _catch_up(self, table_id: TableId, *, again: bool) -> None:
        table = await self._service.table(table_id)
        continued(table_id, table.header.game)
        gone: int | None = None
        while again or _is_behind(table):
            try:
                again = not await self._take_turn(table, gone, again=again) and again
            except MessageGone as fault:
                gone = table.header.message_id
                log.info("the message of table %s is replaced: %s", table_id, fault)
                if isinstance(fault, TooManyEdits) and gone is not None:
                    self._point_on_later(table_id, gone)
            except NotNow as fault:
                log.info("table %s is shown later, as Discord demands: %s", table_id, fault)
            except NotShown as fault:
                level = logging.DEBUG if self._silent.has(table_id) else logging.WARNING
                log.log(level, "table %s could not be shown, which is tried again: %s", table_id, fault)
                if isinstance(fault, Silent):
                    self._silent.later(table_id, at_once if isinstance(fault, Unanswered) else None)
                return
            table = await self._service.table(table_id)

    async def _take_turn(self, table: Table, gone: int | None, *, again: bool) -> bool:
        """Show a table once it may be shown, and tell whether it was.

        It may be posted elsewhere meanwhile, or shown by a click.
        """
        posts = table.header.message_id in (None, gone)
        turn = self._board.posting(table) if posts else self._board.editing(table, is_new=not again)
        async with turn as send, self._locks.held(table.id):
            # Another process may have posted it since it was read here.
            now = await (self._service.reread if posts else self._service.table)(table.id)
            if now.header.message_id != table.header.message_id:
                return False
            if not again and not _is_behind(now):
                return True
            await self._publish(now, send)
            return True

    async def _publish(self, table: Table, send: Carrier) -> None:
        try:
            message_id = await send(table)
        except OutOfReach as fault:
            level = logging.DEBUG if self.is_stuck(table.id) else logging.WARNING
            log.log(level, "table %s can't be shown where it stands: %s", table.id, fault)
            self._try_later(table, fault)
            await self._note(table, table.header.message_id)
        else:
            await self._shown(table, message_id)

    def _point_on_later(self, table_id: TableId, message_id: int, tried: int = 0) -> None:
        """Let an old message point to the new one as soon as Discord takes an edit of it again."""
        if tried < len(_POINTING_SECONDS):
            work = partial(self._point_on, table_id, message_id, tried)
            self._pointers.start_later((message_id, tried), _POINTING_SECONDS[tried], work)

    async def _point_on(self, table_id: TableId, message_id: int, tried: int) -> None:
        table = await self._service.table(table_id)
        try:
            if table.header.message_id == message_id:
                raise NotNow("the table has no new message yet")
            await self._board.point_on(table, message_id)
        except (TooManyEdits, NotShown):
            self._point_on_later(table_id, message_id, tried + 1)
        except (MessageGone, OutOfReach) as fault:
            log.info("message %s of table %s stays as it is: %s", message_id, table_id, fault)

    def _try_later(self, table: Table, fault: OutOfReach) -> None:
        self._silent.forget(table.id)
        match fault:
            case Vanished():
                self._barred.drop(table.id)
            case Asleep():
                self._barred.later(table.id, seldom, for_long=False)
            case _:
                self._barred.later(table.id, for_long=table.header.status.is_open)

    async def _shown(self, table: Table, message_id: int) -> None:
        self._silent.forget(table.id)
        self._barred.forget(table.id)
        await self._note(table, message_id)

    async def _note(self, table: Table, message_id: int | None) -> None:
        """Note what is shown; where a new message shows it, write that down at once, lest it is posted twice."""
        self._service.note_published(table, message_id)
        if message_id != table.header.message_id:
            try:
                await self._service.flush()
            except StoreUnavailable as fault:
                log.debug("the message of table %s could not be written down yet: %s", table.id, fault)


def _is_behind(table: Table) -> bool:
    return table.header.published < table.header.revision
