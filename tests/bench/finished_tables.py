"""What finished tables cost: bytes of each kind of row, compacting their moves, and loading them then.

A few tables of every game are played by computer players of the usual level, at the pace of people, and then repeated
in the database under other ids.
"""

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Table as SqlTable,
    case,
    func,
    insert,
    literal,
    select,
    text,
    true,
)

from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.personal_data import PERSONAL_DATA, Kind
from bot.features.results.storage import encounters, rating_changes
from bot.platform.clock import Clock, Downtime
from bot.platform.database.database import Database
from bot.platform.places import Location, Person
from bot.rules.chance import FastChance
from bot.tables import compaction as compaction_storage, storage as table_storage
from bot.tables.model import Status, TableId
from bot.tables.opening import open_game
from bot.tables.registry import AnyPackage, levels_of, load_games, usual_level
from bot.tables.results import results
from bot.tables.schema import compacted_moves, moves, seats, tables
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.databases import open_migrated
from tests.bench.measured_clicks import Times
from tests.support.apps import shared_app

TABLES: Final = 20_000
WITH_ROWS: Final = 2000
"""How many of them still have rows of moves: what is compacted in one go and timed."""
LOADS: Final = 400
_GAMES: Final = 4
"""How many tables of each game are played."""
_AT_A_TIME: Final = 20_000
_BATCH: Final = 5
_SERVER: Final = 1_100_000_000_000_000_000
_FIRST_PERSON: Final = 1_150_000_000_000_000_000
_FIRST_CLICK: Final = 1_200_000_000_000_000_000
"""Ids as long as Discord's: SQLite stores short numbers in fewer bytes."""
_PEOPLE_PER_TABLE: Final = 10
_BEGIN: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
_NEVER: Final = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FinishedTables:
    """What finished tables cost."""

    tables: int
    bytes_per_table: dict[str, int]
    """Bytes for a finished table in each table of the database, indexes included."""
    compacting: float
    """Milliseconds to compact a table."""
    processor: float
    """Milliseconds that this process works for that, in all its threads."""
    longest_batch: float
    """Milliseconds of the longest transaction, of five tables."""
    load_rows: Times
    """Of loading a table from the store, without replaying it."""
    load_compacted: Times


class PassingClock(Clock):
    """A clock that goes on by some seconds whenever somebody looks, as people do who think about their moves."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self.now = _BEGIN

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=self._source.lognormvariate(2, 0.8))
        return self.now

    def ago(self, span: timedelta) -> datetime:
        return self.now - span

    def leave_out(self, downtimes: Iterable[Downtime]) -> None:
        """Leave nothing out: these games are played in one go."""


async def measure_finished_tables(address: str, number: int = TABLES) -> FinishedTables:
    """Fill a database with finished tables, some of them not compacted yet, and measure."""
    async with open_migrated(address) as db:
        played = await _play_all(db)
        await db.maintain(privacy_storage.clear_click_ids, [table.id for table in played], _NEVER)
        copies = _Copies(db, len(played))
        await copies.add(WITH_ROWS, moves)
        with_rows = range(len(played) + 1, copies.total + 1)
        await db.maintain(compaction_storage.compact_tables, 0, _NEVER, len(played))
        await copies.add(number - copies.total, compacted_moves)
        await db.run_exclusively(lambda connection: connection.execute(text("ANALYZE")))
        load_rows, load_compacted = await _time_loads(db, with_rows, range(with_rows.stop, copies.total + 1))
        began = time.process_time()
        batches = await _compact(db)
        processor = time.process_time() - began
        return FinishedTables(
            tables=copies.total,
            bytes_per_table=copies.bytes_per_table(),
            compacting=round(sum(batches) / len(with_rows), 3),
            processor=round(1000 * processor / len(with_rows), 3),
            longest_batch=round(max(batches), 1),
            load_rows=load_rows,
            load_compacted=load_compacted,
        )


async def _play_all(db: Database) -> list[Table]:
    source = random.Random(1)
    service = TableService(db, load_games(), clock=PassingClock(source), entropy=source.randbytes)
    service.hooks = shared_app().tables.hooks
    numbers = count(1)
    return [
        await _play(service, package, more_seats, next(numbers), source)
        for package in service.games.values()
        for more_seats in range(_GAMES)
    ]


async def _play(
    service: TableService, package: AnyPackage, more_seats: int, number: int, source: random.Random
) -> Table:
    """Play one of a game's tables, of different people and sizes, to its end."""
    info, clicks = package.game.info, count(_FIRST_CLICK + 10_000 * number)
    size = info.least_seats + more_seats % (info.most_seats - info.least_seats + 1)
    people = [Person(_FIRST_PERSON + _PEOPLE_PER_TABLE * number + at, f"Player {at}") for at in range(size)]
    place = Location(_SERVER, _SERVER + number)
    table = await open_game(service, info.key, info.options(), people[0], place, click_id=next(clicks))
    for person in people[1:]:
        table = await service.join(table.id, person, next(clicks))
    table = await service.start(table.id, people[0], next(clicks))
    choose, chance = levels_of(package)[usual_level(package)], FastChance(source)
    while table.header.status is Status.PLAYING:
        seat = table.header.to_move
        move = choose(package.game.view(table.state, seat), package.game.legal_moves(table.state), chance)
        step = table.header.step
        table = await service.play(table.id, people[seat or 0], step, str(move), next(clicks))
    return table


