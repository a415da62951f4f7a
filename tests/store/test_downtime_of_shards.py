"""Downtime of some shards: it counts against nobody in their servers, and is given once, however they are divided."""

import asyncio
from datetime import timedelta

import pytest

from bot.platform.clock import Downtime
from bot.platform.days import day_of
from bot.platform.jobs import served_shards
from bot.platform.jobs.jobs import MAX_PAUSE, Job
from bot.platform.jobs.shard_ranges import ALL_SHARDS, SERVER_BITS, ShardRange
from tests.store.samples import Connect
from tests.store.test_downtime import DAY, HALVES, HOUR, MINUTE, SERVERS
from tests.support.fakes import NOON


async def test_a_downtime_moves_only_deadlines_in_servers_of_its_shards(connect: Connect) -> None:
    store, found = await connect(), list[Downtime]()
    for server in SERVERS:
        await store.schedule_job(Job("deadline", str(server), NOON + HOUR, counts_from=NOON, guild_id=server))
    for shards, at in ((HALVES[0], NOON), (HALVES[1], NOON), (HALVES[1], NOON + MINUTE), (HALVES[0], NOON + 2 * HOUR)):
        store.shards = shards
        found += await store.note_alive(at, MAX_PAUSE)
    assert found == [Downtime(NOON, NOON + 2 * HOUR, HALVES[0])]
    assert await store.load_downtimes() == found
    store.shards = HALVES[1]
    assert await store.load_downtimes() == []
    store.shards = ALL_SHARDS
    due = await store.claim_jobs(["deadline"], NOON + DAY, NOON + DAY, 10)
    assert {job.guild_id: job.due_at for job in due} == {SERVERS[0]: NOON + 3 * HOUR, SERVERS[1]: NOON + HOUR}


@pytest.mark.parametrize(
    ("shards", "down"),
    [
        (ShardRange(0, 3, 4), [ShardRange(0, 1, 4)]),
        (ShardRange(1, 2, 4), [ShardRange(1, 1, 4)]),
        (ShardRange(2, 3, 4), []),
        (ShardRange(0, 7, 8), [ShardRange(0, 1, 8), ShardRange(4, 5, 8)]),
        # Of its servers only those of a shard that was not served get the time.
        (ShardRange(1, 1, 2), [ShardRange(1, 1, 4)]),
        (ALL_SHARDS, [ShardRange(0, 1, 4)]),
        (ShardRange(0, 1, 3), [ShardRange(0, 1, 12), ShardRange(4, 4, 12), ShardRange(9, 9, 12)]),
    ],
)
async def test_shards_may_be_divided_in_another_way_at_the_next_start(
    connect: Connect, shards: ShardRange, down: list[ShardRange]
) -> None:
    """Until NOON all of four shards were served, and then the last two for another hour."""
    store = await connect()
    for served, at in ((ALL_SHARDS, NOON - DAY), (ShardRange(0, 3, 4), NOON), (ShardRange(2, 3, 4), NOON + HOUR)):
        store.shards = served
        await store.note_alive(at, timedelta.max)
    store.shards, now = shards, NOON + HOUR + MINUTE
    assert await store.note_alive(now, MAX_PAUSE) == [Downtime(NOON, now, each) for each in down]
    assert await store.note_alive(now + MINUTE, MAX_PAUSE) == []


async def test_time_that_was_given_is_not_given_again_if_shards_are_divided_in_another_way(connect: Connect) -> None:
    store = await connect()
    lower, upper = ShardRange(0, 1, 4), ShardRange(2, 3, 4)
    for shard in range(4):
        await store.schedule_job(
            Job("deadline", str(shard), NOON + 5 * MINUTE, counts_from=NOON, guild_id=shard << SERVER_BITS)
        )
    # All were down for an hour, and only the upper ones have come back.
    for shards, at in ((lower, 0), (upper, 0), (upper, 60), (upper, 61), (ALL_SHARDS, 62), (HALVES[1], 64)):
        store.shards = shards
        await store.note_alive(NOON + at * MINUTE, MAX_PAUSE)
    store.shards = ALL_SHARDS
    due = await store.claim_jobs(["deadline"], NOON + DAY, NOON + DAY, 10)
    minutes = {int(job.key): (job.due_at - NOON) // MINUTE for job in due}
    # The last two minutes were in the second half only: nobody has said since whether the others were served.
    assert minutes == {0: 67, 1: 69, 2: 65, 3: 67}


@pytest.mark.parametrize("other", [ShardRange(2, 3, 4), ShardRange(0, 0, 1), ShardRange(1, 1, 2)])
async def test_two_processes_with_some_of_the_same_shards_give_the_time_once(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, other: ShardRange
) -> None:
    monkeypatch.setattr(served_shards, "read_clock", lambda _connection, own: own)
    stores = await connect(), await connect()
    stores[0].shards, stores[1].shards = ShardRange(0, 3, 4), other
    for day in range(8):
        noon = NOON + day * DAY
        for store in stores:
            await store.note_alive(noon, timedelta.max)
        await stores[0].schedule_job(Job("deadline", "1", noon + HOUR, counts_from=noon, guild_id=3 << SERVER_BITS))
        await asyncio.gather(*(store.note_alive(noon + HOUR / 2, MAX_PAUSE) for store in stores))
        (job,) = await stores[0].claim_jobs(["deadline"], noon + DAY, noon, 1)
        assert job.due_at == noon + 3 * HOUR / 2


async def test_a_day_is_excused_once_however_many_processes_were_down(connect: Connect) -> None:
    store = await connect()
    for at in (NOON, NOON + 40 * MINUTE):
        for store.shards in HALVES:
            await store.note_alive(at, MAX_PAUSE)
    assert (await store.load_daily_facts(1, 2, day_of(NOON) + 1)).excused_days == frozenset()


async def test_after_a_wrong_clock_downtime_counts_even_if_shards_are_divided_in_another_way(connect: Connect) -> None:
    store = await connect()
    for at in (NOON, NOON + 10 * DAY):
        await store.note_alive(at, timedelta.max)
    right = NOON + 5 * MINUTE
    for store.shards in HALVES:
        await store.note_alive(right, MAX_PAUSE, starts=True)
        await store.note_alive(right + MINUTE, MAX_PAUSE)
        down = Downtime(right + MINUTE, right + 2 * DAY, store.shards)
        assert await store.note_alive(down.until, MAX_PAUSE, starts=True) == [down]
