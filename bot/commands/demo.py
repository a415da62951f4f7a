"""`demo`: runs the bot against the sandbox, a local stand-in for Discord in the browser."""

import asyncio
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail
from bot.platform.streams_and_signals import effective_stop_signals

if TYPE_CHECKING:
    from bot.commands.bot_process import BotProcess
    from bot.sandbox import Sandbox

PREFERRED_PORT = 8765
_FIRST_COMMAND = "play"
"""The command that lists all games."""


def demo(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of the page; 0 for any free one.")
    ] = None,
) -> None:
    """Try Parlour in the browser, without Discord or a token."""
    asyncio.run(_demo(port))


async def _demo(port: int | None) -> None:
    from bot.commands.bot_process import BotProcess

    stop = asyncio.Event()
    for number in effective_stop_signals():
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    sandbox = await _start_sandbox(port)
    typer.echo("Starting Parlour...")
    try:
        with tempfile.TemporaryDirectory(prefix="parlour-demo-") as folder:
            bot = BotProcess(sandbox, Path(folder))
            sandbox.attach_bot_process(bot)
            world = sandbox.world
            # A second server shows that servers are separate.
            world.add_channel(world.add_server(world.snowflakes.next_id(), "Garden House"), "terrace")
            # Everybody has installed the bot for themselves, and uses it where it is not.
            world.installers |= {person.id for person in world.people}
            world.add_people_channel(*world.people[:2])
            world.suggested_command = _FIRST_COMMAND
            try:
                await bot.start()
                await _run_until_stopped(sandbox, bot, stop)
            finally:
                await bot.end()
    finally:
        await sandbox.stop()


async def _start_sandbox(port: int | None) -> "Sandbox":
    """Start the sandbox on the given port or, without one, on the preferred port or any free one."""
    from bot.sandbox import DISCORD, Sandbox

    wanted = PREFERRED_PORT if port is None else port
    sandbox = Sandbox(port=wanted, token=secrets.token_urlsafe(24), rates=DISCORD)
    try:
        await sandbox.start()
    except OSError as fault:
        if port is not None:
            fail(f"Port {port} can't be used ({fault.strerror}): name another one, or omit --port.")
        return await _start_sandbox(0)
    return sandbox


async def _run_until_stopped(sandbox: "Sandbox", bot: "BotProcess", stop: asyncio.Event) -> None:
    """Wait for the bot, print the URL, and wait until the demo is stopped."""
    ending = asyncio.create_task(stop.wait())
    leaving = asyncio.create_task(bot.exited.wait())
    ready = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online))
    try:
        await asyncio.wait((ready, ending, leaving), return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            ready.result()
            typer.echo(f"Parlour is ready: open {sandbox.url} in a browser. Ctrl+C ends the demo.")
            await asyncio.wait((ending, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not ending.done():
            fail("The bot stopped unexpectedly; see its log above.")
    except TimeoutError:
        fail("The bot did not connect; see its log above.")
    finally:
        for task in (ending, leaving, ready):
            task.cancel()
