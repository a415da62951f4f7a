"""The moves that wait to be saved: those that come while others are being saved go together."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from bot.platform.database.database import QUEUE_SECONDS, TOO_MANY_WAITING
from bot.platform.database.postgres.atomic_move import Move, bind_move
from bot.platform.database.postgres.move_connection import BoundStatement, Outcome
from bot.tables.ports import OutcomeUnknown, StoreUnavailable

BATCH_SIZE: Final = 32
"""How many moves are saved together at most."""

LANES: Final = 2
"""How many batches are on their way at once: one is prepared while the server writes the other."""


class BatchConnection(Protocol):
    """A connection for batches of statements: `MoveConnection`."""

    is_open: bool

    def send(self, statements: Sequence[BoundStatement], began_at: float) -> None:
        """Send a batch, whose outcome comes later; the time for it counts from a monotonic time."""

    def close(self, outcome: OutcomeUnknown) -> None:
        """Disconnect; a batch that is on its way has the given outcome."""


Connect: TypeAlias = Callable[[Callable[[Outcome], None]], Awaitable[BatchConnection | None]]
"""Returns a connection that calls the function with outcomes, or None where moves need transactions."""

SaveEach: TypeAlias = Callable[[Sequence[Move], Sequence[bool], float], Awaitable[Sequence[Exception | None]]]
"""Saves moves alone, and returns the error of each that can't be saved.

It is told whether each may be saved already, and the monotonic time at which they were taken from the queue.
"""


class WaitingMove(NamedTuple):
    """A move, and the future of who waits for it."""

    move: Move
    statement: BoundStatement
    saved: asyncio.Future[None]
    queued_at: float


class MoveQueue:
    """Saves moves in batches, in a few lanes."""

    def __init__(self, connect: Connect, save_each: SaveEach) -> None:
        self._waiting: deque[WaitingMove] = deque()
        self._lanes = [_Lane(self._waiting, connect, save_each, self._rest) for _ in range(LANES)]
        self._resting = list(self._lanes)
        self._finished: asyncio.Future[None] | None = None

    @property
    def running(self) -> int:
        """How many batches are being saved."""
        return len(self._lanes) - len(self._resting)

    @property
    def waiting(self) -> int:
        """How many moves wait for others to be saved."""
        return len(self._waiting)

    def save(self, move: Move) -> asyncio.Future[None]:
        """Save a move, even if no one waits for the future."""
        saved = asyncio.get_running_loop().create_future()
        self._waiting.append(WaitingMove(move, bind_move(move), saved, time.monotonic()))
        if self._resting:
            # The last one has a connection that works.
            self._resting.pop().start()
        return saved

    async def close(self, seconds: float, outcome: OutcomeUnknown) -> None:
        """Wait some seconds for the moves, then disconnect; those that are still on their way have the outcome."""
        if self.running:
            self._finished = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._finished], timeout=seconds)
        for lane in self._lanes:
            lane.close(outcome)

    def _rest(self, lane: "_Lane") -> None:
        self._resting.append(lane)
        if self._finished is not None and not self.running and not self._finished.done():
            self._finished.set_result(None)


class _Lane:
    """Saves one batch after another for as long as moves wait."""

    def __init__(
        self, waiting: deque[WaitingMove], connect: Connect, save_each: SaveEach, on_rest: Callable[["_Lane"], None]
    ) -> None:
        self._waiting = waiting
        self._connect = connect
        self._save_each = save_each
        self._on_rest = on_rest
        self._connection: BatchConnection | None = None
        self._batch: list[WaitingMove] = []
        self._taken_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Send the moves that have waited longest, except those that have waited too long."""
        self._taken_at = time.monotonic()
        while self._waiting and self._waiting[0].queued_at < self._taken_at - QUEUE_SECONDS:
            _resolve(self._waiting.popleft().saved, StoreUnavailable(TOO_MANY_WAITING))
        self._batch = [self._waiting.popleft() for _ in range(min(BATCH_SIZE, len(self._waiting)))]
        if not self._batch:
            self._on_rest(self)
        elif self._connection is not None and self._connection.is_open:
            self._send(self._connection)
        else:
            self._task = asyncio.create_task(self._connect_first(), name="moves")

    def close(self, outcome: OutcomeUnknown) -> None:
        """Disconnect; the batch that is on its way has the given outcome."""
        if self._connection is not None:
            self._connection.close(outcome)

    async def _connect_first(self) -> None:
        try:
            self._connection = await self._connect(self._on_sent)
        except Exception as fault:  # noqa: BLE001 - those who wait raise it
            self._end_batch([fault] * len(self._batch))
            return
        if self._connection is None:
            await self._save_others([False] * len(self._batch))
        else:
            self._send(self._connection)

    def _send(self, connection: BatchConnection) -> None:
        connection.send([each.statement for each in self._batch], self._taken_at)

    def _on_sent(self, outcome: Outcome) -> None:
        if isinstance(outcome, OutcomeUnknown):
            self._end_batch([outcome] * len(self._batch))
        elif all(outcome):
            self._end_batch([None] * len(self._batch))
        else:
            sent, self._batch, may_be_saved = self._batch, [], []
            for each, is_saved in zip(sent, outcome, strict=True):
                if is_saved:
                    _resolve(each.saved, None)
                else:
                    self._batch.append(each)
                    may_be_saved.append(is_saved is None)
            self._task = asyncio.create_task(self._save_others(may_be_saved), name="moves")

    async def _save_others(self, may_be_saved: Sequence[bool]) -> None:
        errors: Sequence[Exception | None]
        try:
            errors = await self._save_each([each.move for each in self._batch], may_be_saved, self._taken_at)
        except StoreUnavailable as fault:
            errors = [OutcomeUnknown(str(fault)) if is_unknown else fault for is_unknown in may_be_saved]
        except Exception as fault:  # noqa: BLE001 - those who wait raise it
            errors = [fault] * len(self._batch)
        self._end_batch(errors)

    def _end_batch(self, errors: Sequence[Exception | None]) -> None:
        for each, error in zip(self._batch, errors, strict=True):
            _resolve(each.saved, error)
        if self._waiting:
            self.start()
        else:
            self._on_rest(self)


def _resolve(saved: asyncio.Future[None], error: Exception | None) -> None:
    if saved.done():
        return
    if error is None:
        saved.set_result(None)
    else:
        saved.set_exception(error)
