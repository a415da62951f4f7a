"""Background tasks, one per key, with logged errors; and a cache of values that they load."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from contextvars import copy_context
from typing import Any, Final, Generic, TypeVar

from cachetools import LRUCache

from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.trace import leave_interaction

log = logging.getLogger(__name__)


WorkFactory = Callable[[], Coroutine[Any, Any, None]]


class TaskSet:
    """Runs at most one task per key; starting a running key has no effect."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._closed = False
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._started_at: dict[asyncio.Task[None], float] = {}
        """The start times of running tasks, oldest first."""
        self._pending: dict[Hashable, tuple[asyncio.TimerHandle, WorkFactory]] = {}

    def is_busy(self, key: Hashable) -> bool:
        """Return whether a key's task is running."""
        running = self._tasks.get(key)
        return running is not None and not running.done()

    def start(self, key: Hashable, work: Coroutine[Any, Any, None]) -> None:
        """Start a key's task, unless it is running or the set is closed."""
        if self._closed or self.is_busy(key):
            work.close()
            return
        context = copy_context()
        context.run(leave_interaction)
        self._tasks[key] = task = asyncio.create_task(work, name=f"{self._name} {key}", context=context)
        self._started_at[task] = asyncio.get_running_loop().time()
        task.add_done_callback(lambda done: self._on_done(key, done))

    def start_later(self, key: Hashable, seconds: float, work: WorkFactory) -> None:
        """Start a key's task after some seconds, unless it is pending, running or cancelled by then."""
        if not self._closed and key not in self._pending and not self.is_busy(key):
            timer = asyncio.get_running_loop().call_later(seconds, self._start_pending, key)
            self._pending[key] = timer, work

    def cancel_pending(self, key: Hashable) -> None:
        """Cancel a key's pending start; a running task continues."""
        if pending := self._pending.pop(key, None):
            pending[0].cancel()

    def cancel_running(self, key: Hashable) -> None:
        """Cancel a key's running task, if any."""
        if running := self._tasks.pop(key, None):
            running.cancel()

    def cancel_all_running(self) -> None:
        """Cancel the running tasks; new ones may still be started."""
        for key in list(self._tasks):
            self.cancel_running(key)

    async def wait(self, key: Hashable, seconds: float) -> None:
        """Wait at most some seconds for a key's running task, which continues after a timeout."""
        if running := self._tasks.get(key):
            await asyncio.wait((running,), timeout=seconds)

    def oldest_seconds(self) -> float:
        """Return how many seconds the oldest task has been running; 0 without running tasks."""
        now = asyncio.get_running_loop().time()
        return now - next(iter(self._started_at.values()), now)

    @property
    def is_idle(self) -> bool:
        """Whether no task is running or pending."""
        return not self._tasks and not self._pending

    async def wait_for_room(self, most: int) -> None:
        """Wait until fewer than `most` tasks are running."""
        while len(self._tasks) >= most:
            await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)

    async def finish(self) -> None:
        """Start all pending tasks now, and wait for all tasks, including new ones."""
        while self._tasks or self._pending:
            for key in list(self._pending):
                self._start_pending(key)
            await asyncio.wait(self._tasks.values())
            await asyncio.sleep(0)

    async def close(self, seconds: float | None = None) -> None:
        """Finish all tasks; cancel the rest after some seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self.finish()
        except TimeoutError:
            await self.cancel_all()

    async def cancel_all(self) -> None:
        """Cancel all tasks and start no more."""
        self._closed = True
        for key in list(self._pending):
            self.cancel_pending(key)
        for task in self._tasks.values():
            task.cancel()
        await self.finish()

    def _start_pending(self, key: Hashable) -> None:
        timer, work = self._pending.pop(key)
        timer.cancel()
        self.start(key, work())

    def _on_done(self, key: Hashable, task: asyncio.Task[None]) -> None:
        del self._started_at[task]
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if task.cancelled() or not (fault := task.exception()):
            return
        if isinstance(fault, StoreUnavailable):
            # The store logs the outage once for all failures.
            log.debug("%s failed at %s: %s", self._name, key, fault)
        else:
            log.error("%s failed at %s", self._name, key, exc_info=fault)


KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")

_MOST_VALUES: Final = 5000
_MAX_AGE_SECONDS: Final = 60.0
"""The age in seconds from which a value is loaded again, because it may have changed."""


class BackgroundCache(Generic[KeyT, ValueT]):
    """Caches values and loads them in the background, so that nobody waits for them."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._values: LRUCache[KeyT, ValueT] = LRUCache(_MOST_VALUES)
        self._loaded_at: LRUCache[KeyT, float] = LRUCache(_MOST_VALUES)
        self._tasks = TaskSet(name)

    def known(self, key: KeyT) -> ValueT | None:
        """Return a cached value of any age, or None."""
        return self._values.get(key)

    def refresh(self, key: KeyT, load: Callable[[], Awaitable[ValueT]]) -> None:
        """Load a value, unless it is recent."""
        loaded_at = self._loaded_at.get(key)
        if loaded_at is None or self._clock() - loaded_at >= _MAX_AGE_SECONDS:
            self._tasks.start(key, self._load(key, load))

    def clear(self) -> None:
        """Forget all values, until they are needed again."""
        self._values.clear()
        self._loaded_at.clear()

    async def close(self, seconds: float) -> None:
        """Finish running loads within some seconds."""
        await self._tasks.close(seconds)

    async def _load(self, key: KeyT, load: Callable[[], Awaitable[ValueT]]) -> None:
        value = await load()
        self._values[key], self._loaded_at[key] = value, self._clock()
