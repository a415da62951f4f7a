"""What a host announces is told once in each channel, and again where it failed for now."""

from datetime import UTC, datetime, timedelta

from bot.features import host_news
from bot.features.host_news import HOST_NEWS, HostNewsService, announce
from bot.languages import ENGLISH, EnglishTexts, Language
from bot.platform.catalogues import Catalogues
from bot.platform.discord.content import Json
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, DiscordUnavailable
from bot.platform.discord.http import Request
from bot.platform.discord.languages import Languages
from bot.platform.discord.rate_limits import Urgency
from bot.platform.jobs.jobs import JobRunner
from bot.platform.places import Location
from bot.tables import storage as table_storage
from tests.support.fakes import make_table
from tests.support.memory_database import MemoryDatabase

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


async def open_two_tables(db: MemoryDatabase) -> None:
    """Open a table in channel 7 of one server and one in channel 70 of another."""
    for guild_id, channel_id in ((3, 7), (4, 70)):
        table = make_table(location=Location(guild_id, channel_id))
        await db.write(table_storage.open_table, table.header, table.seats)


class _Texts(EnglishTexts):
    """English, in which each text begins with the server that speaks it."""

    def __init__(self, guild_id: int | None) -> None:
        super().__init__()
        self._guild_id = guild_id

    def gettext(self, message: str) -> str:
        return f"{self._guild_id}: {super().gettext(message)}"


class _Languages(Languages):
    """A language for each server."""

    async def of_place(self, location: Location, person_id: int) -> Language:
        return Language("xx", ENGLISH.locale, _Texts(location.guild_id))


class Bench:
    """A service whose client of Discord fails as often as told."""

    def __init__(self, *faults: ChannelUnreachable | DeliveryFailed) -> None:
        self.now, self.db, self.faults = NOON, MemoryDatabase(), list(faults)
        self.tried: list[int] = []
        self.texts: list[str] = []
        self.removed: list[int] = []
        service = HostNewsService(self.db, self, _Languages(Catalogues()), lambda: self.now)  # type: ignore[arg-type]  # it only posts and deletes
        self._runner = JobRunner(self.db, lambda: self.now, {HOST_NEWS: service.run})

    async def send_with_retries(self, request: Request, _: Urgency) -> Json:
        """Answer a request as a client of Discord does."""
        if request.method == "DELETE":
            self.removed.append(request.message_id or 0)
            return {}
        self.tried.append(request.channel_id)
        self.texts.append((request.json or {})["content"])
        if request.channel_id == 7 and self.faults:
            raise self.faults.pop(0)
        return {"id": str(1000 + request.channel_id)}

    async def run(self, minutes: int) -> None:
        """Let minutes go by."""
        for _ in range(minutes):
            await self._runner.check()
            await self._runner.finish()
            self.now += MINUTE


async def test_where_it_failed_for_now_it_is_told_a_minute_later_and_once() -> None:
    bench = Bench(DeliveryFailed(), DiscordUnavailable())
    await open_two_tables(bench.db)
    await announce(bench.db, "Soon back.", NOON, 10 * MINUTE)
    await bench.run(10)
    assert bench.tried == [7, 70, 7, 7]
    await bench.run(10)
    assert bench.removed == [1007, 1070]
    assert (await bench.db.read(host_news.find_notes, ""), bench.db.jobs) == ({}, {})


async def test_each_channel_reads_it_in_its_language() -> None:
    bench = Bench()
    await open_two_tables(bench.db)
    await announce(bench.db, "Soon back.", NOON, 10 * MINUTE)
    await bench.run(1)
    assert [text.partition(":")[0] for text in bench.texts] == ["3", "4"]


async def test_it_is_not_told_after_its_time() -> None:
    bench = Bench(*[DeliveryFailed()] * 99)
    await open_two_tables(bench.db)
    await announce(bench.db, "Soon back.", NOON, 5 * MINUTE)
    await bench.run(20)
    assert bench.tried == [7, 70, 7, 7, 7, 7]
    assert bench.removed == [1070]
    assert (await bench.db.read(host_news.find_notes, ""), bench.db.jobs) == ({}, {})


async def test_where_the_bot_may_not_post_it_is_not_tried_again() -> None:
    bench = Bench(ChannelUnreachable())
    await open_two_tables(bench.db)
    await announce(bench.db, "Soon back.", NOON, 10 * MINUTE)
    await bench.run(20)
    assert bench.tried == [7, 70]
    assert bench.removed == [1070]
