"""Reminders: for which player, when, for how long the message stays, and many at once."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta

import pytest

import bot.platform.jobs.looks
from bot.features.reminders import storage as reminder_storage
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, ThreadArchived
from bot.platform.discord.rate_limits import USUAL_PACE, RateLimiter
from bot.platform.notices import storage as notice_storage
from bot.platform.notices.sending import Line
from bot.platform.notices.storage import NoticeT
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.model import TableId
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import (
    GAMES,
    FakeClock,
    make_service,
    mover_of,
    roll,
    start_game,
)
from tests.support.hosts import Host, MakeHost
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import TWO_MINUTES, check_reminders, start_game_of_others
from tests.support.virtual_time import elapsed_seconds, run_in_virtual_time
from tests.support.waiting import Gate, wait_until


async def make_reminded_table(host: Host, clock: FakeClock, *people: Person) -> Table:
    """A table, of three unless others are named, where the one to move has been reminded."""
    table = await start_game(host.service, *people)
    clock.tick(TWO_MINUTES)
    await check_reminders(host)
    return table


def is_shown(host: Host, table_id: TableId) -> bool:
    kept = host.service.cache.get(table_id)
    return kept is not None and kept.header.published == kept.header.revision


class TestDueReminders:
    async def test_a_reminder_is_sent_after_two_minutes_of_silence_once_a_turn(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table, callees = await start_game(host.service), list[int]()
        for _ in range(3):
            clock.tick(TWO_MINUTES - 1)
            await check_reminders(host)
            assert [callee for _, callee in sender.reminded] == callees
            clock.tick(1)
            callees.append(mover_of(table).id)
            for _ in range(3):
                await check_reminders(host)
                clock.tick(TWO_MINUTES)
            assert sender.reminded == [(table.id, callee) for callee in callees]
            assert len(sender.messages) == 1
            table = await roll(host.service, table)

    async def test_activity_restarts_the_two_minutes(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_game(host.service)
        # What is shown for the first time is read from disk, which knows no activity.
        await wait_until(lambda: is_shown(host, table.id))
        clock.tick(TWO_MINUTES - 1)
        host.service.touch(table.id)
        clock.tick(TWO_MINUTES - 1)
        await check_reminders(host)
        assert sender.reminded == []
        clock.tick(1)
        await check_reminders(host)
        assert sender.reminded == [(table.id, mover_of(table).id)]

    async def test_the_host_checks_regularly(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
        monkeypatch.setattr(bot.platform.jobs.looks, "LOOK_SECONDS", 0.002)
        host.start()
        await start_game(host.service)
        clock.tick(TWO_MINUTES)
        await wait_until(lambda: sender.reminded)


class TestLapsedReminders:
    """The message is taken away, and nothing is left in memory or in the book."""

    async def gone(self, host: Host, sender: FakeMessageSender) -> None:
        await wait_until(lambda: not sender.messages)
        await check_reminders(host)
        assert len(sender.reminded) == 1

    async def test_a_reminder_is_deleted_when_the_player_moves(
        self, host: Host, sender: FakeMessageSender, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await make_reminded_table(host, clock)
        assert list(sender.messages.values()) == [table.id]
        table = await roll(host.service, table)
        await self.gone(host, sender)
        assert db.reminders == {}
        removed = db.calls.count(notice_storage.note_removed)
        await roll(host.service, table)
        await host.reminders.close()
        assert db.calls.count(notice_storage.note_removed) == removed

    async def test_a_reminder_is_deleted_when_the_player_acts_and_keeps_the_turn(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await make_reminded_table(host, clock)
        heard = replace(table, header=replace(table.header, awaited_since=clock.now))
        host.reminders.on_table_changed(heard)
        await self.gone(host, sender)

    async def test_a_process_without_memory_of_a_reminder_deletes_it_by_its_id(
        self, make_host: MakeHost, sender: FakeMessageSender, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        first, second = make_host(), make_host()
        table = await make_reminded_table(first, clock)
        await roll(second.service, table)
        await check_reminders(second)
        assert (sender.messages, db.reminders) == ({}, {})
        await check_reminders(first)
        assert sender.looked_for == []

    async def test_a_host_that_has_turned_reminders_off_deletes_them_and_sends_none(
        self, make_host: MakeHost, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await make_reminded_table(make_host(), clock)
        quiet = make_host(reminds=False)
        await roll(quiet.service, table)
        for _ in range(2):
            await check_reminders(quiet)
            clock.tick(TWO_MINUTES)
        assert (sender.messages, len(sender.reminded)) == ({}, 1)


class TestTwoProcesses:
    async def test_a_table_changed_by_another_process_is_reloaded(
        self, make_host: MakeHost, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        first, second = make_host(), make_host()
        table = await start_game(first.service)
        table = await roll(second.service, table)
        clock.tick(TWO_MINUTES)
        await check_reminders(first)
        assert sender.reminded == [(table.id, mover_of(table).id)]


class TestCrashes:
    async def test_a_crash_before_sending_sends_no_reminder(
        self, make_host: MakeHost, sender: FakeMessageSender, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        first = make_host()
        table = await start_game(first.service)
        clock.tick(TWO_MINUTES)
        (due,) = await db.read(
            reminder_storage.find_due, db.shards, {"magpie"}, clock.now - timedelta(days=1), {2: clock.now}, 9
        )
        assert await db.maintain(reminder_storage.claim, replace(due, noted_at=clock.now))
        later = make_host()
        await check_reminders(later)
        assert sender.reminded == []
        table = await roll(later.service, table)
        await check_reminders(later)
        clock.tick(TWO_MINUTES)
        await check_reminders(later)
        assert sender.reminded == [(table.id, mover_of(table).id)]

    async def test_a_message_sent_just_before_a_crash_is_found(
        self, make_host: MakeHost, sender: FakeMessageSender, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        db.broken = {notice_storage.set_message}
        table = await make_reminded_table(make_host(), clock)
        db.broken = set()
        later = make_host()
        await check_reminders(later)
        assert len(sender.messages) == 1
        await roll(later.service, table)
        await check_reminders(later)
        assert sender.messages == {}
        assert [reminder.noted_at for reminder in sender.looked_for] == [clock.now]


class TestRaces:
    @pytest.mark.parametrize("is_elsewhere", [False, True])
    async def test_a_reminder_is_deleted_if_the_player_moves_in_any_process_while_it_is_sent(
        self,
        make_host: MakeHost,
        sender: FakeMessageSender,
        db: MemoryDatabase,
        clock: FakeClock,
        *,
        is_elsewhere: bool,
    ) -> None:
        host, other = make_host(), make_host()
        table = await start_game(host.service)
        clock.tick(TWO_MINUTES)
        sender.gate = Gate()
        await host.reminders.check()
        await sender.gate.reached.wait()
        await roll((other if is_elsewhere else host).service, table)
        if is_elsewhere:
            await other.reminders.check()
            await wait_until(lambda: not db.reminders)
        sender.gate.open()
        await host.reminders.close()
        assert (sender.messages, len(sender.reminded)) == ({}, 1)

    async def test_a_player_who_moves_before_sending_is_not_reminded(
        self, host: Host, sender: FakeMessageSender, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await start_game(host.service)
        clock.tick(TWO_MINUTES)
        db.after[reminder_storage.claim] = gate = Gate()
        await host.reminders.check()
        await gate.reached.wait()
        await roll(host.service, table)
        gate.open()
        await host.reminders.close()
        assert sender.reminded == []
        assert db.reminders == {}

    async def test_a_table_reposted_by_another_process_is_linked(
        self, make_host: MakeHost, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        first, second = make_host(), make_host()
        table = await start_game(first.service)
        await first.publisher.close()
        assert (await second.service.table(table.id)).header.message_id is not None
        await first.publisher.repost(table.id)
        clock.tick(TWO_MINUTES)
        await check_reminders(second)
        now = await first.service.table(table.id)
        assert sender.linked_message_ids == [now.header.message_id]


class TestFaults:
    @pytest.mark.parametrize(
        "fault",
        [
            ChannelUnreachable("deleted"),
            ThreadArchived("archived"),
            DeliveryFailed("500"),
            Refusal(HostReason.NO_TABLE_HERE),
        ],
    )
    async def test_a_player_who_cannot_be_reminded_is_not_tried_again(
        self,
        host: Host,
        sender: FakeMessageSender,
        clock: FakeClock,
        fault: Exception,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG, "bot.platform.notices.notices")
        sender.faults = [fault]
        await make_reminded_table(host, clock)
        for _ in range(3):
            clock.tick(TWO_MINUTES)
            await check_reminders(host)
        assert (sender.reminded, sender.faults) == ([], [])
        (record,) = (record for record in caplog.records if record.name == "bot.platform.notices.notices")
        assert record.levelno <= logging.INFO

    async def test_a_deletion_that_failed_for_now_is_retried(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await make_reminded_table(host, clock)
        sender.faults = [DeliveryFailed("500")]
        await roll(host.service, table)
        await wait_until(lambda: not sender.faults)
        await host.reminders.close()
        assert sender.messages
        await check_reminders(host)
        assert sender.messages == {}

    async def test_a_table_of_a_removed_game_is_skipped(
        self, host: Host, sender: FakeMessageSender, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        strange = await start_game(make_service(db, clock=clock), location=Location(3, 71))
        db.tamper(strange.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        ours = await make_reminded_table(host, clock)
        assert [table_id for table_id, _ in sender.reminded] == [ours.id]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ten reminders at a time be sent, so that few tables are more than that."""
    monkeypatch.setattr("bot.platform.notices.notices._BATCH_SIZE", 10)


