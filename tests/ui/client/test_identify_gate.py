"""When shards may identify."""

import asyncio
from datetime import timedelta

from bot.platform.discord.identify_gate import IDENTIFY_EVERY, IdentifyGate
from bot.tables.ports import StoreUnavailable


class FakeIdentifies:
    """Has a time for each bucket."""

    def __init__(self, *, is_down: bool = False) -> None:
        self.asked: list[tuple[int, timedelta, timedelta]] = []
        self.is_down = is_down

    async def reserve_identify(self, bucket: int, every: timedelta, most: timedelta) -> timedelta:
        if self.is_down:
            raise StoreUnavailable("down")
        self.asked.append((bucket, every, most))
        return bucket * every


class Clock:
    """Tells a time that stands still."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def make_gate(store: FakeIdentifies, pauses: list[float], clock: Clock | None = None) -> IdentifyGate:
    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return IdentifyGate(store, sleep, clock or Clock())


def test_shards_of_a_bucket_identify_less_often_than_discord_allows() -> None:
    assert timedelta(seconds=5) < IDENTIFY_EVERY


async def test_a_shard_waits_for_the_time_of_its_bucket() -> None:
    store, pauses = FakeIdentifies(), list[float]()
    gate = make_gate(store, pauses)
    gate.max_concurrency = 16
    await gate.wait(18, 64)
    assert store.asked == [(2, IDENTIFY_EVERY, 64 * IDENTIFY_EVERY)]
    assert pauses == [11.0]


async def test_the_only_shard_of_a_bot_does_not_wait() -> None:
    store, pauses = FakeIdentifies(), list[float]()
    await make_gate(store, pauses).wait(0, 1)
    assert (store.asked, pauses) == ([], [])


async def test_without_a_database_the_shards_of_a_bucket_identify_one_after_another() -> None:
    pauses = list[float]()
    gate = make_gate(FakeIdentifies(is_down=True), pauses)
    gate.max_concurrency = 2
    await asyncio.gather(*(gate.wait(number, 64) for number in range(16)))
    assert pauses == [turn * 5.5 for turn in range(1, 9) for _bucket in range(2)]


async def test_without_a_database_a_shard_waits_for_those_that_had_asked_it() -> None:
    store, pauses = FakeIdentifies(), list[float]()
    gate = make_gate(store, pauses)
    gate.max_concurrency = 16
    await gate.wait(2, 64)
    store.is_down = True
    await asyncio.gather(*(gate.wait(number, 64) for number in (18, 34)))
    assert pauses == [11.0, 16.5, 22.0]


async def test_without_a_database_a_shard_waits_as_long_as_one_takes() -> None:
    pauses, clock = list[float](), Clock()
    gate = make_gate(FakeIdentifies(is_down=True), pauses, clock)
    await gate.wait(3, 64)
    clock.now += 60
    await gate.wait(3, 64)
    assert pauses == [5.5, 5.5]
