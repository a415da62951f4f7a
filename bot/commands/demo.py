"""`demo`: the real bot against a stand-in for Discord, in a browser."""

import asyncio
import secrets
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail

if TYPE_CHECKING:
    from bot.commands.bot_process import BotProcess
    from bot.sandbox import Sandbox

_PREFERRED_PORT = 8765
_CONNECT_SECONDS = 30.0


def demo(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of the page; 0 takes any free one.")
    ] = None,
) -> None:
    """Try Parlour in a browser, without Discord and without a token."""
    asyncio.run(_demo(port))


async def _demo(port: int | None) -> None:
    from bot.commands.bot_process import BotProcess

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    sandbox = await _start_sandbox(port)
    try:
        with tempfile.TemporaryDirectory(prefix="parlour-demo-") as folder:
            bot = BotProcess(sandbox, Path(folder))
            sandbox.attach_bot_process(bot)
            _add_second_server(sandbox)
            try:
                await bot.start()
                await _run_until_stopped(sandbox, bot, stop)
            finally:
                await bot.end()
    finally:
        await sandbox.stop()


async def _start_sandbox(port: int | None) -> "Sandbox":
    """Start on the wanted port, or on the preferred one and failing that on any."""
    from bot.sandbox import DISCORD, Sandbox

    wanted = _PREFERRED_PORT if port is None else port
    sandbox = Sandbox(port=wanted, token=secrets.token_urlsafe(24), rates=DISCORD)
    try:
        await sandbox.start()
    except OSError as fault:
        if port is not None:
            fail(f"Port {port} can't be used ({fault.strerror}): name another one, or leave --port out.")
        return await _start_sandbox(0)
    return sandbox


def _add_second_server(sandbox: "Sandbox") -> None:
    """Found a second server, so that it can be seen what stays within one."""
    world = sandbox.world
    world.add_channel(world.add_server(world.snowflakes.next_id(), "Garden House"), "terrace")


async def _run_until_stopped(sandbox: "Sandbox", bot: "BotProcess", stop: asyncio.Event) -> None:
    """Wait for the bot, say where to look, and stay until somebody stops the demo."""
    ending = asyncio.create_task(stop.wait())
    leaving = asyncio.create_task(bot.exited.wait())
    ready = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online, timeout=_CONNECT_SECONDS))
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
