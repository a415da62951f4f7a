"""Who is being answered just now, so that nobody is left standing at the end."""

import asyncio
import logging

log = logging.getLogger(__name__)


class InFlight:
    """Knows the tasks that answer interactions."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def track(self) -> None:
        """Count the present task in until it is done."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def is_empty(self) -> bool:
        """Whether nobody is being answered."""
        return not self._tasks

    async def drain(self, seconds: float) -> None:
        """Wait until everybody is answered, those who come meanwhile included; stop what takes longer."""
        try:
            async with asyncio.timeout(seconds):
                while others := self._tasks - {asyncio.current_task()}:
                    await asyncio.wait(others)
        except TimeoutError:
            log.warning("%d interactions could not be answered in time", len(self._tasks))
            for task in self._tasks:
                task.cancel()
