"""Garbage is collected in pauses, and objects made at the start are skipped."""

import asyncio
import ctypes
import gc
import os
import weakref
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.platform.observability.event_loop import collect_when_idle, release_free_memory, tune_gc
from tests.bench.processes import memory_mib
from tests.support.waiting import wait_until


class Cycle:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    """Nothing is collected unless a test says so."""
    gc.disable()
    gc.freeze()
    yield
    gc.enable()


def make_lost_cycle() -> "weakref.ref[Cycle]":
    return weakref.ref(Cycle())


def test_objects_from_before_the_start_are_not_collected() -> None:
    before, old = gc.get_threshold(), make_lost_cycle()
    with tune_gc():
        new = make_lost_cycle()
        assert gc.get_threshold() != before
        gc.collect()
        assert old() is not None
        assert new() is None
    assert gc.get_threshold() == before


class PauseSimulator:
    """Collects in pauses; there is one whenever a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.is_pause = False
        self.middle_collections = 0
        monkeypatch.setattr(
            "bot.platform.observability.event_loop.count_middle_collections", lambda: self.middle_collections
        )
        self._collecting = asyncio.create_task(collect_when_idle(self._is_pause_now, seconds=0))

    def _is_pause_now(self) -> bool:
        self.asked += 1
        return self.is_pause

    async def run_pauses(self) -> None:
        """Let some moments go by."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def start_collection(self) -> None:
        """Let the first pause be over."""
        self.is_pause = True
        await self.run_pauses()

    def allocate_much(self) -> None:
        self.middle_collections += 375

    async def stop(self) -> None:
        self._collecting.cancel()
        await asyncio.wait([self._collecting])


@pytest.fixture
async def pauses(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PauseSimulator]:
    pauses = PauseSimulator(monkeypatch)
    yield pauses
    await pauses.stop()


async def test_cycles_are_collected_in_pauses_only(pauses: PauseSimulator) -> None:
    await pauses.start_collection()
    lost, pauses.is_pause, asked = make_lost_cycle(), False, pauses.asked
    pauses.allocate_much()
    await wait_until(lambda: pauses.asked > asked, 30)
    assert lost() is not None
    pauses.is_pause = True
    await wait_until(lambda: lost() is None, 30)


async def test_garbage_made_after_a_pause_is_collected_in_the_next(pauses: PauseSimulator) -> None:
    await pauses.start_collection()
    used = Cycle()
    for _ in range(3):
        pauses.allocate_much()
        await pauses.run_pauses()
    lost = weakref.ref(used)
    del used
    pauses.allocate_much()
    await pauses.run_pauses()
    assert lost() is None


async def test_a_pause_after_few_allocations_collects_nothing(pauses: PauseSimulator) -> None:
    await pauses.start_collection()
    lost = make_lost_cycle()
    await pauses.run_pauses()
    assert lost() is not None


async def test_objects_of_the_start_are_never_collected(pauses: PauseSimulator) -> None:
    start = Cycle()
    await pauses.start_collection()
    lost = weakref.ref(start)
    del start
    pauses.allocate_much()
    await pauses.run_pauses()
    assert lost() is not None


async def test_memory_is_released_in_a_pause_alone(pauses: PauseSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    released: list[bool] = []
    monkeypatch.setattr(
        "bot.platform.observability.event_loop.release_free_memory", lambda: released.append(pauses.is_pause)
    )
    await pauses.start_collection()
    assert set(released) == {True}


def test_gaps_in_the_heap_are_returned_to_the_system() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("the C library can't")
    blocks = [bytes(1500) for _ in range(40_000)]
    # The last block keeps the heap from shrinking on its own.
    del blocks[:-1]
    before = memory_mib(os.getpid())
    release_free_memory()
    assert memory_mib(os.getpid()) < before - 30
