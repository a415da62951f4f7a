"""The collection of garbage takes place in pauses, and leaves alone what was there before."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.watch import garbage
from bot.watch.garbage import collect_in_pauses, collecting_seldom
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


async def test_new_rings_are_found_in_a_pause_alone() -> None:
    lost, asked, is_pause = a_lost_ring(), 0, False

    def asks() -> bool:
        nonlocal asked
        asked += 1
        return is_pause

    collecting = asyncio.create_task(collect_in_pauses(asks, seconds=0))
    await until(lambda: asked > 1, 30)
    assert lost() is not None
    is_pause = True
    await until(lambda: lost() is None, 30)
    collecting.cancel()


async def test_old_rings_are_found_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_WHOLE_AFTER", 3)
    lost, pauses = a_lost_ring(), list[bool]()
    gc.freeze()

    def pause() -> bool:
        pauses.append(lost() is None)
        return True

    collecting = asyncio.create_task(collect_in_pauses(pause, seconds=0))
    await until(lambda: len(pauses) > 3, 30)
    collecting.cancel()
    assert pauses[:4] == [False, False, False, True]
