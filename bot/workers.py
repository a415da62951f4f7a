"""Processes that calculate for this one, so that its event loop has the interpreter to itself, and that end with it."""

import asyncio
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, Generic, NamedTuple, TypeVar

START_SECONDS: Final = 60.0
"""How long the start of a worker takes at most; usually it is one second."""

IDLE_SECONDS: Final = 300.0
"""How long a pool keeps its workers after the last call."""

_JOIN_SECONDS: Final = 1.0

_NO_RESOURCES: Final = (OSError, MemoryError, RuntimeError)
"""What is raised if there are no more files, memory, processes or threads."""

NICENESS: Final = 10
"""On a single core, what answers people comes first."""

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")


class WorkerLost(Exception):
    """A worker died or gave no answer in time; it is gone."""


class WorkerFailed(Exception):
    """A worker can't be started, or what it was asked can't be sent to it or raised there; the message says why."""


class Worker(Generic[T_co]):
    """A process that has a value, such as loaded games, and calls functions with it, one at a time.

    It is spawned, not forked: it inherits neither sockets and files nor locks that threads hold.
    """

    def __init__(self, load: Callable[[], T_co], niceness: int = NICENESS) -> None:
        """Set a worker up; its process is started by the first call.

        Args:
            load: Returns the value; called in the process.
            niceness: How far other processes come before it.
        """
        self._load = load
        self._niceness = niceness
        self._running: _Running | None = None
        self._is_ended = False

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._running is not None and self._running.process.is_alive()

    def call(self, function: Callable[[T_co], R], seconds: float) -> R:
        """Return what a function returns for the value; waits until then, for some seconds at most.

        The function must be one of a module, or a `partial` of one.

        Raises:
            WorkerLost: The process has died, or took longer.
            WorkerFailed: The process can't be started, or the function can't be sent or raised.
        """
        running = self._running or self._start()
        result: R = _unpack(self._exchange(running, _pack(function), seconds))
        return result

    def end(self) -> None:
        """End the process, also during a call; waits for a few milliseconds."""
        self._is_ended = True
        if self._running is not None:
            self._running.process.kill()
            self._running.process.join(_JOIN_SECONDS)

    def _start(self) -> "_Running":
        try:
            self._running = running = _start_process(self._load, self._niceness)
            if self._is_ended:
                running.process.kill()
            _unpack(self._exchange(running, None, START_SECONDS))
        except (*_NO_RESOURCES, WorkerFailed, WorkerLost) as fault:
            self.end()
            raise WorkerFailed(f"no worker can be started: {fault}") from fault
        return running

    def _exchange(self, running: "_Running", request: bytes | None, seconds: float) -> bytes:
        """Send a request, if any, and return the next answer; killing a process that takes longer ends both."""
        is_late = threading.Event()
        timer = threading.Timer(seconds, _kill_late, (running, is_late))
        timer.daemon = True
        try:
            timer.start()
        except _NO_RESOURCES as fault:
            raise WorkerFailed(f"nothing can end a worker that takes too long: {fault}") from fault
        try:
            if request is not None:
                running.connection.send_bytes(request)
            return running.connection.recv_bytes()
        except (EOFError, OSError):
            reason = f"gave no answer for {seconds:g} seconds" if is_late.is_set() else "died"
        finally:
            timer.cancel()
        self.end()
        raise WorkerLost(f"a worker {reason}")


class _Running(NamedTuple):
    """A process that was started, and this end of its pipe."""

    process: SpawnProcess
    connection: Connection


def _start_process(load: Callable[[], object], niceness: int) -> _Running:
    context = get_context("spawn")
    connection, far_end = context.Pipe()
    # A far end that stayed open here would hide that the process has died.
    with far_end:
        process = context.Process(target=_serve, args=(far_end, load, niceness), name="worker", daemon=True)
        process.start()
    return _Running(process, connection)


def _kill_late(running: _Running, is_late: threading.Event) -> None:
    is_late.set()
    running.process.kill()


def _pack(function: object) -> bytes:
    try:
        return pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
    except Exception as fault:
        raise WorkerFailed(f"this can't be sent to a worker: {fault!r}") from fault


def _unpack(answer: bytes) -> Any:
    is_done, result = pickle.loads(answer)  # noqa: S301 - a process of our own wrote it
    if not is_done:
        raise WorkerFailed(result)
    return result


def _serve(connection: Connection, load: Callable[[], object], niceness: int) -> None:
    """Load the value, and answer requests until the other end of the pipe closes."""
    # Ctrl+C and the end of a terminal reach all its processes; the parent ends this one in its own time.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # The parent may be killed at any moment, also before an answer is sent.
    with suppress(EOFError, OSError):
        _answer_requests(connection, load)


