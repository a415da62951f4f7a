"""The demo runs the bot as a separate process, which can be restarted and keeps its tables."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from bot.commands.bot_process import BotProcess
from bot.sandbox import Sandbox
from tests.commands.run_command import ROOT

TIMEOUT_SECONDS = 120.0


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand where the demo is started."""
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("kill", [False, True], ids=["asked", "killed"])
async def test_a_table_goes_on_after_a_restart_from_the_page(tmp_path: Path, kill: bool) -> None:
    sandbox = Sandbox()
    await sandbox.start()
    bot = BotProcess(sandbox, tmp_path)
    sandbox.attach_bot_process(bot)
    await bot.start()
    try:
        await sandbox.until(lambda: sandbox.bot_online and sandbox.world.commands.slash_commands(None), TIMEOUT_SECONDS)
        table = (await sandbox.person("Robin").slash(sandbox.channel("table-one"), "magpie new")).replies[0]
        async with aiohttp.ClientSession() as http, http.ws_connect(f"{sandbox.url}/page/socket") as page:
            await page.send_json({"do": "trouble", "trouble": "restart", "kill": kill})
            await sandbox.until(lambda: not sandbox.bot_online, TIMEOUT_SECONDS)
        # The page that asked for it is gone, and yet the bot comes back.
        await sandbox.until(lambda: sandbox.bot_online, TIMEOUT_SECONDS)
        await sandbox.person("Wren").click(table, table.button("Join").custom_id or "")
        # Killed before it saved the table's message id, the bot posts the table again.
        await sandbox.until(lambda: any("Wren" in message.text for message in table.channel.messages))
        assert not bot.exited.is_set()
    finally:
        await bot.end()
        await sandbox.stop()


async def test_a_bot_that_stops_by_itself_is_noticed(tmp_path: Path) -> None:
    sandbox = Sandbox()
    # The sandbox is not started, so the bot can't connect and gives up.
    bot = BotProcess(sandbox, tmp_path)
    await bot.start()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await bot.exited.wait()
    await bot.end()
