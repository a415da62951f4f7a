"""Backups that the bot makes itself."""

import logging
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.community.jobs import Job
from bot.store.backup import BACKUP, ScheduledBackups
from bot.store.store import SqlStore
from tests.support.databases import create_schema

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
JOB = Job(BACKUP, "database", NOON)
DAY = timedelta(days=1)


async def make(folder: Path, days: int, *, keep: int = 2) -> datetime | None:
    """Let the job run on a day."""
    file = folder / "parlour.sqlite3"
    create_schema(file)
    backups = ScheduledBackups(f"sqlite+aiosqlite:///{file}", folder / "backups", every=DAY, keep=keep)
    return await backups.run(JOB, lambda: NOON + days * DAY)


async def test_a_backup_is_a_whole_database_and_the_next_one_is_due_a_day_later(tmp_path: Path) -> None:
    assert await make(tmp_path, 0) == NOON + DAY
    (file,) = (tmp_path / "backups").iterdir()
    assert file.name == "parlour-20260301-120000.sqlite3"
    with closing(sqlite3.connect(file)) as copy:
        assert copy.execute("SELECT count(*) FROM tables").fetchone() == (0,)


async def test_the_newest_are_kept_and_other_files_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "backups" / "parlour-of-my-own.sqlite3"
    other.parent.mkdir()
    other.touch()
    for day in range(4):
        await make(tmp_path, day)
    names = sorted(file.name for file in other.parent.iterdir())
    assert names == ["parlour-20260303-120000.sqlite3", "parlour-20260304-120000.sqlite3", other.name]


async def test_what_a_killed_backup_has_left_is_removed_and_does_not_count(tmp_path: Path) -> None:
    await make(tmp_path, 0)
    folder = tmp_path / "backups"
    (folder / "parlour-20260302-000000.sqlite3").touch()
    for name, days in ((".backup-old", -2), (".backup-running", 0)):
        (folder / name).mkdir()
        (folder / name / "part").write_bytes(b"part")
        at = (NOON + (1 + days) * DAY).timestamp()
        os.utime(folder / name, (at, at))
    await make(tmp_path, 1)
    names = sorted(file.name for file in folder.iterdir())
    assert names == [".backup-running", "parlour-20260301-120000.sqlite3", "parlour-20260302-120000.sqlite3"]


async def test_with_postgresql_the_log_says_once_that_it_has_its_own_programs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    backups = ScheduledBackups("postgresql://parlour@db.example/parlour", tmp_path, every=DAY, keep=2)
    caplog.set_level(logging.WARNING)
    assert await backups.run(JOB) is None
    assert "BACKUP_EVERY_HOURS is for SQLite only" in caplog.text


async def test_backups_are_off_without_an_interval(tmp_path: Path) -> None:
    create_schema(file := tmp_path / "parlour.sqlite3")
    store = SqlStore(f"sqlite+aiosqlite:///{file}")
    for every, expected in ((DAY, 1), (None, 0)):
        await ScheduledBackups("", tmp_path, every=every, keep=2).schedule(store, NOON)
        found = await store.claim_jobs([BACKUP], NOON, NOON, 10)
        assert len(found) == expected
    await store.close()
