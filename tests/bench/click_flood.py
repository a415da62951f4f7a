"""Latency of other users' clicks, alone and during one user's flood of clicks."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.bench.click_costs import WARM_UP, MeasuredBot, ShownMessage, run_parlour
from tests.bench.click_sandbox import TimedAnswer
from tests.bench.measured_clicks import quantiles

OTHERS = 20
"""Tables clicked at once, each again as soon as it is answered."""
PAUSE_SECONDS = 3.0
"""Seconds within which the bot has answered the rest of a flood."""
TIMES = 10
"""Clicks per table and round."""
FLOOD_PER_SECOND = 200
"""Clicks of the flooding user, answered or not."""


@dataclass(frozen=True, slots=True)
class FloodCosts:
    """Latencies of the other users' clicks, in milliseconds."""

    alone_p50: float
    alone_p99: float
    beside_p50: float
    beside_p99: float
    times: float
    """The p99 during the flood, relative to the p99 alone."""
    answered_per_second: float
    """The answered clicks of the flooding user."""


@dataclass(slots=True)
class _FloodCount:
    answered: int = 0
    seconds: float = 0.0


async def measure_flood(address: Callable[[], str], rounds: int) -> FloodCosts:
    """Measure both in turn, so that other load affects both."""
    alone: list[tuple[float, float]] = []
    beside: list[tuple[float, float]] = []
    total = _FloodCount()
    async with run_parlour(address(), None) as contender:
        own, *others = contender.boards[: OTHERS + 1]
        await contender.click_all(others, WARM_UP)
        for _ in range(rounds):
            alone.append(quantiles(await contender.click_all(others, TIMES)))
            async with _flood(contender, own, total):
                beside.append(quantiles(await contender.click_all(others, TIMES)))
    return FloodCosts(
        *_medians(alone),
        *_medians(beside),
        times=round(_medians(beside)[1] / _medians(alone)[1], 2),
        answered_per_second=round(total.answered / total.seconds),
    )


@asynccontextmanager
async def _flood(contender: MeasuredBot, board: ShownMessage, total: _FloodCount) -> AsyncIterator[None]:
    """Let a user click the same button again and again while the block runs."""
    answers: list[asyncio.Future[TimedAnswer]] = []

    async def press() -> None:
        while True:
            answers.append(contender.exchange.press(board.message, board.person_id, board.name, board.custom_id))
            await asyncio.sleep(1 / FLOOD_PER_SECOND)

    pressing, began = asyncio.create_task(press()), time.monotonic()
    yield
    total.seconds += time.monotonic() - began
    total.answered += sum(answer.done() for answer in answers)
    pressing.cancel()
    await asyncio.gather(pressing, return_exceptions=True)
    # Clicks still waiting must not affect the next measurement.
    await asyncio.sleep(PAUSE_SECONDS)


def _medians(taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    middle, high = (round(statistics.median(each), 2) for each in zip(*taken, strict=True))
    return middle, high
