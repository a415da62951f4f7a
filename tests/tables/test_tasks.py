"""Background work: one task per key, and no failure is lost."""

import asyncio
import logging

import pytest

from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.trace import current_trace, note_saved, start_trace
from bot.platform.tasks import TaskSet
from tests.support.virtual_time import run_in_virtual_time
from tests.support.waiting import Gate


class GatedWork:
    """Counts its runs and waits at a gate."""

    def __init__(self) -> None:
        self.runs = 0
        self.gate = Gate()

    async def run(self) -> None:
        self.runs += 1
        await self.gate.wait()


async def test_a_key_has_one_task_at_a_time() -> None:
    tasks, work = TaskSet("test"), GatedWork()
    for _ in range(3):
        tasks.start("a", work.run())
    tasks.start("b", work.run())
    await work.gate.reached.wait()
    tasks.start("a", work.run())
    await asyncio.sleep(0)
    assert work.runs == 2
    assert not tasks.is_idle
    work.gate.open()
    await tasks.finish()
    assert work.runs == 2


@run_in_virtual_time
async def test_the_age_of_the_oldest_task_is_known() -> None:
    tasks, first, second = TaskSet("test"), GatedWork(), GatedWork()
    tasks.start("first", first.run())
    await asyncio.sleep(3)
    tasks.start("second", second.run())
    await asyncio.sleep(2)
    assert tasks.oldest_seconds() == 5
    first.gate.open()
    await asyncio.sleep(1)
    assert tasks.oldest_seconds() == 3
    second.gate.open()
    await tasks.finish()
    assert tasks.oldest_seconds() == 0


async def test_a_key_can_be_started_again_the_moment_it_has_ended() -> None:
    tasks, work = TaskSet("test"), GatedWork()
    work.gate.open()
    for runs in range(1, 20):
        tasks.start("a", work.run())
        for _ in range(runs % 4):
            await asyncio.sleep(0)
        await tasks.finish()
        assert work.runs == runs


@pytest.mark.parametrize("is_delayed", [False, True])
async def test_a_start_between_the_end_and_its_callback_counts(*, is_delayed: bool) -> None:
    tasks, work = TaskSet("test"), GatedWork()
    ended = asyncio.Event()

    async def first() -> None:
        ended.set()

    tasks.start("a", first())
    await ended.wait()
    if is_delayed:
        tasks.start_later("a", 0, work.run)
    else:
        tasks.start("a", work.run())
    await work.gate.reached.wait()
    assert tasks.is_busy("a")
    tasks.start("a", work.run())  # the notice of the first has come by now, and the second still runs
    work.gate.open()
    await tasks.finish()
    assert work.runs == 1


async def test_a_failure_is_logged_and_ends_only_its_own_key(caplog: pytest.LogCaptureFixture) -> None:
    tasks, work = TaskSet("conjurer"), GatedWork()

    async def fail() -> None:
        raise ValueError("the rabbit is gone")

    tasks.start(7, fail())
    tasks.start(8, work.run())
    await work.gate.reached.wait()
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "conjurer" in record.getMessage()
    assert "7" in record.getMessage()
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)
    caplog.clear()
    work.gate.open()
    await tasks.finish()
    tasks.start(7, work.run())
    await tasks.finish()
    assert work.runs == 2


async def test_only_an_outage_of_the_store_is_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(fault: Exception) -> None:
        raise fault

    for fault, errors in ((StoreUnavailable("down"), 0), (OSError("a fault"), 1)):
        tasks = TaskSet("test")
        tasks.start("a", fail(fault))
        await tasks.finish()
        assert len([record for record in caplog.records if record.levelno == logging.ERROR]) == errors
    caplog.clear()


async def test_there_is_room_while_fewer_tasks_than_the_limit_run() -> None:
    tasks, work = TaskSet("test"), GatedWork()
    tasks.start("a", work.run())
    await tasks.wait_for_room(2)
    tasks.start("b", work.run())
    waiting = asyncio.create_task(tasks.wait_for_room(2))
    await asyncio.sleep(0)
    assert not waiting.done()
    work.gate.open()
    await waiting
    await tasks.finish()


async def test_finish_waits_for_tasks_started_meanwhile() -> None:
    tasks, done = TaskSet("test"), []

    async def chain(left: int) -> None:
        await asyncio.sleep(0)
        done.append(left)
        if left:
            tasks.start(left - 1, chain(left - 1))

    tasks.start(5, chain(5))
    await tasks.finish()
    assert done == [5, 4, 3, 2, 1, 0]


async def test_cancel_stops_all_and_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    tasks, work, ended = TaskSet("test"), GatedWork(), []

    async def wait(name: str) -> None:
        try:
            await work.gate.wait()
        finally:
            ended.append(name)

    tasks.start("a", wait("a"))
    tasks.start("b", wait("b"))
    await work.gate.reached.wait()
    await asyncio.sleep(0)
    await tasks.cancel_all()
    assert sorted(ended) == ["a", "b"]
    assert caplog.records == []


async def test_a_delayed_task_starts_by_itself_and_once() -> None:
    """The earliest of several timers wins."""
    tasks, work = TaskSet("test"), GatedWork()
    for seconds in (0, 0, 3600):
        tasks.start_later("a", seconds, work.run)
    await work.gate.reached.wait()
    tasks.start_later("a", 0, work.run)
    work.gate.open()
    await tasks.finish()
    assert work.runs == 1


async def test_a_delayed_task_can_be_cancelled_and_requested_again() -> None:
    tasks, work = TaskSet("test"), GatedWork()
    work.gate.open()
    tasks.start_later("a", 0, work.run)
    tasks.cancel_pending("a")
    tasks.cancel_pending("b")
    assert tasks.is_idle
    tasks.start_later("a", 3600, work.run)
    for _ in range(5):
        await asyncio.sleep(0)
    assert work.runs == 0, "the cancelled timer starts nothing"
    await tasks.finish()  # ... which does not wait for an hour
    assert work.runs == 1


async def test_cancelling_a_running_task_is_no_failure_and_leaves_other_keys_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tasks, work, other = TaskSet("test"), GatedWork(), GatedWork()
    tasks.start("a", work.run())
    (running,) = asyncio.all_tasks() - {asyncio.current_task()}
    tasks.start("b", other.run())
    await other.gate.reached.wait()
    tasks.cancel_running("a")
    tasks.cancel_running("c")
    assert tasks.is_busy("b")
    other.gate.open()
    await tasks.finish()
    assert running.cancelled()
    assert tasks.is_idle
    assert caplog.records == []


async def test_after_cancel_no_task_starts() -> None:
    tasks, work = TaskSet("test"), GatedWork()
    tasks.start_later("a", 0, work.run)
    await tasks.cancel_all()
    tasks.start("a", work.run())
    tasks.start_later("b", 0, work.run)
    await tasks.finish()
    assert work.runs == 0


async def test_background_work_saves_for_no_interaction() -> None:
    """A person whose click has started it may still be told that their own change was not saved."""
    tasks, trace = TaskSet("test"), start_trace()

    async def save() -> None:
        note_saved()
        assert current_trace() is trace, "its log lines belong to the interaction"

    tasks.start("now", save())
    tasks.start_later("later", 3600.0, save)
    await tasks.finish()
    assert not trace.is_saved
    await save()
    assert trace.is_saved
