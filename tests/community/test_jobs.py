"""Jobs are done when they are due, and again if they fail."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import LEASE, LIMIT, SECOND_LOOK_SECONDS, JobRunner
from bot.platform.jobs.storage import Job
from tests.support.memory_database import MemoryDatabase
from tests.support.virtual_time import elapsed_seconds, run_in_virtual_time
from tests.support.waiting import DEADLINE_SECONDS, wait_until

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
JOB = Job("season", "1", NOON)


class Bench:
    """A runner over jobs in memory, with a clock to turn and a handler that notes what it does."""

    def __init__(self) -> None:
        self.now, self.seconds = NOON, 0.0
        self.db = MemoryDatabase()
        self.done: list[Job] = []
        self.next_due: datetime | None = None
        self.fault: Exception | None = None
        self.runner = JobRunner(self.db, lambda: self.now, {"season": self.do})

    async def do(self, job: Job) -> datetime | None:
        self.done.append(job)
        if self.fault is not None:
            raise self.fault
        return self.next_due

    async def check(self, after: timedelta = timedelta()) -> None:
        self.now += after
        self.seconds += after.total_seconds()
        await self.runner.check()
        await self.runner.finish()

    async def check_soon(self) -> None:
        """Start what is due, and let what was started run until it waits."""
        await self.runner.check()
        for _ in range(5):
            await asyncio.sleep(0)


async def test_a_job_is_done_once() -> None:
    bench = Bench()
    await bench.db.maintain(job_storage.put, JOB)
    await bench.check()
    await bench.check(2 * LEASE)
    assert bench.done == [JOB]


async def test_a_job_that_returns_a_time_is_done_again_then() -> None:
    bench = Bench()
    await bench.db.maintain(job_storage.put, JOB)
    bench.next_due = NOON + timedelta(days=1)
    await bench.check()
    await bench.check(timedelta(hours=23))
    assert len(bench.done) == 1
    await bench.check(timedelta(hours=1))
    assert len(bench.done) == 2


async def test_a_job_that_fails_is_done_again_after_its_lease(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    await bench.db.maintain(job_storage.put, JOB)
    bench.fault = RuntimeError("no art")
    await bench.check()
    assert "season 1 failed" in caplog.text
    caplog.clear()
    bench.fault = None
    await bench.check(LEASE / 2)
    assert len(bench.done) == 1
    await bench.check(LEASE / 2)
    assert len(bench.done) == 2
    assert not bench.db.jobs


async def test_hundreds_that_are_due_at_once_are_done_in_one_check() -> None:
    bench = Bench()
    for number in range(320):
        await bench.db.maintain(job_storage.put, Job("season", str(number), NOON))
    await bench.check()
    assert len({job.key for job in bench.done}) == len(bench.done) == 320


async def test_slow_jobs_hold_up_nothing_but_jobs() -> None:
    bench, may_end, running = Bench(), asyncio.Event(), list[str]()

    async def do_slowly(job: Job) -> None:
        running.append(job.key)
        await may_end.wait()

    bench.runner = JobRunner(bench.db, lambda: bench.now, {"season": do_slowly})
    for number in range(320):
        await bench.db.maintain(job_storage.put, Job("season", str(number), NOON))
    for _ in range(3):
        await asyncio.wait_for(bench.check_soon(), DEADLINE_SECONDS)
    assert 0 < len(running) < 100, "the others wait for room"
    may_end.set()
    await bench.runner.finish()
    assert len(set(running)) == len(running) == 320


async def test_jobs_without_a_handler_are_left_to_a_process_that_has_one() -> None:
    bench = Bench()
    await bench.db.maintain(job_storage.put, Job("elsewhere", "1", NOON))
    await bench.check()
    assert not bench.done
    assert bench.db.jobs


async def test_a_job_that_is_scheduled_anew_while_it_is_done_is_done_once_more() -> None:
    bench, is_at_it, may_end = Bench(), asyncio.Event(), asyncio.Event()

    async def do_slowly(job: Job) -> datetime | None:
        bench.done.append(job)
        is_at_it.set()
        await may_end.wait()
        return None

    bench.runner = JobRunner(bench.db, lambda: bench.now, {"season": do_slowly})
    await bench.db.maintain(job_storage.put, JOB)
    await bench.runner.check()
    await is_at_it.wait()
    anew = replace(JOB, due_at=NOON - timedelta(seconds=1))
    await bench.db.maintain(job_storage.put, anew)
    await bench.check_soon()
    assert bench.done == [JOB], "not twice at once"
    may_end.set()
    await bench.runner.finish()
    assert bench.done == [JOB, anew]
    assert not bench.db.jobs


async def test_a_job_that_is_scheduled_anew_while_it_is_done_and_then_cancelled_is_not_done_once_more() -> None:
    bench, may_end = Bench(), asyncio.Event()

    async def do_slowly(job: Job) -> None:
        bench.done.append(job)
        await may_end.wait()

    bench.runner = JobRunner(bench.db, lambda: bench.now, {"season": do_slowly})
    await bench.db.maintain(job_storage.put, JOB)
    await bench.check_soon()
    await bench.db.maintain(job_storage.put, replace(JOB, due_at=NOON - timedelta(seconds=1)))
    await bench.check_soon()
    await bench.db.maintain(job_storage.remove, JOB.kind, [JOB.key])
    may_end.set()
    await bench.runner.finish()
    assert bench.done == [JOB]


class LongJob:
    """Processes that share jobs, of which one takes some time, with a wall clock that follows the virtual time."""

    def __init__(self, takes: timedelta, next_due: datetime | None = None) -> None:
        self.takes, self.next_due = takes, next_due
        self.db = MemoryDatabase()
        self.began: list[datetime] = []
        self.ended = 0
        self.runners = [JobRunner(self.db, self.now, {"season": self.do}) for _ in range(2)]

    def now(self) -> datetime:
        return NOON + timedelta(seconds=elapsed_seconds())

    async def do(self, _job: Job) -> datetime | None:
        self.began.append(self.now())
        await asyncio.sleep(self.takes.total_seconds())
        self.ended += 1
        return self.next_due

    async def run(self, lasts: timedelta, *, chores: int = 2) -> None:
        """Let some processes do their chores for a time."""
        end = elapsed_seconds() + lasts.total_seconds()
        while elapsed_seconds() < end:
            for runner in self.runners[:chores]:
                await runner.check()
            await asyncio.sleep(5)


@run_in_virtual_time
async def test_a_job_that_takes_longer_than_its_lease_is_begun_once() -> None:
    bench = LongJob(takes=5 * LEASE)
    await bench.db.maintain(job_storage.put, JOB)
    await bench.run(5 * LEASE - timedelta(seconds=5))
    assert (bench.began, bench.ended) == ([NOON], 0)
    assert list(bench.db.jobs.values()) == [JOB], "and stays due when it was"
    await bench.run(LEASE)
    assert (bench.began, bench.ended, bench.db.jobs) == ([NOON], 1, {})


@run_in_virtual_time
async def test_what_a_long_job_returns_counts_although_its_claim_could_not_be_prolonged() -> None:
    bench = LongJob(takes=3 * LEASE, next_due=NOON + 9 * LEASE)
    await bench.db.maintain(job_storage.put, JOB)
    await bench.run(timedelta(seconds=5), chores=1)
    bench.db.broken = {job_storage.claim, job_storage.prolong}
    with pytest.raises(StoreUnavailable):
        await bench.run(2 * LEASE, chores=1)
    await asyncio.sleep(2 * LEASE.total_seconds())
    bench.db.broken = set()
    await bench.run(2 * LEASE, chores=1)
    assert (bench.began, bench.ended) == ([NOON], 1)
    assert [job.due_at for job in bench.db.jobs.values()] == [bench.next_due]


@run_in_virtual_time
async def test_a_process_that_dies_leaves_a_long_job_to_another_when_its_lease_has_run_out() -> None:
    bench = LongJob(takes=3 * LEASE)
    await bench.db.maintain(job_storage.put, JOB)
    await bench.run(2 * LEASE, chores=1)
    await bench.runners[0].close(0)
    del bench.runners[0]
    await bench.run(5 * LEASE)
    assert len(bench.began) == 2
    assert timedelta() < bench.began[1] - (NOON + 2 * LEASE) <= LEASE
    assert (bench.ended, bench.db.jobs) == (1, {})


@run_in_virtual_time
async def test_a_job_that_never_ends_is_stopped_and_done_again(caplog: pytest.LogCaptureFixture) -> None:
    bench = LongJob(takes=2 * LIMIT)
    await bench.db.maintain(job_storage.put, JOB)
    await bench.run(LIMIT + 2 * LEASE)
    assert len(bench.began) == 2
    assert LIMIT <= bench.began[1] - NOON <= LIMIT + LEASE + timedelta(seconds=5)
    assert "season 1 took longer than 1:00:00 and was stopped; it is tried again in 0:05:00" in caplog.text
    assert "Traceback" not in caplog.text
    caplog.clear()
    for runner in bench.runners:
        await runner.close(0)


@pytest.fixture
def final_bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench with a kind of jobs that can't be undone; both clocks run alike but when one is set anew."""
    monkeypatch.setattr("bot.platform.jobs.jobs.SECOND_LOOK_SECONDS", 150.0)
    bench = Bench()
    handlers = {"season": bench.do, "left": bench.do}
    bench.runner = JobRunner(bench.db, lambda: bench.now, handlers, irrevocable=["left"], seconds=lambda: bench.seconds)
    return bench


