"""Long work on the event loop, cut into slices: in between everybody else has their turn."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")

SlicedWork: TypeAlias = Generator[None, None, T]
"""Work that pauses after each of its steps, and what it leads to."""

SLICE_SECONDS: Final = 0.003
"""How long the loop is held at most, but for the last step that was begun; nothing is to hold it for 10 ms."""


class TimeSlices:
    """Lets one slice of all long work run at a time, and in between whatever else is due."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._lock = asyncio.Lock()
        self._slice_ends_at = 0.0

    async def run(self, steps: Iterator[T]) -> AsyncIterator[T]:
        """Yield what an iterator yields; whoever has used up a slice waits behind the others who work."""
        while True:
            if self._clock() >= self._slice_ends_at:
                await self._start_slice()
            try:
                step = next(steps)
            except StopIteration:
                return
            yield step

    async def run_to_end(self, steps: SlicedWork[T]) -> T:
        """Do all steps of some work, and return what it leads to."""
        ended: list[T] = []

        def all_of_them() -> Iterator[None]:
            ended.append((yield from steps))

        async for _ in self.run(all_of_them()):
            pass
        return ended[0]

    async def _start_slice(self) -> None:
        # The lock is fair, so that a short piece of work does not wait for the end of a long one.
        async with self._lock:
            await asyncio.sleep(0)
            self._slice_ends_at = self._clock() + SLICE_SECONDS


def run_unsliced(steps: SlicedWork[T]) -> T:
    """Do all steps of some work without letting anybody in between."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
