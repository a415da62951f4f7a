"""Setting the clock forward or back closes no table and reminds no player."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest

import bot.platform.jobs.looks
from bot.platform.clock import Clock, Downtime
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.seats import ABSENT_AFTER, substitute_absent
from bot.tables.service import TableService
from tests.support.fake_machine import FakeMachine
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, JAY, ROBIN, WREN, mover_of, open_lobby, start_game
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import wait_until
from tests.tables.refusals import refused_for

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


@pytest.fixture
def machine(caplog: pytest.LogCaptureFixture) -> FakeMachine:
    caplog.set_level(logging.ERROR, "bot.platform.clock")  # a jump is logged as a warning
    return FakeMachine(NOON)


@pytest.fixture
def host(
    db: MemoryDatabase, table_messages: FakeTableMessages, sender: FakeMessageSender, machine: FakeMachine
) -> Host:
    return Host(db, GAMES, table_messages, sender, clock=machine.clock)


def has_passed(machine: FakeMachine, since: datetime, span: timedelta) -> bool:
    """Return whether an amount of time has passed since a moment, by the clock."""
    return since <= machine.clock.ago(span)


class TestElapsedTime:
    def test_time_passes_with_the_wall_clock_while_that_is_steady(self, machine: FakeMachine) -> None:
        machine.run(3 * HOUR)
        assert machine.clock() == NOON + 3 * HOUR
        assert machine.clock.ago(2 * HOUR) == NOON + HOUR

    @pytest.mark.parametrize("wakes", [FakeMachine.set, FakeMachine.sleep])
    def test_a_jump_of_the_wall_clock_does_not_count_as_passed_time(self, machine: FakeMachine, wakes) -> None:  # type: ignore[no-untyped-def]
        machine.run(20 * MINUTE)
        wakes(machine, 2 * HOUR)
        assert machine.clock() == NOON + 2 * HOUR + 20 * MINUTE, "the time of day is right at once"
        slack = MINUTE if wakes is FakeMachine.sleep else timedelta()
        machine.run(40 * MINUTE - slack - 5 * SECOND)
        assert not has_passed(machine, NOON, HOUR)
        machine.run(5 * SECOND)
        assert has_passed(machine, NOON, HOUR)

    def test_times_noted_after_a_jump_have_the_age_of_the_wall_clock(self, machine: FakeMachine) -> None:
        machine.run(MINUTE)
        machine.set(2 * HOUR)
        since = machine.clock()
        machine.run(HOUR - 5 * SECOND)
        assert not has_passed(machine, since, HOUR)
        machine.run(5 * SECOND)
        assert has_passed(machine, since, HOUR)

    def test_jumps_add_up(self, machine: FakeMachine) -> None:
        for _ in range(3):
            machine.run(10 * MINUTE)
            machine.set(HOUR)
        machine.run(29 * MINUTE)
        assert not has_passed(machine, NOON, HOUR)
        machine.run(MINUTE)
        assert has_passed(machine, NOON, HOUR)

    def test_a_clock_set_back_makes_nothing_older(self, machine: FakeMachine) -> None:
        machine.run(2 * HOUR)
        earlier = machine.clock()
        machine.set(-HOUR)
        since = machine.clock()
        assert not has_passed(machine, earlier, MINUTE)
        machine.run(MINUTE)
        assert has_passed(machine, since, MINUTE)
        assert not has_passed(machine, since, 2 * MINUTE)

    def test_a_clock_set_forward_and_back_changes_nothing(self, machine: FakeMachine) -> None:
        machine.run(10 * MINUTE)
        machine.set(2 * HOUR)
        machine.run(MINUTE)
        machine.set(-2 * HOUR)
        machine.run(49 * MINUTE - 5 * SECOND)
        assert not has_passed(machine, NOON, HOUR)
        machine.run(5 * SECOND)
        assert has_passed(machine, NOON, HOUR)

    def test_a_gentle_adjustment_is_no_jump(self, machine: FakeMachine) -> None:
        for _ in range(720):
            machine.set(timedelta(milliseconds=100))
            machine.run(5 * SECOND)
        assert has_passed(machine, NOON, HOUR)

    def test_downtime_before_the_start_is_not_counted(self, machine: FakeMachine) -> None:
        machine.clock.leave_out([Downtime(NOON - 2 * HOUR, NOON - HOUR), Downtime(NOON - 9 * HOUR, NOON - 5 * HOUR)])
        assert machine.clock.ago(30 * MINUTE) == NOON - 30 * MINUTE
        assert machine.clock.ago(2 * HOUR) == NOON - 3 * HOUR
        assert machine.clock.ago(5 * HOUR) == NOON - 10 * HOUR

    def test_downtime_that_is_known_as_a_jump_is_left_out_once(self, machine: FakeMachine) -> None:
        machine.run(10 * MINUTE)
        machine.sleep(HOUR)
        known = Downtime(NOON + 10 * MINUTE - 15 * SECOND, machine.clock())
        for _ in range(2):
            machine.clock.leave_out([known])
        assert machine.clock.ago(MINUTE) == known.since - MINUTE

    def test_downtime_ends_now_if_the_database_is_ahead(self, machine: FakeMachine) -> None:
        machine.clock.leave_out([Downtime(NOON - HOUR, NOON + MINUTE), Downtime(NOON + SECOND, NOON + MINUTE)])
        assert machine.clock.ago(MINUTE) == NOON - HOUR - MINUTE

    def test_any_number_of_downtimes_is_known(self, machine: FakeMachine) -> None:
        begins = [NOON - number * 10 * MINUTE for number in range(1, 401)]
        machine.clock.leave_out(Downtime(since, since + 9 * MINUTE) for since in begins)
        assert machine.clock.ago(401 * MINUTE) == begins[-1] - MINUTE


class TestJumps:
    @pytest.mark.parametrize("by", [2 * HOUR, 10_000 * HOUR, -2 * HOUR])
    async def test_a_jump_closes_no_lobby(
        self, host: Host, db: MemoryDatabase, machine: FakeMachine, by: timedelta
    ) -> None:
        table = await open_lobby(host.service, ROBIN, WREN)
        machine.set(by)
        await host.sweep()
        assert db.header(table.id).status is Status.LOBBY
        if by > timedelta():
            machine.run(HOUR)
            await host.sweep()
            assert db.header(table.id).status is Status.EXPIRED, "an hour that has passed still closes it"
        await host.close()

    async def test_a_jump_lets_no_other_player_start(self, host: Host, machine: FakeMachine) -> None:
        table = await open_lobby(host.service, ROBIN, WREN)
        machine.set(2 * HOUR)
        with refused_for(HostReason.NOT_STARTER):
            await host.service.start(table.id, WREN, 1)
        machine.run(5 * MINUTE)
        await host.service.start(table.id, WREN, 1)
        await host.close()

    async def test_a_jump_substitutes_no_player(self, host: Host, machine: FakeMachine) -> None:
        table = await start_game(host.service)
        other = next(person for person in (ROBIN, WREN, JAY) if person != mover_of(table))

        async def substitute(service: TableService) -> None:
            since = service.clock.ago(ABSENT_AFTER)
            await service.apply_seat_action(table.id, other, lambda now, who: substitute_absent(now, who, since), 1)

        machine.set(2 * HOUR)
        with refused_for(HostReason.NOT_ABSENT):
            await substitute(host.service)
        machine.run(2 * MINUTE)
        await substitute(host.service)
        await host.close()

    async def test_a_jump_sends_no_reminder(self, host: Host, sender: FakeMessageSender, machine: FakeMachine) -> None:
        await start_game(host.service)
        machine.set(2 * HOUR)
        await host.reminders.check()
        await host.reminders.close()
        assert sender.reminded == []
        machine.run(2 * MINUTE)
        await host.reminders.check()
        await host.reminders.close()
        assert len(sender.reminded) == 1
        await host.close()


async def test_the_host_reads_the_clock_regularly(
    db: MemoryDatabase,
    table_messages: FakeTableMessages,
    sender: FakeMessageSender,
    machine: FakeMachine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.001)
    readings = 0

    def wall() -> datetime:
        nonlocal readings
        readings += 1
        return machine.now

    host = Host(db, GAMES, table_messages, sender, clock=Clock(wall, lambda: machine.ticks))
    monkeypatch.setattr(host, "sweep", _nothing)
    host.start()
    await wait_until(lambda: readings > 5)
    await host.close()


async def test_the_host_finds_downtime_out_before_it_closes_lobbies(
    db: MemoryDatabase, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await open_lobby(host.service, ROBIN, WREN)
    await host.close()
    after = FakeMachine(NOON + 2 * HOUR)
    restarted = Host(db, GAMES, FakeTableMessages(), FakeMessageSender(), clock=after.clock)
    has_swept = asyncio.Event()

    async def find_downtime() -> None:
        after.clock.leave_out([Downtime(NOON, NOON + 2 * HOUR)])

    async def sweep() -> bool:
        follows = await Host.sweep(restarted)
        has_swept.set()
        return follows

    monkeypatch.setattr(restarted, "sweep", sweep)
    restarted.each_round.insert(0, find_downtime)
    restarted.start()
    await has_swept.wait()
    assert db.header(table.id).status is Status.LOBBY
    await restarted.close()


async def _nothing() -> None:
    """Read no clock."""
