"""Saved moves per second."""

import asyncio
import time
from dataclasses import dataclass
from itertools import count

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.observability.event_loop import tune_gc
from bot.platform.places import Location
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.databases import open_migrated
from tests.support.fakes import ALL_FIVE, GAMES, ROBIN, WREN, mover_of

WARM_UP_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class MoveRate:
    """The rate of saved moves."""

    moves_per_second: float
    processor_ms_per_move: float
    """CPU time of the bot's process per move, without that of a database server."""


class LoadGenerator:
    """Players at a number of tables, who make the next move as soon as the last one is on disk."""

    def __init__(self, service: TableService, tables: int) -> None:
        self._service = service
        self._tables = tables
        self._clicks = count(1)
        self._channels = count(1)
        self._moves = 0

    async def play(self, seconds: float) -> MoveRate:
        """Play at new tables for a number of seconds."""
        tables = [await self._start_tables() for _ in range(self._tables)]
        self._moves, spent, began = 0, time.process_time(), time.perf_counter()
        await asyncio.gather(*(self._play(table, began + seconds) for table in tables))
        spent, took = time.process_time() - spent, time.perf_counter() - began
        return MoveRate(round(self._moves / took, 1), round(1000 * spent / self._moves, 3))

    async def _play(self, table: Table, end: float) -> None:
        while time.perf_counter() < end:
            if table.header.status is not Status.PLAYING:
                table = await self._start_tables()
            step = table.header.step
            table = await self._service.play(table.id, mover_of(table), step, ALL_FIVE, next(self._clicks))
            self._moves += 1

    async def _start_tables(self) -> Table:
        place = Location(1, next(self._channels))
        options = MagpieOptions(target=500)
        table = await open_game(self._service, "magpie", options, ROBIN, place, click_id=next(self._clicks))
        table = await self._service.join(table.id, WREN, next(self._clicks))
        return await self._service.start(table.id, ROBIN, next(self._clicks))


async def measure_move_rate(address: str, tables: int, seconds: float) -> MoveRate:
    """Measure the rate at a number of tables, on an empty database, collecting garbage as rarely as the bot does."""
    async with open_migrated(address) as db:
        players = LoadGenerator(TableService(db, GAMES), tables)
        await players.play(WARM_UP_SECONDS)
        with tune_gc():
            return await players.play(seconds)
