"""Leases of shards: processes that start, run, die and end."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.community.shard_leases import (
    LEASE,
    LOOK_EVERY,
    READY_WITHIN,
    TAKEN_WITHIN,
    Lease,
    ShardLease,
    split_shards,
)
from bot.tables.ports import StoreUnavailable
from bot.tables.shards import ShardRange

RANGES = split_shards(10, 4)


class FakeLeases:
    """Keeps leases in memory, as the port promises."""

    def __init__(self) -> None:
        self.leases: dict[ShardRange, Lease] = {}
        self.is_down = False

    async def lease_shards(self, lease: Lease, now: datetime) -> bool:
        self.check()
        before = self.leases.get(lease.shards, lease)
        if before.owner != lease.owner and before.expires_at > now:
            return False
        self.leases[lease.shards] = lease
        return True

    async def release_shards(self, shards: ShardRange, owner: str, now: datetime) -> None:
        self.check()
        if self.leases[shards].owner == owner:
            self.leases[shards] = replace(self.leases[shards], expires_at=now)

    async def find_lease(self, shards: ShardRange) -> Lease | None:
        self.check()
        return self.leases.get(shards)

    def check(self) -> None:
        if self.is_down:
            raise StoreUnavailable("down")


class Processes:
    """Processes over one store, with a clock that goes on while they wait."""

    def __init__(self) -> None:
        self.store = FakeLeases()
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.before_sleep: Callable[[], None] = lambda: None

    def start(self) -> ShardLease:
        return ShardLease(self.store, RANGES, lambda: self.now, self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.before_sleep()
        self.now += timedelta(seconds=seconds)
        await asyncio.sleep(0)


def test_ranges_make_up_all_shards() -> None:
    assert [str(each) for each in RANGES] == ["0-3/10", "4-7/10", "8-9/10"]


async def test_the_age_of_a_lease_is_known_once_there_is_one() -> None:
    processes = Processes()
    others = [processes.start() for _ in RANGES]
    for each in others:
        await each.acquire()
    lease = processes.start()
    waiting = asyncio.create_task(lease.acquire())
    await asyncio.sleep(0)
    assert lease.seconds_since_renewal() is None
    await waiting
    processes.now += timedelta(seconds=3)
    assert lease.seconds_since_renewal() == 3


async def test_each_process_takes_a_range_that_is_free() -> None:
    processes = Processes()
    taken = [await processes.start().acquire() for _ in RANGES]
    assert taken == list(RANGES)


async def test_a_process_that_waits_takes_over_within_half_a_minute_from_one_that_died() -> None:
    processes = Processes()
    for _ in RANGES:
        await processes.start().acquire()
    died_at = processes.now
    assert await processes.start().acquire() in RANGES
    assert processes.now - died_at <= LEASE + LOOK_EVERY < timedelta(seconds=30)


async def test_a_process_that_ends_serves_on_until_its_successor_is_connected() -> None:
    processes, looks = Processes(), 0
    lease = processes.start()
    shards = await lease.acquire()

    def follow() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            assert processes.store.leases[shards].expires_at <= processes.now, "it is free"
        if looks in {3, 7}:
            processes.store.leases[shards] = Lease(shards, "successor", processes.now + LEASE, is_ready=looks == 7)

    processes.before_sleep = follow
    await lease.hand_over(shards)
    assert looks == 7


async def test_a_process_tells_in_its_lease_when_it_is_connected() -> None:
    processes, connected, renewals = Processes(), asyncio.Event(), list[bool]()
    lease = processes.start()
    shards = await lease.acquire()

    def note() -> None:
        renewals.append(processes.store.leases[shards].is_ready)
        if len(renewals) == 2:
            connected.set()
        if len(renewals) == 4:
            processes.store.leases[shards] = Lease(shards, "another", processes.now + 10 * LEASE)

    processes.before_sleep = note
    await lease.keep(shards, connected)
    assert renewals == [False, False, True, True]


async def test_a_process_that_nobody_follows_ends_soon() -> None:
    processes = Processes()
    lease = processes.start()
    shards, began_at = await lease.acquire(), processes.now
    await lease.hand_over(shards)
    assert TAKEN_WITHIN <= processes.now - began_at <= TAKEN_WITHIN + timedelta(seconds=1)


async def test_a_process_whose_successor_does_not_get_ready_ends_in_the_end() -> None:
    processes = Processes()
    lease = processes.start()
    shards = await lease.acquire()
    began_at = processes.now
    processes.store.leases[shards] = Lease(shards, "successor", began_at + 10 * LEASE)
    await lease.hand_over(shards)
    assert READY_WITHIN <= processes.now - began_at <= READY_WITHIN + timedelta(seconds=1)


async def test_a_lease_is_renewed_in_time_however_often_the_database_fails_for_a_moment() -> None:
    processes, checks = Processes(), 0
    lease = processes.start()
    shards = await lease.acquire()

    def fail_often() -> None:
        nonlocal checks
        checks += 1
        processes.store.is_down = checks % 4 != 0
        assert processes.store.leases[shards].expires_at > processes.now, "nobody else could take it"
        if checks == 40:
            processes.store.leases[shards] = Lease(shards, "another", processes.now + 10 * LEASE)

    processes.before_sleep = fail_often
    await lease.keep(shards, asyncio.Event())
    assert checks == 40, "it is kept until another process has it"


async def test_a_lease_that_can_t_be_given_back_runs_out(caplog: pytest.LogCaptureFixture) -> None:
    processes = Processes()
    lease = processes.start()
    shards = await lease.acquire()
    processes.store.is_down = True
    await lease.hand_over(shards)
    assert f"can take shards {shards} over in 0:00:20" in caplog.text
