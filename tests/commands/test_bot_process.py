"""The demo runs the bot as a separate process, which can be restarted and keeps its tables."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from bot.commands.bot_process import BotProcess
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from tests.commands.run_command import ROOT

pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 120.0


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand where the demo is started."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DEV_GUILD_ID", "5")  # the host's own server, which the sandbox does not have


def find_lobby(channel: Channel) -> Message | None:
    return next((message for message in channel.messages if message.buttons), None)


async def test_a_table_goes_on_after_a_kill_from_the_page(tmp_path: Path) -> None:
    sandbox = Sandbox()
    await sandbox.start()
    bot = BotProcess(sandbox, tmp_path)
    sandbox.attach_bot_process(bot)
    await bot.start()
    try:
        await sandbox.until(lambda: sandbox.bot_online and sandbox.world.commands.slash_commands(None), TIMEOUT_SECONDS)
        channel = sandbox.channel("table-one")
        await sandbox.person("Robin").slash(channel, "magpie new")
        async with aiohttp.ClientSession() as http, http.ws_connect(f"{sandbox.url}/page/socket") as page:
            await page.send_json({"do": "trouble", "trouble": "restart", "kill": True})
            await sandbox.until(lambda: not sandbox.bot_online, TIMEOUT_SECONDS)
        # The page that asked for it is gone, and yet the bot comes back.
        await sandbox.until(lambda: sandbox.bot_online, TIMEOUT_SECONDS)
        # Killed before it saved the table's message id, the bot posts the table again; a slow bot defers and posts.
        await sandbox.until(lambda: find_lobby(channel) is not None)
        lobby = find_lobby(channel)
        assert lobby is not None
        await sandbox.person("Wren").click(lobby, lobby.button("Join").custom_id or "")
        await sandbox.until(lambda: any("Wren" in message.text for message in channel.messages))
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
