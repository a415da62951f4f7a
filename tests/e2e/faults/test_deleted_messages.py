"""The table's message or its channel is deleted: the table is posted again once, or not at all."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import ClientRefusal, Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour, button_id, run_parlour
from tests.support.waiting import wait_until, waiting_retries


async def test_a_message_that_is_deleted_under_a_click_is_reposted(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    write_statement = parlour.db.write_statement

    async def delete_and_write(work: Callable[..., Any], *parts: Any) -> Any:
        parlour.sandbox.world.remove_message(message)
        return await write_statement(work, *parts)

    mover = await parlour.mover()
    with monkeypatch.context() as patch:
        patch.setattr(parlour.db, "write_statement", delete_and_write)
        answer = await parlour.press(mover, message, ROLL)
    assert answer.state is InteractionState.RESPONDED
    assert not answer.replies
    await parlour.sandbox.until(lambda: parlour.here.public_messages)
    (reposted,) = parlour.here.public_messages
    await parlour.press(await parlour.mover(), reposted, ROLL)
    assert (await parlour.table()).header.step == 2


async def test_a_deleted_thread_is_not_retried(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", pause=0.3) as parlour:
        place = parlour.robin.start_thread(parlour.elsewhere, "A short evening")
        (message,) = (await parlour.robin.slash(place, "magpie new")).replies
        await parlour.press(parlour.robin, message, "Start with Rusty")
        await sandbox.until(lambda: "Robin, roll the dice" in message.text)
        roll = button_id(message, ROLL)
        await parlour.robin.click(message, roll)
        await parlour.wait_until_shown()
        caplog.clear()
        sandbox.world.remove_thread(place)
        await wait_until(lambda: caplog.records)
        (record,) = caplog.records
        assert "can't be shown where it stands" in record.getMessage()
        tries = len(sandbox.requests)
        await parlour.client.app.service(Host).sweep()
        await parlour.client.app.service(Host).publisher.tasks.finish()
        assert not waiting_retries()
        assert len(sandbox.requests) == tries
        with pytest.raises(ClientRefusal, match="This message is gone"):
            await parlour.robin.click(message, roll)
        with pytest.raises(ClientRefusal, match="no such channel"):
            await parlour.robin.slash(place, "magpie new")
        assert not (await parlour.robin.slash(parlour.elsewhere, "magpie new")).ephemeral, "elsewhere all goes on"
