"""Downtime of some shards: it counts against nobody in their servers, and is given once, however they are divided."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.platform.clock import Downtime
from bot.platform.database.database import Database
from bot.platform.jobs import downtimes, storage as job_storage
from bot.platform.jobs.downtimes import ALIVE_EVERY, MAX_PAUSE, MAX_RESTART
from bot.platform.jobs.shard_leases import SERVER_BITS
from bot.platform.jobs.storage import Job
from bot.platform.places import ALL_SHARDS, ShardRange
from tests.store.queries.test_downtime import DAY, HALVES, HOUR, MINUTE
from tests.store.samples import Connect
from tests.support.fakes import NOON

WHOLE, LOWER, UPPER, LAST = ShardRange(0, 3, 4), ShardRange(0, 1, 4), ShardRange(2, 3, 4), ShardRange(3, 3, 4)


async def note(db: Database, ranges: Sequence[ShardRange], after: timedelta, *, starts: bool = False) -> list[Downtime]:
    """Let processes with some ranges note themselves, and return what they find."""
    found = list[Downtime]()
    for db.shards in ranges:
        found += await db.maintain(
            downtimes.note_alive, db.shards, NOON + after, MAX_RESTART if starts else MAX_PAUSE, starts=starts
        )
    return found


async def schedule_deadlines(db: Database) -> None:
    """Let a deadline in a server of each of four shards end five minutes after noon."""
    for shard in range(4):
        job = Job("deadline", str(shard), NOON + 5 * MINUTE, counts_from=NOON, guild_id=shard << SERVER_BITS)
        await db.maintain(job_storage.put, job)


async def minutes_of_ends(db: Database) -> list[float]:
    """Return how many minutes after noon each deadline ends."""
    db.shards = ALL_SHARDS
    due = await db.maintain(job_storage.claim, db.shards, ["deadline"], NOON + DAY, NOON + DAY, 10)
    return [(job.due_at - NOON) / MINUTE for job in sorted(due, key=lambda job: job.key)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([WHOLE], [LOWER, UPPER]),
        ([LOWER, UPPER], [WHOLE]),
        ([LOWER, UPPER], [ShardRange(0, 2, 4), LAST]),
        ([LOWER, UPPER], HALVES),
        ([ALL_SHARDS], HALVES),
        (HALVES, [ALL_SHARDS]),
    ],
)
async def test_a_downtime_after_which_shards_are_divided_in_another_way_is_given_once(
    db: Database, before: Sequence[ShardRange], after: Sequence[ShardRange]
) -> None:
    await schedule_deadlines(db)
    await note(db, before, timedelta())
    await note(db, after, HOUR, starts=True)
    assert await note(db, after, HOUR + MINUTE) == []
    assert await minutes_of_ends(db) == [65] * 4


async def test_a_downtime_counts_only_in_servers_of_its_shards_even_if_another_range_replaces_it(
    db: Database,
) -> None:
    await schedule_deadlines(db)
    await note(db, [LOWER], timedelta())
    for minute in range(61):
        await note(db, [UPPER], minute * MINUTE)
    found = [Downtime(NOON, NOON + HOUR, LOWER)]
    assert await note(db, [WHOLE], HOUR, starts=True) == found
    for db.shards, known in ((WHOLE, found), (LOWER, found), (UPPER, [])):
        assert await db.read(downtimes.find_all, db.shards) == known
    assert await minutes_of_ends(db) == [65, 65, 5, 5]


async def test_a_new_range_was_down_only_while_no_process_of_any_range_ran(db: Database) -> None:
    await note(db, [LOWER], timedelta())
    assert await note(db, [ShardRange(2, 2, 4)], MAX_RESTART, starts=True) == []
    now = NOON + HOUR
    assert await note(db, [LAST], HOUR, starts=True) == [Downtime(NOON + MAX_RESTART, now, LAST)]


@pytest.mark.parametrize(
    ("old", "new"), [([WHOLE], [LOWER, UPPER]), ([LOWER, UPPER], [WHOLE]), ([LOWER, UPPER], HALVES)]
)
async def test_ranges_are_divided_in_another_way_while_processes_run_without_a_downtime(
    db: Database, old: Sequence[ShardRange], new: Sequence[ShardRange]
) -> None:
    ended = timedelta()
    for number, running in enumerate((old, [*old, *new], [old[-1], *new], new)):
        for look in range(10):
            ended = (10 * number + look) * ALIVE_EVERY
            assert await note(db, running, ended, starts=look == 0) == []
    down = [Downtime(NOON + ended, NOON + HOUR, shards) for shards in new]
    assert await note(db, new, HOUR, starts=True) == down


@pytest.mark.parametrize("other", [UPPER, HALVES[1]])
async def test_two_processes_with_some_of_the_same_shards_give_the_time_once(
    connect: Connect, other: ShardRange
) -> None:
    stores = await connect(), await connect()
    stores[0].shards, stores[1].shards = WHOLE, other
    for day in range(4):
        noon = NOON + day * DAY
        for db in stores:
            await db.maintain(downtimes.note_alive, db.shards, noon, timedelta.max)
        await stores[0].maintain(
            job_storage.put, Job("deadline", "1", noon + HOUR, counts_from=noon, guild_id=3 << SERVER_BITS)
        )
        await asyncio.gather(
            *(db.maintain(downtimes.note_alive, db.shards, noon + HOUR / 2, MAX_PAUSE) for db in stores)
        )
        (job,) = await stores[0].maintain(job_storage.claim, stores[0].shards, ["deadline"], noon + DAY, noon, 1)
        assert job.due_at == noon + 3 * HOUR / 2


@pytest.mark.every_database
async def test_a_day_is_excused_once_however_many_processes_were_down(db: Database) -> None:
    for after in (timedelta(), 40 * MINUTE):
        await note(db, HALVES, after)
    assert await db.read(downtimes.find_excused_days) == frozenset()
