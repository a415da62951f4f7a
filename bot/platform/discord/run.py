"""Runs the client until a signal stops it."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket

from bot.platform.discord.client import ParlourClient
from bot.platform.discord.connection_state import make_connector
from bot.platform.discord.context import make_invitation
from bot.platform.discord.http import reading
from bot.platform.observability.event_loop import collect_when_idle, tune_gc
from bot.platform.observability.logs import Redactor
from bot.platform.streams_and_signals import effective_stop_signals
from bot.words import gettext as _

STOP_SECONDS: Final = 0.25
"""How long a shutdown waits for discord.py to stop connecting."""
_RETRY_SECONDS: Final = 0.05

HandOver: TypeAlias = Callable[[], Awaitable[None]]
"""Waits until another process serves this one's shards."""

_LASTING_CLOSE_CODES: Final = (4004, 4010, 4013, 4014)
"""The gateway's close codes for a wrong token, an impossible shard and missing intents."""


class LeashBroken(Exception):
    """The file descriptor that should stop the process by closing is no pipe."""


class CannotConnect(Exception):
    """Discord can't be reached or refuses the bot; the message says what to do.

    Args:
        text: The message.
        is_lasting: Whether the error stays until the person who runs the bot changes something.
    """

    def __init__(self, text: str, *, is_lasting: bool = False) -> None:
        super().__init__(text)
        self.is_lasting = is_lasting


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """The settings with which the client reaches Discord."""

    token: str
    api_url: str | None = None
    """The address of a replacement for Discord's API, such as the sandbox."""
    proxy: str | None = None
    """The URL of an HTTP proxy, perhaps with a name and a password."""


def set_api_url(api_url: str) -> None:
    """Send all requests of this process to another API address, such as `http://127.0.0.1:8000/api/v10`.

    The bot sends its token there, so the caller must trust the address.
    """
    address = urlsplit(api_url)
    root = f"{address.scheme}://{address.netloc}"
    discord.http.Route.BASE = api_url.rstrip("/")
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address.netloc}/gateway")
    discord.asset.Asset.BASE = f"{root}/cdn"


def prepare_connection(client: discord.Client, connection: ConnectionSettings) -> None:
    """Let a client reach Discord as the settings say; the address counts for the whole process."""
    if connection.api_url is not None:
        set_api_url(connection.api_url)
    client.http.proxy = connection.proxy


async def log_in_once(connection: ConnectionSettings) -> tuple[str, str]:
    """Test a token: log in, and return the bot's name and the link that adds it to a server.

    Raises:
        CannotConnect: Discord can't be reached or refuses the token.
    """
    client = discord.Client(intents=discord.Intents.none(), connector=make_connector())
    prepare_connection(client, connection)
    with explain_faults(), reading():
        async with client:
            await client.login(connection.token)
            return str(client.user), make_invitation(client.application_id or 0)


async def serve(
    client: ParlourClient,
    connection: ConnectionSettings,
    ended: asyncio.Event,
    hand_over: HandOver | None = None,
) -> None:
    """Run the client until the event is set and its shards are handed over.

    Raises:
        CannotConnect: Discord can't be reached or refuses the bot.
    """
    prepare_connection(client, connection)
    collecting = asyncio.create_task(collect_when_idle(client.in_flight.is_empty), name="garbage")
    with tune_gc():
        try:
            with explain_faults():
                await _run_client(client, connection.token, ended, hand_over)
        finally:
            collecting.cancel()


@contextmanager
def stop_on_signal(stop_fd: int | None = None) -> Iterator[asyncio.Event]:
    """Yield an event that is set at a stop signal, or when the pipe with the file descriptor `stop_fd` closes.

    Repeated signals must not interrupt the shutdown. Afterwards, restore the previous signal handlers.

    Raises:
        LeashBroken: The file descriptor belongs to a file or device, which never closes.
    """
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    before = {number: signal.getsignal(number) for number in effective_stop_signals()}

    def end() -> None:
        if stop_fd is not None:
            # A closed pipe stays readable, so the callback would run forever.
            loop.remove_reader(stop_fd)
        ended.set()

    if stop_fd is not None:
        try:
            loop.add_reader(stop_fd, end)
        except PermissionError as fault:
            raise LeashBroken from fault
    for number in before:
        loop.add_signal_handler(number, end)
    try:
        yield ended
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
        if stop_fd is not None:
            loop.remove_reader(stop_fd)


async def _run_client(client: ParlourClient, token: str, ended: asyncio.Event, hand_over: HandOver | None) -> None:
    """Stay connected until the event is set, then close the client; raise any error that ends the connection."""
    async with client:
        connecting = asyncio.create_task(client.start(token), name="client")
        ending = asyncio.create_task(ended.wait(), name="ending")
        try:
            await asyncio.wait({connecting, ending}, return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                connecting.result()
            elif hand_over is not None:
                await hand_over()
        finally:
            ending.cancel()
            await stop_connecting(connecting)


async def stop_connecting(connecting: asyncio.Task[None]) -> None:
    """Cancel the connecting task repeatedly until it ends, for at most `STOP_SECONDS`.

    One cancellation is not enough, because discord.py takes it for the end of a shard's identifying or resuming, and
    goes on to wait for the next event.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            while not connecting.done():
                connecting.cancel()
                await asyncio.wait({connecting}, timeout=_RETRY_SECONDS)
    if connecting.done() and not connecting.cancelled():
        connecting.exception()


@contextmanager
def explain_faults() -> Iterator[None]:
    """Explain the errors of connecting in sentences.

    Raises:
        CannotConnect: Discord can't be reached or refuses the bot.
    """
    try:
        yield
    except discord.LoginFailure as fault:
        raise CannotConnect(
            _("Discord rejected the token in DISCORD_TOKEN. Copy it again from the developer portal."), is_lasting=True
        ) from fault
    except discord.DiscordException as fault:
        is_lasting = isinstance(fault, discord.PrivilegedIntentsRequired) or (
            isinstance(fault, discord.ConnectionClosed) and fault.code in _LASTING_CLOSE_CODES
        )
        text = _("Discord won't let the bot connect: {fault}").format(fault=fault)
        raise CannotConnect(text, is_lasting=is_lasting) from fault
    except (aiohttp.ClientError, OSError) as fault:
        # The address of a proxy may have a password.
        reason = Redactor(())(str(fault))
        raise CannotConnect(_("Discord can't be reached: {fault}").format(fault=reason)) from fault
