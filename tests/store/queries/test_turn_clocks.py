"""Turn clocks of several processes over real databases: restarts, downtime, jumps, and many due at once."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import NamedTuple

import pytest

from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import PingChoice, PingMode, QuietHours, ReminderStage
from bot.features.turn_clocks import service as turn_clock_storage
from bot.features.turn_clocks.feature import build_jobs
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import DowntimeListener, JobRunner
from bot.platform.places import ALL_SHARDS, Location, Person
from bot.rules.refusals import Refusal
from bot.tables.aside import put_aside, resume
from bot.tables.clocks import let_computer_play, period_of
from bot.tables.model import TurnClock
from bot.tables.opening import open_game
from bot.tables.refusals import Stale
from bot.tables.table import Table
from tests.store.make_host import MakeHost
from tests.store.samples import Connect
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fakes import GAMES, HERE, JAY, NEW_CLICKS, PEOPLE, ROBIN, WREN, FakeClock, mover_of, roll
from tests.support.hosts import Host
from tests.support.waiting import Gate

MINUTE = timedelta(minutes=1)
LIMIT = 10 * MINUTE


class Process(NamedTuple):
    """A process of the bot."""

    host: Host
    jobs: JobRunner
    db: Database

    async def check(self) -> None:
        """Do what is due, as every few seconds."""
        await self.jobs.check()
        await self.host.reminders.check()
        await self.jobs.finish()
        await self.host.reminders.close()


Start = Callable[[], "asyncio.Future[Process]"]


@pytest.fixture
def start(connect: Connect, make_host: MakeHost, clock: FakeClock) -> Start:
    """Start processes over one database and one Discord."""

    async def make() -> Process:
        db = await connect()
        host = make_host(db)
        handlers = {kind.name: kind.run for kind in build_jobs(host.clocks)}
        listener = DowntimeListener(clock.leave_out, host.clocks.add_downtime)
        return Process(host, JobRunner(db, clock, handlers, listener), db)

    return lambda: asyncio.ensure_future(make())


async def play(process: Process, *people: Person, location: Location = HERE) -> Table:
    """Start a table with a clock of ten minutes."""
    service = process.host.service
    options = GAMES["magpie"].game.info.options()
    opener, *others = people or (ROBIN, WREN, JAY)
    opened = await open_game(
        service, "magpie", options, opener, location, click_id=next(NEW_CLICKS), clock=TurnClock.TEN_MINUTES
    )
    for person in others:
        await service.join(opened.id, person, next(NEW_CLICKS))
    return await service.start(opened.id, opener, next(NEW_CLICKS))


async def pass_time(clock: FakeClock, minutes: float, *processes: Process) -> None:
    """Let time pass while processes run."""
    end = clock.now + minutes * MINUTE
    while clock.now < end:
        clock.now = min(end, clock.now + MINUTE)
        await asyncio.gather(*(process.jobs.check() for process in processes))
        await asyncio.gather(*(process.jobs.finish() for process in processes))


async def check_until(process: Process, clock: FakeClock, minutes: int, has_happened: Callable[[], bool]) -> None:
    """Let time pass, and check until something has happened: while one check is still looking, the next starts none."""
    for _ in range(minutes):
        clock.now += MINUTE
        await process.jobs.check()
    while not has_happened():
        await process.jobs.check()
        await asyncio.sleep(0)


def other_than(table: Table, at: int = 0) -> Person:
    return [person for person in PEOPLE[:3] if person != mover_of(table)][at]


@pytest.mark.every_database
async def test_half_time_reminds_and_the_end_asks_the_others_each_once_in_two_processes(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    one, two = await start(), await start()
    table = await play(one)
    await pass_time(clock, 4.9, one, two)
    assert sender.reminded == []
    await pass_time(clock, 2, one, two)
    assert (sender.stages, sender.reminded) == ([ReminderStage.HALF_TIME], [(table.id, mover_of(table).id)])
    await pass_time(clock, 10, one, two)
    (called,) = sender.called
    assert called[0] == table.id
    assert set(called[1]) == {person.id for person in PEOPLE[:3]} - {mover_of(table).id}
    assert list(sender.messages.values()) == [table.id], "one message replaces the other"
    assert (await two.host.service.reload(table.id)).header.clock.is_up
    assert not (await two.host.service.table(table.id)).seat_status.substituted, "a machine removes nobody"


async def test_a_reminder_that_is_sent_late_leaves_the_question_that_replaced_it(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    process = await start()
    table = await play(process)
    sender.gate = Gate()
    await check_until(process, clock, 5, sender.gate.reached.is_set)
    await check_until(process, clock, 5, lambda: bool(sender.called))
    sender.gate.open()
    await process.jobs.finish()
    assert list(sender.messages.values()) == [table.id], "the question alone"
    await roll(process.host.service, await process.host.service.table(table.id))
    await process.check()
    assert sender.messages == {}


async def test_a_move_restarts_the_time_and_takes_the_messages_away(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    process = await start()
    table = await play(process)
    await pass_time(clock, 9, process)
    table = await roll(process.host.service, table)
    await process.check()
    assert sender.messages == {}
    await pass_time(clock, 9.9, process)
    assert sender.called == []
    await pass_time(clock, 1, process)
    assert [table_id for table_id, _ in sender.called] == [table.id]
    after = await roll(process.host.service, await process.host.service.table(table.id))
    await process.check()
    assert sender.messages == {}
    assert not after.header.clock.is_up


async def test_a_move_in_the_second_when_time_ends_goes_before_the_clock(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    one, two = await start(), await start()
    table = await play(one)
    clock.now += LIMIT
    moved, *_ = await asyncio.gather(roll(one.host.service, table), one.jobs.check(), two.jobs.check())
    await asyncio.gather(one.jobs.finish(), two.jobs.finish())
    await asyncio.gather(one.check(), two.check())
    now = await two.host.service.reload(table.id)
    assert (now.header.step, now.header.to_move) == (moved.header.step, moved.header.to_move)
    assert not now.header.clock.is_up
    assert now.header.clock.ends_at == clock.now + LIMIT
    assert sender.messages == {}


@pytest.mark.every_database
async def test_of_two_decisions_at_once_one_wins(start: Start, sender: FakeMessageSender, clock: FakeClock) -> None:
    one, two = await start(), await start()
    for number in range(3):
        table = await play(one, location=Location(3, 100 + number))
        await pass_time(clock, 10, one)
        table = await one.host.service.reload(table.id)
        await two.host.service.table(table.id)
        period = period_of(table)
        take_over = partial(let_computer_play, period=period)
        results = await asyncio.gather(
            one.host.service.wait_longer(table.id, other_than(table), period),
            two.host.service.apply_seat_action(table.id, other_than(table, 1), take_over, next(NEW_CLICKS)),
            return_exceptions=True,
        )
        assert sorted(isinstance(result, Stale | Refusal) for result in results) == [False, True]
        after = await one.host.service.reload(table.id)
        has_waited = not isinstance(results[0], Stale | Refusal)
        assert (table.header.to_move in after.seat_status.substituted) is not has_waited
        await one.check()
        assert table.id not in sender.messages.values()


async def test_waiting_gives_the_same_time_again_with_all_that_belongs_to_it(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    process = await start()
    table = await play(process)
    await pass_time(clock, 10, process)
    up = await process.host.service.table(table.id)
    await process.host.service.wait_longer(table.id, other_than(table), period_of(up))
    await process.check()
    assert sender.messages == {}
    await pass_time(clock, 5, process)
    assert sender.stages == [ReminderStage.HALF_TIME] * 2
    await pass_time(clock, 5, process)
    assert len(sender.called) == 2


async def test_downtime_is_not_counted_and_the_table_shows_the_later_end(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    before = await start()
    await before.check()
    table = await play(before)
    await pass_time(clock, 2, before)
    clock.now += timedelta(days=2)
    one, two = await start(), await start()
    await asyncio.gather(one.check(), two.check())
    assert (sender.reminded, sender.called) == ([], [])
    shown = (await two.host.service.reload(table.id)).header
    assert abs((shown.clock.ends_at or clock.now) - (clock.now + 8 * MINUTE)) <= MINUTE
    assert shown.clock.ends_at != table.header.clock.ends_at
    await pass_time(clock, 7, one, two)
    assert (sender.stages, sender.called) == ([ReminderStage.HALF_TIME], [])
    await pass_time(clock, 3, one, two)
    assert [table_id for table_id, _ in sender.called] == [table.id]


@pytest.mark.parametrize("jump", [timedelta(days=1), -timedelta(hours=1)])
async def test_a_jump_of_the_clock_ends_no_time(
    start: Start, sender: FakeMessageSender, clock: FakeClock, jump: timedelta
) -> None:
    process = await start()
    await process.check()
    await play(process)
    await pass_time(clock, 2, process)
    clock.now += jump
    await pass_time(clock, 6, process)
    assert sender.called == []


async def test_a_process_that_dies_after_the_time_was_called_leaves_the_question_to_another(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    one, two = await start(), await start()
    table = await play(one)
    clock.now += LIMIT
    job = next(
        job
        for job in await one.db.maintain(
            job_storage.claim, one.db.shards, ["time up"], clock.now, clock.now + 5 * MINUTE, 9
        )
    )
    await one.host.service.call_time(table.id, job.due_at)
    await two.jobs.check()
    await two.jobs.finish()
    assert sender.called == []
    await pass_time(clock, 6, two)
    assert [table_id for table_id, _ in sender.called] == [table.id]


async def test_a_table_is_put_aside_once_time_is_up_and_has_new_time_when_it_is_resumed(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    process = await start()
    service = process.host.service
    table = await play(process)
    service.settings = replace(
        service.settings, idle_limits=replace(service.settings.idle_limits, put_aside_after=MINUTE)
    )
    await pass_time(clock, 9, process)
    with pytest.raises(Refusal):
        await put_aside(service, table.id, HERE.channel_id)
    await pass_time(clock, 2, process)
    await put_aside(service, table.id, HERE.channel_id)
    sent = (len(sender.reminded), len(sender.called))
    await pass_time(clock, 20, process)
    assert (len(sender.reminded), len(sender.called)) == sent
    resumed = await resume(service, table.id, ROBIN, is_moderator=False)
    assert resumed.header.clock.ends_at == clock.now + LIMIT


async def test_many_whose_time_ends_at_once_are_each_asked_about_once(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    one, two = await start(), await start()
    tables = [await play(one, ROBIN, WREN, location=Location(3, 1000 + number)) for number in range(24)]
    clock.now += LIMIT
    for _ in range(2):
        await asyncio.gather(one.jobs.check(), two.jobs.check())
        await asyncio.gather(one.jobs.finish(), two.jobs.finish())
    assert sorted(table_id for table_id, _ in sender.called) == [table.id for table in tables]


async def test_the_half_time_reminder_is_the_persons_own_ping(
    start: Start, sender: FakeMessageSender, clock: FakeClock
) -> None:
    process = await start()
    quiet = QuietHours("UTC", clock.now.hour, (clock.now.hour + 1) % 24)
    tables = [await play(process, ROBIN, WREN, location=Location(3, 200 + number)) for number in range(3)]
    choices = (PingChoice(PingMode.OFF), PingChoice(PingMode.DIRECT, 240), None)
    for table, choice in zip(tables, choices, strict=True):
        await process.db.write(reminder_storage.choose, mover_of(table).id, table.id, choice)
    await pass_time(clock, 5, process)
    assert sorted(table_id for table_id, _ in sender.reminded) == [tables[1].id, tables[2].id]
    assert [table_id for table_id, _ in sender.directed] == [tables[1].id]
    for person in (ROBIN, WREN):
        await process.db.write(reminder_storage.choose_quiet_hours, person.id, quiet)
    held = await play(process, ROBIN, WREN, location=Location(3, 300))
    await pass_time(clock, 9, process)
    assert held.id not in [table_id for table_id, _ in sender.reminded]
    await pass_time(clock, 2, process)
    assert (held.id, ()) in sender.called, "nobody is mentioned in quiet hours"


async def test_a_table_without_a_clock_leaves_no_jobs(start: Start) -> None:
    process = await start()
    service = process.host.service
    options = GAMES["magpie"].game.info.options()
    opened = await open_game(service, "magpie", options, ROBIN, HERE, click_id=next(NEW_CLICKS))
    await service.join(opened.id, WREN, next(NEW_CLICKS))
    await roll(service, await service.start(opened.id, ROBIN, next(NEW_CLICKS)))
    assert await process.db.read(turn_clock_storage.find_running, ALL_SHARDS) == []
