"""A player closes their direct messages: the buttons still work, and the table is shown once they are open again."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.tables.host import Host
from tests.support.parlour import run_parlour
from tests.support.waiting import wait_until


async def test_a_game_in_closed_direct_messages_goes_on_by_its_buttons(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.retries.SOON_SECONDS", 0.05)
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        direct = parlour.robin.direct_channel
        (message,) = (await parlour.robin.slash(direct, "magic-bag new")).replies
        direct.is_closed = True
        answer = await parlour.press(parlour.robin, message, "Deal")
        assert answer.state is InteractionState.RESPONDED
        assert not answer.replies
        await parlour.press(parlour.robin, message, "@try1")
        assert (await parlour.client.app.service(Host).service.table(1)).header.step == 1
        sandbox.world.remove_message(message)
        parlour.client.app.service(Host).publisher.wake(1, again=True)
        await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
        assert direct.public_messages == []
        direct.is_closed = False
        (reposted,) = await sandbox.until(lambda: direct.public_messages)
        assert any(button.label for button in reposted.buttons)
