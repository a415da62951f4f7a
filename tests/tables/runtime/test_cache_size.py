"""The estimated memory of a table is close to the measured one, in every game."""

import gc
import random
import tracemalloc
from dataclasses import replace

import pytest

from bot.platform.places import Location
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.settings import Settings
from bot.tables.memory import CACHE_BYTES, MAX_TABLE_BYTES, TableCache, estimate_table_bytes
from bot.tables.model import Occupant, Status, build_lobby_header
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, apply_move, start_game
from tests.support.each_case import each_case
from tests.support.fakes import NOON
from tests.support.games import load_games_once

TABLES = 4
MOVES = 8

GAMES = load_games_once()
SEATS = [
    (package, seats)
    for package in GAMES.values()
    for seats in sorted({package.game.info.least_seats, package.game.info.most_seats})
]


def make_played_table(package: AnyPackage, seats: int, number: int, chance: FastChance) -> Table:
    """Return a table after some random moves that is not over, made as a table is that was read from disk."""
    info, first_id = package.game.info, 10**18 + 10 * number
    people = tuple(Occupant(f"Robin {first_id + seat}", first_id + seat, None, str(first_id)) for seat in range(seats))
    header = build_lobby_header(
        str(info.key),
        info.version,
        info.options().model_dump_json(),
        location=Location(first_id, first_id),
        opener_id=first_id,
        seed=random.Random(number).randbytes(32),
        at=NOON,
    )
    table = start_game(Table(replace(header, id=first_id, salt=f"{number:064}"), people, package))
    for _ in range(MOVES):
        move = random_move(package.game.legal_moves(table.state), chance)
        after = apply_move(table, table.header.to_move or 0, move)
        if after.header.status is not Status.PLAYING:
            break
        table = after
    return table


def make_tables(package: AnyPackage, seats: int) -> list[Table]:
    chance = FastChance(random.Random(1))
    return [make_played_table(package, seats, number, chance) for number in range(TABLES)]


@pytest.fixture
def without_older_objects() -> None:
    """Exempt what other tests have left from garbage collection, for good: there are twenty full ones here."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("without_older_objects")
@each_case("package, seats", SEATS)
def test_a_table_takes_the_estimated_memory(package: AnyPackage, seats: int) -> None:
    # Caches of moves and positions that all tables share are filled by the first game.
    make_tables(package, seats)
    cache = TableCache()
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tables = [cache.put(table) for table in make_tables(package, seats)]
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    taken = (after - before) / TABLES
    estimated = sum(map(estimate_table_bytes, tables)) / TABLES
    print(f"{taken:.0f} bytes a table, estimated {estimated:.0f}")  # noqa: T201
    assert taken < estimated < 2 * taken


@pytest.mark.parametrize("package", GAMES.values(), ids=GAMES)
def test_ten_thousand_tables_of_any_game_fit(package: AnyPackage) -> None:
    largest = max(map(estimate_table_bytes, make_tables(package, package.game.info.most_seats)))
    assert largest <= MAX_TABLE_BYTES, (
        f"a table takes {largest:,} bytes of memory, and may take MAX_TABLE_BYTES = {MAX_TABLE_BYTES:,}; "
        "show fewer moves or make fewer events of each, see docs/adding-a-game.md"
    )


def test_the_default_of_the_setting_is_the_caches_default() -> None:
    assert Settings.model_fields["table_cache_mib"].default * 1024 * 1024 == CACHE_BYTES
