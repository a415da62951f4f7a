"""The moves that wait to be saved on PostgreSQL."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine

from bot.store.postgres import atomic_move
from bot.store.postgres.atomic_move import Move, save_moves
from bot.store.postgres.move_queue import MoveQueue
from bot.tables.model import Entry
from bot.tables.ports import StoreUnavailable
from tests.support.fakes import make_table
from tests.support.waiting import wait_until

MOVE = Move(make_table().header, Entry(1, 0, "roll 1", "", 1, datetime(2026, 3, 1, tzinfo=UTC)))


class Batches:
    """Batches under way, which end together."""

    def __init__(self) -> None:
        self.sent: list[asyncio.Future[Sequence[Exception | None]]] = []

    async def save(self, moves: Sequence[Move]) -> Sequence[Exception | None]:
        """Save a batch once the test says so."""
        sent: asyncio.Future[Sequence[Exception | None]] = asyncio.get_running_loop().create_future()
        self.sent.append(sent)
        return await sent


async def test_a_move_that_comes_just_when_all_batches_end_is_saved() -> None:
    batches = Batches()
    queue = MoveQueue(batches.save)
    earlier = [queue.save(MOVE)]
    await wait_until(lambda: len(batches.sent) == 1)
    earlier.append(queue.save(MOVE))
    await wait_until(lambda: len(batches.sent) == 2)
    for each in batches.sent:
        each.set_result([None])
    await asyncio.sleep(0)
    late = queue.save(MOVE)
    await wait_until(lambda: len(batches.sent) == 3)
    batches.sent[2].set_result([None])
    await asyncio.gather(*earlier, late)


def test_moves_that_are_too_late_are_not_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    monkeypatch.setattr(atomic_move, "send_together", lambda _engine, sends: [False] * len(sends))
    monkeypatch.setattr(atomic_move, "transact_autocommit", lambda *_, **__: tried.append(1))
    errors = save_moves(create_engine("sqlite://"), [MOVE, MOVE], deadline=time.monotonic())
    assert [type(each) for each in errors] == [StoreUnavailable, StoreUnavailable]
    assert tried == []
