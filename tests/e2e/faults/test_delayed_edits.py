"""Discord limits edits for a while: no player waits for them, and the newest state is shown once."""

import asyncio
from functools import partial

from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from tests.support.parlour import ROLL, Parlour, button_id, shows_step
from tests.support.waiting import DEADLINE_SECONDS, wait_until

LIMIT_SECONDS = 600.0
"""Longer than any test waits."""


def count_edits(parlour: Parlour) -> int:
    """How many edits with the bot's token Discord has taken."""
    return sum(each.method == "PATCH" and each.status == 200 for each in parlour.sandbox.requests)


async def roll(parlour: Parlour, *, count: int = 1) -> None:
    """Make moves that only an edit can show."""
    for _ in range(count):
        answer = await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
        assert answer.state is InteractionState.RESPONDED


async def start_rate_limited(parlour: Parlour, seconds: float = LIMIT_SECONDS) -> Message:
    """Start a game, and have an edit refused for a long time after its first move."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    parlour.sandbox.fault_injector.limit_edits(seconds)
    await roll(parlour)
    await wait_until(lambda: parlour.sandbox.fault_injector.edits_refused)
    return message


async def test_clicks_show_the_table_while_edits_are_refused(parlour: Parlour) -> None:
    message = await start_rate_limited(parlour)
    mover = await parlour.mover()
    async with asyncio.timeout(DEADLINE_SECONDS):
        # The message is behind: its button is of the step before.
        await mover.click(message, button_id(message, ROLL), forged=True)
        assert shows_step(message, 1)
        for step in range(2, 6):
            await parlour.press(await parlour.mover(), message, ROLL)
            assert shows_step(message, step)
    assert parlour.sandbox.fault_injector.edits_refused == 1


async def test_the_newest_state_is_shown_once_when_edits_are_taken_again(parlour: Parlour) -> None:
    message = await start_rate_limited(parlour, 2.5)
    await roll(parlour, count=4)
    before = count_edits(parlour)
    assert not shows_step(message, 1)
    await parlour.sandbox.until(partial(shows_step, message, 5))
    await parlour.wait_until_shown()
    await parlour.wait_until_settled()
    assert count_edits(parlour) == before + 1
    assert parlour.sandbox.fault_injector.edits_refused == 1, "nothing is asked for that was refused for so long"
