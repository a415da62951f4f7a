"""The collection of garbage takes place in pauses, and leaves alone what the start has made."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.observability import garbage
from bot.observability.garbage import collect_in_pauses, collecting_seldom
from tests.support.fakes import until


class Ring:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def by_hand() -> Iterator[None]:
    """Nothing is collected unless a test says so."""
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


def a_lost_ring() -> "weakref.ref[Ring]":
    return weakref.ref(Ring())


def test_what_was_there_is_left_alone_until_the_end() -> None:
    before, old = gc.get_threshold(), a_lost_ring()
    with collecting_seldom():
        new = a_lost_ring()
        assert gc.get_threshold() != before
        gc.collect()
        assert old() is not None
        assert new() is None
    assert gc.get_threshold() == before
    gc.collect()
    assert old() is None


class Pauses:
    """Collects in pauses; there is one whenever a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.is_pause = False
        self.middle_collections = 0
        monkeypatch.setattr(garbage, "_middle_collections", lambda: self.middle_collections)
        self._collecting = asyncio.create_task(collect_in_pauses(self._asks, seconds=0))

    def _asks(self) -> bool:
        self.asked += 1
        return self.is_pause

    async def some(self) -> None:
        """Let some moments go by."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def begun(self) -> None:
        """Let the first pause be over."""
        self.is_pause = True
        await self.some()

    def let_much_happen(self) -> None:
        self.middle_collections += 10

    async def end(self) -> None:
        self._collecting.cancel()
        await asyncio.wait([self._collecting])


@pytest.fixture
async def pauses(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pauses]:
    pauses = Pauses(monkeypatch)
    yield pauses
    await pauses.end()


async def test_rings_are_found_in_a_pause_alone(pauses: Pauses) -> None:
    await pauses.begun()
    lost, pauses.is_pause, asked = a_lost_ring(), False, pauses.asked
    pauses.let_much_happen()
    await until(lambda: pauses.asked > asked, 30)
    assert lost() is not None
    pauses.is_pause = True
    await until(lambda: lost() is None, 30)


async def test_what_becomes_garbage_after_a_pause_is_found_in_the_next(pauses: Pauses) -> None:
    await pauses.begun()
    used = Ring()
    for _ in range(3):
        pauses.let_much_happen()
        await pauses.some()
    lost = weakref.ref(used)
    del used
    pauses.let_much_happen()
    await pauses.some()
    assert lost() is None


async def test_a_pause_in_which_little_has_happened_is_left_alone(pauses: Pauses) -> None:
    await pauses.begun()
    lost = a_lost_ring()
    await pauses.some()
    assert lost() is not None


async def test_what_the_start_has_made_is_gone_through_once(pauses: Pauses) -> None:
    start = Ring()
    await pauses.begun()
    lost = weakref.ref(start)
    del start
    pauses.let_much_happen()
    await pauses.some()
    assert lost() is not None
