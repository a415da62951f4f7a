"""Shows tables: one publisher edits each table's message, in order, skipping what is overtaken."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from itertools import count
from typing import Final, Protocol

from bot.observability.trace import continue_trace
from bot.rules.refusals import Refusal
from bot.tables.model import Header, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.runtime.locks import TableLocks, acquire_within
from bot.tables.runtime.retries import Retries, long_backoff, no_backoff, short_backoff, short_then_long_backoff
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

_GATHER_SECONDS = 0.03
"""How long a change waits to be shown: the click that caused it may carry the frame in its own answer meanwhile."""

_POST_TIMEOUT_SECONDS: Final = 10.0
"""How long somebody who asks for a table to be posted waits until Discord takes it."""

_OUTAGE_RETRY_SECONDS: Final = 0.1
"""How much later the next table is tried again while Discord does not answer: ten a second do it no harm."""

_FORBIDDEN_RETRY_SECONDS: Final = 1.0
"""The same where the bot may not do it: Discord counts such requests, and bans a bot at 10,000 in ten minutes."""

_POINTING_SECONDS: Final = (600.0, 1200.0, 2400.0)
"""After what pauses an old message is to point to the new one: it was edited too often within an hour."""

_MAX_CONCURRENT_REFRESHES: Final = 50
"""So many tables at most are shown anew at the same time."""


class MessageGone(Exception):
    """The table's message was deleted; it can be posted anew."""


class ChannelUnreachable(Exception):
    """The table's channel can't be written to: it is deleted, or the bot may not post there."""


class ThreadArchived(ChannelUnreachable):
    """The table's thread is archived: nothing in it can be edited until somebody writes or acts there."""


class ChannelDeleted(ChannelUnreachable):
    """The table's channel was deleted: nothing will ever be shown there again."""


class TooManyEdits(MessageGone):
    """The table's message was edited too often: for an hour or so it stays as it is."""


class DeliveryFailed(Exception):
    """Showing the table failed for now."""


class RetryLater(DeliveryFailed):
    """Discord wants no more such requests for a while, and the board knows for how long."""


class DiscordUnavailable(DeliveryFailed):
    """Discord could not be reached, or could not do what it was asked for."""


class DiscordTimeout(DiscordUnavailable):
    """Discord took what it was asked for and did not answer for some seconds: so long has been waited already."""


class TableMessages(Protocol):
    """Where tables are shown.

    Whatever has to be waited for comes before a table is shown, so that nobody waits with a table to themselves.
    """

    def reserve_post(self, table: Table) -> "AbstractAsyncContextManager[ShowTable]":
        """Wait until a table may be posted, and return what shows it in a new message at once.

        That raises ChannelUnreachable and DeliveryFailed.
        """
        ...

    def reserve_edit(self, table: Table, *, is_new: bool) -> "AbstractAsyncContextManager[ShowTable]":
        """Wait until a table's message may be edited, and return what shows the table in it at once.

        That raises MessageGone, ChannelUnreachable and DeliveryFailed. What has just changed comes first.
        """
        ...

    async def link_to_current(self, table: Table, message_id: int) -> None:
        """Let a message that shows a table no longer say where it is.

        Raises MessageGone, ChannelUnreachable and DeliveryFailed.
        """
        ...

    async def mark_closed(self, header: Header) -> None:
        """Say in its message, if that is possible, how a table has ended whose game is not here."""
        ...


ShowTable = Callable[[Table], Awaitable[int]]
"""Shows a table and returns the id of the message."""


