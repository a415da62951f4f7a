"""Shows tables: posts and edits their messages, in order, skipping outdated revisions."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import count
from typing import Any, Final, Protocol

from cachetools import TTLCache

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    DiscordTimeout,
    DiscordUnavailable,
    MessageGone,
    PostedMeanwhile,
    RetryLater,
    ThreadArchived,
    TooManyEdits,
)
from bot.platform.observability.trace import continue_trace
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal
from bot.tables.highlights import is_passing
from bot.tables.memory import TableLocks, acquire_within
from bot.tables.model import Header, TableId
from bot.tables.retries import Retries, long_backoff, no_backoff, short_backoff, short_then_long_backoff
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.03
"""How long the publisher waits with a change, because the response to its click usually shows it."""

_POST_TIMEOUT_SECONDS: Final = 10.0
"""How long a command that posts a table waits for Discord's rate limit."""

_OUTAGE_RETRY_SECONDS: Final = 0.1
"""The pause between retries while Discord is unavailable; ten requests a second are harmless."""

_FORBIDDEN_RETRY_SECONDS: Final = 1.0
"""The pause between retries of forbidden requests; Discord bans a bot at 10,000 of them in ten minutes."""

REMOVAL_RETRY_SECONDS: Final = (10.0, 60.0, 300.0, 900.0, 1800.0, 3600.0, 3600.0, 3600.0)
"""The delays of further attempts to delete a replaced message. If all fail, a click on it links to the new one."""

CANCELLED_SECONDS: Final = 5.0
"""How long people can read that a table was closed before anybody had moved; then its message is deleted."""

SUSPENSE_SECONDS: Final = 1.2
"""How long at least the words of a moment wait for its dice."""

_LOADING_SECONDS: Final = 0.1
"""How long a client usually takes until dice begin to move."""

RESTORE_SECONDS: Final = 0.75
"""How long an answer waits while a table whose message may be deleted is restored."""

_RESTORE_AGAIN_SECONDS: Final = 10.0
_MAX_RESTORED: Final = 4096
"""The most recently restored tables remembered, so that repeated commands don't use up a channel's edits."""

_MAX_CONCURRENT_REFRESHES: Final = 50
"""The most tables refreshed at a time."""

ShowTable = Callable[[Table], Awaitable[int]]
"""Shows a table and returns the message's id."""

RestoreTable = Callable[[TableId], Awaitable[Table]]
"""Shows a table again, in a new message if its own was deleted, and returns its current state."""


class TableMessages(Protocol):
    """Posts and edits the messages of tables.

    Waiting for rate limits is a separate first step, so that no table's lock is held meanwhile.
    """

    def reserve_post(self, table: Table, *, is_urgent: bool = True) -> AbstractAsyncContextManager[ShowTable]:
        """Wait until a table may be posted, and yield a function that posts it at once.

        The function raises ChannelUnreachable and DeliveryFailed.

        Args:
            table: The table.
            is_urgent: Whether somebody waits for it.
        """

    def reserve_edit(self, table: Table, *, is_new: bool) -> AbstractAsyncContextManager[ShowTable]:
        """Wait until a table's message may be edited, and yield a function that edits it at once.

        The function raises MessageGone, ChannelUnreachable and DeliveryFailed.

        Args:
            table: The table.
            is_new: Whether the table has just changed; such edits go before retries and refreshes.
        """

    def can_reach(self, table: Table) -> bool:
        """Return whether the message of a table can be edited; outside, only with the token of a recent click."""

    def take_late_picture(self, table_id: TableId) -> asyncio.Future[Any] | None:
        """Return, once, the picture that was not drawn in time when the table was last shown."""

    def rolling_seconds(self, table: Table) -> float:
        """Return how long dice moved in the picture that shows the newest step of a table; 0 if they did not."""

    def awaits_words(self, table: Table) -> bool:
        """Return whether the words of a table are to follow as soon as its dice rest."""

    async def remove(self, table: Table, message_id: int) -> None:
        """Delete a former message of a table; if only that fails, turn it into a link to the present one.

        Raises:
            MessageGone: The message was deleted already.
            ChannelUnreachable: The bot can't delete there.
            DeliveryFailed: Deleting failed for now.
        """

    async def mark_closed(self, header: Header) -> None:
        """Edit an orphan's message, if possible, so that it says how the table ended."""


