"""Jobs, on every database."""

import asyncio
from datetime import timedelta

import pytest

from bot.platform.clock import Downtime
from bot.platform.database.database import Database
from bot.platform.database.sql import read_clock
from bot.platform.jobs import downtimes, storage as job_storage
from bot.platform.jobs.storage import Job
from tests.store.samples import NOON, Connect

pytestmark = pytest.mark.every_database

MINUTE = timedelta(minutes=1)
PAUSE = 2 * MINUTE
KINDS = ("season", "clock")
SEASON = Job("season", "1", NOON)
CLOCK = Job("clock", "7", NOON + 10 * MINUTE, counts_from=NOON)


async def claim(db: Database, minutes: float = 0.0, kinds: tuple[str, ...] = KINDS) -> list[Job]:
    now = NOON + minutes * MINUTE
    return list(await db.maintain(job_storage.claim, db.shards, kinds, now, now + 5 * MINUTE, 50))


async def test_only_due_jobs_of_the_kinds_are_claimed_the_longest_due_first(db: Database) -> None:
    for job in (CLOCK, SEASON, Job("other", "1", NOON)):
        await db.maintain(job_storage.put, job)
    assert await claim(db, minutes=-1) == []
    assert await claim(db, minutes=10) == [SEASON, CLOCK]


async def test_a_job_is_claimed_by_one_of_two_processes(connect: Connect) -> None:
    stores = await connect(), await connect()
    for number in range(40):
        await stores[0].maintain(job_storage.put, Job("season", str(number), NOON))
    both = await asyncio.gather(*map(claim, stores))
    assert sorted(job.key for jobs in both for job in jobs) == sorted(map(str, range(40)))


async def test_a_job_is_claimed_again_when_its_claim_has_run_out(db: Database) -> None:
    await db.maintain(job_storage.put, SEASON)
    assert await claim(db) == [SEASON]
    assert await claim(db, minutes=4.9) == []
    assert await claim(db, minutes=5) == [SEASON]


async def test_a_claim_is_prolonged_by_its_process_alone(db: Database) -> None:
    await db.maintain(job_storage.put, SEASON)
    await claim(db)
    first, second = NOON + 5 * MINUTE, NOON + 7 * MINUTE
    assert not await db.maintain(job_storage.prolong, SEASON, [NOON], second)
    assert await db.maintain(job_storage.prolong, SEASON, [NOON, first], second)
    assert await claim(db, minutes=6) == []
    assert await claim(db, minutes=7) == [SEASON], "and is due when it was"
    assert not await db.maintain(job_storage.prolong, SEASON, [first, second], NOON + 20 * MINUTE), (
        "another process has it"
    )
    await db.maintain(job_storage.put, SEASON)
    assert not await db.maintain(job_storage.prolong, SEASON, [NOON + 12 * MINUTE], NOON + 20 * MINUTE), (
        "it was rescheduled"
    )
    assert not await db.maintain(job_storage.prolong, CLOCK, [first], second)


async def test_a_finished_job_is_gone_or_due_again(db: Database) -> None:
    for job in (SEASON, CLOCK):
        await db.maintain(job_storage.put, job)
    await claim(db, minutes=10)
    await db.maintain(job_storage.finish, SEASON, None)
    await db.maintain(job_storage.finish, CLOCK, NOON + 12 * MINUTE)
    assert await claim(db, minutes=11) == []
    assert await claim(db, minutes=60) == [Job("clock", "7", NOON + 12 * MINUTE, counts_from=NOON)]


async def test_what_is_scheduled_anew_or_cancelled_meanwhile_stays_so(db: Database) -> None:
    other = Job("season", "2", NOON)
    for job in (SEASON, other):
        await db.maintain(job_storage.put, job)
    await claim(db)
    anew = Job("season", "1", NOON + MINUTE)
    await db.maintain(job_storage.put, anew)
    await db.maintain(job_storage.remove, "season", ["2", "3"])
    for job in (SEASON, other):
        await db.maintain(job_storage.finish, job, NOON)
    assert await claim(db, minutes=1) == [anew]


async def test_downtime_moves_only_deadlines_that_it_lasted_through_and_only_once(connect: Connect) -> None:
    db, other = await connect(), await connect()
    overdue = Job("clock", "overdue", NOON - MINUTE, counts_from=NOON)
    for job in (SEASON, CLOCK, overdue):
        await db.maintain(job_storage.put, job)
    assert await db.maintain(downtimes.note_alive, db.shards, NOON, PAUSE) == []
    hour = NOON + 60 * MINUTE
    found = await asyncio.gather(
        db.maintain(downtimes.note_alive, db.shards, hour, PAUSE),
        other.maintain(downtimes.note_alive, other.shards, hour, PAUSE),
    )
    assert sorted(map(list, found)) == [[], [Downtime(NOON, hour)]]
    assert await claim(db, minutes=60) == [overdue, SEASON]
    assert "7" not in [job.key for job in await claim(db, minutes=69)]
    assert "7" in [job.key for job in await claim(db, minutes=70)]


async def test_a_deadline_that_began_in_downtime_is_moved_by_the_rest_of_it(db: Database) -> None:
    """It may have begun just before, or between the end and the moment when that was noticed."""
    await db.maintain(downtimes.note_alive, db.shards, NOON, PAUSE)
    for key, begin in (("before", 0.5), ("after", 59.5), ("later", 61)):
        await db.maintain(job_storage.put, Job("clock", key, NOON + (begin + 10) * MINUTE, NOON + begin * MINUTE))
    await db.maintain(downtimes.note_alive, db.shards, NOON + 60 * MINUTE, PAUSE)
    due = {job.key: (job.due_at - NOON) / MINUTE for job in await claim(db, minutes=100)}
    assert due == {"before": 70, "after": 70, "later": 71}


async def test_machines_that_share_a_database_may_have_different_times(
    db: Database, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downtimes, "read_clock", read_clock)
    await db.maintain(downtimes.note_alive, db.shards, NOON, PAUSE)
    # A database in a file has the time of its only machine.
    found = [Downtime(NOON, NOON + 60 * MINUTE)] if address.startswith("sqlite") else []
    assert await db.maintain(downtimes.note_alive, db.shards, NOON + 60 * MINUTE, PAUSE) == found


async def test_a_process_that_runs_is_no_downtime_and_a_clock_set_back_moves_nothing(db: Database) -> None:
    await db.maintain(job_storage.put, CLOCK)
    for minutes in (0, 1.5, 3, -30, -29):
        assert await db.maintain(downtimes.note_alive, db.shards, NOON + minutes * MINUTE, PAUSE) == []
    assert await claim(db, minutes=10) == [CLOCK]
