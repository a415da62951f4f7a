"""`demo`: the real bot against a stand-in for Discord, in a browser."""

import asyncio
import contextlib
import secrets
import signal
import sys
import tempfile
from asyncio.subprocess import Process
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.console import fail
from bot.sandbox import DISCORD, Sandbox
from bot.settings import child_environment

_PREFERRED_PORT = 8765
_PATIENCE_SECONDS = 30.0


def demo(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of the page; 0 takes any free one.")
    ] = None,
) -> None:
    """Try Parlour in a browser, without Discord and without a token."""
    asyncio.run(_demo(port))


async def _demo(port: int | None) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    sandbox = await _started_sandbox(port)
    try:
        with tempfile.TemporaryDirectory(prefix="parlour-demo-") as folder:
            bot = await _started_bot(sandbox, Path(folder))
            try:
                await _host(sandbox, bot, stop)
            finally:
                await _ended(bot)
    finally:
        await sandbox.stop()


async def _started_sandbox(port: int | None) -> Sandbox:
    """Start on the wanted port, or on the preferred one and failing that on any."""
    wanted = _PREFERRED_PORT if port is None else port
    sandbox = Sandbox(port=wanted, token=secrets.token_urlsafe(24), rates=DISCORD)
    try:
        await sandbox.start()
    except OSError as fault:
        if port is not None:
            fail(f"Port {port} can't be used ({fault.strerror}): name another one, or leave --port out.")
        return await _started_sandbox(0)
    return sandbox


async def _started_bot(sandbox: Sandbox, folder: Path) -> Process:
    """Start the bot as a process of its own, as it runs in earnest; its tables end with the demo."""
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=f"sqlite+aiosqlite:///{folder / 'parlour.sqlite3'}",
        DEV_GUILD_ID="",
    )
    # A group of its own keeps Ctrl+C from reaching the bot before the demo ends it in order; the pipe to it closes
    # however the demo ends.
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "run", "--leashed"),
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        start_new_session=True,
    )


async def _host(sandbox: Sandbox, bot: Process, stop: asyncio.Event) -> None:
    """Wait for the bot, say where to look, and stay until somebody stops the demo."""
    ending = asyncio.create_task(stop.wait())
    leaving = asyncio.create_task(bot.wait())
    ready = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online, timeout=_PATIENCE_SECONDS))
    try:
        await asyncio.wait((ready, ending, leaving), return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            ready.result()
            typer.echo(f"Parlour is ready: open {sandbox.url} in a browser. Ctrl+C ends the demo.")
            await asyncio.wait((ending, leaving), return_when=asyncio.FIRST_COMPLETED)
        if leaving.done() and not ending.done():
            fail("The bot has stopped by itself; what it said last stands above.")
    except TimeoutError:
        fail("The bot did not connect; what it said stands above.")
    finally:
        for task in (ending, leaving, ready):
            task.cancel()


async def _ended(bot: Process) -> None:
    if bot.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            bot.terminate()
        await bot.wait()
