"""Workers answer, are replaced if they are lost, and never outlive the process that needs them."""

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest

import bot.workers
from bot.workers import Urgency, Worker, WorkerFailed, WorkerLost, WorkerPool
from tests.support.processes import is_running
from tests.support.waiting import DEADLINE_SECONDS, wait_until
from tests.support.worker_calls import (
    add_note,
    announce_and_calculate,
    calculate_for,
    die,
    load_notes,
    open_files,
    process_of,
    raise_fault,
    refuse_to_load,
)

needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system has no /proc")


class Losses:
    """Counts lost workers."""

    count = 0

    def note(self) -> None:
        self.count += 1


@pytest.fixture
def losses() -> Losses:
    return Losses()


@pytest.fixture
async def pool(losses: Losses) -> AsyncIterator[WorkerPool[list[str]]]:
    made = WorkerPool(load_notes, size=1, note_loss=losses.note)
    yield made
    await made.close()


Pool = WorkerPool[list[str]]


async def call(pool: Pool, note: str) -> list[str]:
    return await pool.call(partial(add_note, note), seconds=DEADLINE_SECONDS)


async def test_the_value_is_loaded_once_in_another_process_and_a_failure_is_told_and_costs_nothing(
    pool: Pool, losses: Losses
) -> None:
    assert await call(pool, "one") == ["loaded", "one"]
    with pytest.raises(WorkerFailed, match="lost among 2"):
        await pool.call(raise_fault, seconds=DEADLINE_SECONDS)
    with pytest.raises(WorkerFailed, match="can't be sent"):
        await pool.call(lambda _: None, seconds=DEADLINE_SECONDS)
    assert await call(pool, "two") == ["loaded", "one", "two"]
    assert await pool.call(process_of, seconds=DEADLINE_SECONDS) != os.getpid()
    assert losses.count == 0


async def test_a_worker_that_dies_costs_the_call_that_it_worked_on(pool: Pool, losses: Losses) -> None:
    calls = [pool.call(die, seconds=DEADLINE_SECONDS), call(pool, "one"), call(pool, "two")]
    died, *others = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(died, WorkerLost)
    assert others == [["loaded", "one"], ["loaded", "one", "two"]]
    assert losses.count == 1


async def test_a_worker_that_is_killed_while_it_is_idle_costs_no_call(pool: Pool, losses: Losses) -> None:
    idle = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    os.kill(idle, signal.SIGKILL)
    await wait_until(lambda: all(each.pid != idle for each in active_children()))
    assert await call(pool, "one") == ["loaded", "one"]
    assert losses.count == 1


async def test_a_worker_that_hangs_is_killed_and_the_event_loop_goes_on_meanwhile(pool: Pool, losses: Losses) -> None:
    hanging = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    ticks = 0
    late = asyncio.create_task(pool.call(partial(calculate_for, 10 * DEADLINE_SECONDS), seconds=0.2))
    while not late.done():
        await asyncio.sleep(0.01)
        ticks += 1
    with pytest.raises(WorkerLost, match=r"no answer for 0\.2 seconds"):
        await late
    assert ticks > 5
    assert not is_running(hanging)
    assert await call(pool, "one") == ["loaded", "one"]
    assert losses.count == 1


async def test_a_worker_that_does_not_read_is_killed_in_time(pool: Pool, losses: Losses) -> None:
    stopped = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    os.kill(stopped, signal.SIGSTOP)
    more_than_a_pipe_holds = "." * 10_000_000
    with pytest.raises(WorkerLost, match=r"no answer for 0\.2 seconds"):
        await pool.call(partial(add_note, more_than_a_pipe_holds), seconds=0.2)
    assert not is_running(stopped)
    assert await call(pool, "one") == ["loaded", "one"]
    assert losses.count == 1


async def test_a_worker_outlives_the_terminal_until_its_parent_ends_it(pool: Pool, losses: Losses) -> None:
    worker = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    for number in (signal.SIGINT, signal.SIGHUP):
        os.kill(worker, number)
    assert await call(pool, "one") == ["loaded", "one"]
    assert losses.count == 0


async def test_a_worker_that_cannot_load_says_why() -> None:
    pool = WorkerPool(refuse_to_load, size=1)
    with pytest.raises(WorkerFailed, match="nothing to load"):
        await pool.call(process_of, seconds=DEADLINE_SECONDS)
    await pool.close()


