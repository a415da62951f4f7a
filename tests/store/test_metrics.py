"""The metrics of a store, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from sqlalchemy import Connection

from bot.platform.database.database import WRITE_FAILURE_SECONDS, Database, open_database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.observability.metrics import DatabaseUsage, Metrics
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import PublishedRevision, TableUpdate
from bot.tables.saving import save_change
from bot.tables.service import TableService
from bot.tables.usage import read_stats
from tests.store.samples import ROBIN as SITTER, add_moves, make_header, make_move
from tests.support.databases import create_schema
from tests.support.fakes import GAMES, ROBIN, WREN, FakeClock, open_lobby, roll, start_game
from tests.support.waiting import wait_until

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
async def db(address: str) -> AsyncIterator[Database]:
    made = open_database(address, Metrics())
    yield made
    await made.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with all tables and no rows."""
    file = tmp_path / "parlour.db"
    create_schema(file)
    return file


def pragma(connection: Connection, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


async def test_tables_are_counted_by_status_and_the_next_job_is_known(db: Database) -> None:
    service = TableService(db, GAMES, clock=FakeClock(NOON))
    lobby = await open_lobby(service, ROBIN)
    await start_game(service, ROBIN, WREN, location=Location(1, 2001))
    closed = await open_lobby(service, ROBIN, location=Location(1, 2002))
    await service.cancel(closed.id, ROBIN, is_moderator=False)
    await db.maintain(table_storage.mark_published, [PublishedRevision(lobby.id, lobby.header.revision, 7)])
    pulse = await db.read(read_stats)
    assert pulse.open_tables == {"lobby": 1, "playing": 1}
    assert (pulse.unshown, pulse.unshown_since, pulse.job_due_at) == (2, NOON, None)
    for hours in (2, 1):
        await db.write(job_storage.add, Job("seasons", str(hours), NOON + timedelta(hours=hours)))
    assert (await db.read(read_stats)).job_due_at == NOON + timedelta(hours=1)


async def test_transactions_are_timed_and_those_that_wait_are_counted(address: str) -> None:
    metrics, held = Metrics(), Event()
    db = open_database(address, metrics)

    def hold(_: Connection) -> None:
        held.wait()

    reading = [asyncio.create_task(db.read(hold)) for _ in range(30)]
    await wait_until(lambda: sum(astuple(db.usage())) == len(reading))
    assert db.usage().connections < len(reading)
    held.set()
    await asyncio.gather(*reading)
    await wait_until(lambda: db.usage() == DatabaseUsage(0, 0))
    await db.close()
    assert b'parlour_database_transaction_seconds_count{kind="read"} 30.0\n' in metrics.export_text(NOON, None)


async def test_a_failed_save_counts_until_another_succeeds_or_a_minute_has_passed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("bot.platform.database.database.time", SimpleNamespace(monotonic=lambda: now))
    db = open_database(f"sqlite:///{file}")
    header = await add_moves(db, await db.write(table_storage.open_table, make_header(), [SITTER]), 1)
    after, entry = make_move(header, "x" * 20_000)
    pages = await db.write(pragma, "page_count")
    await db.write(pragma, f"max_page_count={pages}")
    with pytest.raises(StoreUnavailable):
        await save_change(db, TableUpdate(after, entry))
    with pytest.raises(StoreUnavailable, match="the last write failed"):
        await db.ping()
    now = WRITE_FAILURE_SECONDS
    await db.ping()
    with pytest.raises(StoreUnavailable):
        await save_change(db, TableUpdate(after, entry))
    await db.maintain(pragma, "max_page_count=100000")
    await save_change(db, TableUpdate(after, entry))
    await db.ping()
    await db.close()


async def test_a_read_only_file_does_not_answer(file: Path) -> None:
    db = open_database(f"sqlite:///file:{file}?mode=ro&uri=true", Metrics())
    with pytest.raises(StoreUnavailable, match="readonly"):
        await db.ping()
    await db.close()


async def test_moves_are_counted_once_they_are_on_disk(address: str) -> None:
    watch = Metrics()
    counting = open_database(address, watch)
    service = TableService(counting, GAMES)
    table = await start_game(service, ROBIN, WREN)
    await roll(service, table)
    await counting.close()
    with pytest.raises(StoreUnavailable):
        await counting.ping()
    assert b'parlour_moves_saved_total{game="magpie"} 1.0\n' in watch.export_text(NOON, None)
