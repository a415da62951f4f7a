"""Leases of shards: processes that start, run, die and end."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.discord.identify_gate import IDENTIFY_EVERY
from bot.platform.jobs.shard_leases import (
    GIVE_UP_AFTER,
    LEASE,
    LOOK_EVERY,
    RENEW_EVERY,
    TAKEN_WITHIN,
    Lease,
    LeaseLoss,
    ShardLease,
    longest_hand_over,
    split_shards,
)
from bot.platform.jobs.shard_ranges import ShardRange
from bot.tables.ports import StoreUnavailable

RANGES = split_shards(10, 4)


class Processes:
    """Processes and their leases, as the port promises, with a clock that goes on while they wait."""

    def __init__(self) -> None:
        self.leases: dict[ShardRange, Lease] = {}
        self.ends: dict[ShardRange, float] = {}
        self.now = 0.0
        self.is_down = False
        self.before_sleep: Callable[[], None] = lambda: None

    def start(self) -> ShardLease:
        return ShardLease(self, RANGES, lambda: self.now, self.sleep)

    async def lease(self) -> tuple[ShardLease, ShardRange]:
        """Start a process that finds a range."""
        lease = self.start()
        shards = await lease.acquire(asyncio.Event())
        assert shards is not None
        return lease, shards

    def take(self, shards: ShardRange, *, is_ready: bool = False) -> None:
        """Have another process take a range."""
        self.leases[shards] = Lease(shards, "another", is_ready)
        self.ends[shards] = self.now + 10 * LEASE.total_seconds()

    def give_back(self, shards: ShardRange) -> None:
        """Have whoever has a range give it back."""
        del self.leases[shards], self.ends[shards]

    async def sleep(self, seconds: float) -> None:
        self.before_sleep()
        self.now += seconds
        await asyncio.sleep(0)

    async def acquire_lease(self, shards: ShardRange, owner: str, lasts: timedelta) -> bool:
        self.check()
        if self.ends.get(shards, self.now) > self.now:
            return False
        self.leases[shards] = Lease(shards, owner, is_ready=False)
        self.ends[shards] = self.now + lasts.total_seconds()
        return True

    async def renew_lease(self, shards: ShardRange, owner: str, lasts: timedelta, *, is_ready: bool) -> bool:
        self.check()
        if self.leases[shards].owner != owner:
            return False
        self.leases[shards] = replace(self.leases[shards], is_ready=is_ready)
        self.ends[shards] = self.now + lasts.total_seconds()
        return True

    async def release_lease(self, shards: ShardRange, owner: str) -> None:
        self.check()
        if self.leases[shards].owner == owner:
            self.give_back(shards)

    async def find_leases(self, shards: ShardRange) -> Sequence[Lease]:
        self.check()
        return [each for each in self.leases.values() if set(each.shards.numbers) & set(shards.numbers)]

    def check(self) -> None:
        if self.is_down:
            raise StoreUnavailable("down")


def test_ranges_make_up_all_shards() -> None:
    assert [str(each) for each in RANGES] == ["0-3/10", "4-7/10", "8-9/10"]


async def test_the_age_of_a_lease_is_known_once_there_is_one() -> None:
    processes = Processes()
    assert processes.start().seconds_since_renewal() is None
    lease, _ = await processes.lease()
    processes.now += 3
    assert lease.seconds_since_renewal() == 3


async def test_a_lease_has_no_age_once_it_is_given_back() -> None:
    processes, ages = Processes(), list[float | None]()
    lease, shards = await processes.lease()
    processes.take(shards)
    processes.before_sleep = lambda: ages.append(lease.seconds_since_renewal())
    await lease.hand_over(shards)
    assert set(ages) == {None}, "nobody has to be alarmed at a hand-over"


async def test_each_process_takes_a_range_that_is_free() -> None:
    processes = Processes()
    taken = [(await processes.lease())[1] for _ in RANGES]
    assert taken == list(RANGES)


async def test_a_process_that_waits_takes_over_within_half_a_minute_from_one_that_died() -> None:
    processes = Processes()
    for _ in RANGES:
        await processes.lease()
    died_at = processes.now
    assert (await processes.lease())[1] in RANGES
    assert processes.now - died_at <= (LEASE + LOOK_EVERY).total_seconds() < 30


async def test_a_process_that_waits_goes_on_when_the_database_does() -> None:
    processes, looks = Processes(), 0
    for shards in RANGES:
        processes.take(shards)

    def fail_for_a_while() -> None:
        nonlocal looks
        looks += 1
        processes.is_down = looks < 5
        if looks == 5:
            processes.ends[RANGES[1]] = processes.now

    processes.before_sleep = fail_for_a_while
    assert (await processes.lease())[1] == RANGES[1]
    assert looks == 5


async def test_a_process_that_finds_no_database_when_it_starts_says_so() -> None:
    processes = Processes()
    processes.is_down = True
    with pytest.raises(StoreUnavailable):
        await processes.start().acquire(asyncio.Event())


async def test_a_process_that_is_told_to_end_waits_no_longer() -> None:
    processes, ended = Processes(), asyncio.Event()
    for shards in RANGES:
        processes.take(shards)
    processes.before_sleep = ended.set
    assert await processes.start().acquire(ended) is None


async def test_a_process_that_ends_serves_on_until_its_successor_is_connected() -> None:
    processes, looks = Processes(), 0
    lease, shards = await processes.lease()

    def follow() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            assert shards not in processes.leases, "it is free"
        if looks in {3, 7}:
            processes.take(shards, is_ready=looks == 7)

    processes.before_sleep = follow
    await lease.hand_over(shards)
    assert looks == 7


async def test_a_process_whose_shards_others_share_serves_on_until_all_of_them_are_connected() -> None:
    processes, looks, parts = Processes(), 0, (ShardRange(0, 1, 10), ShardRange(2, 5, 10))
    lease, shards = await processes.lease()

    def follow() -> None:
        nonlocal looks
        looks += 1
        if looks in {2, 5}:
            processes.take(parts[looks // 5], is_ready=True)

    processes.before_sleep = follow
    await lease.hand_over(shards)
    assert looks == 5


async def test_a_process_serves_on_while_all_other_shards_of_the_bot_identify_before_its_own() -> None:
    processes = Processes()
    lease, shards = await processes.lease()
    began_at, connected_at = processes.now, processes.now + shards.count * IDENTIFY_EVERY.total_seconds()

    def follow() -> None:
        processes.take(shards, is_ready=processes.now >= connected_at)

    processes.before_sleep = follow
    await lease.hand_over(shards)
    assert began_at < connected_at <= processes.now


async def test_a_process_serves_on_if_its_successor_is_replaced_before_it_is_connected() -> None:
    processes, looks = Processes(), 0
    lease, shards = await processes.lease()
    given_back_at = processes.now

    def follow() -> None:
        nonlocal looks
        looks += 1
        processes.now = max(processes.now, given_back_at + 2 * TAKEN_WITHIN.total_seconds())
        if looks == 3:
            processes.give_back(shards)
        if looks in {1, 5}:
            processes.take(shards, is_ready=looks == 5)

    processes.before_sleep = follow
    await lease.hand_over(shards)
    assert looks == 5


async def test_a_process_tells_in_its_lease_when_it_is_connected() -> None:
    processes, connected, renewals = Processes(), asyncio.Event(), list[bool]()
    lease, shards = await processes.lease()

    def note() -> None:
        renewals.append(processes.leases[shards].is_ready)
        if len(renewals) == 2:
            connected.set()
        if len(renewals) == 4:
            processes.take(shards)

    processes.before_sleep = note
    assert await lease.keep(shards, connected) is LeaseLoss.TAKEN
    assert renewals == [False, False, True, True]


async def test_a_process_that_reaches_no_database_for_minutes_gives_its_shards_up() -> None:
    processes = Processes()
    lease, shards = await processes.lease()
    processes.is_down, down_at = True, processes.now
    assert await lease.keep(shards, asyncio.Event()) is LeaseLoss.CUT_OFF
    assert 0 <= processes.now - down_at - GIVE_UP_AFTER.total_seconds() <= 2 * RENEW_EVERY.total_seconds()


async def test_after_an_outage_a_lease_is_renewed_as_soon_as_another_process_would_take_the_shards() -> None:
    processes, connected, renewed, back_at = Processes(), asyncio.Event(), set[float](), 31.0
    lease, shards = await processes.lease()
    connected.set()

    def note() -> None:
        renewed.add(processes.ends[shards] - LEASE.total_seconds())
        processes.is_down = 20 <= processes.now < back_at
        if processes.now > 2 * back_at:
            processes.take(shards)

    processes.before_sleep = note
    assert await lease.keep(shards, connected) is LeaseLoss.TAKEN
    assert 0 <= min(at for at in renewed if at >= back_at) - back_at <= LOOK_EVERY.total_seconds()


async def test_a_process_goes_on_after_an_outage_in_which_nobody_took_its_shards() -> None:
    processes, outages = Processes(), 0
    lease, shards = await processes.lease()
    longest = GIVE_UP_AFTER - 2 * RENEW_EVERY

    def fail_again_and_again() -> None:
        nonlocal outages
        is_over = processes.now % GIVE_UP_AFTER.total_seconds() >= longest.total_seconds()
        outages += is_over and processes.is_down
        processes.is_down = not is_over
        if outages == 3:
            processes.take(shards)

    processes.before_sleep = fail_again_and_again
    assert await lease.keep(shards, asyncio.Event()) is LeaseLoss.TAKEN
    assert outages == 3


async def test_a_process_that_nobody_follows_ends_soon() -> None:
    processes = Processes()
    lease, shards = await processes.lease()
    began_at = processes.now
    await lease.hand_over(shards)
    assert 0 <= processes.now - began_at - TAKEN_WITHIN.total_seconds() <= 1


async def test_a_process_whose_successor_does_not_get_ready_ends_in_the_end() -> None:
    processes = Processes()
    lease, shards = await processes.lease()
    began_at = processes.now
    processes.take(shards)
    await lease.hand_over(shards)
    allowed = longest_hand_over(shards.count)
    assert 0 <= processes.now - began_at - allowed.total_seconds() <= 1


async def test_a_lease_is_renewed_in_time_however_often_the_database_fails_for_a_moment() -> None:
    processes, checks = Processes(), 0
    lease, shards = await processes.lease()

    def fail_often() -> None:
        nonlocal checks
        checks += 1
        processes.is_down = checks % 4 != 0
        assert processes.ends[shards] > processes.now, "nobody else could take it"
        if checks == 40:
            processes.take(shards)

    processes.before_sleep = fail_often
    await lease.keep(shards, asyncio.Event())
    assert checks == 40, "it is kept until another process has it"


async def test_a_lease_that_can_t_be_given_back_runs_out(caplog: pytest.LogCaptureFixture) -> None:
    processes = Processes()
    lease, shards = await processes.lease()
    processes.is_down = True
    await lease.hand_over(shards)
    assert f"can take shards {shards} over in 0:00:20" in caplog.text
