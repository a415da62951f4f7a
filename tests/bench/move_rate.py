"""Moves through the host alone, each on disk before the next one, on PostgreSQL."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.observability.event_loop import make_event_loop, tune_gc
from bot.platform.places import Location
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.databases import new_postgres_databases, open_migrated
from tests.bench.rows import Figure, Round, Row, Taken
from tests.support.fakes import ALL_FIVE, GAMES, ROBIN, WREN, mover_of

WARM_UP_SECONDS = 0.5
SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class MoveCost:
    """Milliseconds of a saved move."""

    taken: float
    processor: float
    """CPU time of the bot's process, without that of the database server."""


class Players:
    """Two players, who make the next move as soon as the last one is on disk."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._clicks = count(1)
        self._channels = count(1)

    async def play(self, seconds: float) -> MoveCost:
        """Play for a number of seconds."""
        table, moves = await self._start_table(), 0
        spent, began = time.process_time(), time.perf_counter()
        while time.perf_counter() < began + seconds:
            if table.header.status is not Status.PLAYING:
                table = await self._start_table()
            step = table.header.step
            table = await self._service.play(table.id, mover_of(table), step, ALL_FIVE, next(self._clicks))
            moves += 1
        took, spent = time.perf_counter() - began, time.process_time() - spent
        return MoveCost(round(1000 * took / moves, 3), round(1000 * spent / moves, 3))

    async def _start_table(self) -> Table:
        place = Location(1, next(self._channels))
        options = MagpieOptions(target=500)
        table = await open_game(self._service, "magpie", options, ROBIN, place, click_id=next(self._clicks))
        table = await self._service.join(table.id, WREN, next(self._clicks))
        return await self._service.start(table.id, ROBIN, next(self._clicks))


@asynccontextmanager
async def measure_moves() -> AsyncIterator[Round]:
    """Measure on an empty database in each round, and on the bot's event loop."""
    with new_postgres_databases() as addresses:

        async def measure() -> Taken:
            costs = {name: await asyncio.to_thread(_measure_moves, address()) for name, address in addresses.items()}
            rows = {Row(f"a move without Discord, {name}"): Figure(cost.taken) for name, cost in costs.items()}
            return Taken(rows, costs)

        yield measure


def _measure_moves(address: str) -> MoveCost:
    with asyncio.Runner(loop_factory=make_event_loop) as runner:
        return runner.run(_play_on(address))


async def _play_on(address: str) -> MoveCost:
    """Play on an empty database, collecting garbage as rarely as the bot does."""
    async with open_migrated(address) as db:
        players = Players(TableService(db, GAMES))
        await players.play(WARM_UP_SECONDS)
        with tune_gc():
            return await players.play(SECONDS)
