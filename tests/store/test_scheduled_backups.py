"""Backups that the bot makes itself."""

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.platform.database.backup import BACKUP, ScheduledBackups, back_up
from bot.platform.database.database import open_database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import LEASE
from bot.platform.jobs.storage import Job
from bot.platform.observability.metrics import Metrics
from tests.support.databases import create_schema
from tests.support.each_case import each_case
from tests.support.waiting import DEADLINE_SECONDS, wait_until

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
JOB = Job(BACKUP, "database", NOON)
DAY = timedelta(days=1)
METRIC = "parlour_last_backup_timestamp_seconds"


def backups_of(folder: Path, every: timedelta | None = DAY, keep: int = 2) -> ScheduledBackups:
    return ScheduledBackups(f"sqlite+aiosqlite:///{folder}/parlour.sqlite3", folder / "backups", every=every, keep=keep)


async def make(folder: Path, days: int) -> datetime | None:
    """Let the job run on a day."""
    create_schema(folder / "parlour.sqlite3")
    return await backups_of(folder).run(JOB, lambda: NOON + days * DAY)


async def test_a_backup_is_a_whole_database_and_the_next_one_is_due_a_day_later(tmp_path: Path) -> None:
    assert await make(tmp_path, 0) == NOON + DAY
    (file,) = (tmp_path / "backups").iterdir()
    assert file.name == "parlour-20260301-120000.sqlite3"
    with closing(sqlite3.connect(file)) as copy:
        assert copy.execute("SELECT count(*) FROM tables").fetchone() == (0,)


async def test_the_newest_are_kept_and_other_files_are_left_alone(tmp_path: Path) -> None:
    (folder := tmp_path / "backups").mkdir()
    others = {"parlour-of-my-own.sqlite3", "parlour-20260101-mine--.sqlite3"}
    for name in others:
        (folder / name).write_bytes(b"precious")
    for day in range(4):
        await make(tmp_path, day)
    names = {file.name for file in folder.iterdir()}
    assert names == {"parlour-20260303-120000.sqlite3", "parlour-20260304-120000.sqlite3", *others}


async def test_of_all_before_a_run_the_last_one_is_kept_however_often_that_is_begun_anew(tmp_path: Path) -> None:
    create_schema(tmp_path / "parlour.sqlite3")
    backups = backups_of(tmp_path, keep=1)
    await backups.run(JOB, lambda: NOON)
    due = replace(JOB, due_at=NOON + DAY)
    for minutes in range(4):
        await backups.run(due, lambda minutes=minutes: due.due_at + timedelta(minutes=minutes))  # type: ignore[misc]
    names = sorted(file.name for file in files_of(tmp_path))
    assert names == ["parlour-20260301-120000.sqlite3", "parlour-20260302-120300.sqlite3"]
    await backups.run(replace(JOB, due_at=NOON + 2 * DAY), lambda: NOON + 2 * DAY)
    names = sorted(file.name for file in files_of(tmp_path))
    assert names == ["parlour-20260302-120300.sqlite3", "parlour-20260303-120000.sqlite3"], "and no longer than that"


async def test_a_backup_that_takes_longer_than_its_interval_leaves_as_much_time_afterwards(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    create_schema(tmp_path / "parlour.sqlite3")
    caplog.set_level(logging.WARNING)
    times = iter([NOON, NOON + 1.5 * DAY])
    assert await backups_of(tmp_path).run(JOB, lambda: next(times)) == NOON + 2.5 * DAY
    assert "the backup took 1 day, 12:00:00" in caplog.text
    caplog.clear()


async def test_a_backup_that_fails_late_is_not_made_again_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    create_schema(tmp_path / "parlour.sqlite3")
    damage(tmp_path)
    times = iter([NOON, NOON + 3 * DAY])
    assert await backups_of(tmp_path).run(JOB, lambda: next(times)) == NOON + 3 * DAY + timedelta(hours=1)
    caplog.clear()


@each_case("ends_in_between", [False, True])
async def test_a_backup_that_outlives_its_job_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends_in_between: bool
) -> None:
    (folder := tmp_path / str(ends_in_between)).mkdir()
    create_schema(folder / "parlour.sqlite3")
    may_end, begun = threading.Event(), list[Path]()

    def back_up_slowly(_url: str, file: Path) -> None:
        begun.append(file)
        assert may_end.wait(DEADLINE_SECONDS)
        file.write_bytes(b"backup")

    monkeypatch.setattr("bot.platform.database.backup.back_up", back_up_slowly)
    backups = backups_of(folder)
    late = asyncio.create_task(backups.run(JOB, lambda: NOON))
    await wait_until(lambda: begun)
    # As if it had taken longer than a job may.
    late.cancel()
    await asyncio.wait([late])
    if ends_in_between:
        may_end.set()
        await wait_until(lambda: not any(thread.name == "backup" for thread in threading.enumerate()))
        await asyncio.sleep(0)
    again = asyncio.create_task(backups.run(JOB, lambda: NOON + timedelta(hours=2)))
    await asyncio.sleep(0)
    may_end.set()
    assert await again == NOON + DAY, "it counts from the beginning"
    assert len(begun) == 1
    await backups.run(JOB, lambda: NOON + DAY)
    assert len(begun) == 2, "and the next one is made"