class Publisher:
    """Keeps what is shown in step with what is saved."""

    def __init__(self, service: TableService, table_messages: TableMessages) -> None:
        self._service = service
        self._table_messages = table_messages
        self._locks = TableLocks()
        self.tasks = TaskSet("publisher")
        retry = partial(self.wake, again=True)
        self._outage_retries = Retries(retry, short_backoff, pause_seconds=_OUTAGE_RETRY_SECONDS)
        self._forbidden_retries = Retries(retry, short_then_long_backoff, pause_seconds=_FORBIDDEN_RETRY_SECONDS)
        self._link_tasks = TaskSet("pointer")
        self._refresh_numbers = count()

    def wake(self, table_id: TableId, *, again: bool = False) -> None:
        """See to it that the newest revision is shown soon; `again` shows it even if it is already."""
        self.tasks.start_later((table_id, again), _GATHER_SECONDS, lambda: self._catch_up(table_id, again=again))

    def refresh(self, table_ids: Sequence[TableId]) -> None:
        """Show tables once more, after whatever has just changed."""
        self.tasks.start(("anew", next(self._refresh_numbers)), self._refresh(table_ids))

    def is_stuck(self, table_id: TableId) -> bool:
        """Tell whether the table could not be shown where it stands the last time."""
        return self._forbidden_retries.is_failing(table_id)

    async def show_in_response(
        self, table_id: TableId, message_id: int, send: ShowTable, *, patience: float = 0.0
    ) -> bool:
        """Let a click's answer show the table in the message that was clicked; tell whether it did.

        It may not when another message shows the table, nor while an edit is under way that takes longer than so
        many seconds.
        """
        lock = self._locks.for_table(table_id)
        if not await acquire_within(lock, patience):
            return False
        try:
            table = await self._service.table(table_id)
            if table.header.message_id not in (None, message_id):
                return False
            # What is shown here need not be shown again; whatever changes from now on wakes the publisher anew.
            self.tasks.cancel_pending((table_id, False))
            try:
                await self._mark_shown(table, await send(table))
            except BaseException:
                self.wake(table_id)
                raise
        finally:
            lock.release()
        return True

    async def repost(self, table_id: TableId, send: ShowTable | None = None) -> int | None:
        """Show the table in a new message and return the id of the message it replaces.

        Without a carrier it is the board's message, and what the board raises is raised.
        """
        async with AsyncExitStack() as stack:
            if send is None:
                turn = self._table_messages.reserve_post(await self._service.table(table_id))
                try:
                    async with asyncio.timeout(_POST_TIMEOUT_SECONDS):
                        send = await stack.enter_async_context(turn)
                except TimeoutError as fault:
                    raise RetryLater("Discord takes no messages here for a while") from fault
            async with self._locks.for_table(table_id):
                table = await self._service.table(table_id)
                await self._mark_shown(table, await send(table))
                return table.header.message_id

    async def close(self, seconds: float | None = None) -> None:
        """Finish the edits under way, or stop them after some seconds."""
        await asyncio.gather(
            self._outage_retries.close(), self._forbidden_retries.close(), self._link_tasks.cancel_all()
        )
        await self.tasks.close(seconds)

    async def _refresh(self, table_ids: Sequence[TableId]) -> None:
        remaining = iter(table_ids)

        async def show() -> None:
            for table_id in remaining:
                try:
                    await self._catch_up(table_id, again=True)
                except Refusal as fault:
                    log.warning("table %s can't be shown anew: %s", table_id, fault)
                except StoreUnavailable as fault:
                    log.debug("table %s can't be shown anew: %s", table_id, fault)

        await asyncio.gather(*(show() for _ in range(min(_MAX_CONCURRENT_REFRESHES, len(table_ids)))))

    async def _catch_up(self, table_id: TableId, *, again: bool) -> None:
        table = await self._service.table(table_id)
        continue_trace(table_id, table.header.game)
        gone: int | None = None
        while again or _is_behind(table):
            try:
                again = not await self._show_when_permitted(table, gone, again=again) and again
            except MessageGone as fault:
                gone = table.header.message_id
                log.info("the message of table %s is replaced: %s", table_id, fault)
                if isinstance(fault, TooManyEdits) and gone is not None:
                    self._link_to_current_later(table_id, gone)
            except RetryLater as fault:
                log.info("table %s is shown later, as Discord demands: %s", table_id, fault)
            except DeliveryFailed as fault:
                level = logging.DEBUG if self._outage_retries.is_failing(table_id) else logging.WARNING
                log.log(level, "table %s could not be shown, which is tried again: %s", table_id, fault)
                if isinstance(fault, DiscordUnavailable):
                    self._outage_retries.schedule(table_id, no_backoff if isinstance(fault, DiscordTimeout) else None)
                return
            table = await self._service.table(table_id)

    async def _show_when_permitted(self, table: Table, gone: int | None, *, again: bool) -> bool:
        """Show a table once it may be shown, and tell whether it was.

        It may be posted elsewhere meanwhile, or shown by a click.
        """
        posts = table.header.message_id in (None, gone)
        turn = (
            self._table_messages.reserve_post(table)
            if posts
            else self._table_messages.reserve_edit(table, is_new=not again)
        )
        async with turn as send, self._locks.for_table(table.id):
            # Another process may have posted it since it was read here.
            now = await (self._service.reload if posts else self._service.table)(table.id)
            if now.header.message_id != table.header.message_id:
                return False
            if not again and not _is_behind(now):
                return True
            await self._publish(now, send)
            return True

    async def _publish(self, table: Table, send: ShowTable) -> None:
        try:
            message_id = await send(table)
        except ChannelUnreachable as fault:
            level = logging.DEBUG if self.is_stuck(table.id) else logging.WARNING
            log.log(level, "table %s can't be shown where it stands: %s", table.id, fault)
            self._retry_later(table, fault)
            await self._note_published(table, table.header.message_id)
        else:
            await self._mark_shown(table, message_id)

    def _link_to_current_later(self, table_id: TableId, message_id: int, tried: int = 0) -> None:
        """Let an old message point to the new one as soon as Discord takes an edit of it again."""
        if tried < len(_POINTING_SECONDS):
            work = partial(self._link_to_current, table_id, message_id, tried)
            self._link_tasks.start_later((message_id, tried), _POINTING_SECONDS[tried], work)

    async def _link_to_current(self, table_id: TableId, message_id: int, tried: int) -> None:
        table = await self._service.table(table_id)
        try:
            if table.header.message_id == message_id:
                raise RetryLater("the table has no new message yet")
            await self._table_messages.link_to_current(table, message_id)
        except (TooManyEdits, DeliveryFailed):
            self._link_to_current_later(table_id, message_id, tried + 1)
        except (MessageGone, ChannelUnreachable) as fault:
            log.info("message %s of table %s stays as it is: %s", message_id, table_id, fault)

    def _retry_later(self, table: Table, fault: ChannelUnreachable) -> None:
        self._outage_retries.note_success(table.id)
        match fault:
            case ChannelDeleted():
                self._forbidden_retries.cancel(table.id)
            case ThreadArchived():
                self._forbidden_retries.schedule(table.id, long_backoff, for_long=False)
            case _:
                self._forbidden_retries.schedule(table.id, for_long=table.header.status.is_open)

    async def _mark_shown(self, table: Table, message_id: int) -> None:
        self._outage_retries.note_success(table.id)
        self._forbidden_retries.note_success(table.id)
        await self._note_published(table, message_id)

    async def _note_published(self, table: Table, message_id: int | None) -> None:
        """Note what is shown; where a new message shows it, write that down at once, lest it is posted twice."""
        self._service.note_published(table, message_id)
        if message_id != table.header.message_id:
            try:
                await self._service.flush()
            except StoreUnavailable as fault:
                log.debug("the message of table %s could not be written down yet: %s", table.id, fault)


def _is_behind(table: Table) -> bool:
    return table.header.published < table.header.revision
