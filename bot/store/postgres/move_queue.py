"""The moves that wait to be saved: those that come while others are being saved go together."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bot.store.postgres.atomic_move import Move

BATCH_SIZE: Final = 32
"""How many moves are saved together at most."""

_LANES: Final = 2
"""How many batches are on their way at once: one is prepared while the server writes the other."""

SaveBatch = Callable[[Sequence[Move]], Awaitable[Sequence[Exception | None]]]
"""Saves moves, and returns the error of each that is not saved."""


class MoveQueue:
    """Saves moves in batches."""

    def __init__(self, save_batch: SaveBatch) -> None:
        self._save_batch = save_batch
        self._waiting: deque[tuple[Move, asyncio.Future[None]]] = deque()
        self._lanes = 0
        """How many tasks are saving."""
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """How many moves wait for others to be saved."""
        return len(self._waiting)

    def save(self, move: Move) -> asyncio.Future[None]:
        """Save a move, even if no one waits for the future."""
        saved = asyncio.get_running_loop().create_future()
        self._waiting.append((move, saved))
        if self._lanes < _LANES:
            self._lanes += 1
            lane = asyncio.create_task(self._save_waiting(), name="moves")
            self._tasks.add(lane)
            lane.add_done_callback(self._tasks.discard)
        return saved

    async def _save_waiting(self) -> None:
        try:
            while self._waiting:
                await self._save_next()
        finally:
            # At once: a move that comes before the task's callbacks must find that this lane has ended.
            self._lanes -= 1

    async def _save_next(self) -> None:
        batch = [self._waiting.popleft() for _ in range(min(BATCH_SIZE, len(self._waiting)))]
        errors: Sequence[Exception | None]
        try:
            errors = await self._save_batch([move for move, _ in batch])
        except Exception as fault:  # noqa: BLE001 - those who wait raise it
            errors = [fault] * len(batch)
        for (_, saved), error in zip(batch, errors, strict=True):
            _resolve(saved, error)


def _resolve(saved: asyncio.Future[None], error: Exception | None) -> None:
    if saved.done():
        return
    if error is None:
        saved.set_result(None)
    else:
        saved.set_exception(error)
