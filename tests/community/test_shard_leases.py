"""Leases of shards: processes that start, run, die and end."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import select

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.gateway import IDENTIFY_EVERY
from bot.platform.jobs.shard_leases import (
    GIVE_UP_AFTER,
    LEASE,
    LOOK_EVERY,
    RENEW_EVERY,
    TAKEN_WITHIN,
    Lease,
    LeaseLoss,
    ShardLease,
    acquire_lease,
    find_leases,
    longest_hand_over,
    release_lease,
    renew_lease,
    shard_leases,
    split_shards,
)
from bot.platform.places import ShardRange
from tests.support.memory_database import MemoryDatabase

RANGES = split_shards(10, 4)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASKED: set[Callable[..., object]] = {
    acquire_lease,
    renew_lease,
    release_lease,
    find_leases,
}


class Processes:
    """Processes that share a database, with a clock that goes on while they wait."""

    def __init__(self) -> None:
        self.database = MemoryDatabase()
        self.now = 0.0
        self.before_sleep: Callable[[], None] = lambda: None
        self.looks = 0

    @property
    def is_down(self) -> bool:
        """Whether the database fails."""
        return bool(self.database.broken)

    @is_down.setter
    def is_down(self, is_down: bool) -> None:
        self.database.broken = ASKED if is_down else set()

    def start(self) -> ShardLease:
        return ShardLease(self.database, RANGES, lambda: self.now, self.sleep)

    async def lease(self) -> tuple[ShardLease, ShardRange]:
        """Start a process that finds a range."""
        lease = self.start()
        shards = await lease.acquire(asyncio.Event())
        assert shards is not None
        return lease, shards

    def find(self, shards: ShardRange) -> Lease | None:
        """Return the lease of a range, if there is one, even if it has ended."""
        return next(iter(self.database.run(find_leases, shards)), None)

    def end_of(self, shards: ShardRange) -> float:
        """Return when the lease of a range ends."""
        select_end = select(shard_leases.c.expires_at).where(shard_leases.c.first == shards.first)
        expires_at: datetime = self.database.run(lambda connection: connection.execute(select_end).scalar_one())
        return (expires_at - START).total_seconds()

    def take(self, shards: ShardRange, *, is_ready: bool = False) -> None:
        """Have another process take a range."""
        self.give_back(shards)
        self.database.run(acquire_lease, shards, "another", LEASE)
        self.database.run(renew_lease, shards, "another", LEASE, is_ready=is_ready)

    def give_back(self, shards: ShardRange) -> None:
        """Have whoever has a range give it back."""
        if lease := self.find(shards):
            self.database.run(release_lease, shards, lease.owner)

    def at_looks(self, acts: Mapping[int, Callable[[], object]]) -> None:
        """Have something happen each time a process has waited this often."""

        def act() -> None:
            self.looks += 1
            acts.get(self.looks, lambda: None)()

        self.before_sleep = act

    async def sleep(self, seconds: float) -> None:
        self.before_sleep()
        self.now += seconds
        await asyncio.sleep(0)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Processes:
    made = Processes()
    monkeypatch.setattr("bot.platform.jobs.shard_leases.read_clock", lambda _: START + timedelta(seconds=made.now))
    return made


def test_ranges_make_up_all_shards() -> None:
    assert [str(each) for each in RANGES] == ["0-3/10", "4-7/10", "8-9/10"]


async def test_the_age_of_a_lease_is_known_once_there_is_one(processes: Processes) -> None:
    assert processes.start().seconds_since_renewal() is None
    lease, _ = await processes.lease()
    processes.now += 3
    assert lease.seconds_since_renewal() == 3


async def test_a_lease_has_no_age_once_it_is_given_back(processes: Processes) -> None:
    ages = list[float | None]()
    lease, shards = await processes.lease()
    processes.take(shards)
    processes.before_sleep = lambda: ages.append(lease.seconds_since_renewal())
    await lease.hand_over(shards)
    assert set(ages) == {None}, "nobody has to be alarmed at a hand-over"


async def test_each_process_takes_a_range_that_is_free(processes: Processes) -> None:
    taken = [(await processes.lease())[1] for _ in RANGES]
    assert taken == list(RANGES)


async def test_a_process_that_waits_takes_over_within_half_a_minute_from_one_that_died(processes: Processes) -> None:
    for _ in RANGES:
        await processes.lease()
    died_at = processes.now
    assert (await processes.lease())[1] in RANGES
    assert processes.now - died_at <= (LEASE + LOOK_EVERY).total_seconds() < 30


async def test_a_process_that_waits_goes_on_when_the_database_does(processes: Processes) -> None:
    looks = 0
    for shards in RANGES:
        processes.take(shards)

    def fail_for_a_while() -> None:
        nonlocal looks
        looks += 1
        processes.is_down = looks < 5
        if looks == 5:
            processes.give_back(RANGES[1])

    processes.before_sleep = fail_for_a_while
    assert (await processes.lease())[1] == RANGES[1]
    assert looks == 5


async def test_a_process_that_finds_no_database_when_it_starts_says_so(processes: Processes) -> None:
    processes.is_down = True
    with pytest.raises(StoreUnavailable):
        await processes.start().acquire(asyncio.Event())


async def test_a_process_that_is_told_to_end_waits_no_longer(processes: Processes) -> None:
    ended = asyncio.Event()
    for shards in RANGES:
        processes.take(shards)
    processes.before_sleep = ended.set
    assert await processes.start().acquire(ended) is None


async def test_a_process_that_ends_serves_on_until_its_successor_is_connected(processes: Processes) -> None:
    lease, shards = await processes.lease()

    def follow() -> None:
        assert processes.find(shards) is None, "it is free"
        processes.take(shards)

    processes.at_looks({3: follow, 7: partial(processes.take, shards, is_ready=True)})
    await lease.hand_over(shards)
    assert processes.looks == 7


async def test_a_process_whose_shards_others_share_serves_on_until_all_of_them_are_connected(
    processes: Processes,
) -> None:
    parts = {2: ShardRange(0, 1, 10), 5: ShardRange(2, 5, 10)}
    lease, shards = await processes.lease()
    processes.at_looks({look: partial(processes.take, part, is_ready=True) for look, part in parts.items()})
    await lease.hand_over(shards)
    assert processes.looks == 5


async def test_a_process_serves_on_while_all_other_shards_of_the_bot_identify_before_its_own(
    processes: Processes,
) -> None:
    lease, shards = await processes.lease()
    began_at, connected_at = processes.now, processes.now + shards.count * IDENTIFY_EVERY.total_seconds()

    def follow() -> None:
        processes.take(shards, is_ready=processes.now >= connected_at)

    processes.before_sleep = follow
    await lease.hand_over(shards)
    assert began_at < connected_at <= processes.now


async def test_a_process_serves_on_if_its_successor_is_replaced_before_it_is_connected(processes: Processes) -> None:
    looks = 0
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


async def test_a_process_tells_in_its_lease_when_it_is_connected(processes: Processes) -> None:
    connected, renewals = asyncio.Event(), list[bool]()
    lease, shards = await processes.lease()

    def note() -> None:
        lease_now = processes.find(shards)
        assert lease_now is not None
        renewals.append(lease_now.is_ready)
        if len(renewals) == 2:
            connected.set()
        if len(renewals) == 4:
            processes.take(shards)

    processes.before_sleep = note
    assert await lease.keep(shards, connected) is LeaseLoss.TAKEN
    assert renewals == [False, False, True, True]


async def test_a_process_that_reaches_no_database_for_minutes_gives_its_shards_up(processes: Processes) -> None:
    lease, shards = await processes.lease()
    processes.is_down, down_at = True, processes.now
    assert await lease.keep(shards, asyncio.Event()) is LeaseLoss.CUT_OFF
    assert 0 <= processes.now - down_at - GIVE_UP_AFTER.total_seconds() <= 2 * RENEW_EVERY.total_seconds()


async def test_after_an_outage_a_lease_is_renewed_as_soon_as_another_process_would_take_the_shards(
    processes: Processes,
) -> None:
    connected, renewed, back_at = asyncio.Event(), set[float](), 31.0
    lease, shards = await processes.lease()
    connected.set()

    def note() -> None:
        renewed.add(processes.end_of(shards) - LEASE.total_seconds())
        processes.is_down = 20 <= processes.now < back_at
        if processes.now > 2 * back_at:
            processes.take(shards)

    processes.before_sleep = note
    assert await lease.keep(shards, connected) is LeaseLoss.TAKEN
    assert 0 <= min(at for at in renewed if at >= back_at) - back_at <= LOOK_EVERY.total_seconds()


async def test_a_process_goes_on_after_an_outage_in_which_nobody_took_its_shards(processes: Processes) -> None:
    outages = 0
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


async def test_a_process_that_nobody_follows_ends_soon(processes: Processes) -> None:
    lease, shards = await processes.lease()
    began_at = processes.now
    await lease.hand_over(shards)
    assert 0 <= processes.now - began_at - TAKEN_WITHIN.total_seconds() <= 1


async def test_a_process_whose_successor_does_not_get_ready_ends_in_the_end(processes: Processes) -> None:
    lease, shards = await processes.lease()
    began_at = processes.now
    processes.take(shards)
    await lease.hand_over(shards)
    allowed = longest_hand_over(shards.count)
    assert 0 <= processes.now - began_at - allowed.total_seconds() <= 1


async def test_a_lease_is_renewed_in_time_however_often_the_database_fails_for_a_moment(processes: Processes) -> None:
    checks = 0
    lease, shards = await processes.lease()

    def fail_often() -> None:
        nonlocal checks
        checks += 1
        processes.is_down = checks % 4 != 0
        assert processes.end_of(shards) > processes.now, "nobody else could take it"
        if checks == 40:
            processes.take(shards)

    processes.before_sleep = fail_often
    await lease.keep(shards, asyncio.Event())
    assert checks == 40, "it is kept until another process has it"


async def test_a_lease_that_can_t_be_given_back_runs_out(
    processes: Processes, caplog: pytest.LogCaptureFixture
) -> None:
    lease, shards = await processes.lease()
    processes.is_down = True
    await lease.hand_over(shards)
    assert f"can take shards {shards} over in 0:00:20" in caplog.text
