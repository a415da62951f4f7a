"""Discord rate-limits all requests: every click is answered, and the tables are shown as soon as possible."""

import asyncio
from functools import partial
from typing import Any

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.rest.failures import Failure
from bot.sandbox.rest.rates import Rate, Rates
from tests.support.parlour import ROLL, Parlour, shows_step
from tests.support.waiting import DEADLINE_SECONDS, wait_until

MOVES = 6
ENDLESS = 10_000

SLOW_RATE = Rate(1, 1.5)
"""However busy the machine is, two of the moves come within one such pause."""


def count_requests(sandbox: Sandbox, method: str, status: int) -> int:
    """How many requests to show a table were answered like that."""
    shown = [each for each in sandbox.requests if each.method == method and "/messages" in each.path]
    return sum(each.status == status for each in shown)


async def test_moves_faster_than_the_limit_are_answered_and_finally_shown(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    message, sandbox = await parlour.start_game(parlour.robin, parlour.wren), parlour.sandbox
    await parlour.wait_until_shown()
    sandbox.rate_limiter.rates = Rates(everywhere=SLOW_RATE)
    with monkeypatch.context() as stopped:
        # Nothing more is allowed until something was refused, however long the moves take.
        now = sandbox.world.clock.now()
        stopped.setattr(sandbox.world.clock, "now", lambda: now)
        for step in range(MOVES):
            answer = await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
            assert answer.state is InteractionState.RESPONDED
            assert (await parlour.table()).header.step == step + 1
            if step == 0:
                await sandbox.until(partial(shows_step, message, 1))
        await wait_until(lambda: count_requests(sandbox, "PATCH", 429))
    await sandbox.until(partial(shows_step, message, MOVES))
    assert parlour.here.public_messages == [message]
    assert count_requests(sandbox, "PATCH", 200) < MOVES, "what is overtaken is not shown"


class FastAsyncio:
    """Stands for asyncio in a module of discord.py, which then retries at once."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, _seconds: float) -> None:
        await asyncio.sleep(0)


async def test_a_move_during_a_long_failure_is_kept_and_shown_later(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Longer than the library tries again: the interaction fails in Discord's words, and the move is shown later."""
    monkeypatch.setattr("discord.webhook.async_.asyncio", FastAsyncio())
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    mover = await parlour.mover()
    parlour.sandbox.fault_injector.fail_next(Failure.SERVER_ERROR, ENDLESS)
    acting = asyncio.create_task(parlour.press(mover, message, ROLL))
    await wait_until(lambda: "could not be answered" in caplog.text and "which is tried again" in caplog.text)
    parlour.sandbox.world.clock.advance(DEADLINE_SECONDS)
    assert (await acting).state is InteractionState.FAILED
    assert not shows_step(message, 1)
    parlour.sandbox.fault_injector.fail_next(Failure.SERVER_ERROR, 0)
    await parlour.sandbox.until(partial(shows_step, message, 1))
    assert parlour.here.public_messages == [message]
    assert (await parlour.press(await parlour.mover(), message, ROLL)).state is InteractionState.RESPONDED
    assert (await parlour.table()).header.step == 2
    caplog.clear()
