"""Tracks in-flight interactions so that shutdown can drain them."""

import asyncio
import logging

log = logging.getLogger(__name__)


class InFlight:
    """The tasks that are handling interactions."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[object], float] = {}
        """With the times at which they began, oldest first."""

    def track(self) -> None:
        """Track the current task until it is done."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks.setdefault(task, asyncio.get_running_loop().time())
            task.add_done_callback(self._forget)

    def oldest_seconds(self) -> float:
        """Return for how many seconds the oldest interaction has been handled; 0 if there is none."""
        now = asyncio.get_running_loop().time()
        return now - next(iter(self._tasks.values()), now)

    def is_empty(self) -> bool:
        """Whether no interaction is being handled."""
        return not self._tasks

    async def drain(self, seconds: float) -> None:
        """Wait until all interactions are handled, including new ones; cancel the rest after the timeout."""
        try:
            async with asyncio.timeout(seconds):
                while pending := self._tasks.keys() - {asyncio.current_task()}:
                    await asyncio.wait(pending)
        except TimeoutError:
            log.warning("%d interactions were not answered before shutdown", len(self._tasks))
            for task in self._tasks:
                task.cancel()

    def _forget(self, task: asyncio.Task[object]) -> None:
        self._tasks.pop(task, None)
