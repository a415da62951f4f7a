"""The command `live-check`, and the report that it writes."""

import asyncio
import platform
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot import __version__
from bot.commands.console import (
    REFUSED_STATUS,
    fail,
    load_settings,
    load_whole_games,
    make_connection,
    require_token,
    set_up_logging,
)

if TYPE_CHECKING:
    from bot.commands.live_check.session import Check, LiveClient, Result, Session
    from bot.settings import Settings

CONNECT_SECONDS: Final = 60.0


def live_check(
    server: Annotated[int, typer.Option("--server", help="The id of a server that has the bot.")],
    channel: Annotated[int, typer.Option("--channel", help="The id of a text channel there, in which the bot writes.")],
    long: Annotated[
        bool, typer.Option("--long", help="Also run the checks that take two hours, and open a thousand threads.")
    ] = False,
) -> None:
    """Try on Discord what only Discord can show, and write a report; stop the bot meanwhile."""
    settings = load_settings()
    require_token(settings)
    from bot.commands.live_check.checks import CHECKS, LONG_CHECKS
    from bot.platform.discord.run import CannotConnect
    from bot.platform.observability.metrics import Metrics
    from bot.settings import LogLevel

    set_up_logging(settings.model_copy(update={"log_level": LogLevel.WARNING}), Metrics())
    checks = (*CHECKS, *LONG_CHECKS) if long else CHECKS
    try:
        results = asyncio.run(run_live_check(settings, server, channel, checks))
    except CannotConnect as fault:
        fail(str(fault), status=REFUSED_STATUS if fault.is_lasting else 1)
    if results is None:
        fail("Interrupted: there is no report.")
    if not all(result.is_passed for result in results):
        raise typer.Exit(1)


async def run_live_check(
    settings: "Settings",
    server_id: int,
    channel_id: int,
    checks: "Sequence[Check]",
    say: Callable[[str], None] = typer.echo,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> "Sequence[Result] | None":
    """Run checks on Discord and write the report; return None if a signal has interrupted them.

    A signal during the removal of what the checks have made ends the removal.

    Raises:
        CannotConnect: Discord can't be reached, refuses the bot, or does not show it the channel.
    """
    from bot.platform.discord.run import stop_on_signal
    from bot.platform.observability.logs import Redactor

    redact = Redactor(settings.secrets)

    async def check() -> "tuple[Sequence[Result], Sequence[str]]":
        async with open_session(settings, server_id, channel_id, lambda text: say(redact(text)), sleep) as session:
            try:
                results = await session.run(checks)
            finally:
                session.say("Removing what the checks have made …")
                kept = await session.clean_up()
                for sentence in kept:
                    session.say(sentence)
            return results, kept

    with stop_on_signal() as ended:
        running = asyncio.create_task(check())
        while not running.done():
            ending = asyncio.create_task(ended.wait())
            await asyncio.wait({running, ending}, return_when=asyncio.FIRST_COMPLETED)
            ending.cancel()
            if ended.is_set():
                ended.clear()
                running.cancel()
    if running.cancelled():
        return None
    results, kept = running.result()
    file, report = settings.live_check_report, redact(_write_report(results, kept))
    say(report.partition("\n")[0])
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(report, encoding="utf-8")
    except OSError as fault:
        fail(f"The report can't be written into {file}: {fault.strerror}.")
    say(f"The report is in {file.absolute()}.")
    return results


def _write_report(results: "Sequence[Result]", kept: Sequence[str]) -> str:
    """Return the report; its first line says what `check` repeats."""
    import discord

    from bot.commands.live_check.checks import LONG_CHECKS

    failed = sum(not result.is_passed for result in results)
    passed, now = len(results) - failed, datetime.now(UTC)
    are_long_left_out = {check.name for check in LONG_CHECKS}.isdisjoint(result.name for result in results)
    end = ", the long ones did not run." if are_long_left_out else "."
    lines = [
        f"Parlour {__version__} on {now:%Y-%m-%d at %H:%M} UTC: {passed} checks passed, {failed} failed{end}",
        f"Python {platform.python_version()}, discord.py {discord.__version__}.",
        "",
        *map(str, results),
        *kept,
    ]
    return "\n".join(lines) + "\n"


@asynccontextmanager
async def open_session(
    settings: "Settings",
    server_id: int,
    channel_id: int,
    say: Callable[[str], None],
    sleep: Callable[[float], Awaitable[None]],
) -> "AsyncIterator[Session]":
    """Connect to Discord and find the channel; raise like `run_live_check`."""
    import discord

    from bot.app.bootstrap import build_client
    from bot.commands.live_check.session import LiveClient, Session
    from bot.platform.catalogues import Catalogues
    from bot.platform.database.database import open_database
    from bot.platform.discord.client import DiscordRequests
    from bot.platform.discord.command_texts import describe_commands
    from bot.platform.discord.http import NETWORK_ERRORS, MessageClient
    from bot.platform.discord.interaction_responses import CallbackClient
    from bot.platform.discord.rate_limits import RateLimiter
    from bot.platform.discord.run import CannotConnect
    from bot.platform.observability.metrics import Metrics

    # The shards of the bot share this database; a bot with one shard does not open it.
    db, metrics = open_database(settings.database_url.get_secret_value()), Metrics()
    limits = RateLimiter(metrics)
    requests = DiscordRequests(limits, MessageClient(limits), CallbackClient(metrics, limits))
    client = LiveClient(db, requests, metrics)
    try:
        async with _connect(client, settings):
            requests.messages.open(client)
            try:
                channel = await client.fetch_channel(channel_id)
            except NETWORK_ERRORS as fault:
                raise CannotConnect(f"The bot can't see the channel {channel_id}: {fault}") from fault
            if not isinstance(channel, discord.TextChannel) or channel.guild.id != server_id:
                raise CannotConnect(f"The channel {channel_id} is no text channel of the server {server_id}.")
            parlour = build_client(db, load_whole_games(), user_install=settings.user_install)
            await parlour.load_cogs()
            parlour.tree.copy_global_to(guild=channel.guild)
            commands = await describe_commands(parlour.tree, discord.Object(server_id), Catalogues())
            yield Session(
                client=client,
                requests=requests,
                channel=channel,
                commands=commands,
                keeps_commands=settings.dev_guild_id == server_id,
                say=say,
                sleep=sleep,
            )
    finally:
        await requests.messages.close()
        await requests.callbacks.close()
        await db.close()


@asynccontextmanager
async def _connect(client: "LiveClient", settings: "Settings") -> "AsyncIterator[None]":
    from bot.platform.discord.run import CannotConnect, explain_faults, prepare_connection, stop_connecting

    connection = make_connection(settings)
    prepare_connection(client, connection)
    async with client:
        running = asyncio.create_task(client.start(connection.token), name="client")
        connected = asyncio.create_task(client.connected.wait(), name="connected")
        try:
            with explain_faults():
                await asyncio.wait({running, connected}, return_when=asyncio.FIRST_COMPLETED, timeout=CONNECT_SECONDS)
                if running.done():
                    running.result()
            if not connected.done():
                raise CannotConnect("Discord's gateway does not answer.")
            yield
        finally:
            connected.cancel()
            await stop_connecting(running)
