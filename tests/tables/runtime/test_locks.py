"""Table locks: one holder at a time, a wait that ends, and nothing left behind."""

import asyncio
from weakref import ref

import pytest

from bot.tables.memory import TableLocks, acquire_within
from tests.support.waiting import DEADLINE_SECONDS


@pytest.fixture
def locks() -> TableLocks:
    return TableLocks()


@pytest.fixture
def lock(locks: TableLocks) -> asyncio.Lock:
    return locks.for_table(1)


async def run_until_waiting(task: asyncio.Task[bool]) -> None:
    """Let a task run as far as it can."""
    await asyncio.sleep(0)
    assert not task.done()


async def test_holders_take_turns_in_order(locks: TableLocks) -> None:
    seen: list[str] = []

    async def hold(name: str) -> None:
        async with locks.for_table(1):
            seen.append(f"{name} begins")
            await asyncio.sleep(0)
            seen.append(f"{name} ends")

    await asyncio.gather(*map(hold, "abc"))
    assert seen == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_tables_do_not_wait_for_each_other(locks: TableLocks) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS), locks.for_table(1), locks.for_table(2):
        assert not await acquire_within(locks.for_table(1), 0)
        assert await acquire_within(locks.for_table(3), 0)


async def test_a_released_lock_goes_to_the_waiter(lock: asyncio.Lock) -> None:
    await lock.acquire()
    waiting = asyncio.create_task(lock.acquire())
    await run_until_waiting(waiting)
    lock.release()
    assert not await acquire_within(lock, 0)
    await waiting
    lock.release()
    assert await acquire_within(lock, 0)


async def test_waiting_ends_with_the_lock_or_after_the_given_seconds(lock: asyncio.Lock) -> None:
    await lock.acquire()
    assert not await acquire_within(lock, 0.01)
    waiting = asyncio.create_task(acquire_within(lock, DEADLINE_SECONDS))
    await run_until_waiting(waiting)
    lock.release()
    assert await waiting


async def test_a_failing_block_releases_the_lock(locks: TableLocks) -> None:
    with pytest.raises(RuntimeError):
        async with locks.for_table(1):
            raise RuntimeError
    assert await acquire_within(locks.for_table(1), 0)


async def test_a_cancelled_waiter_does_not_block_the_next(lock: asyncio.Lock) -> None:
    await lock.acquire()
    first, second = (asyncio.create_task(acquire_within(lock, DEADLINE_SECONDS)) for _ in range(2))
    await run_until_waiting(second)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    lock.release()
    assert await second
    lock.release()
    assert await acquire_within(lock, 0)


async def test_a_waiter_cancelled_while_it_gets_the_lock_does_not_keep_it(lock: asyncio.Lock) -> None:
    await lock.acquire()
    waiting = asyncio.create_task(acquire_within(lock, DEADLINE_SECONDS))
    await run_until_waiting(waiting)
    lock.release()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert await acquire_within(lock, 0)


async def test_a_lock_exists_while_it_is_held_or_awaited(locks: TableLocks) -> None:
    async with locks.for_table(1):
        held = ref(locks.for_table(1))
        waiting = asyncio.create_task(acquire_within(locks.for_table(1), DEADLINE_SECONDS))
        await run_until_waiting(waiting)
    assert held() is locks.for_table(1)
    assert await waiting
    del waiting
    assert held() is None
