"""Tables in unreachable channels are retried at growing intervals."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DiscordTimeout,
    DiscordUnavailable,
    ThreadArchived,
)
from bot.platform.discord.http import EDIT_SECONDS
from bot.platform.observability.trace import Trace, current_trace
from bot.platform.places import Location
from bot.tables.model import TableId
from bot.tables.publisher import Publisher
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.support.virtual_time import elapsed_seconds
from tests.support.waiting import wait_until, waiting_retries
from tests.tables.runtime.publishing import Publishing, change_lobby, send_elsewhere


class TimedTableMessages(FakeTableMessages):
    """Notes when it was asked for what, and has a channel out of order for as long as a test says."""

    def __init__(self, fault: Exception, until: float, tables: Callable[[TableId], bool] = lambda _: True) -> None:
        super().__init__()
        self.fault, self.until, self.tables = fault, until, tables
        self.times: list[tuple[float, TableId]] = []
        self.worked: dict[TableId, float] = {}
        self.traces: list[Trace | None] = []
        self.answers_after = self.swallows_for = 0.0

    async def _show(self, action: ShowAction, table: Table, message_id: int) -> None:
        self.times.append((elapsed_seconds(), table.id))
        self.traces.append(current_trace())
        if self.answers_after:
            await asyncio.sleep(self.answers_after)
        if elapsed_seconds() < self.until and self.tables(table.id):
            await asyncio.sleep(self.swallows_for)
            raise self.fault
        self.worked[table.id] = elapsed_seconds()
        await super()._show(action, table, message_id)


async def open_lobbies(service: TableService, count: int, *, first: int = 0) -> None:
    """Open tables, each in a channel of its own."""
    for number in range(first, first + count):
        await open_lobby(service, ROBIN, location=Location(3, 1000 + number))


def retry_intervals(table_messages: TimedTableMessages) -> list[float]:
    """How long each attempt came after the one before."""
    return [round(after - before) for (before, _), (after, _) in pairwise(table_messages.times)]


@asynccontextmanager
async def run_publisher(table_messages: FakeTableMessages) -> AsyncIterator[tuple[TableService, Publisher]]:
    publishing = Publishing(MemoryDatabase(), table_messages)
    yield publishing.service, publishing.publisher
    await publishing.finish()


async def try_to_show(fault: Exception, seconds: float, *, tables: int = 1, until: float = 1e9) -> TimedTableMessages:
    """Open tables, and return what was tried in some seconds to show them, while that failed for a time."""
    table_messages = TimedTableMessages(fault, until)
    async with run_publisher(table_messages) as (service, _):
        await open_lobbies(service, tables)
        await asyncio.sleep(seconds)
    return table_messages


class TestRetries:
    @pytest.mark.parametrize(
        ("fault", "answers_after"),
        [
            (DiscordUnavailable("500"), 0.0),
            (ChannelUnreachable("50001"), 0.0),
            (DiscordTimeout("no answer"), EDIT_SECONDS),
        ],
    )
    @pytest.mark.parametrize("lasts", [0.5, 7.0, 65.0, 200.0])
    async def test_a_table_is_shown_within_five_seconds_of_recovery(
        self, fault: Exception, answers_after: float, lasts: float
    ) -> None:
        table_messages = TimedTableMessages(fault, lasts)
        table_messages.swallows_for = answers_after
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 1)
            await asyncio.sleep(lasts + 5)
        assert lasts <= table_messages.worked[1] < lasts + 5

    @pytest.mark.parametrize("fault", [DiscordUnavailable("500"), ChannelUnreachable("50001")])
    async def test_many_tables_are_shown_soon_after_one_succeeds(self, fault: Exception) -> None:
        table_messages = TimedTableMessages(fault, 60.0)
        table_messages.answers_after = 0.2
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 100)
            await asyncio.sleep(100)
        assert len(table_messages.worked) == 100
        assert max(table_messages.worked.values()) < 65

    async def test_tables_are_retried_in_batches_that_double_up_to_32(self) -> None:
        table_messages = TimedTableMessages(DiscordUnavailable("500"), 60.0)
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 100)
            await asyncio.sleep(60)
            table_messages.times.clear()
            table_messages.answers_after = 0.2
            await asyncio.sleep(10)
        started_at = [round(time, 1) for time, _ in table_messages.times]
        assert [started_at.count(time) for time in dict.fromkeys(started_at)] == [1, 2, 4, 8, 16, 32, 32, 5]

    async def test_a_table_shown_successfully_triggers_retries_of_the_others(self) -> None:
        table_messages = TimedTableMessages(ThreadArchived("archived"), 10.0)
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 2)
            await asyncio.sleep(10)
            await change_lobby(service, await service.table(1))
            await asyncio.sleep(2)
        assert table_messages.worked.keys() == {1, 2}

    async def test_failing_tables_are_not_hammered_while_others_succeed(self) -> None:
        """Many come into reach again while as many do not: that must not have the bot banned either."""
        table_messages = TimedTableMessages(ChannelUnreachable("50001"), 1e9)
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 400)
            await asyncio.sleep(30)
            table_messages.tables = lambda table_id: table_id % 2 == 1
            before = len(table_messages.times)
            await asyncio.sleep(200)
        failed = [table_id for _, table_id in table_messages.times[before:] if table_messages.tables(table_id)]
        assert len(failed) < 333, "not more than are allowed in a third of ten minutes"

    async def test_an_unresponsive_discord_is_not_hammered(self) -> None:
        tried = await try_to_show(DiscordUnavailable("500"), 40, tables=300)
        assert len(tried.times) < 300 + 10 * 40

    async def test_retries_of_unreachable_tables_stay_far_from_the_ban_limit(self) -> None:
        tried = await try_to_show(ChannelUnreachable("50001"), 600, tables=300)
        assert len(tried.times) < 1000

    async def test_an_unreachable_table_does_not_delay_the_others(self) -> None:
        table_messages = TimedTableMessages(ChannelUnreachable("50001"), 1000.0, lambda table_id: table_id == 1)
        async with run_publisher(table_messages) as (service, publisher):
            await open_lobbies(service, 1)
            await asyncio.sleep(100)
            table_messages.tables = lambda table_id: table_id in (1, 2) or elapsed_seconds() < 120
            await open_lobbies(service, 3, first=1)
            await asyncio.sleep(30)
            assert publisher.is_stuck(1)
        assert table_messages.worked.keys() == {3, 4}
        assert max(table_messages.worked.values()) < 125

    async def test_an_unreachable_table_is_retried_ever_less_often(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("DEBUG", "bot.tables.publisher")
        found = retry_intervals(await try_to_show(ChannelUnreachable("no permission"), 30_000))
        assert set(found[:75]) == {4}
        assert found[75:83] == [30, 60, 120, 240, 480, 960, 1920, 3600]
        assert set(found[83:]) == {3600}
        assert {record.levelname for record in caplog.records[1:]} == {"DEBUG"}
        assert caplog.messages[0] == "table 1 can't be shown where it stands: no permission"
        assert caplog.records[0].levelname == "WARNING"

    async def test_a_table_is_retried_soon_after_discord_failed_and_never_in_a_deleted_channel(self) -> None:
        assert retry_intervals(await try_to_show(DiscordUnavailable("500"), 30))[:5] == [1, 2, 4, 4, 4]
        assert retry_intervals(await try_to_show(ChannelDeleted("deleted"), 10_000)) == []

    async def test_a_long_pause_does_not_delay_a_table_that_fails_later(self) -> None:
        table_messages = TimedTableMessages(ChannelUnreachable("50001"), 1e9)
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 1)
            await asyncio.sleep(4000)
            table_messages.times.clear()
            await open_lobbies(service, 1, first=1)
            await asyncio.sleep(10)
        assert retry_intervals(table_messages) == [4, 4]

    async def test_all_tables_are_tried_soon_after_an_outage_even_if_they_are_unreachable(self) -> None:
        table_messages = TimedTableMessages(DiscordUnavailable("500"), 1e9)
        async with run_publisher(table_messages) as (service, _):
            await open_lobbies(service, 20)
            await asyncio.sleep(10)
            table_messages.times.clear()
            table_messages.fault = ChannelUnreachable("50001")
            await asyncio.sleep(8)
        assert {table_id for _, table_id in table_messages.times} == set(range(1, 21))

    async def test_what_a_delivery_logs_names_its_table(self) -> None:
        shown = await try_to_show(DiscordUnavailable("500"), 1, tables=2, until=0.0)
        assert {trace and trace.table for trace in shown.traces} == {1, 2}

    async def test_success_resets_the_pauses(self) -> None:
        table_messages = TimedTableMessages(ChannelUnreachable("no permission"), 3000.0)
        async with run_publisher(table_messages) as (service, publisher):
            await open_lobbies(service, 1)
            await asyncio.sleep(8000)
            assert not publisher.is_stuck(1)
            table_messages.until = elapsed_seconds() + 10
            table_messages.times.clear()
            await change_lobby(service, await service.table(1))
            await asyncio.sleep(15)
        assert retry_intervals(table_messages) == [4, 4, 4]

    async def test_a_failed_wake_in_between_keeps_the_pauses(self) -> None:
        table_messages = TimedTableMessages(ThreadArchived("archived"), 1e9)
        async with run_publisher(table_messages) as (service, publisher):
            await open_lobbies(service, 1)
            await asyncio.sleep(1)
            for _ in range(8):
                publisher.wake(1, again=True)
                await asyncio.sleep(1)
            assert len(table_messages.times) == 9
            await asyncio.sleep(75)
        assert [round(time) for time, _ in table_messages.times[9:]] == [30]

    async def test_an_archived_thread_and_a_finished_table_are_given_up_after_an_hour(self) -> None:
        """An archived thread is tried again at the next action."""
        table_messages = TimedTableMessages(ThreadArchived("archived"), 10_000.0)
        async with run_publisher(table_messages) as (service, publisher):
            await open_lobbies(service, 1)
            await asyncio.sleep(50_000)
            assert retry_intervals(table_messages) == [30, 60, 120, 240, 480, 960, 1920]
            assert not publisher.is_stuck(1)
            await change_lobby(service, await service.table(1))
            await asyncio.sleep(1)
            assert table_messages.revisions == [2]
            table_messages.fault, table_messages.until = ChannelUnreachable("gone"), 1e9
            table_messages.times.clear()
            await service.cancel(1, ROBIN, is_moderator=False)
            await asyncio.sleep(50_000)
            assert not publisher.is_stuck(1)
        assert retry_intervals(table_messages)[75:] == [30, 60, 120, 240, 480, 960, 1920]

    async def test_neither_a_response_that_shows_the_table_nor_closing_leaves_retries(
        self, publishing: Publishing
    ) -> None:
        publisher, faults = publishing.publisher, publishing.messages.faults
        faults[ShowAction.POST] = [ChannelUnreachable("no permission")]
        table = await open_lobby(publishing.service, ROBIN)
        await wait_until(lambda: publisher.is_stuck(table.id))
        assert waiting_retries()
        await publisher.repost(table.id, send_elsewhere)
        assert not publisher.is_stuck(table.id)
        await wait_until(lambda: not waiting_retries())
        faults[ShowAction.EDIT] = [ChannelUnreachable("no permission")]
        await publishing.change(table)
        await wait_until(lambda: publisher.is_stuck(table.id))
        assert waiting_retries()
        await publisher.close()
        assert not waiting_retries()
