"""Cuts long work on the event loop into short slices, so that it does not hold up other tasks."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")

SlicedWork: TypeAlias = Generator[None, None, T]
"""A generator that yields after each step and returns the result."""

SLICE_SECONDS: Final = 0.003
"""A slice ends after the first step beyond this time; no slice should hold up the loop for 10 ms."""

_TURNS_FOR_OTHERS: Final = 3
"""Iterations of the loop between two slices of a job. A task that awaits a timer or socket continues in the second or
third iteration: the loop sees the event, its callback completes a future, then the task runs."""


class TimeSlices:
    """Shares the event loop between long jobs and all other tasks, one slice at a time."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._lock = asyncio.Lock()
        self._slice_ends_at = 0.0

    async def run(self, steps: Iterator[T]) -> AsyncIterator[T]:
        """Yield from an iterator; after each slice, let other tasks and long jobs run first."""
        turns = 1
        while True:
            if self._clock() >= self._slice_ends_at:
                await self._start_slice(turns)
                turns = _TURNS_FOR_OTHERS
            try:
                step = next(steps)
            except StopIteration:
                return
            yield step

    async def run_to_end(self, steps: SlicedWork[T]) -> T:
        """Run all steps and return the result."""
        results: list[T] = []

        def all_steps() -> Iterator[None]:
            results.append((yield from steps))

        async for _ in self.run(all_steps()):
            pass
        return results[0]

    async def _start_slice(self, turns: int) -> None:
        # The lock is fair, so a short job need not wait for the end of a long one.
        async with self._lock:
            for _ in range(turns):
                await asyncio.sleep(0)
            self._slice_ends_at = self._clock() + SLICE_SECONDS


def run_unsliced(steps: SlicedWork[T]) -> T:
    """Run all steps at once and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
