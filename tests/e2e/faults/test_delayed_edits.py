"""Discord limits edits for a while: no player waits for them."""

import asyncio

from bot.sandbox.model.interactions import InteractionState
from tests.support.parlour import ROLL, Parlour, button_id, shows_step
from tests.support.waiting import DEADLINE_SECONDS, wait_until

LIMIT_SECONDS = 600.0
"""Longer than any test waits."""


async def test_clicks_show_the_table_while_edits_are_refused(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    parlour.sandbox.fault_injector.limit_edits(LIMIT_SECONDS)
    answer = await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
    assert answer.state is InteractionState.RESPONDED
    await wait_until(lambda: parlour.sandbox.fault_injector.edits_refused)
    mover = await parlour.mover()
    async with asyncio.timeout(DEADLINE_SECONDS):
        # The message is behind: its button is of the step before.
        await mover.click(message, button_id(message, ROLL), forged=True)
        assert shows_step(message, 1)
        for step in range(2, 6):
            await parlour.press(await parlour.mover(), message, ROLL)
            assert shows_step(message, step)
    assert parlour.sandbox.fault_injector.edits_refused == 1
