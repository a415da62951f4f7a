"""When shards may identify."""

from datetime import timedelta

from bot.tables.ports import StoreUnavailable
from bot.ui.client.identify_gate import IDENTIFY_EVERY, IdentifyGate


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


def make_gate(store: FakeIdentifies, pauses: list[float]) -> IdentifyGate:
    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return IdentifyGate(store, sleep)


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


async def test_without_a_database_a_shard_waits_as_long_as_one_takes() -> None:
    pauses = list[float]()
    await make_gate(FakeIdentifies(is_down=True), pauses).wait(3, 64)
    assert pauses == [5.5]
