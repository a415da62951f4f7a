"""Setting the clock forward or back closes no table and reminds no player."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import pytest

import bot.platform.jobs.looks
from bot.platform.clock import Clock, Downtime
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.seats import ABSENT_AFTER, substitute_absent
from bot.tables.service import TableService
from tests.support.each_case import each_case
from tests.support.fake_machine import FakeMachine
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, JAY, ROBIN, WREN, mover_of, open_lobby, start_game
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import check_reminders
from tests.support.waiting import wait_until
from tests.tables.refusals import refused_for

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


Step = Callable[[FakeMachine, timedelta], None]
RUN, SET, SLEEP = FakeMachine.run, FakeMachine.set, FakeMachine.sleep


@pytest.fixture
def machine(caplog: pytest.LogCaptureFixture) -> FakeMachine:
    caplog.set_level(logging.ERROR, "bot.platform.clock")  # a jump is logged as a warning
    return FakeMachine(NOON)


@pytest.fixture
async def host(
    db: MemoryDatabase, table_messages: FakeTableMessages, sender: FakeMessageSender, machine: FakeMachine
) -> AsyncIterator[Host]:
    made = Host(db, GAMES, table_messages, sender, clock=machine.clock)
    yield made
    await made.close()


def has_passed(machine: FakeMachine, since: datetime, span: timedelta) -> bool:
    """Return whether an amount of time has passed since a moment, by the clock."""
    return since <= machine.clock.ago(span)


class TestElapsedTime:
    def test_time_passes_with_the_wall_clock_while_that_is_steady(self, machine: FakeMachine) -> None:
        machine.run(3 * HOUR)
        assert machine.clock() == NOON + 3 * HOUR
        assert machine.clock.ago(2 * HOUR) == NOON + HOUR

    @each_case(
        "steps, remaining",
        [
            ([(RUN, 20 * MINUTE), (SET, 2 * HOUR)], 40 * MINUTE),
            ([(RUN, 20 * MINUTE), (SLEEP, 2 * HOUR)], 39 * MINUTE),
            ([(RUN, 10 * MINUTE), (SET, HOUR)] * 3, 30 * MINUTE),
            ([(RUN, 10 * MINUTE), (SET, 2 * HOUR), (RUN, MINUTE), (SET, -2 * HOUR)], 49 * MINUTE),
            # A gentle adjustment is no jump.
            ([(SET, timedelta(milliseconds=100)), (RUN, 5 * SECOND)] * 600, HOUR - 600 * timedelta(milliseconds=5100)),
        ],
    )
    def test_a_jump_of_the_wall_clock_does_not_count_as_passed_time(
        self, steps: list[tuple[Step, timedelta]], remaining: timedelta
    ) -> None:
        machine = FakeMachine(NOON)
        for step, span in steps:
            step(machine, span)
        assert machine.clock() == machine.now, "the time of day is right at once"
        machine.run(remaining - 5 * SECOND)
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

    def test_a_clock_set_back_makes_nothing_older(self, machine: FakeMachine) -> None:
        machine.run(2 * HOUR)
        earlier = machine.clock()
        machine.set(-HOUR)
        since = machine.clock()
        assert not has_passed(machine, earlier, MINUTE)
        machine.run(MINUTE)
        assert has_passed(machine, since, MINUTE)
        assert not has_passed(machine, since, 2 * MINUTE)

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
    async def test_a_jump_closes_no_lobby_and_lets_no_other_player_start(
        self, host: Host, db: MemoryDatabase, machine: FakeMachine, by: timedelta
    ) -> None:
        table = await open_lobby(host.service, ROBIN, WREN)
        machine.set(by)
        await host.sweep()
        assert db.header(table.id).status is Status.LOBBY
        with refused_for(HostReason.NOT_STARTER):
            await host.service.start(table.id, WREN, 1)
        if by > timedelta():
            machine.run(HOUR)
            await host.sweep()
            assert db.header(table.id).status is Status.EXPIRED, "an hour that has passed still closes it"

    async def test_minutes_that_have_passed_let_another_player_start(self, host: Host, machine: FakeMachine) -> None:
        table = await open_lobby(host.service, ROBIN, WREN)
        machine.set(2 * HOUR)
        machine.run(5 * MINUTE)
        await host.service.start(table.id, WREN, 1)

    async def test_a_jump_neither_substitutes_nor_reminds_a_player(
        self, host: Host, sender: FakeMessageSender, machine: FakeMachine
    ) -> None:
        table = await start_game(host.service)
        other = next(person for person in (ROBIN, WREN, JAY) if person != mover_of(table))

        async def substitute(service: TableService) -> None:
            since = service.clock.ago(ABSENT_AFTER)
            await service.apply_seat_action(table.id, other, lambda now, who: substitute_absent(now, who, since), 1)

        machine.set(2 * HOUR)
        await check_reminders(host)
        assert sender.reminded == []
        with refused_for(HostReason.NOT_ABSENT):
            await substitute(host.service)
        machine.run(2 * MINUTE)
        await check_reminders(host)
        assert len(sender.reminded) == 1
        await substitute(host.service)


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