@pytest.mark.parametrize(
    ("lacking", "fault"),
    [
        ("multiprocessing.context.SpawnContext.Pipe", OSError(errno.EMFILE, "Too many open files")),
        ("multiprocessing.context.SpawnProcess.start", OSError(errno.ENOMEM, "Cannot allocate memory")),
        ("multiprocessing.context.SpawnProcess.start", FileNotFoundError(errno.ENOENT, "No such file")),
        ("multiprocessing.context.SpawnProcess.start", MemoryError("no memory")),
        ("asyncio.to_thread", RuntimeError("can't start new thread")),
    ],
    ids=lambda case: case.rsplit(".", 1)[-1] if isinstance(case, str) else type(case).__name__,
)
async def test_a_worker_that_cannot_be_started_costs_no_turn(
    pool: Pool, losses: Losses, monkeypatch: pytest.MonkeyPatch, lacking: str, fault: Exception
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise fault

    with monkeypatch.context() as patched:
        patched.setattr(lacking, fail)
        tries = [call(pool, "never") for _ in range(3)]
        failed = await asyncio.wait_for(asyncio.gather(*tries, return_exceptions=True), DEADLINE_SECONDS)
    assert [type(each) for each in failed] == [WorkerFailed] * 3
    assert all(str(fault) in str(each) for each in failed)
    assert losses.count == 3
    assert await asyncio.wait_for(call(pool, "one"), DEADLINE_SECONDS) == ["loaded", "one"]


async def test_a_loss_that_cannot_be_noted_costs_no_turn() -> None:
    def fail() -> None:
        raise OSError("the disk is full")

    pool = WorkerPool(load_notes, size=1, note_loss=fail)
    idle = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    os.kill(idle, signal.SIGKILL)
    await wait_until(lambda: all(each.pid != idle for each in active_children()))
    with pytest.raises(OSError, match="the disk is full"):
        await call(pool, "never")
    assert await asyncio.wait_for(call(pool, "one"), DEADLINE_SECONDS) == ["loaded", "one"]
    await pool.close()


async def test_a_call_whose_time_nothing_can_measure_fails_and_costs_no_worker(
    pool: Pool, losses: Losses, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await call(pool, "one") == ["loaded", "one"]

    def fail(_timer: threading.Timer) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Timer, "start", fail)
        with pytest.raises(WorkerFailed, match="can't start new thread"):
            await call(pool, "two")
    assert await call(pool, "three") == ["loaded", "one", "three"]
    assert losses.count == 0


async def test_urgent_calls_overtake_those_that_wait(pool: Pool) -> None:
    at_work = asyncio.create_task(pool.call(partial(calculate_for, 0.05), seconds=DEADLINE_SECONDS))
    waiting = [
        asyncio.create_task(pool.call(partial(add_note, name), seconds=DEADLINE_SECONDS, urgency=urgency))
        for name, urgency in (("low", Urgency.LOW), ("given up", Urgency.HIGH), ("high", Urgency.HIGH))
    ]
    await asyncio.sleep(0)
    waiting[1].cancel()
    low, given_up, high = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(given_up, asyncio.CancelledError)
    assert (high, low) == (["loaded", "high"], ["loaded", "high", "low"])
    await at_work


async def test_a_caller_that_gives_up_during_its_call_leaves_the_worker_to_the_next(pool: Pool, losses: Losses) -> None:
    await call(pool, "one")
    given_up = asyncio.create_task(pool.call(partial(calculate_for, 0.1), seconds=DEADLINE_SECONDS))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    given_up.cancel()
    assert await call(pool, "two") == ["loaded", "one", "two"]
    assert losses.count == 0


async def test_a_second_worker_is_started_only_while_the_first_is_busy() -> None:
    pool = WorkerPool(load_notes, size=2)
    first = [await pool.call(process_of, seconds=DEADLINE_SECONDS) for _ in range(3)]
    busy = asyncio.create_task(pool.call(partial(calculate_for, 10 * DEADLINE_SECONDS), seconds=DEADLINE_SECONDS))
    await asyncio.sleep(0)
    second = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    await pool.close()
    assert len({*first}) == 1
    assert second not in first
    with pytest.raises(asyncio.CancelledError):
        await busy


async def test_closing_ends_workers_in_the_middle_of_a_call_and_cancels_what_waits(tmp_path: Path) -> None:
    file, pool = tmp_path / "worker", WorkerPool(load_notes, size=1)
    calls = [
        asyncio.create_task(pool.call(partial(announce_and_calculate, file), seconds=DEADLINE_SECONDS)),
        asyncio.create_task(call(pool, "never")),
    ]
    await wait_until(lambda: file.exists() and file.read_text())
    await pool.close()
    assert not is_running(int(file.read_text()))
    assert all(
        isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*calls, return_exceptions=True)
    )
    with pytest.raises(WorkerFailed, match="have been ended"):
        await call(pool, "too late")


async def test_workers_end_when_nothing_is_asked_of_them(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_idle_seconds", 0.01)
    first = await pool.call(process_of, seconds=DEADLINE_SECONDS)
    await wait_until(lambda: not is_running(first))
    assert await call(pool, "one") == ["loaded", "one"]


@needs_proc
async def test_a_worker_inherits_neither_sockets_nor_files(pool: Pool, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    with socket.create_server(("127.0.0.1", 0)) as listening, file.open("w") as database:
        for each in (listening.fileno(), database.fileno()):
            os.set_inheritable(each, True)
        files = await pool.call(open_files, seconds=DEADLINE_SECONDS)
        inode = os.fstat(listening.fileno()).st_ino
    assert files
    assert str(file) not in files
    assert f"socket:[{inode}]" not in files


_PARENT = """
import sys
from functools import partial
from pathlib import Path
from bot.workers import Worker
from tests.support.worker_calls import announce_and_calculate, load_notes, process_of

if __name__ == "__main__":
    worker, file = Worker(load_notes), Path(sys.argv[1])
    if sys.argv[2] == "busy":
        worker.call(partial(announce_and_calculate, file), 60)
    file.write_text(str(worker.call(process_of, 60)))
    sys.stdin.read()
"""


@pytest.mark.parametrize("what", ["idle", "busy"])
async def test_a_worker_ends_when_its_parent_is_killed(tmp_path: Path, what: str) -> None:
    script, file = tmp_path / "parent.py", tmp_path / "worker"
    script.write_text(_PARENT)
    root = Path(bot.workers.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    parent = await asyncio.create_subprocess_exec(sys.executable, script, file, what, env=environment, stdin=PIPE)
    await wait_until(lambda: file.exists() and file.read_text())
    worker = int(file.read_text())
    assert is_running(worker)
    parent.kill()
    await parent.wait()
    await wait_until(lambda: not is_running(worker))


def test_an_ended_worker_that_was_never_asked_has_no_process() -> None:
    worker = Worker(load_notes)
    worker.end()
    assert not worker.is_alive
