"""What all checks share: the connection, the channel, buttons that the operator presses, and what must be removed."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

import discord
from discord.ext import commands

from bot.platform.database.database import Database
from bot.platform.discord.client import DiscordRequests
from bot.platform.discord.connection_state import make_connector, use_trimmed_state
from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.gateway import IdentifyGate, ShardedBot
from bot.platform.discord.http import NETWORK_ERRORS, Request, delete_request, post_request
from bot.platform.discord.rate_limits import LibraryRequestLimiter, Urgency
from bot.platform.observability.metrics import Metrics

log = logging.getLogger(__name__)

CLICK_SECONDS: Final = 120.0
"""How long a check waits for the operator to press a button."""

_GONE: Final = (10003, 10008, 10014, 10015, 50027)
"""Discord's error codes for what is gone already, and for private messages, which people dismiss themselves."""

_ALREADY_ANSWERED: Final = 40060


class CheckFailed(Exception):
    """Discord did something else than Parlour expects; the message says what, in a sentence."""


class LiveClient(ShardedBot):
    """Connects like the bot, and collects clicks."""

    def __init__(self, db: Database, requests: DiscordRequests, metrics: Metrics) -> None:
        trace_config = metrics.make_http_trace()
        LibraryRequestLimiter(requests.limits).register_callbacks(trace_config)
        with use_trimmed_state():
            super().__init__(
                IdentifyGate(db),
                commands.when_mentioned,
                help_command=None,
                intents=discord.Intents(guilds=True),
                member_cache_flags=discord.MemberCacheFlags.none(),
                chunk_guilds_at_startup=False,
                allowed_mentions=discord.AllowedMentions.none(),
                http_trace=trace_config,
                connector=make_connector(),
            )
        self.clicks = asyncio.Queue[discord.Interaction[Any]]()
        self.connected = asyncio.Event()

    async def on_ready(self) -> None:
        """Note that the gateway has sent the bot's servers."""
        self.connected.set()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hand a click to the check that waits for it."""
        self.clicks.put_nowait(interaction)


class Result(NamedTuple):
    """How a check ended."""

    name: str
    is_passed: bool
    text: str
    """What was measured, or why the check failed."""

    def __str__(self) -> str:
        return f"{'ok    ' if self.is_passed else 'FAILED'}  {self.name}: {self.text}"


class Click(NamedTuple):
    """A click that waits for its answer."""

    interaction: discord.Interaction[Any]
    arrived_at: float

    def describe_delay(self) -> str:
        """Return a sentence with the seconds from the click until Discord had the answer."""
        return f"Discord had the answer {time.monotonic() - self.arrived_at:.2f} s after the click had arrived."


class _Leftover(NamedTuple):
    name: str
    remove: Callable[[], Awaitable[object]]


@dataclass(slots=True)
class Session:
    """A run of the checks in a channel."""

    client: LiveClient
    requests: DiscordRequests
    channel: discord.TextChannel
    commands: Sequence[Json]
    """All commands of the bot, as it registers them."""
    keeps_commands: bool
    """Whether the bot registers its commands in this server anyway."""
    say: Callable[[str], None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _leftovers: list[_Leftover] = field(default_factory=list)

    async def run(self, checks: "Sequence[Check]") -> list[Result]:
        """Run checks one after another; none keeps the next from running."""
        results = list[Result]()
        for name, check in checks:
            try:
                result = Result(name, is_passed=True, text=await check(self))
            except CheckFailed as fault:
                result = Result(name, is_passed=False, text=str(fault))
            except NETWORK_ERRORS as fault:
                result = Result(name, is_passed=False, text=_describe(fault))
            except Exception as fault:
                # Whatever Discord sends, the other checks go on.
                log.debug("a check has failed", exc_info=fault)
                result = Result(name, is_passed=False, text=f"Discord's answer can't be read ({fault!r}).")
            self.say(str(result))
            results.append(result)
        return results

    async def clean_up(self) -> list[str]:
        """Remove everything that the checks have made, newest first; return a sentence for each thing that stays.

        A cancellation ends the removal, and is not passed on, so that the caller still learns what stays.
        """
        kept = list[str]()
        while self._leftovers:
            name, remove = self._leftovers.pop()
            try:
                await remove()
            except asyncio.CancelledError:
                names = [name, *(left.name for left in reversed(self._leftovers))]
                self._leftovers.clear()
                return [*kept, *(f"Left behind: {each} (interrupted)." for each in names)]
            except Exception as fault:  # noqa: BLE001 - whatever a removal raises, the others go on
                if not (isinstance(fault, discord.HTTPException) and fault.code in _GONE):
                    kept.append(f"Left behind: {name} ({str(fault) or repr(fault)}).")
        return kept

    def remove_later(self, name: str, remove: Callable[[], Awaitable[object]]) -> None:
        """Remove something at the end, whatever happens until then."""
        self._leftovers.append(_Leftover(name, remove))

    async def send(self, request: Request) -> Any:
        """Send a request about a message as the bot does."""
        return await self.requests.messages.send_with_retries(request, Urgency.POST)

    async def post(self, content: MessageContent) -> Json:
        """Post a message, which is deleted at the end, and return it as Discord shows it."""
        return await self.post_request(post_request(self.channel.id, content))

    async def post_request(self, request: Request) -> Json:
        """Post like `post`."""
        message: Json = await self.send(request)
        delete = delete_request(request.channel_id, int(message["id"]))
        self.remove_later(f"the message {message['id']}", partial(self.send, delete))
        return message

    async def ask_for_click(self, label: str) -> Click:
        """Post a button, ask the operator to press it, and return the click.

        Raises:
            CheckFailed: The button was not pressed in time.
        """
        while not self.client.clicks.empty():
            self.client.clicks.get_nowait()
        button = Button(label, f"live-check:{label}")
        await self.post(
            MessageContent({"title": "Live check", "description": "Please press the button."}, ((button,),))
        )
        self.say(f"Press “{label}” in the channel now.")
        try:
            async with asyncio.timeout(CLICK_SECONDS):
                while True:
                    click = await self.client.clicks.get()
                    if click.data is not None and dict(click.data).get("custom_id") == button.custom_id:
                        return Click(click, time.monotonic())
        except TimeoutError:
            raise CheckFailed(f"No click has arrived within {CLICK_SECONDS:.0f} seconds.") from None

    async def download(self, url: str) -> bytes:
        """Download a file that Discord shows."""
        return await self.client.http.get_from_cdn(url)


def _describe(fault: Exception) -> str:
    if isinstance(fault, discord.HTTPException) and fault.code == _ALREADY_ANSWERED:
        return "Another process has answered this click: stop the bot while the check runs."
    if isinstance(fault, discord.HTTPException):
        return f"Discord refused the request: {fault}."
    return f"Discord did not answer ({type(fault).__name__}: {fault})."


class Check(NamedTuple):
    """A check with its name; it returns what it measured, and raises CheckFailed or what requests raise."""

    name: str
    run: Callable[[Session], Awaitable[str]]
