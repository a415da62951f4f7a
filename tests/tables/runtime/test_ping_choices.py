"""Pings as people want them: how, when, at which table, and not in quiet hours."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import PingChoice, PingMode, QuietHours
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import REMINDERS
from bot.platform.places import Location
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fakes import ROBIN, WREN, FakeClock, mover_of, roll, start_game
from tests.support.hosts import Host, MakeHost
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import TWO_MINUTES, check_reminders

DIRECT, OFF = PingChoice(PingMode.DIRECT, 0), PingChoice(PingMode.OFF)
AT_ONCE = PingChoice(PingMode.MENTION, 0)
IN_BERLIN = QuietHours("Europe/Berlin", 22, 7)
EVENING = datetime(2026, 3, 28, 21, 30, tzinfo=UTC)
"""Half past ten in Berlin, in the night in which the clocks go forward."""
MORNING = datetime(2026, 3, 29, 5, tzinfo=UTC)


async def start_for(host: Host, db: MemoryDatabase, choice: PingChoice | None) -> Table:
    """Start a table of two, whose player to move has made a choice for all tables."""
    table = await start_game(host.service, ROBIN, WREN, location=Location(3, 70))
    await db.write(reminder_storage.choose, mover_of(table).id, 0, choice)
    return table


async def start_in_quiet_hours(
    host: Host, db: MemoryDatabase, clock: FakeClock, hours: QuietHours = IN_BERLIN
) -> Table:
    """Start a table in the evening, whose player to move wants pings at once, but not in these hours."""
    clock.now = EVENING
    table = await start_for(host, db, AT_ONCE)
    await db.write(reminder_storage.choose_quiet_hours, mover_of(table).id, hours)
    await check_reminders(host)
    return table


async def test_who_turned_pings_off_gets_none_and_others_still_do(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
) -> None:
    table = await start_for(host, db, OFF)
    clock.tick(TWO_MINUTES)
    await check_reminders(host)
    assert sender.reminded == []
    table = await roll(host.service, table)
    clock.tick(TWO_MINUTES)
    await check_reminders(host)
    assert sender.reminded == [(table.id, mover_of(table).id)]


async def test_a_direct_message_comes_even_where_the_server_forbids_mentions(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender
) -> None:
    await db.write(setting_storage.change, 3, REMINDERS, lambda _: False)
    table = await start_for(host, db, DIRECT)
    await check_reminders(host)
    assert sender.directed == [(table.id, mover_of(table).id)]
    assert [kept.channel_id for kept in db.reminders.values()] == [900]
    await roll(host.service, table)
    await check_reminders(host)
    assert sender.messages == {}


async def test_a_mention_is_never_made_where_the_server_forbids_it(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
) -> None:
    await db.write(setting_storage.change, 3, REMINDERS, lambda _: False)
    table = await start_for(host, db, AT_ONCE)
    await check_reminders(host)
    sender.direct_refusers.add(mover_of(table).id)
    await db.write(reminder_storage.choose, mover_of(table).id, 0, DIRECT)
    await check_reminders(host)
    assert sender.reminded == []
    clock.tick()
    await roll(host.service, table)
    await check_reminders(host)
    assert (sender.looked_for, db.reminders) == ([], {})


async def test_closed_direct_messages_are_remembered_until_chosen_again(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender
) -> None:
    table = await start_for(host, db, DIRECT)
    mover = mover_of(table)
    sender.direct_refusers.add(mover.id)
    await check_reminders(host)
    assert (sender.directed, sender.reminded) == ([], [(table.id, mover.id)])
    sender.direct_refusers.clear()
    for expected in ([], [(table.id, mover.id)]):
        while mover_of(table := await roll(host.service, table)) != mover:
            pass
        await check_reminders(host)
        assert sender.directed == expected
        await db.write(reminder_storage.choose, mover.id, 0, DIRECT)


class TestQuietHours:
    async def test_a_ping_waits_for_their_end_even_over_a_restart(
        self, make_host: MakeHost, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_in_quiet_hours(make_host(), db, clock)
        second, third = make_host(), make_host()
        for moment, expected in (
            (MORNING - timedelta(seconds=1), []),
            (MORNING, [(table.id, mover_of(table).id)]),
            (MORNING + timedelta(hours=1), [(table.id, mover_of(table).id)]),
        ):
            clock.now = moment
            for host in (second, third):
                await host.reminders.check()
            for host in (second, third):
                await host.reminders.close()
            assert sender.reminded == expected

    async def test_in_a_lost_time_zone_they_never_end(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_in_quiet_hours(host, db, clock, QuietHours("Europe/Atlantis", 22, 7))
        for hours in (6, 6, 6, 6):
            clock.now += timedelta(hours=hours)
            await check_reminders(host)
        assert sender.reminded == []
        await db.write(reminder_storage.choose, mover_of(await roll(host.service, table)).id, 0, OFF)
        await check_reminders(host)
        assert db.reminders == {}, "nothing is left once they have played"

    @pytest.mark.parametrize("has_played", [True, False])
    async def test_who_has_played_or_turned_pings_off_by_then_is_not_pinged(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock, *, has_played: bool
    ) -> None:
        table = await start_in_quiet_hours(host, db, clock)
        if has_played:
            clock.tick()
            table = await roll(host.service, table)
        await db.write(reminder_storage.choose, mover_of(table).id, 0, OFF)
        clock.now = MORNING
        await check_reminders(host)
        assert (sender.reminded, sender.looked_for) == ([], [])
        assert not has_played or db.reminders == {}
