"""Background work, one task per key, with nothing lost in silence."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from bot.tables.ports import StoreUnavailable

log = logging.getLogger(__name__)


WorkFactory = Callable[[], Coroutine[Any, Any, None]]


class TaskSet:
    """Runs at most one task per key; a key that is started while it runs is left to the running task."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._closed = False
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._pending: dict[Hashable, tuple[asyncio.TimerHandle, WorkFactory]] = {}

    def is_busy(self, key: Hashable) -> bool:
        """Tell whether a key's work is waiting or running."""
        running = self._tasks.get(key)
        return running is not None and not running.done()

    def start(self, key: Hashable, work: Coroutine[Any, Any, None]) -> None:
        """Start the work unless the key's work is already waiting or running."""
        if self._closed or self.is_busy(key):
            work.close()
            return
        self._tasks[key] = task = asyncio.create_task(work, name=f"{self._name} {key}")
        task.add_done_callback(lambda done: self._on_done(key, done))

    def start_later(self, key: Hashable, seconds: float, work: WorkFactory) -> None:
        """Start the work after a while, unless the key's work is waiting or running, or nobody wants it by then."""
        if not self._closed and key not in self._pending and not self.is_busy(key):
            timer = asyncio.get_running_loop().call_later(seconds, self._start_pending, key)
            self._pending[key] = timer, work

    def cancel_pending(self, key: Hashable) -> None:
        """Do not start the work that a key waits for; what is running goes on."""
        if waiting := self._pending.pop(key, None):
            waiting[0].cancel()

    def cancel_running(self, key: Hashable) -> None:
        """Stop the work of one key, if there is any."""
        if running := self._tasks.pop(key, None):
            running.cancel()

    async def wait_for_room(self, most: int) -> None:
        """Wait until less work than this is running."""
        while len(self._tasks) >= most:
            await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)

    async def finish(self) -> None:
        """Wait for all work, that which is started meanwhile included; what waits for its time is started at once."""
        while self._tasks or self._pending:
            for key in list(self._pending):
                self._start_pending(key)
            await asyncio.wait(self._tasks.values())
            await asyncio.sleep(0)

    async def close(self, seconds: float | None = None) -> None:
        """Wait for all work, and after some seconds stop what is left of it."""
        try:
            async with asyncio.timeout(seconds):
                await self.finish()
        except TimeoutError:
            await self.cancel_all()

    async def cancel_all(self) -> None:
        """Stop all work where it stands, and start no more."""
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
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if task.cancelled() or not (fault := task.exception()):
            return
        if isinstance(fault, StoreUnavailable):
            # The store has logged it, once for all that fail while it does.
            log.debug("%s failed at %s: %s", self._name, key, fault)
        else:
            log.error("%s failed at %s", self._name, key, exc_info=fault)
