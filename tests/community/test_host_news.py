"""What a host announces is told once in each channel, and again where it failed for now."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from bot.features.host_news.service import HOST_NEWS, HostNews, HostNewsService, announce
from bot.platform.jobs.jobs import JobRunner
from bot.tables.delivery import ChannelUnreachable, DeliveryFailed, DiscordUnavailable
from tests.support.fake_jobs import FakeJobs

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Store(FakeJobs):
    """Keeps jobs and notes; channels 7 and 70 have open tables."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: dict[str, str] = {}

    async def find_open_channels(self) -> Sequence[int]:
        return (7, 70)

    async def claim_note(self, key: str) -> bool:
        is_new = key not in self.notes
        self.notes.setdefault(key, "")
        return is_new

    async def find_notes(self, prefix: str) -> Mapping[str, str]:
        return {key: value for key, value in self.notes.items() if key.startswith(prefix)}

    async def set_value(self, key: str, value: str) -> None:
        self.notes[key] = value

    async def delete_notes(self, prefix: str) -> None:
        self.notes = {key: value for key, value in self.notes.items() if not key.startswith(prefix)}


class Bench:
    """A service whose sender fails as often as told."""

    def __init__(self, *faults: ChannelUnreachable | DeliveryFailed) -> None:
        self.now, self.store, self.faults = NOON, Store(), list(faults)
        self.tried: list[int] = []
        self.removed: list[int] = []
        service = HostNewsService(self.store, self, lambda: self.now)
        self._runner = JobRunner(self.store, lambda: self.now, {HOST_NEWS: service.run})

    async def post_news(self, channel_id: int, news: HostNews) -> int:
        self.tried.append(channel_id)
        if channel_id == 7 and self.faults:
            raise self.faults.pop(0)
        return 1000 + channel_id

    async def remove_news(self, channel_id: int, message_id: int) -> None:
        self.removed.append(message_id)

    async def run(self, minutes: int) -> None:
        """Let minutes go by."""
        for _ in range(minutes):
            await self._runner.check()
            await self._runner.finish()
            self.now += MINUTE


async def test_where_it_failed_for_now_it_is_told_a_minute_later_and_once() -> None:
    bench = Bench(DeliveryFailed(), DiscordUnavailable())
    await announce(bench.store, "Soon back.", NOON, 10 * MINUTE)
    await bench.run(10)
    assert bench.tried == [7, 70, 7, 7]
    await bench.run(10)
    assert bench.removed == [1007, 1070]
    assert (bench.store.notes, bench.store.jobs) == ({}, {})


async def test_it_is_not_told_after_its_time() -> None:
    bench = Bench(*[DeliveryFailed()] * 99)
    await announce(bench.store, "Soon back.", NOON, 5 * MINUTE)
    await bench.run(20)
    assert bench.tried == [7, 70, 7, 7, 7, 7]
    assert bench.removed == [1070]
    assert (bench.store.notes, bench.store.jobs) == ({}, {})


async def test_where_the_bot_may_not_post_it_is_not_tried_again() -> None:
    bench = Bench(ChannelUnreachable())
    await announce(bench.store, "Soon back.", NOON, 10 * MINUTE)
    await bench.run(20)
    assert bench.tried == [7, 70]
    assert bench.removed == [1070]
