"""The moves that wait to be saved on PostgreSQL."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine

from bot.platform.database.postgres import atomic_move, move_queue
from bot.platform.database.postgres.atomic_move import Move, save_each
from bot.platform.database.postgres.move_connection import BoundStatement, Outcome
from bot.platform.database.postgres.move_queue import LANES, MoveQueue
from bot.tables.model import Entry
from bot.tables.ports import OutcomeUnknown, StoreUnavailable
from tests.support.fakes import make_table
from tests.support.waiting import wait_until

MOVE = Move(make_table().header, Entry(1, 0, "roll 1", "", 1, datetime(2026, 3, 1, tzinfo=UTC)))
CLOSED = OutcomeUnknown("the store is closed")


class FakeConnection:
    """A connection whose batches have the outcomes that a test says."""

    def __init__(self, on_sent: Callable[[Outcome], None]) -> None:
        self.is_open = True
        self.size = 0
        self._on_sent = on_sent

    def send(self, statements: Sequence[BoundStatement], began_at: float) -> None:
        assert began_at <= time.monotonic()
        self.size = len(statements)

    def close(self, outcome: OutcomeUnknown) -> None:
        if self.is_open:
            self.end(outcome)

    def answer(self, outcome: Outcome) -> None:
        self.size = 0
        self._on_sent(outcome)

    def end(self, outcome: Outcome) -> None:
        self.is_open = False
        if self.size:
            self.answer(outcome)


class Server:
    """Opens connections, and notes which moves are saved alone."""

    def __init__(self) -> None:
        self.connections: list[FakeConnection] = []
        self.alone: list[Sequence[bool]] = []
        """Whether each of them may be saved already."""
        self.fault: Exception | None = None
        self.fault_alone: Exception | None = None
        self.is_pooled = False

    async def connect(self, on_sent: Callable[[Outcome], None]) -> FakeConnection | None:
        if self.fault is not None:
            raise self.fault
        if self.is_pooled:
            return None
        self.connections.append(FakeConnection(on_sent))
        return self.connections[-1]

    async def save_each(
        self, moves: Sequence[Move], may_be_saved: Sequence[bool], taken_at: float
    ) -> Sequence[StoreUnavailable | None]:
        assert taken_at <= time.monotonic()
        self.alone.append(may_be_saved)
        if self.fault_alone is not None:
            raise self.fault_alone
        return [None] * len(moves)

    @property
    def sizes(self) -> list[int]:
        """The numbers of moves that are on their way."""
        return [each.size for each in self.connections if each.is_open]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def queue(server: Server) -> MoveQueue:
    return MoveQueue(server.connect, server.save_each)


async def fill_lanes(server: Server, queue: MoveQueue) -> list[Awaitable[None]]:
    """Save a move on each lane."""
    saved: list[Awaitable[None]] = [queue.save(MOVE) for _ in range(LANES)]
    await wait_until(lambda: server.sizes == [1] * LANES)
    return saved


async def test_moves_that_come_while_others_are_saved_go_together(server: Server, queue: MoveQueue) -> None:
    first = await fill_lanes(server, queue)
    later = [queue.save(MOVE) for _ in range(5)]
    assert (queue.running, queue.waiting) == (LANES, 5)
    server.connections[0].answer([True])
    assert server.sizes == [5, 1]
    server.connections[1].answer([True])
    server.connections[0].answer([True] * 5)
    await asyncio.gather(*first, *later)
    assert (queue.running, queue.waiting) == (0, 0)
    assert server.alone == []


async def test_a_batch_that_fails_is_saved_move_by_move_and_its_connection_is_replaced(
    server: Server, queue: MoveQueue
) -> None:
    first = await fill_lanes(server, queue)
    server.connections[0].end([False])
    server.connections[1].end([None])
    await asyncio.gather(*first)
    assert server.alone == [[False], [True]]
    again = await fill_lanes(server, queue)
    assert len(server.connections) == 2 * LANES
    for each in server.connections[LANES:]:
        each.answer([True])
    await asyncio.gather(*again)


async def test_a_saved_move_stays_saved_whatever_becomes_of_the_others(server: Server, queue: MoveQueue) -> None:
    first = await fill_lanes(server, queue)
    saved, conflicting, lost = (queue.save(MOVE) for _ in range(3))
    server.fault_alone = StoreUnavailable("too many transactions are waiting")
    server.connections[0].answer([True])
    server.connections[0].answer([True, False, None])
    assert saved.done(), "it need not wait for the others"
    await saved
    outcomes = await asyncio.gather(conflicting, lost, return_exceptions=True)
    assert [type(each) for each in outcomes] == [StoreUnavailable, OutcomeUnknown]
    assert server.alone == [[False, True]]
    server.connections[1].answer([True])
    await asyncio.gather(*first)


async def test_a_move_that_has_waited_too_long_is_not_sent(
    server: Server, queue: MoveQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await fill_lanes(server, queue)
    waiting = [queue.save(MOVE) for _ in range(3)]
    monkeypatch.setattr(move_queue, "QUEUE_SECONDS", -1.0)
    for each in server.connections:
        each.answer([True])
    await asyncio.gather(*first)
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [StoreUnavailable] * 3
    assert (server.sizes, queue.running) == ([0, 0], 0)


async def test_moves_that_a_pooler_takes_are_saved_alone(server: Server, queue: MoveQueue) -> None:
    server.is_pooled = True
    await asyncio.gather(*(queue.save(MOVE) for _ in range(2)))
    assert server.alone == [[False], [False]]


async def test_without_a_connection_every_move_fails_and_the_next_is_tried(server: Server, queue: MoveQueue) -> None:
    server.fault = StoreUnavailable("no connection")
    saved = [queue.save(MOVE) for _ in range(5)]
    assert await asyncio.gather(*saved, return_exceptions=True) == [server.fault] * 5
    server.fault = None
    for each in [*await fill_lanes(server, queue)]:
        server.connections.pop(0).answer([True])
        await each


async def test_moves_that_are_not_answered_before_the_end_have_an_unknown_outcome(
    server: Server, queue: MoveQueue
) -> None:
    hanging = await fill_lanes(server, queue)
    await queue.close(0, CLOSED)
    assert await asyncio.gather(*hanging, return_exceptions=True) == [CLOSED] * LANES


async def test_closing_waits_for_the_moves_even_if_nobody_else_does(server: Server, queue: MoveQueue) -> None:
    for each in [queue.save(MOVE) for _ in range(LANES)]:
        each.cancel()
    await wait_until(lambda: server.sizes == [1] * LANES)
    closing = asyncio.create_task(queue.close(60, CLOSED))
    for connection in server.connections:
        await asyncio.sleep(0)
        assert not closing.done()
        connection.answer([True])
    await closing
    assert server.sizes == []


def test_moves_that_are_too_late_are_not_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[object] = []
    monkeypatch.setattr(atomic_move, "transact_autocommit", lambda *_, **__: tried.append(1))
    errors = save_each(create_engine("sqlite://"), [MOVE] * 2, [False, True], deadline=time.monotonic())
    assert [type(each) for each in errors] == [StoreUnavailable, OutcomeUnknown]
    assert tried == []
