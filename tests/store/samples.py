"""Sample tables to store."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import Entry, Header, Occupant, Status, StoredTable, TableId, TableUpdate, build_lobby_header
from bot.tables.saving import save_change
from tests.support.ended_tables import save_end
from tests.support.sample_results import make_game_results

NOON = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
IN_NEPAL = timezone(timedelta(hours=5, minutes=45))
LARGEST_ID = 2**63 - 1

ROBIN = Occupant("Robin", user_id=11, contribution="501")
WREN = Occupant("Wren", user_id=12, contribution="502")

COMPUTER = Occupant(level="easy")

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

_channels = count(1000)

Connect: TypeAlias = Callable[[], Awaitable[Database]]
"""Opens one more store over the same database."""


def make_header(
    channel_id: int = 7, status: Status = Status.PLAYING, *, at: datetime = NOON, guild_id: int | None = 3
) -> Header:
    location = Location(guild_id=guild_id, channel_id=channel_id)
    seed = bytes(range(224, 256))
    header = build_lobby_header("magpie", 1, '{"target": 100}', location=location, opener_id=11, seed=seed, at=at)
    return replace(header, status=status)


def make_lobby_header(channel_id: int = 7) -> Header:
    return make_header(channel_id, Status.LOBBY)


def make_move(header: Header, text: str = "roll 1 2 5") -> tuple[Header, Entry]:
    """The header after one more move of seat 0, and the move."""
    assert header.status is Status.PLAYING, "only a game under way has moves"
    at = header.updated_at + timedelta(seconds=1)
    step = header.step + 1
    after = replace(header, step=step, to_move=0, revision=header.revision + 1, updated_at=at)
    return after, Entry(step=step, seat=0, text=text, digest=f"d{step}", click_id=9000 + step, at=at)


def revise(header: Header, status: Status) -> Header:
    return replace(header, status=status, revision=header.revision + 1)


async def add_moves(db: Database, header: Header, count: int) -> Header:
    for _ in range(count):
        header, entry = make_move(header)
        await save_change(db, TableUpdate(header, entry))
    return header


async def end_table(db: Database, *people: int | None, **more: Any) -> TableId:
    """End a new table with results, of which the first person's is the best, and return its id."""
    header = await db.write(table_storage.open_table, make_header(next(_channels)), [])
    results = make_game_results(header.id, *people, **more)
    await save_end(db, TableUpdate(revise(header, Status.FINISHED)), results)
    return header.id


async def load_table(db: Database, table_id: TableId) -> StoredTable:
    record = await db.read(table_storage.load, table_id)
    assert record is not None
    return record


async def load_move_texts(db: Database, table_id: TableId) -> list[str]:
    return [entry.text for entry in (await load_table(db, table_id)).entries]


async def load_header(db: Database, table_id: TableId) -> Header:
    return (await load_table(db, table_id)).header


async def start_script(script: str, *arguments: str) -> Process:
    """Start a script of this folder, whose standard input and output are pipes."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        HERE / script,
        *arguments,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=PIPE,
        stdout=PIPE,
    )
