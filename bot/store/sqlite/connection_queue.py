"""One connection to an SQLite file, and the transactions that wait for it."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import Connection
from sqlalchemy.engine import URL

from bot.store.database import ANSWER_SECONDS, CLOSING_SECONDS, LOCK_SECONDS, QUEUE_SECONDS, STATEMENT_SECONDS
from bot.store.sqlite.connection import (
    RUN,
    Driver,
    Failure,
    Transacted,
    connected,
    driver_of,
    engine_for,
    transact,
    transact_all,
    transact_by_driver,
)
from bot.tables.ports import Meanwhile, OutcomeUnknown, StoreUnavailable

T = TypeVar("T")

_LATE: Final = "too many transactions are waiting"
_SILENT: Final = "the disk does not answer"


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A function that waits for its transaction."""

    work: Callable[[Connection], Any]
    answer: asyncio.Future[Any]
    by_driver: bool
    """Whether it writes by the driver's own connection alone."""
    meanwhile: Meanwhile | None


@dataclass(frozen=True, slots=True)
class Opened:
    """An open connection."""

    thread: aiosqlite.Connection
    connection: Connection
    """The same as SQLAlchemy has it, for the thread alone."""


class Lane:
    """Runs transactions on one connection, in aiosqlite's thread; it is opened when the first one comes."""

    def __init__(self, url: URL, *, begin: str, pragmas: tuple[str, ...], together: int, is_writing: bool) -> None:
        self._engine = engine_for(url, begin=begin, pragmas=pragmas, patience=LOCK_SECONDS)
        self._together = together
        self._given_up: type[StoreUnavailable] = OutcomeUnknown if is_writing else StoreUnavailable
        self._opened: Opened | None = None
        self._waiting: deque[Waiting] = deque()
        self._running: asyncio.Task[None] | None = None

    async def run(
        self, work: Callable[[Connection], T], *, by_driver: bool = False, meanwhile: Meanwhile | None = None
    ) -> T:
        """Run a function in a transaction, to its end even when the caller is cancelled.

        One that writes by the driver's own connection alone may be spared what SQLAlchemy does for a transaction, and
        something may be done meanwhile.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        waiting = Waiting(work, answer, by_driver, meanwhile)
        self._waiting.append(waiting)
        if self._running is None:
            self._running = asyncio.create_task(self._run_waiting(), name="sqlite")
        patience = loop.call_later(QUEUE_SECONDS, self._give_up_waiting, waiting)
        try:
            return await answer
        finally:
            if not answer.cancelled():
                patience.cancel()

    async def close(self) -> None:
        """Wait for what is running, for some seconds, and close the connection."""
        if self._running is not None:
            await asyncio.wait([self._running], timeout=CLOSING_SECONDS)
        if self._running is None and self._opened is not None:
            opened, self._opened = self._opened, None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await opened.thread.execute(RUN, [opened.connection.close])
                    await opened.thread.close()

    def _give_up_waiting(self, waiting: Waiting) -> None:
        """Tell who has waited for so long without getting the connection that nothing was done."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)
            _answer(waiting, Failure(StoreUnavailable(_LATE)))

    async def _run_waiting(self) -> None:
        """Run what waits until nothing does; only one such task exists, so the thread has one call at a time."""
        try:
            while self._waiting:
                if self._opened is None:
                    await self._connect()
                else:
                    taken = [self._waiting.popleft() for _ in range(min(self._together, len(self._waiting)))]
                    await self._run_taken(self._opened, taken)
        finally:
            self._running = None

    async def _connect(self) -> None:
        """Open the connection; where it can't be opened, all who wait are told."""
        made: list[Connection] = []

        def make() -> Driver:
            made.append(connected(self._engine))
            return driver_of(made[0])

        thread = aiosqlite.Connection(make, iter_chunk_size=1)
        try:
            await thread
        except Exception as fault:  # noqa: BLE001 - whoever waits is told
            while self._waiting:
                _answer(self._waiting.popleft(), Failure(fault))
        else:
            self._opened = Opened(thread, made[0])

    async def _run_taken(self, opened: Opened, taken: Sequence[Waiting]) -> None:
        results: list[object] = []

        def run() -> None:
            results.extend(transact_all(opened.connection, [each.work for each in taken], _way_of(taken)))

        loop = asyncio.get_running_loop()
        timers = (
            # A statement that takes too long is ended, and so its transaction; a commit goes on.
            loop.call_later(STATEMENT_SECONDS, driver_of(opened.connection).interrupt),
            # The connection is of use to nobody until the disk answers: who waits for it then is told after a while.
            loop.call_later(ANSWER_SECONDS, _hand_back, taken, [Failure(self._given_up(_SILENT))] * len(taken)),
        )
        try:
            await opened.thread.execute(RUN, [run])
        finally:
            for timer in timers:
                timer.cancel()
        _hand_back(taken, results)


def _way_of(works: Sequence[Waiting]) -> Transacted:
    """Choose how works are run in a transaction.

    Only where there is a single one the event loop has nothing better to do while the disk is waited for.
    """
    if not all(each.by_driver for each in works):
        return transact
    if len(works) != 1:
        return transact_by_driver
    return partial(transact_by_driver, settled=partial(_let_be_done, works[0]))


def _let_be_done(work: Waiting) -> None:
    if work.meanwhile is not None:
        # Where the event loop is gone nothing is to be shown any more.
        with contextlib.suppress(RuntimeError):
            work.answer.get_loop().call_soon_threadsafe(work.meanwhile)


def _hand_back(taken: Sequence[Waiting], results: Sequence[object]) -> None:
    for waiting, result in zip(taken, results, strict=True):
        _answer(waiting, result)


def _answer(waiting: Waiting, result: object) -> None:
    if waiting.answer.done():
        # Whoever asked was cancelled meanwhile, or has been told that nobody knows.
        return
    if isinstance(result, Failure):
        waiting.answer.set_exception(result.error)
    else:
        waiting.answer.set_result(result)
