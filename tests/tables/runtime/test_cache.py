"""Tables in memory: a bounded cache, never older than the last published revision, and a lock for each table."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from weakref import ref

import pytest

from bot.tables.memory import MAX_CLOSED_TABLES, TableCache, TableLocks, acquire_within, estimate_table_bytes
from bot.tables.model import PublishedRevision, Status
from bot.tables.table import Table, TakeBackState
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.support.waiting import DEADLINE_SECONDS

SMALL, LARGE = Status.LOBBY, Status.PLAYING
ONE = estimate_table_bytes(make_table())


def make_published_note(table: Table | None) -> tuple[int, int | None]:
    assert table is not None
    return table.header.published, table.header.message_id


@each_case(
    "room, steps, cached",
    [
        (2, [(1, SMALL), (2, SMALL), (1, None), (3, SMALL)], {1, 3}),
        (2, [(1, SMALL), (2, SMALL), (1, SMALL), (3, SMALL)], {1, 3}),
        (3, [(1, SMALL), (2, SMALL), (3, LARGE)], {2, 3}),
        # A table that grows pushes others out.
        (2, [(1, SMALL), (2, SMALL), (2, LARGE)], {2}),
    ],
)
def test_the_tables_used_last_stay_cached(room: int, steps: list[tuple[int, Status | None]], cached: set[int]) -> None:
    """A step puts a table of a size into the cache, or uses it."""
    cache = TableCache(room * ONE)
    for number, status in steps:
        if status is None:
            assert cache.get(number) is not None
        else:
            cache.put(make_table(id=number, status=status))
    assert {number for number in (1, 2, 3) if cache.get(number) is not None} == cached


def test_it_counts_what_it_has_found() -> None:
    cache = TableCache()
    for number in (1, 1, 2):
        cache.put(make_table(id=number))
    for number in (1, 2, 3, 1):
        cache.get(number)
    assert (cache.hits, cache.misses) == (3, 1)


def test_a_few_finished_tables_stay_without_displacing_open_ones() -> None:
    cache = TableCache(2 * ONE)
    cache.put(make_table(id=1))
    cache.put(make_table(id=2))
    for number in (2, *range(3, MAX_CLOSED_TABLES + 3)):
        cache.put(make_table(id=number, status=Status.FINISHED))
    cache.note_published(PublishedRevision(3, 5, 80))
    assert [cache.get(number) is not None for number in (1, 2, 3, MAX_CLOSED_TABLES + 2)] == [True, False, True, True]
    assert make_published_note(cache.get(3)) == (5, 80)


def test_a_forgotten_table_is_not_cached() -> None:
    cache = TableCache()
    cache.put(make_table(id=1))
    cache.evict(1)
    cache.evict(1)
    assert cache.get(1) is None


def test_activity_at_a_cached_table_ends_the_silence() -> None:
    cache = TableCache()
    table = cache.put(make_table(id=1))
    now = table.header.awaited_since + timedelta(minutes=5)
    for number in (1, 2):
        cache.touch(number, now)
    heard = cache.get(1)
    assert heard is not None
    assert heard.header.awaited_since == now
    assert cache.get(2) is None


def test_a_change_that_began_before_a_note_keeps_the_note() -> None:
    cache = TableCache()
    before = cache.put(make_table(id=1))
    cache.note_published(PublishedRevision(1, 1, 70))
    after = replace(before, header=replace(before.header, revision=2))
    assert make_published_note(cache.put(after)) == (1, 70)
    assert make_published_note(cache.get(1)) == (1, 70)


def test_a_note_outlives_its_table_in_the_cache() -> None:
    cache = TableCache(ONE)
    cache.note_published(PublishedRevision(1, 3, 70))
    assert cache.get(1) is None
    assert make_published_note(cache.put(make_table(id=1))) == (3, 70)
    cache.note_published(PublishedRevision(1, 4, 70))
    assert make_published_note(cache.get(1)) == (4, 70)
    cache.put(make_table(id=2))
    assert cache.get(1) is None
    assert make_published_note(cache.put(make_table(id=1))) == (4, 70)


def test_notes_stay_until_they_are_written() -> None:
    cache = TableCache()
    for note in (PublishedRevision(1, 4, 70), PublishedRevision(2, 1, 71), PublishedRevision(1, 5, 70)):
        cache.note_published(note)
    notes = cache.unwritten()
    assert sorted(notes, key=lambda note: note.table_id) == [PublishedRevision(1, 5, 70), PublishedRevision(2, 1, 71)]
    cache.note_published(PublishedRevision(1, 6, 70))
    cache.mark_written(notes)
    assert cache.unwritten() == [PublishedRevision(1, 6, 70, replaces=5)], "one renewed meanwhile stays"
    cache.mark_written(cache.unwritten())
    assert cache.unwritten() == []


def test_a_note_that_was_not_written_passes_on_what_it_replaces() -> None:
    cache = TableCache()
    cache.note_published(PublishedRevision(1, 4, 70, replaces=2))
    cache.note_published(PublishedRevision(1, 5, 70, replaces=4))
    assert cache.unwritten() == [PublishedRevision(1, 5, 70, replaces=2)]


@each_case("published, shown", [((5, 71), (5, 71)), ((4, 71), (4, 70))])
def test_a_note_hides_no_newer_revision_of_another_process(published: tuple[int, int], shown: tuple[int, int]) -> None:
    """One of the same revision with another message counts."""
    cache = TableCache()
    cache.note_published(PublishedRevision(1, 4, 70))
    read = make_table(id=1, published=published[0], message_id=published[1])
    assert make_published_note(cache.put(read)) == shown


def test_the_size_of_a_table_is_that_of_its_state_and_of_what_can_be_taken_back() -> None:
    table = make_table(status=Status.PLAYING)
    assert ONE < estimate_table_bytes(table) < 2 * ONE
    after = replace(table, take_back_state=TakeBackState(0, table.state, table.news, table.race))
    assert estimate_table_bytes(after) > estimate_table_bytes(table)
    longer = replace(
        after, take_back_state=replace(TakeBackState(0, table.state, (), b""), earlier=after.take_back_state)
    )
    assert estimate_table_bytes(longer) > estimate_table_bytes(after)


def test_a_note_written_while_its_table_is_read_is_applied() -> None:
    cache = TableCache()
    with cache.loading(1):
        cache.note_published(PublishedRevision(1, 1, 70))
        cache.mark_written(cache.unwritten())
        assert make_published_note(cache.put(make_table(id=1))) == (1, 70)
    cache.mark_written(cache.unwritten())
    assert cache.unwritten() == []


def test_activity_while_the_table_is_read_ends_the_silence() -> None:
    cache, table = TableCache(), make_table(id=1)
    now = table.header.awaited_since + timedelta(minutes=5)
    with cache.loading(1):
        cache.touch(1, now)
        assert cache.put(table).header.awaited_since == now
    cache.evict(1)
    assert cache.put(table).header.awaited_since == table.header.awaited_since


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


async def test_waiting_ends_with_the_lock_or_after_the_given_seconds(lock: asyncio.Lock) -> None:
    await lock.acquire()
    assert not await acquire_within(lock, 0.01)
    waiting = asyncio.create_task(acquire_within(lock, DEADLINE_SECONDS))
    await run_until_waiting(waiting)
    lock.release()
    assert not await acquire_within(lock, 0), "it goes to the one who waits"
    assert await waiting
    lock.release()
    assert await acquire_within(lock, 0)


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
