"""Time to load a long table that is not in memory, and delays of the event loop meanwhile."""

import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from bot.platform.database.database import Database
from bot.platform.observability.event_loop import tune_gc
from bot.platform.places import Location
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.registry import AnyPackage, load_games
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.databases import open_migrated
from tests.bench.picture_costs import measure_longest_block
from tests.support.fakes import ROBIN

TABLES = 3
"""Tables of each game played at random; the one with the most moves counts."""

TIMES = 5
SEED = 2


@dataclass(frozen=True, slots=True)
class LoadCost:
    """The costs of loading the longest table."""

    game: str
    moves: int
    milliseconds: float
    held: float
    """The longest delay of the event loop while this process worked, in milliseconds."""


async def measure_load(address: str) -> LoadCost:
    """Play tables of every game at random, and load the longest."""
    async with open_migrated(address) as db:
        # The same dice, so that every database has the same games to load.
        service = TableService(db, load_games(), entropy=random.Random(SEED).randbytes)
        chance, numbers = FastChance(random.Random(SEED)), count(1)
        tables = [
            await _play_table(service, package, chance, numbers)
            for package in service.games.values()
            for _ in range(TABLES)
        ]
        longest = max(tables, key=lambda table: table.header.step)
        with tune_gc():
            loads = [await _time_load(db, longest) for _ in range(TIMES)]
        taken, held = (round(statistics.median(figures), 2) for figures in zip(*loads, strict=True))
        return LoadCost(longest.package.game.info.title, longest.header.step, taken, held)


async def _time_load(db: Database, table: Table) -> tuple[float, float]:
    """Return the milliseconds of a load, and of its longest delay of the event loop."""
    service = TableService(db, load_games())
    ticking = asyncio.ensure_future(measure_longest_block())
    await asyncio.sleep(0)
    began = time.perf_counter()
    loaded = await service.table(table.id)
    taken = time.perf_counter() - began
    ticking.cancel()
    if loaded.state != table.state:
        raise RuntimeError(f"table {table.id} was loaded in another position")
    return 1000 * taken, 1000 * await ticking


async def _play_table(service: TableService, package: AnyPackage, chance: FastChance, numbers: Iterator[int]) -> Table:
    """Play a table to its end, with a person in the first seat and computer players in the others."""
    info = package.game.info
    place = Location(1, next(numbers))
    table = await open_game(
        service, info.key, info.options(), ROBIN, place, click_id=next(numbers), computers=info.most_seats - 1
    )
    table = await service.start(table.id, ROBIN, next(numbers))
    while table.header.status is Status.PLAYING:
        text, step = str(random_move(package.game.legal_moves(table.state), chance)), table.header.step
        if table.header.awaits_computer:
            table = await service.play_computer(table.id, step, text)
        else:
            table = await service.play(table.id, ROBIN, step, text, next(numbers))
    return table
