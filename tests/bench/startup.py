"""Time and memory of a start with many open tables."""

import asyncio
import time
from dataclasses import dataclass

from sqlalchemy import Connection, Table as SqlTable, create_engine, text

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.database.address import parse_database_url
from bot.platform.database.database import Database
from bot.sandbox import Sandbox
from bot.tables import schema, storage as table_storage
from bot.tables.model import PublishedRevision
from bot.tables.service import TableService
from tests.bench.databases import open_migrated
from tests.bench.processes import PARLOUR, memory_mib, parlour_environment, run_bot, run_sandbox
from tests.support.fakes import GAMES, ROBIN, WREN, roll, start_game

MOVES = 30
SETTLING_SECONDS = 1.0
"""Seconds of measuring after the bot is online: it sweeps at once."""


@dataclass(frozen=True, slots=True)
class StartCost:
    """The costs of a start."""

    seconds: float
    """From the start of the process until it is online at Discord."""
    peak_mib: float


async def measure_start(address: str, tables: int) -> StartCost:
    """Start the bot on a database with a number of tables, all open and shown."""
    await fill_database(address, tables, MOVES)
    async with run_sandbox(Sandbox()) as sandbox:
        began = time.perf_counter()
        async with run_bot(sandbox, PARLOUR, parlour_environment(sandbox, address)) as process:
            seconds = time.perf_counter() - began
            await asyncio.sleep(SETTLING_SECONDS)
            return StartCost(round(seconds, 2), memory_mib(process.pid, "VmHWM"))


async def fill_database(address: str, tables: int, moves: int) -> None:
    """Play a number of moves at one table, and copy it."""
    async with open_migrated(address) as db:
        if tables:
            await _play(db, moves)
            await asyncio.to_thread(_multiply, address, tables)


async def _play(db: Database, moves: int) -> None:
    service = TableService(db, GAMES)
    table = await start_game(service, ROBIN, WREN, options=MagpieOptions(target=500))
    for _ in range(moves):
        table = await roll(service, table)
    await db.maintain(table_storage.mark_published, [PublishedRevision(table.id, table.header.revision, 70)])


def _multiply(address: str, tables: int) -> None:
    engine = create_engine(parse_database_url(address))
    with engine.begin() as connection:
        _copy(connection, schema.tables, {"id", "channel_id"}, tables - 1)
        for part in (schema.seats, schema.moves):
            _copy(connection, part, {"table_id"}, tables - 1)
    engine.dispose()


def _copy(connection: Connection, table: SqlTable, shifted: set[str], times: int) -> None:
    columns = table.columns.keys()
    values = ", ".join(f"{name} + n" if name in shifted else name for name in columns)
    numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :times)"
    copies = f"{numbers} SELECT {values} FROM {table.name}, numbers"  # noqa: S608 - every name is the schema's
    connection.execute(text(f"INSERT INTO {table.name} ({', '.join(columns)}) {copies}"), {"times": times})