class Publisher:
    """Keeps the messages of tables up to date."""

    def __init__(self, service: TableService, table_messages: TableMessages) -> None:
        self._service = service
        self._table_messages = table_messages
        self._locks = TableLocks()
        self.tasks = TaskSet("publisher")
        retry = partial(self.wake, again=True)
        self._outage_retries = Retries(retry, short_backoff, pause_seconds=_OUTAGE_RETRY_SECONDS)
        self._forbidden_retries = Retries(retry, short_then_long_backoff, pause_seconds=_FORBIDDEN_RETRY_SECONDS)
        self._removals = TaskSet("replaced message")
        self._restored: TTLCache[TableId, bool] = TTLCache(_MAX_RESTORED, _RESTORE_AGAIN_SECONDS)
        self._claims: Counter[TableId] = Counter()
        """The number of clicks in progress per table; their responses show it if they can."""
        self._suspense: dict[TableId, int] = {}
        """Tables whose dice move, and the revision whose words follow once they rest."""
        self._steps: dict[TableId, int] = {}
        """The revisions of the newest steps to show within the turns of computer players."""
        self._unshown: set[TableId] = set()
        """Claimed tables with changes that no response has shown yet."""
        self._refresh_numbers = count()

    def wake(self, table_id: TableId, *, again: bool = False) -> None:
        """Show a table's newest revision soon; with `again`, even if a message shows it already."""
        if not again and table_id in self._claims:
            self._unshown.add(table_id)
            return
        self.tasks.start_later((table_id, again), GATHER_SECONDS, lambda: self._catch_up(table_id, again=again))

    def show_step(self, table: Table) -> None:
        """Show a step within a computer player's turn soon, unless the next move comes first."""
        self._steps[table.id] = table.header.revision
        self.wake(table.id)

    def refresh(self, table_ids: Sequence[TableId]) -> None:
        """Show tables again, with lower priority than tables that have just changed."""
        self.tasks.start(("refresh", next(self._refresh_numbers)), self._refresh(table_ids))

    async def restore(self, table_id: TableId) -> Table:
        """Show a table again, in a new message if its own was deleted, and return its current state.

        Discord reports deleted messages only with a further intent. Showing continues in the background if it takes
        long. A table without a message is left to the command that opened it, and to the retries.
        """
        table = await self._service.table(table_id)
        if table.header.message_id is None:
            return table
        key = (table_id, True)
        if table_id not in self._restored:
            self._restored[table_id] = True
            self.tasks.start(key, self._catch_up(table_id, again=True))
        await self.tasks.wait(key, RESTORE_SECONDS)
        return await self._service.table(table_id)

    async def remove_replaced(self, table: Table, message_id: int, tried: int = 0) -> None:
        """Delete a replaced message, so that nobody uses its buttons; if that fails, try again later."""
        with suppress(Refusal, StoreUnavailable):
            table = await self._service.table(table.id)
        try:
            await self._table_messages.remove(table, message_id)
        except (MessageGone, ChannelDeleted) as fault:
            log.debug("message %s of table %s is gone already: %s", message_id, table.id, fault)
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("message %s of table %s is not deleted yet: %s", message_id, table.id, fault)
            if tried < len(REMOVAL_RETRY_SECONDS):
                again = partial(self.remove_replaced, table, message_id, tried + 1)
                self._removals.start_later((message_id, tried), REMOVAL_RETRY_SECONDS[tried], again)

    def is_stuck(self, table_id: TableId) -> bool:
        """Return whether the last attempt to show a table found its channel unreachable."""
        return self._forbidden_retries.is_failing(table_id)

    @contextmanager
    def claim(self, table_id: TableId) -> Iterator[None]:
        """Leave changes of a table to the response in the body; afterwards, show those that it has not shown."""
        self._claims[table_id] += 1
        try:
            yield
        finally:
            self._claims[table_id] -= 1
            if not self._claims[table_id]:
                del self._claims[table_id]
                if table_id in self._unshown:
                    self._unshown.remove(table_id)
                    self.wake(table_id)

    @asynccontextmanager
    async def responding(
        self, table_id: TableId, message_id: int, *, max_wait: float = 0.0
    ) -> AsyncIterator[Table | None]:
        """Let the response to a click, which the body sends, show the table in the clicked message.

        Yields:
            The table to show, or None if the response must not show it, because another message shows the table or a
            running edit takes longer than `max_wait` seconds.
        """
        lock = self._locks.for_table(table_id)
        if not await acquire_within(lock, max_wait):
            yield None
            return
        try:
            table = await self._service.table(table_id)
            if table.header.is_private or table.header.message_id not in (None, message_id):
                yield None
                return
            with self._take_over(table_id):
                yield table
                await self._mark_shown(table, message_id)
        finally:
            lock.release()

    @contextmanager
    def _take_over(self, table_id: TableId) -> Iterator[None]:
        """Leave the newest revision of a locked table to the body; a later change wakes the publisher again."""
        self.tasks.cancel_pending((table_id, False))
        self._unshown.discard(table_id)
        try:
            yield
        except BaseException:
            self.wake(table_id)
            raise

    async def repost(
        self,
        table_id: TableId,
        send: ShowTable | None = None,
        *,
        before: Table | None = None,
        at_step: int | None = None,
        is_urgent: bool = True,
    ) -> int | None:
        """Show a table in a new message and return the id of the message it replaces.

        Args:
            table_id: The table.
            send: Sends the new message; by default `TableMessages` does.
            before: An earlier state of the table; a message posted since then is new enough.
            at_step: The only step at which to post it; None for any.
            is_urgent: Whether somebody waits for it.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: Posting failed for now.
            PostedMeanwhile: The table got another message meanwhile, or went on.
        """
        async with AsyncExitStack() as stack:
            if send is None:
                turn = self._table_messages.reserve_post(await self._service.table(table_id), is_urgent=is_urgent)
                try:
                    async with asyncio.timeout(_POST_TIMEOUT_SECONDS):
                        send = await stack.enter_async_context(turn)
                except TimeoutError as fault:
                    raise RetryLater("Discord takes no messages here for a while") from fault
            async with self._locks.for_table(table_id):
                table = await self._service.table(table_id)
                if before is not None and table.header.message_id != before.header.message_id:
                    raise PostedMeanwhile
                if at_step not in (None, table.header.step):
                    raise PostedMeanwhile
                with self._take_over(table_id):
                    await self._mark_shown(table, await send(table))
                return table.header.message_id

    async def close(self, seconds: float | None = None) -> None:
        """Finish running edits; after some seconds, cancel them."""
        await asyncio.gather(self._outage_retries.close(), self._forbidden_retries.close(), self._removals.cancel_all())
        await self.tasks.close(seconds)

    async def _refresh(self, table_ids: Sequence[TableId]) -> None:
        remaining = iter(table_ids)

        async def show() -> None:
            for table_id in remaining:
                try:
                    await self._catch_up(table_id, again=True)
                except Refusal as fault:
                    log.warning("table %s can't be refreshed: %s", table_id, fault)
                except StoreUnavailable as fault:
                    log.debug("table %s can't be refreshed: %s", table_id, fault)

        await asyncio.gather(*(show() for _ in range(min(_MAX_CONCURRENT_REFRESHES, len(table_ids)))))

    async def _catch_up(self, table_id: TableId, *, again: bool) -> None:
        table = await self._service.table(table_id)
        continue_trace(table_id, table.header.game)
        if table.header.is_private or not self._table_messages.can_reach(table):
            # Its player sees it in the answers to their clicks.
            await self._note_published(table, table.header.message_id)
            return
        gone: int | None = None
        worn: int | None = None
        # The message may be deleted by now, and is not posted again.
        again = again and (not table.is_soon_forgotten or self._is_behind(table) or self.is_stuck(table_id))
        while again or self._is_behind(table):
            try:
                again = not await self._show_when_permitted(table, gone, again=again) and again
            except MessageGone as fault:
                if table.header.location.is_outside:
                    await self._note_published(table, table.header.message_id)
                    return
                gone = table.header.message_id
                log.info("the message of table %s is replaced: %s", table_id, fault)
                worn = gone if isinstance(fault, TooManyEdits) else None
            except RetryLater as fault:
                log.info("table %s is shown later, as Discord demands: %s", table_id, fault)
            except DeliveryFailed as fault:
                level = logging.DEBUG if self._outage_retries.is_failing(table_id) else logging.WARNING
                log.log(level, "table %s could not be shown, which is tried again: %s", table_id, fault)
                if isinstance(fault, DiscordUnavailable):
                    self._outage_retries.schedule(table_id, no_backoff if isinstance(fault, DiscordTimeout) else None)
                return
            table = await self._service.table(table_id)
        if worn is not None and worn != table.header.message_id:
            self._removals.start((worn, "now"), self.remove_replaced(table, worn))

    async def _show_when_permitted(self, table: Table, gone: int | None, *, again: bool) -> bool:
        """Wait for the rate limit, then show a table; return False if its message has changed meanwhile."""
        posts = table.header.message_id in (None, gone)
        turn = (
            self._table_messages.reserve_post(table)
            if posts
            else self._table_messages.reserve_edit(table, is_new=not again)
        )
        async with turn as send, self._locks.for_table(table.id):
            # Another process may have posted the table since it was loaded.
            now = await (self._service.reload if posts else self._service.table)(table.id)
            if now.header.message_id != table.header.message_id:
                return False
            if not again and not self._is_behind(now):
                return True
            await self._publish(now, send)
            return True

    async def _publish(self, table: Table, send: ShowTable) -> None:
        try:
            message_id = await send(table)
        except ChannelUnreachable as fault:
            level = logging.DEBUG if self.is_stuck(table.id) else logging.WARNING
            log.log(level, "table %s can't be shown where it stands: %s", table.id, fault)
            self._outage_retries.note_success(table.id)
            match fault:
                case ChannelDeleted():
                    self._forbidden_retries.cancel(table.id)
                case ThreadArchived():
                    self._forbidden_retries.schedule(table.id, long_backoff, for_long=False)
                case _:
                    self._forbidden_retries.schedule(table.id, for_long=table.header.status.is_open)
            await self._note_published(table, table.header.message_id)
        else:
            await self._mark_shown(table, message_id)

    async def _mark_shown(self, table: Table, message_id: int) -> None:
        self._outage_retries.note_success(table.id)
        self._forbidden_retries.note_success(table.id)
        if (drawing := self._table_messages.take_late_picture(table.id)) is not None:
            drawing.add_done_callback(partial(self._on_late_picture, table.id))
        self.tasks.cancel_pending(_words_key(table.id, self._suspense.pop(table.id, None)))
        if self._steps.get(table.id) != table.header.revision:
            self._steps.pop(table.id, None)
        if self._table_messages.awaits_words(table):
            self._await_words(table)
            await self._note_published(table, message_id, table.header.published)
        else:
            await self._note_published(table, message_id)
        if table.is_soon_forgotten:
            # If the message can't be deleted, it still says that the table was closed.
            remove = partial(self.remove_replaced, table, message_id)
            self._removals.start_later((message_id, "cancelled"), CANCELLED_SECONDS, remove)

    def _await_words(self, table: Table) -> None:
        """Show the words of a moment as soon as its dice rest.

        Until then its revision counts as not published, so that the sweep shows the words if this process ends. Each
        revision has a task of its own, because the next moment may begin while these words are being sent.
        """
        revision = table.header.revision

        async def tell() -> None:
            if self._suspense.get(table.id) == revision:
                del self._suspense[table.id]
                await self._catch_up(table.id, again=False)

        self._suspense[table.id] = revision
        seconds = max(SUSPENSE_SECONDS, self._table_messages.rolling_seconds(table) + _LOADING_SECONDS)
        self.tasks.start_later(_words_key(table.id, revision), seconds, tell)

    def _is_behind(self, table: Table) -> bool:
        """Return whether the newest revision must be shown now.

        Other steps within a computer player's turn than those of `show_step` need not, nor words that wait for dice to
        rest.
        """
        is_shown = table.header.published >= table.header.revision
        is_waiting = self._suspense.get(table.id) == table.header.revision
        is_passed = is_passing(table) and self._steps.get(table.id) != table.header.revision
        return not is_shown and not is_waiting and not is_passed

    def _on_late_picture(self, table_id: TableId, drawing: asyncio.Future[object]) -> None:
        if not drawing.cancelled() and drawing.exception() is None:
            self.wake(table_id, again=True)

    async def _note_published(self, table: Table, message_id: int | None, revision: int | None = None) -> None:
        """Note the published revision; store a new message's id at once, so that no process posts the table again."""
        self._service.note_published(table, message_id, revision)
        if message_id != table.header.message_id:
            try:
                await self._service.flush()
            except StoreUnavailable as fault:
                log.debug("the message of table %s could not be stored yet: %s", table.id, fault)


def _words_key(table_id: TableId, revision: int | None) -> tuple[TableId, str, int | None]:
    return table_id, "words", revision
