"""Rate of moves at few and at many tables, played in turn."""

import asyncio
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, cycle, islice

from bot.rules.screen import EMPTY_DRAFT
from bot.tables.model import TableId
from bot.tables.service import TableService
from bot.tables.shown.screen import screen_of
from tests.bench.databases import open_migrated
from tests.bench.startup import fill_database
from tests.support.fakes import ALL_FIVE, GAMES, mover_of
from tests.support.rendering import render_game

FEW_TABLES, MANY_TABLES = 500, 5_000
MIN_RATIO = 0.5
"""The lowest allowed rate of many tables, relative to few."""

MOVES_BEFORE = 4
MOVES = 1_500
"""Moves timed together; each round of the many tables continues where the last one ended."""

AT_ONCE = 20
ROUNDS = 3

_CLICKS = count(10**9)


@dataclass(frozen=True, slots=True)
class RotationRates:
    """The rate of moves, each at another table than the one before."""

    few_per_second: float
    many_per_second: float


class RotatingPlayers:
    """Players who make a move at one table after another."""

    def __init__(self, service: TableService, tables: int) -> None:
        self._service = service
        self._tables = cycle(range(1, tables + 1))

    async def measure_rate(self) -> float:
        """Make the moves, each at the next table, and return the rate per second."""
        began = time.perf_counter()
        turns = islice(self._tables, MOVES)
        await asyncio.gather(*(self._walk(turns) for _ in range(AT_ONCE)))
        return MOVES / (time.perf_counter() - began)

    async def _walk(self, turns: Iterator[TableId]) -> None:
        for table_id in turns:
            await self._move(table_id)

    async def _move(self, table_id: TableId) -> None:
        """Find a button on a table's screen, make the move, and render the next screen."""
        table = await self._service.table(table_id)
        screen_of(table)
        person, step = mover_of(table), table.header.step
        after = await self._service.play(table_id, person, step, ALL_FIVE, next(_CLICKS))
        render_game(after, EMPTY_DRAFT)


async def measure_rotation(address: str) -> RotationRates:
    """Play few tables in turn and then many, several times, with all of them in memory."""
    await fill_database(address, MANY_TABLES, MOVES_BEFORE)
    async with open_migrated(address) as db:
        service = TableService(db, GAMES)
        for table_id in range(1, MANY_TABLES + 1):
            screen_of(await service.table(table_id))
        few_players, many_players = RotatingPlayers(service, FEW_TABLES), RotatingPlayers(service, MANY_TABLES)
        few, many = list[float](), list[float]()
        for _ in range(ROUNDS):
            few.append(await few_players.measure_rate())
            many.append(await many_players.measure_rate())
        return RotationRates(round(statistics.median(few), 1), round(statistics.median(many), 1))