class _Copies:
    """Repeats the first tables of a database, with moves as rows or compacted, and notes what that takes."""

    def __init__(self, db: Database, originals: int) -> None:
        self._db = db
        self._originals = originals
        self.rounds = 0
        """How often they have been repeated."""
        self._bytes: dict[SqlTable, int] = {}
        self._copied: dict[SqlTable, int] = {}

    @property
    def total(self) -> int:
        """How many tables there are."""
        return self._originals * (self.rounds + 1)

    async def add(self, number: int, with_moves: SqlTable) -> None:
        """Add about that many tables."""
        until = self.rounds + number // self._originals
        while self.rounds < until:
            more = min(until - self.rounds, _AT_A_TIME // self._originals)
            add_rounds = partial(self._add_rounds, more=more, with_moves=with_moves)
            await self._db.run_exclusively(add_rounds)
            self.rounds += more

    def bytes_per_table(self) -> dict[str, int]:
        """Return the bytes for a table of a game in each table of the database."""
        return {each.name: round(size / self._copied[each]) for each, size in self._bytes.items()}

    def _add_rounds(self, connection: Connection, more: int, with_moves: SqlTable) -> None:
        if connection.dialect.name == "sqlite":
            # In KiB: what does not fit is written more than once.
            connection.exec_driver_sql("PRAGMA cache_size=-200000")
        for table in (tables, seats, with_moves, results, rating_changes, encounters):
            before = _size(connection, table)
            self._copy(connection, table, more)
            self._bytes[table] = self._bytes.get(table, 0) + _size(connection, table) - before
            self._copied[table] = self._copied.get(table, 0) + more * self._originals

    def _copy(self, connection: Connection, table: SqlTable, more: int) -> None:
        first = select(literal(self.rounds + 1, Integer).label("number")).cte("rounds", recursive=True)
        rounds = first.union_all(select(first.c.number + 1).where(first.c.number < self.rounds + more))
        key = table.c.id if table is tables else table.c.table_id
        columns = {column.name: self._changed(column, rounds.c.number) for column in table.columns}
        order = (rounds.c.number, *table.primary_key.columns)
        source = select(*columns.values()).select_from(rounds.join(table, true()))
        connection.execute(
            insert(table).from_select(list(columns), source.where(key <= self._originals).order_by(*order))
        )

    def _changed(self, column: ColumnElement[Any], number: ColumnElement[int]) -> ColumnElement[Any]:
        if column.name in ("id", "table_id"):
            return column + number * self._originals
        if PERSONAL_DATA[column.table.name].kinds[column.name] is Kind.PERSON:
            # Other people, but 0 is nobody.
            return case((column == 0, 0), else_=column + number * self._originals * _PEOPLE_PER_TABLE)
        return column


def _size(connection: Connection, table: SqlTable) -> int:
    """Return the bytes of a table with its indexes; of all tables on SQLite, where only the growth tells."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(select(func.pg_total_relation_size(table.name))).scalar_one())
    pages, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
    return int(pages * size)


async def _compact(db: Database) -> list[float]:
    """Compact all tables with rows of moves, and return how many milliseconds each transaction took."""
    taken: list[float] = []
    after_id: TableId | None = 0
    while after_id is not None:
        began = time.perf_counter()
        after_id = await db.maintain(compaction_storage.compact_tables, after_id, _NEVER, _BATCH)
        taken.append(1000 * (time.perf_counter() - began))
    return taken


async def _time_loads(db: Database, with_rows: Sequence[TableId], compacted: Sequence[TableId]) -> list[Times]:
    """Load tables with rows and compacted ones in turn."""
    source = random.Random(2)
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(LOADS):
        for times, table_ids in zip(taken, (with_rows, compacted), strict=True):
            table_id = source.choice(table_ids)
            began = time.perf_counter()
            await db.read(table_storage.load, table_id)
            times.append(1000 * (time.perf_counter() - began))
    return [Times.of(each, 2) for each in taken]
