"""Tables that are announced and closed after a month without a move."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.idle_tables import storage as idle_table_storage
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.notices import storage as notice_storage
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.aside import abandon, keep_open, put_aside
from bot.tables.model import Status
from bot.tables.refusals import Stale
from bot.tables.service import HostSettings, IdleLimits
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, HERE, ROBIN, WREN, FakeClock, mover_of, roll, start_game
from tests.support.hosts import Host, MakeHost
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import DAY, check_idle_tables, make_aside_table
from tests.support.waiting import Gate, wait_until

SOLO = replace(HERE, solo_id=ROBIN.id)


async def start_old_game(host: Host, clock: FakeClock, days: float = 28) -> Table:
    """Start a game of Robin and Wren, and let time pass: after 28 days its closing is announced."""
    table = await start_game(host.service, ROBIN, WREN)
    clock.tick(days * DAY)
    return table


class TestAbandoning:
    @pytest.mark.parametrize("location", [HERE, SOLO, Location(None, 70)])
    async def test_a_closing_is_announced_once_two_days_ahead(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock, location: Location
    ) -> None:
        table = await start_game(host.service, ROBIN, WREN, location=location)
        closes_at = clock() + timedelta(days=30)
        clock.tick(28 * DAY - 1)
        await check_idle_tables(host)
        assert sender.announced == []
        clock.tick(1)
        for _ in range(3):
            await check_idle_tables(host)
        assert sender.announced == [(table.id, closes_at)]
        clock.tick(2 * DAY - 1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.PLAYING
        clock.tick(1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED
        assert not db.header(table.id).status.is_seed_secret
        assert db.results == [], "an unfinished table counts nowhere"
        await check_idle_tables(host)
        assert sender.messages == {}, "the announcement has served its purpose"
        assert db.announcements == {}

    async def test_a_table_is_not_closed_after_a_late_move(self, host: Host, clock: FakeClock) -> None:
        """It was idle when it was looked up."""
        table = await start_game(host.service, ROBIN, WREN)
        clock.tick(30 * DAY)
        since = clock()
        clock.tick(1)
        await roll(host.service, table)
        with pytest.raises(Stale):
            await abandon(host.service, table.id, since)

    async def test_tables_put_aside_are_closed_too_even_if_the_channel_cannot_be_told(
        self,
        host: Host,
        db: MemoryDatabase,
        sender: FakeMessageSender,
        clock: FakeClock,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level("INFO", "bot.platform.notices.notices")
        table = await make_aside_table(host.service, clock)
        sender.faults = [ChannelUnreachable("the channel is gone")]
        clock.tick(27 * DAY)
        await check_idle_tables(host)
        assert "was not sent or deleted: the channel is gone" in caplog.text
        assert db.header(table.id).status is Status.ASIDE
        clock.tick(2 * DAY)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED

    async def test_people_have_two_days_even_if_the_bot_was_away_or_the_announcement_failed_for_now(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_old_game(host, clock, days=300)
        sender.faults = [DeliveryFailed("503")]
        await check_idle_tables(host)
        assert sender.announced == []
        clock.tick(DAY)
        await check_idle_tables(host)
        assert sender.announced == [(table.id, clock() + timedelta(days=2))]
        clock.tick(2 * DAY - 1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.PLAYING
        clock.tick(1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED

    @pytest.mark.parametrize("is_aside", [False, True])
    async def test_a_player_who_still_plays_ends_the_silence(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock, is_aside: bool
    ) -> None:
        table = await start_old_game(host, clock)
        if is_aside:
            await put_aside(host.service, table.id, HERE.channel_id)
        await check_idle_tables(host)
        awaited_since = db.header(table.id).awaited_since
        other = next(person for person in (ROBIN, WREN) if is_aside or person != mover_of(table))
        kept = await keep_open(host.service, table.id, other)
        assert kept.header.status is (Status.ASIDE if is_aside else Status.PLAYING)
        assert kept.header.awaited_since == awaited_since, "the player to move has been quiet for as long as before"
        await check_idle_tables(host)
        assert sender.messages == {}
        clock.tick(28 * DAY - 1)
        await check_idle_tables(host)
        assert len(sender.announced) == 1
        clock.tick(1)
        await check_idle_tables(host)
        assert len(sender.announced) == 2, "another silence is announced again"

    async def test_a_player_who_moves_during_the_announcement_or_after_it_gets_no_message(
        self, host: Host, make_host: MakeHost, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_old_game(host, clock)
        sender.gate = Gate()
        await host.announcements.check()
        await sender.gate.reached.wait()
        table = await roll(host.service, table)
        await check_idle_tables(make_host())
        sender.gate.open()
        await host.announcements.close()
        assert sender.messages == {}
        clock.tick(28 * DAY)
        await check_idle_tables(host)
        assert len(sender.messages) == 1
        await roll(host.service, table)
        await check_idle_tables(host)
        assert sender.messages == {}

    async def test_of_two_processes_one_announces(
        self, host: Host, make_host: MakeHost, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        await start_old_game(host, clock)
        other = make_host()
        db.before[idle_table_storage.claim] = gate = Gate()
        await asyncio.gather(host.announcements.check(), other.announcements.check())
        await gate.reached.wait()
        gate.open()
        await asyncio.gather(host.announcements.close(), other.announcements.close())
        assert len(sender.announced) == 1

    async def test_a_process_killed_while_announcing_does_not_announce_twice(
        self, host: Host, make_host: MakeHost, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table, dying = await start_old_game(host, clock), make_host()
        sender.gate = Gate()
        await dying.announcements.check()
        await sender.gate.reached.wait()
        await dying.announcements.close(0)
        sender.gate = None
        await check_idle_tables(host)
        assert sender.announced == []
        clock.tick(2 * DAY)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED

    async def test_an_announcement_sent_just_before_a_crash_is_found_when_it_is_over(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_old_game(host, clock)
        db.broken = {notice_storage.set_message}
        await check_idle_tables(host)
        db.broken = set()
        assert list(sender.messages.values()) == [table.id]
        await keep_open(host.service, table.id, ROBIN)
        await check_idle_tables(host)
        assert (sender.messages, db.announcements) == ({}, {})

    async def test_an_announcement_that_waits_for_the_database_is_logged_at_debug_only(
        self,
        host: Host,
        db: MemoryDatabase,
        sender: FakeMessageSender,
        clock: FakeClock,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        await start_old_game(host, clock)
        db.broken = {table_storage.load}
        await check_idle_tables(host)
        logged = [each for each in caplog.records if "announcement" in each.getMessage()]
        assert [each.levelno for each in logged] == [logging.DEBUG]
        db.broken = set()
        await check_idle_tables(host)
        assert len(sender.announced) == 1

    async def test_closing_abandoned_tables_can_be_turned_off(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        host = Host(
            db,
            GAMES,
            table_messages,
            sender,
            clock=clock,
            settings=HostSettings(idle_limits=IdleLimits(abandon_after=None)),
        )
        await start_game(host.service, ROBIN, WREN)
        clock.tick(10_000 * DAY)
        await check_idle_tables(host)
        assert sender.announced == []
        await host.close()

    async def test_the_chores_announce(self, host: Host, sender: FakeMessageSender, clock: FakeClock) -> None:
        table = await start_old_game(host, clock)
        host.start()
        await wait_until(lambda: sender.announced)
        assert [table_id for table_id, _ in sender.announced] == [table.id]
