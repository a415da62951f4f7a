"""Locks by table: one holder at a time, patience that ends, and nothing left behind."""

import asyncio

import pytest

from bot.tables.runtime.locks import TableLocks
from tests.support.timeouts import DEADLINE_SECONDS


@pytest.fixture
def locks() -> TableLocks:
    return TableLocks()


async def run_until_waiting(task: asyncio.Task[None]) -> None:
    """Let a task come as far as it can."""
    await asyncio.sleep(0)
    assert not task.done()


async def test_a_lock_is_held_by_one_after_the_other_in_order(locks: TableLocks) -> None:
    seen: list[str] = []

    async def hold(name: str) -> None:
        async with locks.hold(1):
            seen.append(f"{name} begins")
            await asyncio.sleep(0)
            seen.append(f"{name} ends")

    await asyncio.gather(*map(hold, "abc"))
    assert seen == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_tables_do_not_wait_for_each_other(locks: TableLocks) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS), locks.hold(1), locks.hold(2):
        assert not await locks.acquire_within(1, 0)
        assert await locks.acquire_within(3, 0)


async def test_a_lock_that_was_let_go_is_promised_to_whoever_waits(locks: TableLocks) -> None:
    await locks.acquire(1)
    waiting = asyncio.create_task(locks.acquire(1))
    await run_until_waiting(waiting)
    locks.release(1)
    assert not await locks.acquire_within(1, 0)
    await waiting
    locks.release(1)
    assert await locks.acquire_within(1, 0)


async def test_whoever_is_patient_gets_it_and_whoever_is_not_does_not(locks: TableLocks) -> None:
    await locks.acquire(1)
    assert not await locks.acquire_within(1, 0.01)
    patient = asyncio.create_task(locks.acquire_within(1, DEADLINE_SECONDS))
    await asyncio.sleep(0)
    locks.release(1)
    assert await patient


async def test_a_block_that_fails_lets_it_go(locks: TableLocks) -> None:
    with pytest.raises(RuntimeError):
        async with locks.hold(1):
            raise RuntimeError
    assert await locks.acquire_within(1, 0)


async def test_whoever_is_cancelled_while_waiting_is_in_nobodys_way(locks: TableLocks) -> None:
    await locks.acquire(1)
    first, second = (asyncio.create_task(locks.acquire(1)) for _ in range(2))
    await run_until_waiting(second)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    locks.release(1)
    async with asyncio.timeout(DEADLINE_SECONDS):
        await second
    locks.release(1)
    assert await locks.acquire_within(1, 0)


async def test_whoever_is_cancelled_at_the_moment_of_getting_it_keeps_nothing(locks: TableLocks) -> None:
    await locks.acquire(1)
    waiting = asyncio.create_task(locks.acquire(1))
    await run_until_waiting(waiting)
    locks.release(1)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert await locks.acquire_within(1, 0)


async def test_what_nobody_wants_takes_no_room(locks: TableLocks) -> None:
    for table_id in range(5):
        async with locks.hold(table_id):
            assert not await locks.acquire_within(table_id, 0.01)
            assert len(locks._locks) == 1
    assert not locks._locks
