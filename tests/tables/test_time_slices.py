"""Long work on the event loop is cut into slices, so that other tasks run in between."""

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.features.fairness.verification import make_record_in_slices, verify_record_in_slices
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Location
from bot.platform.time_slices import SlicedWork, TimeSlices, run_unsliced
from bot.tables import storage as table_storage
from bot.tables.model import Status
from bot.tables.replay import ReplayDiverged
from bot.tables.service import TableService
from tests.support.fakes import JAY, ROBIN, WREN, make_service, roll, start_game
from tests.support.loop_turns import A_SLICE, SteppingClock, count_loop_turns
from tests.support.memory_database import MemoryDatabase

LONG = MagpieOptions(target=500)
MOVES = 40


async def consume(slices: TimeSlices, steps: Iterator[int]) -> list[int]:
    return [step async for step in slices.run(steps)]


async def test_a_task_waiting_for_a_socket_runs_before_the_next_slice() -> None:
    """The loop needs several turns for it. Were each of them a slice, a click would wait for all those slices."""
    slices, sent_at, received_at = TimeSlices(SteppingClock()), 3, list[int]()
    reached = 0
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)

        async def receive() -> None:
            await asyncio.get_running_loop().sock_recv(ours, 1)
            received_at.append(reached)

        receiving = asyncio.create_task(receive())
        await asyncio.sleep(0)
        async for step in slices.run(iter(range(40))):
            reached = step
            if step == sent_at:
                theirs.send(b"!")
        await receiving
    assert sent_at <= received_at[0] < sent_at + A_SLICE


async def test_concurrent_work_takes_at_most_one_slice_per_turn_of_the_loop() -> None:
    slices, seen = TimeSlices(SteppingClock()), list[int]()
    async with count_loop_turns() as turns:

        def steps() -> Iterator[int]:
            for step in range(50):
                seen.append(turns.taken)
                yield step

        await asyncio.gather(*(consume(slices, steps()) for _ in range(4)))
    assert len(seen) == 200
    assert max(seen.count(turn) for turn in set(seen)) <= A_SLICE


async def test_the_result_is_returned_and_other_tasks_run_meanwhile() -> None:
    slices, seen = TimeSlices(SteppingClock()), list[int]()
    async with count_loop_turns() as turns:

        def steps() -> SlicedWork[str]:
            for _ in range(50):
                seen.append(turns.taken)
                yield
            return "done"

        assert await slices.run_to_end(steps()) == "done"
    assert 1 < max(seen.count(turn) for turn in set(seen)) <= A_SLICE
    assert run_unsliced(steps()) == "done"


async def test_short_work_does_not_wait_for_the_end_of_long_work() -> None:
    slices, ended = TimeSlices(SteppingClock()), list[str]()

    async def work(name: str, steps: int) -> None:
        await consume(slices, iter(range(steps)))
        ended.append(name)

    await asyncio.gather(work("long", 200), work("short", 4))
    assert ended == ["short", "long"]


async def test_neither_an_exception_nor_cancelled_work_blocks_other_work() -> None:
    slices = TimeSlices(SteppingClock())

    def failing() -> Iterator[int]:
        yield 1
        raise ReplayDiverged("at step 2")

    with pytest.raises(ReplayDiverged, match="at step 2"):
        await consume(slices, failing())
    working = [asyncio.create_task(consume(slices, iter(range(100)))) for _ in range(3)]
    await asyncio.sleep(0)
    working[1].cancel()
    await asyncio.gather(*working, return_exceptions=True)
    assert [work.cancelled() for work in working] == [False, True, False]
    assert await consume(slices, iter(range(20))) == list(range(20))


class TestReadingATable:
    """A table that is not in memory is played again while others have their turns."""

    @pytest.fixture
    async def table_id(self, db: MemoryDatabase) -> int:
        """A long table that another process has played."""
        service = make_service(db)
        table = await start_game(service, ROBIN, WREN, options=LONG)
        for _ in range(MOVES):
            table = await roll(service, table)
        return table.id

    @pytest.fixture
    def service(self, db: MemoryDatabase) -> TableService:
        service = make_service(db)
        service.time_slices = TimeSlices(SteppingClock())
        return service

    async def test_reading_a_table_holds_the_loop_for_a_slice_at_a_time(
        self, service: TableService, table_id: int
    ) -> None:
        async with count_loop_turns() as turns:
            table = await service.table(table_id)
            assert turns.taken > MOVES / 5
        assert table.header.step == MOVES

    async def test_making_and_checking_a_record_is_sliced_too(self, service: TableService, table_id: int) -> None:
        """So does making a record of a table that is over, and checking it."""
        record = await service.load_stored(table_id)
        over = replace(record, header=replace(record.header, status=Status.CANCELLED))
        async with count_loop_turns() as turns:
            made = await service.time_slices.run_to_end(make_record_in_slices(over, service.games["magpie"]))
            assert turns.taken > MOVES / 5
            before = turns.taken
            verdict = await service.time_slices.run_to_end(verify_record_in_slices(made, service.games))
            assert turns.taken - before > MOVES / 5
        assert (verdict.moves, verdict.control_entries) == (MOVES, 0)

    async def test_a_table_is_read_once_for_all_who_wait_for_it(
        self, service: TableService, db: MemoryDatabase, table_id: int
    ) -> None:
        db.calls.clear()
        one, two = await asyncio.gather(service.table(table_id), service.table(table_id))
        assert one is two
        assert db.calls.count(table_storage.load) == 1

    async def test_a_read_blocks_no_other_table_and_loses_no_change_of_its_own(
        self, service: TableService, table_id: int
    ) -> None:
        before = await service.table(table_id)
        other = await start_game(service, JAY, ROBIN, location=Location(guild_id=3, channel_id=71))
        service.cache.evict(table_id)
        reading = asyncio.create_task(service.table(table_id))
        await asyncio.sleep(0)
        assert (await roll(service, other)).header.step == 1
        assert not reading.done()
        after = await roll(service, before)
        assert reading.done()
        assert (await service.table(table_id)).header == after.header
        assert after.header.step == MOVES + 1