LEFT = Job("left", "1", NOON)
MONTH = timedelta(days=30)


async def test_a_clock_that_was_wrong_at_both_looks_is_not_believed_once_it_is_right(final_bench: Bench) -> None:
    final_bench.now = NOON + 2 * MONTH
    await final_bench.check()
    await final_bench.check(timedelta(seconds=SECOND_LOOK_SECONDS))
    final_bench.now = NOON
    await final_bench.db.maintain(job_storage.put, replace(LEFT, due_at=NOON + MONTH))
    await final_bench.check()
    assert final_bench.done == []


async def test_what_cannot_be_undone_is_done_when_it_has_been_due_for_a_while(final_bench: Bench) -> None:
    await final_bench.db.maintain(job_storage.put, LEFT)
    for _ in range(15):
        assert final_bench.done == []
        await final_bench.check(timedelta(seconds=10))
    await final_bench.check(timedelta(seconds=10))
    assert final_bench.done == [LEFT]


@pytest.mark.parametrize("wrong_at", [0, 1])
async def test_a_clock_that_is_wrong_at_one_of_two_looks_is_not_believed(final_bench: Bench, wrong_at: int) -> None:
    await final_bench.db.maintain(job_storage.put, replace(LEFT, due_at=NOON + MONTH))
    for look in range(3):
        final_bench.now = NOON + (2 * MONTH if look == wrong_at else timedelta())
        await final_bench.check()
        final_bench.seconds += 150
    assert final_bench.done == []


