"""When shards may identify."""

import asyncio
from datetime import UTC, datetime

import pytest

from bot.platform.discord.gateway import IDENTIFY_EVERY, IdentifyGate
from bot.platform.jobs.shard_leases import reserve_identify
from tests.support.memory_database import MemoryDatabase

EVERY = IDENTIFY_EVERY.total_seconds()


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> MemoryDatabase:
    """A database whose clock stands still."""
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr("bot.platform.jobs.shard_leases.read_clock", lambda _: now)
    return MemoryDatabase()


@pytest.fixture
def dead_database() -> MemoryDatabase:
    made = MemoryDatabase()
    made.broken = {reserve_identify}
    return made


def reserve(database: MemoryDatabase, bucket: int, times: int) -> None:
    """Have shards of other processes reserve times of a bucket."""
    for _ in range(times):
        database.run(reserve_identify, bucket, IDENTIFY_EVERY, 64 * IDENTIFY_EVERY)


class Clock:
    """Tells a time that stands still."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def make_gate(database: MemoryDatabase, pauses: list[float], clock: Clock | None = None) -> IdentifyGate:
    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return IdentifyGate(database, sleep, clock or Clock())


async def test_a_shard_waits_for_the_time_of_its_bucket(database: MemoryDatabase) -> None:
    pauses = list[float]()
    reserve(database, 2, times=2)
    gate = make_gate(database, pauses)
    gate.max_concurrency = 16
    await gate.wait(18, 64)
    assert pauses == [2 * EVERY]


async def test_a_shard_waits_no_longer_than_all_shards_of_the_bot_take(database: MemoryDatabase) -> None:
    pauses = list[float]()
    reserve(database, 0, times=3)
    await make_gate(database, pauses).wait(1, 2)
    assert pauses == [0.0], "a time further away can't be right"


async def test_the_only_shard_of_a_bot_does_not_wait(database: MemoryDatabase) -> None:
    pauses = list[float]()
    await make_gate(database, pauses).wait(0, 1)
    assert (database.calls, pauses) == ([], [])


async def test_without_a_database_the_shards_of_a_bucket_identify_one_after_another(
    dead_database: MemoryDatabase,
) -> None:
    pauses = list[float]()
    gate = make_gate(dead_database, pauses)
    gate.max_concurrency = 2
    await asyncio.gather(*(gate.wait(number, 64) for number in range(16)))
    assert pauses == [turn * EVERY for turn in range(1, 9) for _bucket in range(2)]


async def test_without_a_database_a_shard_waits_for_those_that_had_asked_it(database: MemoryDatabase) -> None:
    pauses = list[float]()
    reserve(database, 2, times=2)
    gate = make_gate(database, pauses)
    gate.max_concurrency = 16
    await gate.wait(2, 64)
    database.broken = {reserve_identify}
    await asyncio.gather(*(gate.wait(number, 64) for number in (18, 34)))
    assert pauses == [2 * EVERY, 3 * EVERY, 4 * EVERY]


async def test_without_a_database_a_shard_waits_as_long_as_one_takes(dead_database: MemoryDatabase) -> None:
    pauses, clock = list[float](), Clock()
    gate = make_gate(dead_database, pauses, clock)
    await gate.wait(3, 64)
    clock.now += 60
    await gate.wait(3, 64)
    assert pauses == [EVERY, EVERY]
