"""Counts how often other tasks have their turn while work is cut into slices by a clock that steps."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.platform.time_slices import SLICE_SECONDS

A_SLICE = 6
"""How many steps there are in a slice, with the one that was begun last."""


class SteppingClock:
    """A clock by which each step of work takes a fifth of a slice."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += SLICE_SECONDS / 5
        return self.now


class LoopTurnCounter:
    """Counts how often the event loop had its turn."""

    def __init__(self) -> None:
        self.taken = 0

    async def count(self) -> None:
        while True:
            self.taken += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def count_loop_turns() -> AsyncIterator[LoopTurnCounter]:
    """Count the turns of the loop while the block runs."""
    turns = LoopTurnCounter()
    counting = asyncio.create_task(turns.count())
    try:
        yield turns
    finally:
        counting.cancel()