async def test_what_cannot_be_undone_keeps_nothing_else_waiting(final_bench: Bench) -> None:
    bench, forever = final_bench, asyncio.Event()

    async def delete_for_long(_job: Job) -> None:
        await forever.wait()

    handlers = {"season": bench.do, "left": delete_for_long}
    bench.runner = JobRunner(bench.db, lambda: bench.now, handlers, irrevocable=["left"], seconds=lambda: bench.seconds)
    for number in range(120):
        await bench.db.maintain(job_storage.put, replace(LEFT, key=str(number)))
    for _ in range(4):
        await bench.db.maintain(job_storage.put, replace(JOB, due_at=bench.now))
        await bench.runner.check()
        await wait_until(lambda: (JOB.kind, JOB.key) not in bench.db.jobs)
        bench.now, bench.seconds = bench.now + timedelta(seconds=150), bench.seconds + 150
    forever.set()
    await bench.runner.finish()
    assert not bench.db.jobs


async def test_what_was_put_off_between_two_looks_is_not_done(final_bench: Bench) -> None:
    await final_bench.db.maintain(job_storage.put, LEFT)
    await final_bench.check()
    # The bot has come back to the server, and has left it again.
    await final_bench.db.maintain(job_storage.remove, LEFT.kind, [LEFT.key])
    await final_bench.db.maintain(job_storage.put, replace(LEFT, due_at=NOON + MONTH))
    await final_bench.check(timedelta(seconds=150))
    assert final_bench.done == []
