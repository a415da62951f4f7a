"""Acknowledged writes survive a crash."""

from asyncio import StreamReader
from itertools import groupby

import pytest

from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.storage import Conflict
from tests.store.samples import add_moves, start_script

pytestmark = pytest.mark.slow

STEPS = 60
TABLES = 20


async def test_every_acknowledged_move_survives_a_kill(db: Database, address: str) -> None:
    process = await start_script("write_moves.py", address, str(TABLES))
    assert process.stdout is not None
    said = await read_saved_steps(process.stdout)
    process.kill()
    rest = (await process.stdout.read()).split(b"\n")
    await process.wait()
    said += map(numbers, rest[:-1])

    for table_id, lines in groupby(sorted(said), lambda line: line[0]):
        steps = [step for _, step in lines]
        assert steps == list(range(1, len(steps) + 1))
        await check_saved(db, table_id, len(steps))


async def read_saved_steps(said: StreamReader) -> list[tuple[int, int]]:
    """Listen until there are enough steps, and some of every table."""
    steps: list[tuple[int, int]] = []
    while len(steps) < STEPS or len({table_id for table_id, _ in steps}) < TABLES:
        steps.append(numbers(await said.readline()))
    return steps


def numbers(line: bytes) -> tuple[int, int]:
    table_id, step = map(int, line.split())
    return table_id, step


async def check_saved(db: Database, table_id: int, acknowledged: int) -> None:
    record = await db.read(table_storage.load, table_id)
    assert record is not None
    # The last move may have been saved without being acknowledged.
    assert len(record.entries) in (acknowledged, acknowledged + 1)
    assert [entry.text for entry in record.entries] == [f"move {n + 1}" for n in range(len(record.entries))]
    assert record.header.step == len(record.entries)
    try:
        await add_moves(db, record.header, 1)
    except Conflict:
        # A server may still have been busy with that last move; it is not busy with a second.
        assert len(record.entries) == acknowledged
        await check_saved(db, table_id, acknowledged)
