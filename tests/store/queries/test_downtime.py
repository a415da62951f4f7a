"""Time in which no process ran closes no lobby, and makes nobody absent and no table idle."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from unittest.mock import AsyncMock, Mock

import pytest

from bot.platform.clock import Downtime
from bot.platform.database import postgres as database, sqlite
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import downtimes, storage as job_storage
from bot.platform.jobs.downtimes import MAX_PAUSE
from bot.platform.jobs.jobs import DowntimeListener, JobRunner
from bot.platform.jobs.shard_leases import SERVER_BITS
from bot.platform.jobs.storage import Job
from bot.platform.places import ALL_SHARDS, Location, ShardRange
from bot.rules.refusals import Refusal
from bot.tables.aside import put_aside
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.seats import ABSENT_AFTER, substitute_absent
from bot.tables.service import HostSettings, IdleLimits
from bot.tables.table import Table
from tests.store.samples import Connect
from tests.support.fake_machine import SECOND, FakeMachine
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, HERE, JAY, NEW_CLICKS, NOON, ROBIN, WREN, mover_of, open_lobby, start_game
from tests.support.hosts import Host
from tests.support.waiting import DEADLINE_SECONDS

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SETTINGS = HostSettings(idle_limits=IdleLimits(put_aside_after=2 * HOUR))
ELSEWHERE = Location(HERE.guild_id, 71)
HALVES = ShardRange(0, 0, 2), ShardRange(1, 1, 2)
SERVERS = 3, 1 << SERVER_BITS
"""One in each half."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process of the bot on a machine of its own."""

    host: Host
    jobs: JobRunner
    machine: FakeMachine
    sender: FakeMessageSender

    async def run(self, span: timedelta) -> datetime:
        """Let time pass in which the process runs, do what is due then, and return the time."""
        end = self.machine.now + span
        while self.machine.now < end:
            self.machine.run(min(MINUTE, end - self.machine.now))
            await self.jobs.note_alive()
        await self.host.sweep()
        await self.host.reminders.check()
        await self.host.reminders.close()
        return end

    async def status(self, table: Table) -> Status:
        """Return the status of a table on disk."""
        return (await self.host.service.reload(table.id)).header.status

    async def replace_absent(self, table: Table) -> None:
        """Let a computer player stand in for the player to move, whom another one takes for absent."""
        other = next(person for person in (ROBIN, WREN, JAY) if person != mover_of(table))
        since = self.host.service.clock.ago(ABSENT_AFTER)
        await self.host.service.apply_seat_action(
            table.id, other, lambda now, who: substitute_absent(now, who, since), next(NEW_CLICKS)
        )


class Start(Protocol):
    """Starts a process at a time."""

    def __call__(self, now: datetime, shards: ShardRange = ALL_SHARDS) -> Awaitable[Process]: ...


