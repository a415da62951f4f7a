"""Runs the bot in its own process, so that the demo can stop and restart it."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import Process
from pathlib import Path

from bot.sandbox import EndMode, Sandbox
from bot.settings import child_environment


class BotProcess:
    """A bot process connected to a sandbox. Its tables are stored in a folder and survive restarts."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.exited = asyncio.Event()
        self._environment = child_environment(
            DISCORD_TOKEN=sandbox.token,
            DISCORD_API_URL=sandbox.api_url,
            DISCORD_PROXY="",
            DATABASE_URL=f"sqlite+aiosqlite:///{folder / 'parlour.sqlite3'}",
            DEV_GUILD_ID="",
            USER_INSTALL="on",
        )
        self._process: Process | None = None
        self._stopped_process: Process | None = None
        self._exit_watcher: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the bot."""
        # In its own session, the bot gets no Ctrl+C, so the demo can stop it in order. However the demo ends, the pipe
        # closes, which stops the bot.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", "run", "--leashed"),
            env=self._environment,
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._exit_watcher = asyncio.create_task(self._wait_for_exit(self._process))

    async def end(self, mode: EndMode = EndMode.POLITE) -> None:
        """Terminate or kill the bot, and wait for its exit."""
        process = self._stopped_process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if mode is EndMode.KILL:
                process.kill()
            else:
                process.terminate()
        await process.wait()

    async def _wait_for_exit(self, process: Process) -> None:
        await process.wait()
        if self._stopped_process is not process:
            self.exited.set()
