"""Shutdown drains interactions in flight, within a time limit."""

import asyncio

import pytest

from bot.platform.discord.queues import InFlight
from tests.support.virtual_time import run_in_virtual_time
from tests.support.waiting import Gate


@pytest.fixture
def doorway() -> InFlight:
    return InFlight()


async def test_drain_waits_for_interactions_and_those_they_start(doorway: InFlight) -> None:
    gate, answered = Gate(), list[str]()

    async def answer(name: str, other: str = "") -> None:
        doorway.track()
        await gate.wait()
        if other:
            brought.append(asyncio.create_task(answer(other)))
        # The started task takes longer than the one that starts it.
        for _ in range(1 if other else 5):
            await asyncio.sleep(0)
        answered.append(name)

    assert doorway.is_empty()
    brought = [asyncio.create_task(answer("first", "second"))]
    await gate.reached.wait()
    assert not doorway.is_empty()
    emptying = asyncio.create_task(doorway.drain(5))
    await asyncio.sleep(0)
    assert not emptying.done()
    gate.open()
    await emptying
    assert sorted(answered) == ["first", "second"]


@run_in_virtual_time
async def test_the_age_of_the_oldest_interaction_is_known() -> None:
    doorway, gate = InFlight(), Gate()

    async def answer() -> None:
        doorway.track()
        await gate.wait()

    assert doorway.oldest_seconds() == 0
    first = asyncio.create_task(answer())
    await asyncio.sleep(2)
    second = asyncio.create_task(answer())
    await asyncio.sleep(1)
    assert doorway.oldest_seconds() == 3
    gate.open()
    await asyncio.gather(first, second)
    assert doorway.oldest_seconds() == 0


async def test_drain_cancels_work_that_takes_too_long(doorway: InFlight, caplog: pytest.LogCaptureFixture) -> None:
    async def answer() -> None:
        doorway.track()
        await asyncio.Event().wait()

    task = asyncio.create_task(answer())
    await asyncio.sleep(0)
    await doorway.drain(0.01)
    assert "1 interactions" in caplog.text
    await asyncio.wait({task})
    assert task.cancelled()


async def test_drain_returns_at_once_without_interactions(doorway: InFlight) -> None:
    async with asyncio.timeout(30):
        await doorway.drain(60)
