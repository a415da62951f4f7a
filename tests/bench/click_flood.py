"""Latency of other users' clicks, alone and during one user's flood of clicks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.features.settings.choices import PictureChoice
from tests.bench.click_costs import WARM_UP, MeasuredBot, ShownMessage, run_parlour
from tests.bench.databases import new_sqlite_databases
from tests.bench.measured_clicks import Times
from tests.bench.rows import Figure, Round, Row, Taken

OTHERS = 20
"""Tables clicked at once, each again as soon as it is answered."""
PAUSE_SECONDS = 3.0
"""Seconds within which the bot has answered the rest of a flood."""
TIMES = 10
"""Clicks per table and round."""
FLOOD_PER_SECOND = 200
"""Clicks of the flooding user, answered or not."""


@asynccontextmanager
async def compare_flood() -> AsyncIterator[Round]:
    """Compare other users' clicks during a flood with the same clicks without it, in turn."""
    with new_sqlite_databases() as address:
        async with run_parlour(address(), PictureChoice.OFF) as contender:
            own, *others = contender.boards[: OTHERS + 1]
            await contender.click_all(others, WARM_UP)

            async def measure() -> Taken:
                alone = Times.of(await contender.click_all(others, TIMES), 2)
                async with _flood(contender, own):
                    beside = Times.of(await contender.click_all(others, TIMES), 2)
                return Taken({Row.FLOOD: Figure(beside.p99, alone.p99)}, {"alone": alone, "beside": beside})

            yield measure


@asynccontextmanager
async def _flood(contender: MeasuredBot, board: ShownMessage) -> AsyncIterator[None]:
    """Let a user click the same button again and again while the block runs."""

    async def press() -> None:
        while True:
            contender.exchange.press(board.message, board.person_id, board.name, board.custom_id)
            await asyncio.sleep(1 / FLOOD_PER_SECOND)

    pressing = asyncio.create_task(press())
    yield
    pressing.cancel()
    await asyncio.gather(pressing, return_exceptions=True)
    # Clicks still waiting must not affect the next measurement.
    await asyncio.sleep(PAUSE_SECONDS)