async def test_a_file_that_another_process_has_removed_does_not_hide_why_a_backup_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one takes it for what a killed process has left."""
    create_schema(tmp_path / "parlour.sqlite3")

    def fail(_part: Path, file: Path) -> None:
        file.unlink()
        raise OSError("the disk fails")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="the disk fails"):
        back_up(f"sqlite+aiosqlite:///{tmp_path}/parlour.sqlite3", tmp_path / "copy.sqlite3")


async def test_a_process_that_starts_leaves_a_backup_alone_that_another_makes(tmp_path: Path) -> None:
    create_schema(file := tmp_path / "parlour.sqlite3")
    db = open_database(f"sqlite+aiosqlite:///{file}")
    await backups_of(tmp_path).schedule(db, NOON)
    (job,) = await db.maintain(job_storage.claim, db.shards, [BACKUP], NOON, NOON + LEASE, 10)
    await backups_of(tmp_path).schedule(db, NOON + timedelta(minutes=1))
    assert not await db.maintain(job_storage.claim, db.shards, [BACKUP], NOON + timedelta(minutes=1), NOON + LEASE, 10)
    assert await db.maintain(job_storage.claim, db.shards, [BACKUP], NOON + LEASE, NOON + 2 * LEASE, 10) == [job]
    await db.close()


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


def damage(folder: Path) -> None:
    """Overwrite all pages of the database but the first."""
    with (folder / "parlour.sqlite3").open("r+b") as pages:
        size = pages.seek(0, os.SEEK_END)
        pages.seek(4096)
        pages.write(b"x" * (size - 4096))


def forbid(folder: Path) -> None:
    """Put a file where the folder of the backups was."""
    (folder / "backups").rename(folder / "moved")
    (folder / "backups").touch()


def files_of(folder: Path) -> list[Path]:
    return list(folder.glob("*/parlour-*"))


@each_case("break_", [damage, forbid])
async def test_a_backup_that_fails_is_an_error_and_is_made_again_in_an_hour(
    break_: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder := tmp_path / break_.__name__).mkdir()
    create_schema(folder / "parlour.sqlite3")
    backups, metrics = backups_of(folder, keep=1), Metrics()
    metrics.sources.last_backup_at = lambda: backups.last_at
    await backups.run(JOB, lambda: NOON)
    break_(folder)
    caplog.set_level(logging.ERROR)
    assert await backups.run(JOB, lambda: NOON + DAY) == NOON + DAY + timedelta(hours=1)
    assert caplog.text.count("ERROR") == 1
    assert f"was not backed up to {folder}/backups: " in caplog.text
    assert "make sure that the disk has space" in caplog.text
    caplog.clear()
    assert len(files_of(folder)) == 1, "the older backup is kept"
    (line,) = [each for each in metrics.export_text(NOON, None).decode().splitlines() if each.startswith(METRIC)]
    assert float(line.split()[1]) == NOON.timestamp()


async def test_backups_are_off_without_an_interval(tmp_path: Path) -> None:
    create_schema(file := tmp_path / "parlour.sqlite3")
    db = open_database(f"sqlite+aiosqlite:///{file}")
    for every, expected in ((DAY, 1), (None, 0)):
        await backups_of(tmp_path, every).schedule(db, NOON)
        assert len(await db.maintain(job_storage.claim, db.shards, [BACKUP], NOON, NOON, 10)) == expected
    await db.close()


async def test_another_interval_counts_from_the_newest_backup_after_a_restart(tmp_path: Path) -> None:
    create_schema(file := tmp_path / "parlour.sqlite3")
    db = open_database(f"sqlite+aiosqlite:///{file}")
    await backups_of(tmp_path, 30 * DAY).schedule(db, NOON)
    (job,) = await db.maintain(job_storage.claim, db.shards, [BACKUP], NOON, NOON, 10)
    await db.maintain(job_storage.finish, job, await backups_of(tmp_path, 30 * DAY).run(job, lambda: NOON))
    (tmp_path / "backups" / "parlour-mine----before.sqlite3").write_bytes(b"x")
    backups = backups_of(tmp_path, DAY)
    await backups.schedule(db, NOON + timedelta(hours=1))
    assert backups.last_at == NOON
    assert not await db.maintain(
        job_storage.claim, db.shards, [BACKUP], NOON + DAY - timedelta(seconds=1), NOON + DAY, 10
    )
    assert len(await db.maintain(job_storage.claim, db.shards, [BACKUP], NOON + DAY, NOON + DAY, 10)) == 1
    await db.close()
