"""Runs the client until it is told to stop."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import aiohttp
import discord

from bot.observability.garbage import collect_in_pauses, collecting_seldom
from bot.observability.metrics import Watch
from bot.rules.package import GamePackage
from bot.tables.actions.idle import STANDARD_LIMITS, SilenceLimits
from bot.tables.runtime.cache import CACHE_BYTES
from bot.ui.client.client import Keeper, ParlourClient
from bot.ui.client.endpoints import point_at
from bot.ui.client.resolver import connector
from bot.ui.delivery.picture_attachments import Painter
from bot.words import gettext as _

STOP_SECONDS: Final = 0.25
"""How long the end waits until the library has stopped connecting."""
_AGAIN_SECONDS: Final = 0.05

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class CannotConnect(Exception):
    """Discord could not be reached or did not let the bot in; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Connection:
    """How the client reaches Discord."""

    token: str
    api_url: str | None = None
    """A stand-in for Discord; None means Discord itself."""
    dev_guild_id: int | None = None


async def serve(
    store: Keeper,
    games: Mapping[str, GamePackage],
    connection: Connection,
    *,
    pause: float,
    reminds: bool = True,
    cache_bytes: int = CACHE_BYTES,
    most_open: int | None = None,
    silence_limits: SilenceLimits = STANDARD_LIMITS,
    leash: int | None = None,
    watch: Watch | None = None,
    painter: Painter | None = None,
) -> None:
    """Host tables until a signal, or until the pipe behind the file number `leash` closes; raises CannotConnect."""
    if connection.api_url is not None:
        point_at(connection.api_url)
    client = ParlourClient(
        store,
        games,
        pause=pause,
        reminds=reminds,
        cache_bytes=cache_bytes,
        most_open=most_open,
        silence_limits=silence_limits,
        dev_guild_id=connection.dev_guild_id,
        watch=watch,
        painter=painter,
        connector=connector(),
    )
    ended = asyncio.Event()
    collecting = asyncio.create_task(collect_in_pauses(client.doorway.is_empty), name="garbage")
    with _told_to_end(leash, ended), collecting_seldom():
        try:
            await _connected(client, connection.token, ended)
        finally:
            collecting.cancel()


@contextmanager
def _told_to_end(leash: int | None, ended: asyncio.Event) -> Iterator[None]:
    """Set the event at a signal, or when the pipe closes; being told again changes nothing."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        if leash is not None:
            # A pipe that has closed says so again and again.
            loop.remove_reader(leash)
        ended.set()

    for number in _SIGNALS:
        loop.add_signal_handler(number, end)
    if leash is not None:
        loop.add_reader(leash, end)
    try:
        yield
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
        if leash is not None:
            loop.remove_reader(leash)


async def _hosted(client: ParlourClient, token: str, ended: asyncio.Event) -> None:
    """Connect and stay connected until the event is set, then close the client; raises what ends the connection."""
    async with client:
        connecting = asyncio.create_task(client.start(token), name="client")
        ending = asyncio.create_task(ended.wait(), name="ending")
        try:
            await asyncio.wait({connecting, ending}, return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                connecting.result()
        finally:
            ending.cancel()
            await stop_connecting(connecting)


async def stop_connecting(connecting: asyncio.Task[None]) -> None:
    """Cancel what connects the client until it has ended, for `STOP_SECONDS` at most.

    Once is not enough: while a shard identifies or resumes anew, the library takes a cancellation for the end of that
    alone, and goes on to wait for the next event.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            while not connecting.done():
                connecting.cancel()
                await asyncio.wait({connecting}, timeout=_AGAIN_SECONDS)
    if connecting.done() and not connecting.cancelled():
        connecting.exception()


async def _connected(client: ParlourClient, token: str, ended: asyncio.Event) -> None:
    try:
        await _hosted(client, token, ended)
    except discord.LoginFailure as fault:
        raise CannotConnect(
            _("Discord does not accept the token in DISCORD_TOKEN. Copy it anew from the developer portal.")
        ) from fault
    except discord.Forbidden as fault:
        raise CannotConnect(
            _(
                "Discord does not let the bot register its commands. If DEV_GUILD_ID is set, the bot must be in that "
                "server, invited with the scope applications.commands."
            )
        ) from fault
    except discord.DiscordException as fault:
        raise CannotConnect(_("Discord does not let the bot connect: {fault}").format(fault=fault)) from fault
    except (aiohttp.ClientError, OSError) as fault:
        raise CannotConnect(_("Discord can't be reached: {fault}").format(fault=fault)) from fault