async def start_games(host: Host, clock: FakeClock, count: int) -> list[Table]:
    """Start games whose players to move have all been silent for two minutes."""
    tables = [await start_game_of_others(host.service, number) for number in range(count)]
    clock.tick(TWO_MINUTES)
    return tables


@pytest.mark.usefixtures("small_batches")
class TestManyReminders:
    @pytest.mark.parametrize("count", [10, 21])
    async def test_all_due_reminders_are_sent_at_one_check(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, count: int
    ) -> None:
        await start_games(host, clock, count)
        await check_reminders(host)
        assert len(sender.reminded) == len({table_id for table_id, _ in sender.reminded}) == count

    async def test_only_as_many_reminders_as_can_be_sent_are_noted(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, db: MemoryDatabase
    ) -> None:
        await start_games(host, clock, 15)
        sender.gate = gate = Gate()
        for _ in range(3):
            await host.reminders.check()
            for _ in range(100):
                await asyncio.sleep(0)
        assert len(db.reminders) == 10, "who is noted and not called is called no more after a crash"
        gate.open()
        await host.reminders.close()
        assert len(sender.reminded) == 15

    async def test_an_outage_between_two_batches_delays_the_rest(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock, db: MemoryDatabase
    ) -> None:
        """An outage is logged once by the store, so nothing else logs an error."""
        await start_games(host, clock, 15)
        sender.gate = gate = Gate()
        await host.reminders.check()
        await gate.reached.wait()
        db.broken = {reminder_storage.find_due}
        gate.open()
        await host.reminders.close()
        assert len(sender.reminded) == 10
        db.broken = set()
        await check_reminders(host)
        assert len(sender.reminded) == 15

    async def test_a_reminder_that_cannot_be_deleted_does_not_delay_others(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        tables = await start_games(host, clock, 15)
        await check_reminders(host)
        sender.faults = [DeliveryFailed("500")] * 13
        for table in tables:
            await roll(host.service, table)
        await host.reminders.close()
        assert len(sender.messages) == 13
        sender.faults = [DeliveryFailed("500")] * 11
        await check_reminders(host)
        assert len(sender.messages) == 11
        sender.faults = []
        await check_reminders(host)
        assert sender.messages == {}

    @run_in_virtual_time
    async def test_only_the_request_budget_limits_the_pace(self) -> None:
        clock, limits = FakeClock(), RateLimiter()
        sender = LimitedMessageSender(limits)
        host = Host(MemoryDatabase(), GAMES, FakeTableMessages(), sender, clock=clock)
        await start_games(host, clock, 50)
        began = elapsed_seconds()
        await check_reminders(host)
        assert len(sender.reminded) == 50
        assert elapsed_seconds() - began < 50 / USUAL_PACE + 1
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
