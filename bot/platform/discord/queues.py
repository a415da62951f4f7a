"""Limits the concurrent interactions of each user, so that no user can hold up others."""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass, field
from typing import Final

log = logging.getLogger(__name__)


class InFlight:
    """The tasks that handle interactions."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[object], float] = {}
        """Running tasks with their start times, oldest first."""

    def track(self) -> None:
        """Track the current task until it is done."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks.setdefault(task, asyncio.get_running_loop().time())
            task.add_done_callback(lambda done: self._tasks.pop(done, None))

    def oldest_seconds(self) -> float:
        """Return how many seconds the oldest interaction has been running; 0 without any."""
        now = asyncio.get_running_loop().time()
        return now - next(iter(self._tasks.values()), now)

    def is_empty(self) -> bool:
        """Whether no interaction is being handled."""
        return not self._tasks

    async def drain(self, seconds: float) -> None:
        """Wait until all interactions, including new ones, are handled; cancel the rest after a timeout."""
        try:
            async with asyncio.timeout(seconds):
                while pending := self._tasks.keys() - {asyncio.current_task()}:
                    await asyncio.wait(pending)
        except TimeoutError:
            log.warning("%d interactions were not answered before shutdown", len(self._tasks))
            for task in self._tasks:
                task.cancel()


MAX_RUNNING: Final = 2
"""The most concurrent interactions of a user; the second one is for clicks during a slow interaction."""

MAX_WAITING: Final = 20
"""The most waiting interactions of a user; nobody clicks that many by hand."""

MAX_LONG: Final = 2
"""The most slow interactions of a user, such as reviews of games, which run beside the others."""


@dataclass(slots=True)
class _UserQueue:
    """The interactions of one user."""

    running: int = 0
    long: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    is_warned: bool = False


class QueuePlace:
    """The place of a running interaction in its user's queue."""

    def __init__(self, queues: "UserQueues", user_id: int) -> None:
        self._queues = queues
        self._user_id = user_id
        self._is_long = False

    def leave(self) -> bool:
        """Give a slow interaction's place to the user's next click; return False if too many are long already."""
        if not self._is_long:
            self._is_long = self._queues.move_aside(self._user_id)
        return self._is_long

    def end(self) -> None:
        """Give the place back."""
        self._queues.release(self._user_id, is_long=self._is_long)


class UserQueues:
    """Runs a few interactions of each user at a time, while further ones wait in order."""

    def __init__(self) -> None:
        self._queues: dict[int, _UserQueue] = {}
        """Queues by user id, only for users with running interactions."""

    @property
    def active_users(self) -> int:
        """How many users have running interactions."""
        return len(self._queues)

    def is_free(self, user_id: int) -> bool:
        """Return whether a user's next interaction may run at once."""
        queue = self._queues.get(user_id)
        return queue is None or queue.running < MAX_RUNNING

    def is_full(self, user_id: int) -> bool:
        """Return whether a busy user has the maximum of waiting interactions."""
        return len(self._queues[user_id].waiting) >= MAX_WAITING

    def warn_once(self, user_id: int) -> bool:
        """Return True for a user's first excess click, until their queue is empty again."""
        queue = self._queues[user_id]
        is_first, queue.is_warned = not queue.is_warned, True
        if is_first:
            log.warning("one user has %d waiting interactions; more are not answered", len(queue.waiting))
        return is_first

    async def acquire(self, user_id: int) -> QueuePlace:
        """Wait until the current task may run for a user; the end of the task releases its place."""
        queue = self._queues.setdefault(user_id, _UserQueue())
        if queue.running < MAX_RUNNING:
            queue.running += 1
        else:
            await self._wait(queue, user_id)
        place = QueuePlace(self, user_id)
        if (task := asyncio.current_task()) is not None:
            task.add_done_callback(lambda _done: place.end())
        return place

    def move_aside(self, user_id: int) -> bool:
        """Let a long interaction run beside a user's other ones; return False if too many do so already."""
        queue = self._queues[user_id]
        if queue.long >= MAX_LONG:
            return False
        queue.long += 1
        self.release(user_id)
        return True

    def release(self, user_id: int, *, is_long: bool = False) -> None:
        """Release the place of an interaction that is done or moves aside."""
        if is_long:
            self._queues[user_id].long -= 1
            self._drop_if_empty(user_id)
        else:
            self._release(user_id)

    async def _wait(self, queue: _UserQueue, user_id: int) -> None:
        slot = asyncio.get_running_loop().create_future()
        queue.waiting.append(slot)
        try:
            await slot
        except asyncio.CancelledError:
            if not slot.cancelled():
                # This waiter got the slot just before its cancellation.
                self._release(user_id)
            raise

    def _release(self, user_id: int) -> None:
        """Hand the slot to the interaction that has waited longest, or drop the user's queue if it is empty."""
        queue = self._queues[user_id]
        while queue.waiting:
            slot = queue.waiting.popleft()
            if not slot.done():
                slot.set_result(None)
                return
        queue.running -= 1
        self._drop_if_empty(user_id)

    def _drop_if_empty(self, user_id: int) -> None:
        queue = self._queues[user_id]
        if not queue.running and not queue.long:
            del self._queues[user_id]
