"""Many reminders at once."""

import asyncio

import pytest

from bot.features.reminders import storage as reminder_storage
from bot.platform.discord.errors import DeliveryFailed
from bot.platform.discord.rate_limits import USUAL_PACE, RateLimiter
from bot.platform.notices.sending import Line
from bot.platform.notices.storage import NoticeT
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, FakeClock, roll
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import TWO_MINUTES, check_reminders, start_game_of_others
from tests.support.virtual_time import elapsed_seconds, run_in_virtual_time
from tests.support.waiting import Gate


async def start_games(host: Host, clock: FakeClock, count: int) -> list[Table]:
    """Start games whose players to move have all been silent for two minutes."""
    tables = [await start_game_of_others(host.service, number) for number in range(count)]
    clock.tick(TWO_MINUTES)
    return tables


class TestManyReminders:
    @pytest.mark.parametrize("count", [100, 101, 201])
    async def test_all_due_reminders_are_sent_at_one_check(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, count: int
    ) -> None:
        await start_games(host, clock, count)
        await check_reminders(host)
        assert len(sender.reminded) == len({table_id for table_id, _ in sender.reminded}) == count

    async def test_only_as_many_reminders_as_can_be_sent_are_noted(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, db: MemoryDatabase
    ) -> None:
        await start_games(host, clock, 150)
        sender.gate = gate = Gate()
        for _ in range(3):
            await host.reminders.check()
            for _ in range(500):
                await asyncio.sleep(0)
        assert len(db.reminders) == 100, "who is noted and not called is called no more after a crash"
        gate.open()
        await host.reminders.close()
        assert len(sender.reminded) == 150

    async def test_an_outage_between_two_batches_delays_the_rest(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, db: MemoryDatabase
    ) -> None:
        """An outage is logged once by the store, so nothing else logs an error."""
        await start_games(host, clock, 150)
        sender.gate = gate = Gate()
        await host.reminders.check()
        await gate.reached.wait()
        db.broken = {reminder_storage.find_due}
        gate.open()
        await host.reminders.close()
        assert len(sender.reminded) == 100
        db.broken = set()
        await check_reminders(host)
        assert len(sender.reminded) == 150

    async def test_a_reminder_that_cannot_be_deleted_does_not_delay_others(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        tables = await start_games(host, clock, 150)
        await check_reminders(host)
        sender.faults = [DeliveryFailed("500")] * 130
        for table in tables:
            await roll(host.service, table)
        await host.reminders.close()
        assert len(sender.messages) == 130
        sender.faults = [DeliveryFailed("500")] * 110
        await check_reminders(host)
        assert len(sender.messages) == 110
        sender.faults = []
        await check_reminders(host)
        assert sender.messages == {}

    @run_in_virtual_time
    async def test_only_the_request_budget_limits_the_pace(self) -> None:
        clock, limits = FakeClock(), RateLimiter()
        sender = LimitedMessageSender(limits)
        host = Host(MemoryDatabase(), GAMES, FakeTableMessages(), sender, clock=clock)
        await start_games(host, clock, 150)
        began = elapsed_seconds()
        await check_reminders(host)
        assert len(sender.reminded) == 150
        assert elapsed_seconds() - began < 150 / USUAL_PACE + 1
        await host.close()


class LimitedMessageSender(FakeMessageSender):
    """Calls people as fast as requests can be sent."""

    def __init__(self, limits: RateLimiter) -> None:
        super().__init__()
        self.limits = limits

    async def post(self, notice: NoticeT, line: Line) -> NoticeT:
        async with self.limits.permit(notice.channel_id, line.urgency) as permit:
            permit.is_used = True
            return await super().post(notice, line)
