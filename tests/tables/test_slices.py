"""Long work on the event loop is cut into slices: whatever else is due is done in between."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.tables.model import Place, Published, Status
from bot.tables.records.checking import portable_in_steps, verify_in_steps
from bot.tables.runtime.service import TableService
from bot.tables.slices import SLICE_SECONDS, Slices, Steps, finish_at_once
from bot.tables.table import Diverged
from tests.support.fakes import JAY, ROBIN, WREN, FakeStore, a_service, roll, under_way

LONG = MagpieOptions(target=500)
MOVES = 40
A_SLICE = 6
"""How many steps there are in a slice, with the one that was begun last."""


class Clock:
    """A clock by which each step of work takes a fifth of a slice."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += SLICE_SECONDS / 5
        return self.now


class Turns:
    """Counts how often the event loop had its turn."""

    def __init__(self) -> None:
        self.taken = 0

    async def count(self) -> None:
        while True:
            self.taken += 1
            await asyncio.sleep(0)


@asynccontextmanager
async def counted() -> AsyncIterator[Turns]:
    """Count the turns of the loop while the block runs."""
    turns = Turns()
    counting = asyncio.create_task(turns.count())
    try:
        yield turns
    finally:
        counting.cancel()


async def all_of(slices: Slices, steps: Iterator[int]) -> list[int]:
    return [step async for step in slices.run(steps)]


async def test_others_have_their_turn_after_each_slice() -> None:
    slices, seen = Slices(Clock()), list[int]()
    async with counted() as turns:
        async for _ in slices.run(iter(range(100))):
            seen.append(turns.taken)
    longest = max(seen.count(turn) for turn in set(seen))
    assert 1 < longest <= A_SLICE


async def test_work_that_begins_beside_other_work_takes_no_second_slice_in_the_same_turn() -> None:
    slices, seen = Slices(Clock()), list[int]()
    async with counted() as turns:

        def steps() -> Iterator[int]:
            for step in range(50):
                seen.append(turns.taken)
                yield step

        await asyncio.gather(*(all_of(slices, steps()) for _ in range(4)))
    assert len(seen) == 200
    assert max(seen.count(turn) for turn in set(seen)) <= A_SLICE


async def test_what_work_leads_to_is_returned_and_others_have_their_turn_meanwhile() -> None:
    slices, seen = Slices(Clock()), list[int]()
    async with counted() as turns:

        def steps() -> Steps[str]:
            for _ in range(50):
                seen.append(turns.taken)
                yield
            return "done"

        assert await slices.finish(steps()) == "done"
    assert max(seen.count(turn) for turn in set(seen)) <= A_SLICE
    assert finish_at_once(steps()) == "done"


async def test_short_work_does_not_wait_for_the_end_of_long_work() -> None:
    slices, ended = Slices(Clock()), list[str]()

    async def work(name: str, steps: int) -> None:
        await all_of(slices, iter(range(steps)))
        ended.append(name)

    await asyncio.gather(work("long", 200), work("short", 4))
    assert ended == ["short", "long"]


async def test_what_work_raises_is_raised_and_holds_nobody_up() -> None:
    slices = Slices(Clock())

    def failing() -> Iterator[int]:
        yield 1
        raise Diverged("at step 2")

    with pytest.raises(Diverged, match="at step 2"):
        await all_of(slices, failing())
    assert await all_of(slices, iter(range(20))) == list(range(20))


async def test_work_that_is_given_up_while_it_waits_holds_nobody_up() -> None:
    slices = Slices(Clock())
    working = [asyncio.create_task(all_of(slices, iter(range(100)))) for _ in range(3)]
    await asyncio.sleep(0)
    working[1].cancel()
    await asyncio.gather(*working, return_exceptions=True)
    assert [work.cancelled() for work in working] == [False, True, False]
    assert await all_of(slices, iter(range(20))) == list(range(20))


class TestReadingATable:
    """A table that is not in memory is played again while others have their turns."""

    @pytest.fixture
    async def table_id(self, store: FakeStore) -> int:
        """A long table that another process has played."""
        service = a_service(store)
        table = await under_way(service, ROBIN, WREN, options=LONG)
        for _ in range(MOVES):
            table = await roll(service, table)
        return table.id

    @pytest.fixture
    def service(self, store: FakeStore) -> TableService:
        service = a_service(store)
        service.slices = Slices(Clock())
        return service

    async def test_holds_the_loop_for_a_slice_at_a_time(self, service: TableService, table_id: int) -> None:
        async with counted() as turns:
            table = await service.table(table_id)
            assert turns.taken > MOVES / 5
        assert table.header.step == MOVES

    async def test_is_not_all_that_lets_others_have_their_turn(self, service: TableService, table_id: int) -> None:
        """So does making a record of a table that is over, and checking it."""
        record = await service.record(table_id)
        over = replace(record, header=replace(record.header, status=Status.CANCELLED))
        async with counted() as turns:
            made = await service.slices.finish(portable_in_steps(over, service.games["magpie"]))
            assert turns.taken > MOVES / 5
            before = turns.taken
            verdict = await service.slices.finish(verify_in_steps(made, service.games))
            assert turns.taken - before > MOVES / 5
        assert (verdict.moves, verdict.controls) == (MOVES, 0)

    async def test_is_done_once_for_all_who_wait_for_it(
        self, service: TableService, store: FakeStore, table_id: int
    ) -> None:
        store.calls.clear()
        one, two = await asyncio.gather(service.table(table_id), service.table(table_id))
        assert one is two
        assert store.calls.count("load") == 1

    async def test_keeps_others_from_no_other_table(self, service: TableService, table_id: int) -> None:
        other = await under_way(service, JAY, ROBIN, place=Place(guild_id=3, channel_id=71))
        reading = asyncio.create_task(service.table(table_id))
        await asyncio.sleep(0)
        assert (await roll(service, other)).header.step == 1
        assert not reading.done()
        await reading

    async def test_loses_no_change_that_is_wished_meanwhile(self, service: TableService, table_id: int) -> None:
        before = await service.table(table_id)
        service._cache.forget(table_id)
        reading = asyncio.create_task(service.table(table_id))
        await asyncio.sleep(0)
        after = await roll(service, before)
        assert reading.done()
        assert (await service.table(table_id)).header == after.header
        assert after.header.step == MOVES + 1

    async def test_loses_no_note_that_is_written_down_meanwhile(
        self, service: TableService, store: FakeStore, table_id: int
    ) -> None:
        store.calls.clear()
        reading = asyncio.create_task(service.table(table_id))
        while "load" not in store.calls:  # noqa: ASYNC110 - by turns of the loop, not by the clock
            await asyncio.sleep(0)
        service._cache.note(Published(table_id, store.header(table_id).revision, 70))
        await service.flush()
        assert not reading.done()
        assert (await reading).header.message_id == 70
