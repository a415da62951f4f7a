"""The gateway connection breaks: clicks made meanwhile count after the reconnect, and no table changes."""

import pytest

from bot.sandbox.model.interactions import InteractionState
from tests.support.parlour import ROLL, Parlour


async def test_a_click_during_a_disconnect_counts_after_reconnecting(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    parlour.sandbox.gateway.drop_connections()
    await parlour.sandbox.until(lambda: not parlour.sandbox.bot_online)
    answer = await parlour.press(mover, message, ROLL)
    assert answer.state is InteractionState.RESPONDED
    assert not answer.replies
    assert (await parlour.table()).header.step == 1
    assert parlour.here.messages == [message]


async def test_after_a_lost_session_the_buttons_work_again(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(*_: object, **__: object) -> None:
        """Identify without the pause that a second shard would need."""

    monkeypatch.setattr(parlour.client, "wait_for_session", at_once)
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    parlour.sandbox.gateway.invalidate_sessions()
    await parlour.sandbox.until(lambda: not parlour.sandbox.bot_online)
    unheard = await parlour.press(mover, message, ROLL)
    assert unheard.state is InteractionState.FAILED
    assert (await parlour.table()).header.step == 0
    await parlour.sandbox.until(lambda: parlour.sandbox.bot_online)
    answer = await parlour.press(mover, message, ROLL)
    assert answer.state is InteractionState.RESPONDED
    assert (await parlour.table()).header.step == 1
    assert parlour.here.messages == [message]