def _answer_requests(connection: Connection, load: Callable[[], object]) -> None:
    try:
        value = load()
    except Exception:  # noqa: BLE001 - the parent gets it
        connection.send_bytes(_failure())
        return
    connection.send_bytes(_success(None))
    while True:
        connection.send_bytes(_answer(connection.recv_bytes(), value))


def _end_with_parent() -> None:
    """End the process once its parent has ended, whatever is being calculated."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _answer(request: bytes, value: object) -> bytes:
    try:
        return _success(pickle.loads(request)(value))  # noqa: S301 - our own process wrote it
    except Exception:  # noqa: BLE001 - the parent gets it
        return _failure()


def _success(result: object) -> bytes:
    return pickle.dumps((True, result), pickle.HIGHEST_PROTOCOL)


def _failure() -> bytes:
    return pickle.dumps((False, traceback.format_exc()), pickle.HIGHEST_PROTOCOL)


class Urgency(IntEnum):
    """Which waiting calls come first."""

    HIGH = 0
    LOW = 1


class WorkerPool(Generic[T_co]):
    """Workers for calls from the event loop. They are started when they are needed, and replaced if they are lost."""

    def __init__(
        self,
        load: Callable[[], T_co],
        *,
        size: int,
        note_loss: Callable[[], None] = lambda: None,
        niceness: int = NICENESS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """Set a pool up.

        Args:
            load: Returns the value of a worker; called in its process.
            size: The number of calls at a time.
            note_loss: Called for each worker that died, took too long or could not be started.
            niceness: How far other processes come before the workers.
            idle_seconds: How long workers are kept after the last call.
        """
        self._load = load
        self._niceness = niceness
        self._idle_seconds = idle_seconds
        self._note_loss = note_loss
        self._free_turns = size
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._calls: dict[asyncio.Task[Any], Worker[T_co]] = {}
        self._idle: list[Worker[T_co]] = []
        self._idle_timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def is_running(self) -> bool:
        """Whether there is a worker, which need not be started by the next call."""
        return bool(self._calls or self._idle)

    async def call(self, function: Callable[[T_co], R], *, seconds: float, urgency: Urgency = Urgency.HIGH) -> R:
        """Return what a function returns in a worker, as `Worker.call` does; the seconds begin when one is free.

        Raises:
            WorkerLost: The worker died, or took longer.
            WorkerFailed: No worker can be started, or the function can't be sent or raised.
        """
        await self._take_turn(urgency)
        try:
            worker = self._take_worker()
            call = asyncio.create_task(_call_in_thread(worker, function, seconds), name="worker")
        except BaseException:
            self._pass_turn()
            raise
        self._calls[call] = worker
        call.add_done_callback(self._on_done)
        # The worker is busy until it has answered, even if nobody waits for that any more.
        return await asyncio.shield(call)

    async def close(self) -> None:
        """End all workers; calls are cancelled."""
        self._is_closed = True
        workers = [*self._calls.values(), *self._idle]
        for waiting in (*self._calls, *(turn for *_, turn in self._waiting)):
            waiting.cancel()
        self._stop_idle_timer()
        await asyncio.gather(*(asyncio.to_thread(worker.end) for worker in workers))

    async def _take_turn(self, urgency: Urgency) -> None:
        if self._is_closed:
            raise WorkerFailed("the workers have been ended")
        if self._free_turns:
            self._free_turns -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (urgency, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_turn()
            raise

    def _pass_turn(self) -> None:
        while self._waiting:
            *_, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free_turns += 1

    def _take_worker(self) -> Worker[T_co]:
        """Return the worker that was used last, which has the most in its caches, or a new one."""
        self._stop_idle_timer()
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self._note_loss()
        return Worker(self._load, self._niceness)

    def _on_done(self, call: asyncio.Task[Any]) -> None:
        worker = self._calls.pop(call)
        if not call.cancelled():
            call.exception()  # which may be nobody's any more
        if self._is_closed:
            return
        # First of all: a turn that is not passed on is lost until the next start.
        self._pass_turn()
        if worker.is_alive:
            self._idle.append(worker)
        else:
            self._note_loss()
        if not self._calls:
            self._idle_timer = call.get_loop().call_later(self._idle_seconds, self._end_idle)

    def _stop_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _end_idle(self) -> None:
        for worker in self._idle:
            asyncio.get_running_loop().run_in_executor(None, worker.end)
        self._idle.clear()


async def _call_in_thread(worker: Worker[T_co], function: Callable[[T_co], R], seconds: float) -> R:
    try:
        return await asyncio.to_thread(worker.call, function, seconds)
    except _NO_RESOURCES as fault:
        # The thread that could not be started leaves its work to another, which finds the worker ended.
        worker.end()
        raise WorkerFailed(f"no thread can wait for a worker: {fault}") from fault
