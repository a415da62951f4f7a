"""Sends the notices of a kind, and removes them when they are over."""

import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import ClassVar, Final, Generic, TypeAlias

from cachetools import LRUCache

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.notices import storage
from bot.platform.notices.sending import MessageSender
from bot.platform.notices.storage import NoticeKind, NoticeT
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal

log = logging.getLogger(__name__)

_BATCH: Final = "batch"

_BATCH_SIZE: Final = 100
"""The most notices handled at a time; more than the requests of a second."""

_MAX_REMEMBERED: Final = 4096
"""The most tables whose notices are removed at once; other tables wait for a check."""

Post: TypeAlias = Callable[[NoticeT], Awaitable[NoticeT | None]]
Work: TypeAlias = tuple[Hashable, Callable[[], Awaitable[object]]]
"""The key of a notice and work for it; only one piece of work runs per key."""


class Notices(ABC, Generic[NoticeT]):
    """Sends the notices of a kind, and removes them when they are over."""

    outdated: ClassVar[tuple[type[Exception], ...]] = (Refusal,)
    """The exceptions of work on a notice that has become useless."""

    def __init__(self, db: Database, sender: MessageSender, kind: NoticeKind[NoticeT]) -> None:
        self._db = db
        self._sender = sender
        self._kind = kind
        self._sent: LRUCache[int, dict[Hashable, NoticeT]] = LRUCache(_MAX_REMEMBERED)
        """The notices that this process has sent, by table and key."""
        self.tasks = TaskSet(kind.name)
        self._batches = TaskSet(f"{kind.name}s")

    @abstractmethod
    async def _is_over(self, notice: NoticeT) -> bool:
        """Return whether a notice that has just been sent is over."""

    async def _find_due(self, most: int) -> Sequence[Work]:
        """Return at most `most` further due pieces of work, such as sending."""
        return ()

    async def send(self, notice: NoticeT, post: Post[NoticeT]) -> None:
        """Send a stored notice, store its message's id, and remove the message if the notice is over by then.

        If storing the id fails, the bot searches for the message once the notice is over.

        Args:
            notice: The notice.
            post: Sends the message and returns the notice with its id; None if nothing must be sent any more.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: Sending failed for now.
        """
        try:
            sent = await post(notice)
        except self._kind.unsent_after:
            with contextlib.suppress(StoreUnavailable):
                await self._db.maintain(storage.withdraw, self._kind, notice)
            raise
        except ChannelUnreachable:
            with contextlib.suppress(StoreUnavailable):
                await self._db.maintain(storage.note_removed, self._kind, notice)
            raise
        if sent is None:
            await self._db.maintain(storage.note_removed, self._kind, notice)
            return
        self._sent.setdefault(sent.table_id, {})[sent.key] = sent
        try:
            is_over = not await self._db.maintain(storage.set_message, self._kind, sent) or await self._is_over(sent)
        except StoreUnavailable as fault:
            log.debug("the message of a %s at table %s could not be stored: %s", self._kind.name, sent.table_id, fault)
            return
        if is_over:
            await self._try(sent.key, partial(self._remove, sent))

    async def _remove(self, notice: NoticeT) -> None:
        """Delete the message of a notice and record that; raise DeliveryFailed if deleting fails for now."""
        sent = self._sent.get(notice.table_id, {})
        sent.pop(notice.key, None)
        if not sent:
            self._sent.pop(notice.table_id, None)
        if notice.stands and not notice.is_held:
            message_id = notice.message_id
            if message_id is None:
                message_id = await self._sender.find(notice, partial(self._kind.recognises, notice))
            if message_id is not None:
                await self._sender.delete(notice.channel_id, message_id)
        await self._db.maintain(storage.note_removed, self._kind, notice)

    def _remove_sent(self, table_id: int, is_over: Callable[[NoticeT], bool]) -> None:
        """Start removing the notices of a table that this process has sent and that are over now."""
        for notice in [sent for sent in self._sent.get(table_id, {}).values() if is_over(sent)]:
            self._start(notice.key, partial(self._remove, notice))

    async def check(self) -> None:
        """Start due work, first the removal of notices that are over; work beyond a batch follows in the background."""
        started = set[Hashable]()
        if not self._batches.is_busy(_BATCH) and await self._start_batch(started):
            self._batches.start(_BATCH, self._start_rest(started))

    async def _start_rest(self, started: set[Hashable]) -> None:
        more = True
        while more:
            await self.tasks.wait_for_room(_BATCH_SIZE)
            more = await self._start_batch(started)

    async def _start_batch(self, started: set[Hashable]) -> bool:
        """Start a batch of work for keys not started yet; return False if there is none."""
        limit = len(started) + _BATCH_SIZE
        lapsed = await self._db.read(storage.find_lapsed, self._db.shards, self._kind, limit)
        found: list[Work] = [(notice.key, partial(self._remove, notice)) for notice in lapsed]
        found += await self._find_due(limit)
        new = [(key, work) for key, work in found if key not in started][:_BATCH_SIZE]
        for key, work in new:
            started.add(key)
            self._start(key, work)
        return bool(new)

    async def close(self, seconds: float | None = None) -> None:
        """Finish running work; after some seconds, cancel it."""
        await (self._batches.close() if seconds is None else self._batches.cancel_all())
        await self.tasks.close(seconds)

    def _start(self, key: Hashable, work: Callable[[], Awaitable[object]]) -> None:
        self.tasks.start(key, self._try(key, work))

    async def _try(self, key: Hashable, work: Callable[[], Awaitable[object]]) -> None:
        """Do work whose failure does not affect the game; the next check repeats unfinished work."""
        try:
            await work()
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("the %s of %s was not sent or deleted: %s", self._kind.name, key, fault)
        except self.outdated as fault:
            log.debug("the %s of %s was given up: %s", self._kind.name, key, fault)
