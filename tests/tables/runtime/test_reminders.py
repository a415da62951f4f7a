"""Who is called to their table, when, and for how long the message stays."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Protocol

import pytest

import bot.tables.runtime.host
from bot.tables.actions.seats import ABSENT_AFTER, coming_back, resigning, substituting
from bot.tables.model import Person, Place
from bot.tables.runtime.host import Host
from bot.tables.runtime.publisher import Asleep, NotShown, OutOfReach
from bot.tables.table import Table
from bot.ui.delivery.invalid_requests import USUAL_PACE
from bot.ui.delivery.rate_limits import RequestLimits, Urgency
from tests.support.bell import FakeBell
from tests.support.fakes import (
    GAMES,
    NEW_CLICKS,
    PEOPLE,
    ROBIN,
    WREN,
    Clock,
    FakeBoard,
    FakeStore,
    Gate,
    a_lobby,
    a_service,
    mover_of,
    roll,
    under_way,
    until,
)
from tests.support.virtual import in_virtual_time, now

TWO_MINUTES = 120


class MakeHost(Protocol):
    """Starts one more process of the bot."""

    def __call__(self, *, reminds: bool = True) -> Host: ...


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bell() -> FakeBell:
    return FakeBell()


@pytest.fixture
async def make_host(store: FakeStore, board: FakeBoard, bell: FakeBell, clock: Clock) -> AsyncIterator[MakeHost]:
    """Processes of the bot over one store and one Discord."""
    made: list[Host] = []

    def make(*, reminds: bool = True) -> Host:
        made.append(Host(store, GAMES, board, bell, pause=0, clock=clock, reminds=reminds))
        return made[-1]

    yield make
    store.broken, store.mute = set(), set()
    for host in made:
        await host.close()


@pytest.fixture
def host(make_host: MakeHost) -> Host:
    return make_host()


async def checked(host: Host) -> None:
    """Check as the host does every few seconds, and wait until all is done."""
    await host.reminders.check()
    await host.reminders.close()


async def reminded(host: Host, clock: Clock, *people: Person) -> Table:
    """A table, of three unless others are named, where the one to move has been reminded."""
    table = await under_way(host.service, *people)
    clock.tick(TWO_MINUTES)
    await checked(host)
    return table


class TestWhen:
    async def test_after_two_minutes_of_silence_once_a_turn(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        table = await under_way(host.service)
        clock.tick(TWO_MINUTES - 1)
        await checked(host)
        assert bell.rung == []
        clock.tick(1)
        for _ in range(3):
            await checked(host)
            clock.tick(TWO_MINUTES)
        assert bell.rung == [(table.id, mover_of(table).id)]

    async def test_two_minutes_after_a_sign_of_life(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        table = await under_way(host.service)
        clock.tick(TWO_MINUTES - 1)
        host.service.hear(table.id)
        clock.tick(TWO_MINUTES - 1)
        await checked(host)
        assert bell.rung == []
        clock.tick(1)
        await checked(host)
        assert bell.rung == [(table.id, mover_of(table).id)]

    async def test_not_after_a_day(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        await under_way(host.service)
        clock.now += timedelta(days=1)
        await checked(host)
        assert bell.rung == []

    async def test_not_in_a_lobby(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        await a_lobby(host.service, ROBIN, WREN)
        clock.tick(TWO_MINUTES)
        await checked(host)
        assert bell.rung == []

    @pytest.mark.parametrize("place", [Place(None, 7), Place(3, 7, solo_id=11)])
    async def test_not_in_a_direct_message_nor_in_a_solo_game(
        self, host: Host, bell: FakeBell, clock: Clock, place: Place
    ) -> None:
        await under_way(host.service, place=place)
        clock.tick(TWO_MINUTES)
        await checked(host)
        assert bell.rung == []

    async def test_not_for_a_computer_player(
        self, host: Host, bell: FakeBell, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(host._driver, "wake", lambda _: None)
        table = await under_way(host.service, ROBIN)
        if not table.header.awaits_computer:
            table = await roll(host.service, table)
        assert table.header.awaits_computer
        clock.tick(TWO_MINUTES)
        await checked(host)
        assert bell.rung == []

    async def test_not_where_the_host_wants_none(self, make_host: MakeHost, bell: FakeBell, clock: Clock) -> None:
        await reminded(make_host(reminds=False), clock)
        assert bell.rung == []

    async def test_the_next_turn_has_a_reminder_of_its_own(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        table = await reminded(host, clock)
        callees = [mover_of(table).id]
        for _ in range(3):
            table = await roll(host.service, table)
            callees.append(mover_of(table).id)
            clock.tick(TWO_MINUTES)
            await checked(host)
            await checked(host)
        assert [callee for _, callee in bell.rung] == callees
        assert len(bell.messages) == 1

    async def test_the_host_checks_by_itself(
        self, host: Host, bell: FakeBell, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.tables.runtime.host, "_FLUSH_SECONDS", 0.002)
        monkeypatch.setattr(bot.tables.runtime.host, "_CHECK_SECONDS", 0.002)
        host.start()
        await under_way(host.service)
        clock.tick(TWO_MINUTES)
        await until(lambda: bell.rung)

    def test_nobody_waits_ten_seconds_longer(self) -> None:
        assert bot.tables.runtime.host._CHECK_SECONDS + bot.tables.runtime.host._FLUSH_SECONDS < 10


class TestUntil:
    """The message is taken away, and nothing is left in memory or in the book."""

    async def gone(self, host: Host, bell: FakeBell) -> None:
        await until(lambda: not bell.messages)
        await checked(host)
        assert len(bell.rung) == 1
        assert not host.reminders._standing

    async def test_they_play(self, host: Host, bell: FakeBell, store: FakeStore, clock: Clock) -> None:
        table = await reminded(host, clock)
        assert list(bell.messages.values()) == [table.id]
        await roll(host.service, table)
        await self.gone(host, bell)
        assert store.reminders.kept == {}

    async def test_they_act_and_are_to_move_still(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        table = await reminded(host, clock)
        heard = replace(table, header=replace(table.header, awaited_since=clock.now))
        host.reminders.changed(heard)
        await self.gone(host, bell)

    async def test_they_resign(self, host: Host, bell: FakeBell, store: FakeStore, clock: Clock) -> None:
        table = await reminded(host, clock)
        await host.service.control(table.id, mover_of(table), resigning, next(NEW_CLICKS))
        await self.gone(host, bell)
        assert store.reminders.kept == {}

    async def test_the_table_is_over(self, host: Host, bell: FakeBell, store: FakeStore, clock: Clock) -> None:
        table = await reminded(host, clock)
        await host.service.cancel(table.id, ROBIN, is_moderator=False)
        await self.gone(host, bell)
        assert store.reminders.kept == {}

    async def test_a_computer_stands_in_and_they_may_come_back(
        self, host: Host, bell: FakeBell, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(host._driver, "wake", lambda _: None)
        table = await reminded(host, clock)
        absent = mover_of(table)
        others = [person for person in PEOPLE[:3] if person != absent and person.id != table.header.opener_id]
        wish = partial(substituting, since=clock.ago(ABSENT_AFTER))
        for voice in (*others, *[person for person in PEOPLE[:1] if person != absent]):
            assert bell.messages, "it stays as long as nobody stands in"
            table = await host.service.control(table.id, voice, wish, next(NEW_CLICKS))
            await host.reminders.close()
        assert table.header.awaits_computer
        await self.gone(host, bell)
        await host.service.control(table.id, absent, coming_back, next(NEW_CLICKS))
        clock.tick(TWO_MINUTES)
        await checked(host)
        assert len(bell.rung) == 2

    async def test_another_process_has_seen_them_play(
        self, make_host: MakeHost, bell: FakeBell, store: FakeStore, clock: Clock
    ) -> None:
        first, second = make_host(), make_host()
        table = await reminded(first, clock)
        await roll(second.service, table)
        assert bell.messages
        await checked(second)
        assert bell.messages == {}
        assert store.reminders.kept == {}
        await checked(first)
        assert bell.looked_for == []

    async def test_a_host_that_wants_none_any_more_takes_away_what_there_is(
        self, make_host: MakeHost, bell: FakeBell, clock: Clock
    ) -> None:
        table = await reminded(make_host(), clock)
        quiet = make_host(reminds=False)
        await roll(quiet.service, table)
        await checked(quiet)
        assert bell.messages == {}


class TestTwoProcesses:
    async def test_only_one_calls(self, make_host: MakeHost, bell: FakeBell, clock: Clock) -> None:
        hosts = make_host(), make_host()
        await under_way(hosts[0].service)
        clock.tick(TWO_MINUTES)
        for host in hosts:
            await host.reminders.check()
        for host in hosts:
            await host.reminders.close()
        assert len(bell.rung) == 1

    async def test_a_table_that_another_process_has_changed_is_read_anew(
        self, make_host: MakeHost, bell: FakeBell, clock: Clock
    ) -> None:
        first, second = make_host(), make_host()
        table = await under_way(first.service)
        table = await roll(second.service, table)
        clock.tick(TWO_MINUTES)
        await checked(first)
        assert bell.rung == [(table.id, mover_of(table).id)]


class TestCrashes:
    async def test_between_the_note_and_the_call_nobody_is_called(
        self, make_host: MakeHost, bell: FakeBell, store: FakeStore, clock: Clock
    ) -> None:
        first = make_host()
        table = await under_way(first.service)
        clock.tick(TWO_MINUTES)
        (due,) = await store.unreminded({"magpie"}, clock.now - timedelta(days=1), clock.now, 9)
        assert await store.note_reminder(replace(due, noted_at=clock.now))
        later = make_host()
        await checked(later)
        assert bell.rung == []
        table = await roll(later.service, table)
        await checked(later)
        clock.tick(TWO_MINUTES)
        await checked(later)
        assert bell.rung == [(table.id, mover_of(table).id)]

    async def test_a_message_that_was_not_noted_any_more_is_found(
        self, make_host: MakeHost, bell: FakeBell, store: FakeStore, clock: Clock
    ) -> None:
        store.broken = {"keep_reminder"}
        table = await reminded(make_host(), clock)
        store.broken = set()
        later = make_host()
        await checked(later)
        assert len(bell.messages) == 1
        await roll(later.service, table)
        await checked(later)
        assert bell.messages == {}
        assert [reminder.noted_at for reminder in bell.looked_for] == [clock.now]

    async def test_after_a_restart_it_is_taken_away_by_its_id(
        self, make_host: MakeHost, bell: FakeBell, clock: Clock
    ) -> None:
        table = await reminded(make_host(), clock)
        later = make_host()
        await roll(later.service, table)
        await checked(later)
        assert (bell.messages, bell.looked_for) == ({}, [])


class TestMeanwhile:
    async def test_they_play_while_they_are_being_called(self, host: Host, bell: FakeBell, clock: Clock) -> None:
        table = await under_way(host.service)
        clock.tick(TWO_MINUTES)
        bell.gate = Gate()
        await host.reminders.check()
        await bell.gate.reached.wait()
        await roll(host.service, table)
        bell.gate.open()
        await host.reminders.close()
        assert len(bell.rung) == 1
        assert bell.messages == {}

    async def test_they_play_before_they_are_called(
        self, host: Host, bell: FakeBell, store: FakeStore, clock: Clock
    ) -> None:
        table = await under_way(host.service)
        clock.tick(TWO_MINUTES)
        store.after["note_reminder"] = gate = Gate()
        await host.reminders.check()
        await gate.reached.wait()
        await roll(host.service, table)
        gate.open()
        await host.reminders.close()
        assert bell.rung == []
        assert store.reminders.kept == {}

    async def test_another_process_has_posted_the_table_anew(
        self, make_host: MakeHost, bell: FakeBell, clock: Clock
    ) -> None:
        first, second = make_host(), make_host()
        table = await under_way(first.service)
        await first.publisher.close()
        assert (await second.service.table(table.id)).header.message_id is not None
        await first.publisher.post_anew(table.id)
        clock.tick(TWO_MINUTES)
        await checked(second)
        now = await first.service.table(table.id)
        assert bell.linked == [now.header.message_id]

    async def test_another_process_has_closed_it_while_they_were_called(
        self, make_host: MakeHost, bell: FakeBell, store: FakeStore, clock: Clock
    ) -> None:
        first, second = make_host(), make_host()
        table = await under_way(first.service)
        clock.tick(TWO_MINUTES)
        bell.gate = Gate()
        await first.reminders.check()
        await bell.gate.reached.wait()
        await roll(second.service, table)
        await second.reminders.check()
        await until(lambda: not store.reminders.kept)
        bell.gate.open()
        await first.reminders.close()
        assert bell.messages == {}


class TestFaults:
    @pytest.mark.parametrize("fault", [OutOfReach("deleted"), Asleep("archived"), NotShown("500")])
    async def test_who_can_not_be_called_is_not_called_again(
        self, host: Host, bell: FakeBell, clock: Clock, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        bell.faults = [fault]
        await reminded(host, clock)
        for _ in range(3):
            clock.tick(TWO_MINUTES)
            await checked(host)
        assert (bell.rung, bell.faults) == ([], [])
        assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []

    async def test_a_message_that_could_not_be_deleted_for_now_is_deleted_later(
        self, host: Host, bell: FakeBell, clock: Clock
    ) -> None:
        table = await reminded(host, clock)
        bell.faults = [NotShown("500")]
        await roll(host.service, table)
        await until(lambda: not bell.faults)
        await host.reminders.close()
        assert bell.messages
        await checked(host)
        assert bell.messages == {}

    async def test_a_table_of_a_game_that_is_gone_is_passed_over(
        self, host: Host, bell: FakeBell, store: FakeStore, clock: Clock
    ) -> None:
        strange = await under_way(a_service(store, clock=clock), place=Place(3, 71))
        store.tamper(strange.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        ours = await reminded(host, clock)
        assert [table_id for table_id, _ in bell.rung] == [ours.id]


class TestMany:
    @pytest.mark.parametrize("count", [1, 99, 100, 101, 450])
    async def test_everybody_who_is_due_is_called_at_one_check(
        self, host: Host, bell: FakeBell, clock: Clock, count: int
    ) -> None:
        for number in range(count):
            await under_way(host.service, place=Place(3, 1000 + number))
        clock.tick(TWO_MINUTES)
        await checked(host)
        assert len(bell.rung) == len({table_id for table_id, _ in bell.rung}) == count

    async def test_not_more_at_a_time_than_can_be_sent(
        self, host: Host, bell: FakeBell, clock: Clock, store: FakeStore
    ) -> None:
        for number in range(450):
            await under_way(host.service, place=Place(3, 1000 + number))
        clock.tick(TWO_MINUTES)
        bell.gate = gate = Gate()
        for _ in range(3):
            await host.reminders.check()
            for _ in range(500):
                await asyncio.sleep(0)
        assert len(store.reminders.kept) == 100, "who is noted and not called is called no more after a crash"
        gate.open()
        await host.reminders.close()
        assert len(bell.rung) == 450

    async def test_what_can_not_be_taken_away_holds_up_nothing_else(
        self, host: Host, bell: FakeBell, clock: Clock
    ) -> None:
        tables = [await under_way(host.service, place=Place(3, 1000 + number)) for number in range(250)]
        clock.tick(TWO_MINUTES)
        await checked(host)
        bell.faults = [NotShown("500")] * 200
        for table in tables:
            await roll(host.service, table)
        await host.reminders.close()
        assert len(bell.messages) == 200
        bell.faults = [NotShown("500")] * 120
        await checked(host)
        assert len(bell.messages) == 120
        bell.faults = []
        await checked(host)
        assert bell.messages == {}

    @in_virtual_time
    async def test_the_budget_of_all_requests_alone_sets_the_pace(self) -> None:
        clock, limits = Clock(), RequestLimits()
        bell = LimitedBell(limits)
        host = Host(FakeStore(), GAMES, FakeBoard(), bell, pause=0, clock=clock)
        for number in range(200):
            await under_way(host.service, place=Place(3, 1000 + number))
        clock.tick(TWO_MINUTES)
        began = now()
        await checked(host)
        assert len(bell.rung) == 200
        assert now() - began < 200 / USUAL_PACE + 1
        await host.close()


class LimitedBell(FakeBell):
    """Calls people as fast as requests can be sent."""

    def __init__(self, limits: RequestLimits) -> None:
        super().__init__()
        self.limits = limits

    async def ring(self, table: Table) -> int:
        async with self.limits.permit(table.header.place.channel_id, Urgency.REMINDER) as permit:
            permit.is_used = True
            return await super().ring(table)