@pytest.fixture(autouse=True)
def busy_disks_have_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for the database than the bot does: an hour here is sixty commits in a row."""
    for backend in (sqlite, database):
        for limit in ("QUEUE_SECONDS", "STATEMENT_SECONDS", "TRANSACTION_SECONDS"):
            monkeypatch.setattr(backend, limit, DEADLINE_SECONDS)
    for backend in (sqlite, database):
        monkeypatch.setattr(backend, "LOCK_SECONDS", DEADLINE_SECONDS)


@pytest.fixture
async def start(connect: Connect) -> AsyncIterator[Start]:
    """Start processes over one database, each at a time."""
    hosts: list[Host] = []

    async def make(now: datetime, shards: ShardRange = ALL_SHARDS) -> Process:
        db, machine, sender = await connect(), FakeMachine(now), FakeMessageSender()
        db.shards = shards
        host = Host(db, GAMES, FakeTableMessages(), sender, SETTINGS, clock=machine.clock)
        hosts.append(host)
        listener = DowntimeListener(machine.clock.leave_out, host.clocks.add_downtime)
        process = Process(host, JobRunner(db, machine.clock, {}, listener), machine, sender)
        await process.jobs.note_alive()
        await process.run(timedelta())
        return process

    yield make
    for host in hosts:
        await host.close()


async def test_two_days_without_a_process_count_against_nobody(start: Start) -> None:
    before = await start(NOON)
    idle = await start_game(before.host.service, location=ELSEWHERE)
    await before.run(70 * MINUTE)
    lobby = await open_lobby(before.host.service, location=Location(HERE.guild_id, 72))
    await before.run(20 * MINUTE)
    game = await start_game(before.host.service)
    before.sender.reminded.clear()
    after = await start(await before.run(MINUTE) + 2 * DAY)
    assert await after.status(lobby) is Status.LOBBY
    assert game.id not in [table_id for table_id, _ in after.sender.reminded]
    with pytest.raises(Refusal) as refused:
        await after.replace_absent(game)
    assert refused.value.reason is HostReason.NOT_ABSENT
    with pytest.raises(Refusal) as refused:
        await put_aside(after.host.service, idle.id, ELSEWHERE.channel_id)
    assert refused.value.reason is HostReason.CHANNEL_TAKEN
    await after.run(MINUTE)
    await after.replace_absent(game)
    await after.run(27 * MINUTE)
    with pytest.raises(Refusal):
        await put_aside(after.host.service, idle.id, ELSEWHERE.channel_id)
    await after.run(MINUTE)
    await put_aside(after.host.service, idle.id, ELSEWHERE.channel_id)
    assert await after.status(idle) is Status.ASIDE
    await after.run(9 * MINUTE)
    assert await after.status(lobby) is Status.LOBBY
    await after.run(MINUTE)
    assert await after.status(lobby) is Status.EXPIRED


async def test_time_in_which_another_process_ran_counts(start: Start) -> None:
    one, other = await start(NOON), await start(NOON)
    lobby = await open_lobby(one.host.service, location=ELSEWHERE)
    game = await start_game(one.host.service)
    successor = await start(await other.run(HOUR))
    assert await successor.status(lobby) is Status.EXPIRED
    await successor.replace_absent(game)


async def test_downtimes_before_several_restarts_add_up(start: Start) -> None:
    process = await start(NOON)
    lobby = await open_lobby(process.host.service)
    for downtime in (HOUR, 3 * HOUR, DAY):
        process = await start(await process.run(10 * MINUTE) + downtime)
    process = await start(await process.run(29 * MINUTE))
    assert await process.status(lobby) is Status.LOBBY
    await process.run(MINUTE)
    assert await process.status(lobby) is Status.EXPIRED


async def test_shards_that_no_process_serves_lose_no_time_while_others_are_served(start: Start) -> None:
    first, second = await start(NOON, HALVES[0]), await start(NOON, HALVES[1])
    lobbies = [
        await open_lobby(each.host.service, location=Location(server, server))
        for each, server in zip((first, second), SERVERS, strict=True)
    ]
    await run_together((first, second), minutes=10)
    now = await second.run(2 * HOUR)
    assert await second.status(lobbies[1]) is Status.EXPIRED
    again = await start(now, HALVES[0])
    await again.run(49 * MINUTE)
    assert await again.status(lobbies[0]) is Status.LOBBY
    await again.run(MINUTE)
    assert await again.status(lobbies[0]) is Status.EXPIRED


@pytest.mark.every_database
async def test_an_outage_of_the_database_counts_against_nobody_in_any_process(start: Start) -> None:
    processes = await start(NOON), await start(NOON)
    lobby = await open_lobby(processes[0].host.service)
    await run_together(processes, minutes=10)
    for each in processes:
        # Nothing can be noted meanwhile.
        each.machine.run(2 * HOUR)
    await asyncio.gather(*(each.jobs.note_alive() for each in processes))
    await run_together(processes, minutes=49)
    assert await processes[0].status(lobby) is Status.LOBBY
    await run_together(processes, minutes=1)
    assert await processes[0].status(lobby) is Status.EXPIRED


async def run_together(processes: Sequence[Process], *, minutes: int) -> None:
    """Let time pass in which several processes run side by side."""
    for _ in range(minutes):
        for each in processes:
            each.machine.run(MINUTE)
            await each.jobs.note_alive()
    for each in processes:
        await each.run(timedelta())


async def test_a_clock_that_was_wrong_for_a_while_gives_no_time(start: Start) -> None:
    before = await start(NOON)
    lobby = await open_lobby(before.host.service)
    await start(NOON + 10 * DAY)
    after = await start(NOON + 5 * MINUTE)
    await after.run(54 * MINUTE)
    assert await after.status(lobby) is Status.LOBBY
    await after.run(MINUTE)
    assert await after.status(lobby) is Status.EXPIRED


async def test_a_process_that_waited_for_another_one_takes_its_clock_for_no_wrong_one(db: Database) -> None:
    await db.maintain(downtimes.note_alive, db.shards, NOON, timedelta.max)
    found = await db.maintain(downtimes.note_alive, db.shards, NOON + HOUR + SECOND, MAX_PAUSE)
    assert await db.maintain(downtimes.note_alive, db.shards, NOON + HOUR, MAX_PAUSE) == []
    assert await db.read(downtimes.find_all, db.shards) == found


async def test_a_wrong_clock_excuses_no_day(db: Database) -> None:
    for at in (NOON, NOON + 10 * DAY, NOON + 5 * MINUTE):
        await db.maintain(downtimes.note_alive, db.shards, at, MAX_PAUSE)
    assert await db.read(downtimes.find_all, db.shards) == []
    assert await db.read(downtimes.find_excused_days) == frozenset()


async def test_machines_whose_clocks_differ_leave_deadlines_and_waiting_times_alone(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = FakeMachine(NOON)
    monkeypatch.setattr(downtimes, "read_clock", lambda _connection, _own: shared.now)
    machines = FakeMachine(NOON), FakeMachine(NOON + 100 * SECOND)
    runners = [make_runner(db, each) for each in machines]
    deadline = Job("deadline", "1", NOON + HOUR, counts_from=NOON)
    await db.maintain(job_storage.put, deadline)
    for _ in range(30):
        shared.run(20 * SECOND)
        for machine, runner in zip(machines, runners, strict=True):
            machine.run(20 * SECOND)
            await runner.note_alive()
    assert await db.maintain(job_storage.claim, db.shards, ["deadline"], NOON + DAY, NOON + DAY, 1) == [deadline]
    assert [each.now - each.clock.ago(5 * MINUTE) for each in machines] == [5 * MINUTE] * 2


@pytest.mark.parametrize("behind", [timedelta(), 100 * SECOND])
async def test_downtime_is_left_out_on_a_machine_whose_clock_is_behind(
    db: Database, monkeypatch: pytest.MonkeyPatch, behind: timedelta
) -> None:
    machine = FakeMachine(NOON)
    monkeypatch.setattr(downtimes, "read_clock", lambda _connection, own: own + behind)
    runner = make_runner(db, machine)
    await runner.note_alive()
    machine.sleep(HOUR)
    await make_runner(db, machine).note_alive()
    assert machine.clock.ago(2 * MINUTE) <= NOON


async def test_the_process_that_notes_a_downtime_leaves_it_out_itself(db: Database) -> None:
    one, other = FakeMachine(NOON), FakeMachine(NOON)
    runners = make_runner(db, one), make_runner(db, other)
    await runners[0].note_alive()
    other.run(15 * SECOND)
    await runners[1].note_alive()
    other.run(80 * SECOND)
    await runners[1].note_alive()
    assert other.clock.ago(MINUTE) == NOON - MINUTE


async def test_later_ends_are_shown_even_if_the_database_fails_right_after(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, shown = FakeMachine(NOON), list[Downtime]()

    async def show(downtime: Downtime) -> None:
        shown.append(downtime)

    runner = JobRunner(db, machine.clock, {}, DowntimeListener(machine.clock.leave_out, show))
    await runner.note_alive()
    machine.run(HOUR)
    with monkeypatch.context() as broken:
        broken.setattr(downtimes, "find_all", Mock(side_effect=StoreUnavailable("away")))
        with pytest.raises(StoreUnavailable):
            await runner.note_alive()
    await runner.note_alive()
    await runner.finish()
    assert shown == [Downtime(NOON, NOON + HOUR)]
    assert machine.clock.ago(MINUTE) == NOON - MINUTE


def make_runner(db: Database, machine: FakeMachine) -> JobRunner:
    return JobRunner(db, machine.clock, {}, DowntimeListener(machine.clock.leave_out, AsyncMock()))


@pytest.mark.parametrize(("gap", "left_out"), [(29, 0), (31, 31)])
async def test_a_restart_counts_against_nobody_unless_it_is_quick(db: Database, gap: int, left_out: int) -> None:
    await make_runner(db, FakeMachine(NOON)).note_alive()
    machine = FakeMachine(NOON + gap * SECOND)
    runner = make_runner(db, machine)
    await runner.note_alive()
    machine.run(20 * SECOND)
    await runner.note_alive()
    assert machine.now - machine.clock.ago(MINUTE) == MINUTE + left_out * SECOND


@pytest.mark.parametrize("every", [8 * SECOND, 80 * SECOND])
async def test_a_process_that_crashes_again_and_again_is_no_running_one(db: Database, every: timedelta) -> None:
    machine = FakeMachine(NOON)
    await make_runner(db, machine).note_alive()
    while machine.now < NOON + 5 * MINUTE:
        machine = FakeMachine(machine.now + every)
        await make_runner(db, machine).note_alive()
    assert machine.clock.ago(MINUTE) <= NOON
    assert len(await db.read(downtimes.find_all, db.shards)) == 1


@pytest.mark.every_database
async def test_downtimes_are_kept_for_sixty_days_and_those_that_excuse_a_day_for_ever(db: Database) -> None:
    excusing = [(timedelta(), HOUR), (DAY, 40 * MINUTE), (DAY + 2 * HOUR, 40 * MINUTE)]
    small = [(2 * DAY, 59 * MINUTE), (9 * DAY, 10 * MINUTE)]
    newest = Downtime(NOON + 70 * DAY, NOON + 70 * DAY + 2 * MINUTE)
    await db.maintain(downtimes.note_alive, db.shards, NOON, timedelta.max)
    for after, length in (*excusing, *small):
        await db.maintain(downtimes.note_alive, db.shards, NOON + after, timedelta.max)
        await db.maintain(downtimes.note_alive, db.shards, NOON + after + length, MAX_PAUSE)
    assert len(await db.read(downtimes.find_all, db.shards)) == 5
    await db.maintain(downtimes.note_alive, db.shards, newest.since, timedelta.max)
    await db.maintain(downtimes.note_alive, db.shards, newest.until, MAX_PAUSE)
    kept = [Downtime(NOON + after, NOON + after + length) for after, length in excusing]
    assert sorted(await db.read(downtimes.find_all, db.shards)) == [*kept, newest]
