"""The bot as a process of its own, on a sandbox and a database."""

import asyncio
import sys
from asyncio.subprocess import Process
from pathlib import Path

from bot.sandbox import Sandbox
from bot.settings import child_environment

ROOT = Path(__file__).parents[2]
START_SECONDS = 120.0


async def spawned(sandbox: Sandbox, address: str, log: Path) -> Process:
    """Start the bot's process; what it says from warnings on is added to a file."""
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=address,
        DEV_GUILD_ID="",
        COMPUTER_PAUSE="0",
        LOG_LEVEL="WARNING",
    )
    with log.open("ab") as stderr:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", cwd=ROOT, env=environment, stderr=stderr
        )


async def online(sandbox: Sandbox, process: Process) -> Process:
    """Wait until the bot that was started is connected."""
    ended = asyncio.create_task(process.wait())
    connected = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online, timeout=START_SECONDS))
    await asyncio.wait({ended, connected}, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    assert connected.done(), f"the bot ended with status {process.returncode}"
    await connected
    return process


async def killed(sandbox: Sandbox, process: Process) -> None:
    """Kill the bot without warning, unless it has ended, and wait until the sandbox has lost it."""
    if process.returncode is None:
        process.kill()
    await process.wait()
    await sandbox.until(lambda: not sandbox.bot_online)
