"""Answers that Discord rejects as late: the move stays, no player sees an error, and the table shows it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest

from bot.sandbox.model.interactions import InteractionState
from tests.support.parlour import ROLL, Parlour, shows_step
from tests.support.waiting import DEADLINE_SECONDS, Gate

LIFETIME = 15 * 60


@pytest.fixture
def gate(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Moves are written once it is open."""
    gate, write_statement = Gate(), parlour.db.write_statement

    async def write_slowly(work: Callable[..., Any], *parts: Any) -> Any:
        await gate.wait()
        return await write_statement(work, *parts)

    monkeypatch.setattr(parlour.db, "write_statement", write_slowly)
    return gate


async def test_a_first_answer_that_is_late_leaves_the_table_to_the_publisher(
    parlour: Parlour, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    task = asyncio.create_task(parlour.press(mover, message, ROLL))
    await gate.reached.wait()
    parlour.sandbox.world.clock.advance(DEADLINE_SECONDS)
    assert (await task).state is InteractionState.FAILED
    caplog.clear()
    gate.open()
    await parlour.sandbox.until(partial(shows_step, message, 1))
    assert (await parlour.table()).header.step == 1
    assert parlour.here.messages == [message]
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_an_expired_token_leaves_the_table_to_the_publisher(
    parlour: Parlour, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    with patch("bot.platform.discord.answers.DEFER_AFTER_SECONDS", 0.02):
        put_off = await mover.slash(parlour.here, "magpie roll", dice="all")
    assert put_off.state is InteractionState.RESPONDED
    parlour.sandbox.world.clock.advance(LIFETIME + 1)
    caplog.clear()
    gate.open()
    await parlour.sandbox.until(partial(shows_step, message, 1))
    await parlour.client.in_flight.drain(5)
    assert (await parlour.table()).header.step == 1
    assert parlour.here.public_messages == [message]
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
