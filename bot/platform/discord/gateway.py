"""A gateway connection that survives unreadable frames.

By default, discord.py ends the whole client at an unreadable frame, and at a new connection that closes before it has
begun.
"""

import asyncio
import logging
import math
import time
import traceback
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Self

import aiohttp
import discord
import discord.shard
import yarl
from discord.backoff import ExponentialBackoff
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route
from discord.shard import EventItem, EventType, Shard

from bot.platform.clock import utc_now
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.http import NETWORK_ERRORS, reading
from bot.platform.jobs.shard_leases import reserve_identify

log = logging.getLogger(__name__)

RESUME_PAUSE_SECONDS: Final = 1.0
"""The pause before another attempt to resume a session, if the gateway closed the connection at once."""

_RESUMABLE: Final = 4000
"""A close code after which the session can be resumed."""

_FAILED_CONNECTION: Final = (ReconnectWebSocket, discord.ConnectionClosed, aiohttp.ClientError, OSError)
"""Errors to which discord.py itself reacts with a new connection."""


class UnreadableGateway(aiohttp.ClientError):
    """The gateway did not begin a connection properly; discord.py waits a while and connects again."""


class GatewaySocket(DiscordWebSocket):
    """Drops an unreadable frame and renews the connection."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(socket, loop=loop)
        self._has_events = False
        """Whether any event of this connection was readable."""

    @classmethod
    async def from_client(cls, client: discord.Client, *, resume: bool = False, **options: Any) -> Self:
        """Connect; if the gateway closes too early, retry later."""
        try:
            return await super().from_client(client, resume=resume, **options)
        except ReconnectWebSocket as fault:
            if not resume:
                raise UnreadableGateway("the gateway has closed a connection before it began") from fault
            await asyncio.sleep(RESUME_PAUSE_SECONDS)
            raise

    async def received_message(self, msg: Any, /) -> None:
        """Handle a frame. If it is unreadable, resume the session, or begin a new one if resuming has not helped."""
        before = self.sequence
        try:
            await super().received_message(msg)
        except _FAILED_CONNECTION:
            raise
        except Exception as fault:  # noqa: BLE001 - unreadable frames raise all kinds of errors
            log.warning(
                "shard %s reconnects: the gateway sent a frame that can't be read (%s)",
                self.shard_id,
                describe_place(fault),
            )
            await self.close(_RESUMABLE)
            if self._has_events:
                raise ReconnectWebSocket(self.shard_id) from None
            # The event would come again at once in a resumed or new session.
            raise UnreadableGateway("the first event of a connection can't be read") from None
        self._has_events = self._has_events or self.sequence != before


def describe_place(fault: Exception) -> str:
    """Return the type and place of an error, without its message, which may quote people."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" in {frames[-1].name}" if frames else ""
    return f"{type(fault).__name__}{place}"


IDENTIFY_EVERY: Final = timedelta(seconds=5.5)
"""The interval between identifying shards of a bucket: Discord's five seconds, plus half a second for connecting.

A shard's bucket is its number modulo the bot's `max_concurrency`.

Source: https://docs.discord.com/developers/events/gateway#rate-limiting
"""


class IdentifyGate:
    """Lets shards identify at the times that Discord allows."""

    def __init__(
        self,
        db: Database,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._sleep = sleep
        self._seconds = seconds
        self._free_at: dict[int, float] = {}
        """The monotonic times from which this process's shards leave each bucket free."""
        self.max_concurrency = 1
        """The number of the bot's buckets, which Discord sends at the start."""

    async def wait(self, shard_id: int, shard_count: int) -> None:
        """Wait until a shard may identify; during an outage of the database, heed only this process's shards.

        The only shard of a bot does not wait, as in discord.py, because it identifies once per start.
        """
        if shard_count == 1:
            return
        every, bucket = IDENTIFY_EVERY.total_seconds(), shard_id % self.max_concurrency
        try:
            reserved = await self._db.maintain(reserve_identify, bucket, IDENTIFY_EVERY, shard_count * IDENTIFY_EVERY)
        except StoreUnavailable as fault:
            log.debug("shard %d identifies without asking other processes: %s", shard_id, fault)
            # A shard of another process may have identified just now.
            pause = max(every, self._free_at.get(bucket, 0.0) - self._seconds())
        else:
            pause = reserved.total_seconds()
        free_at = self._seconds() + pause + every
        self._free_at[bucket] = max(free_at, self._free_at.get(bucket, free_at))
        await self._sleep(pause)


LOW_SHARE: Final = 0.1
"""Below this share of the day's sessions the bot starts more slowly, in case something keeps restarting it."""

LONGEST_PAUSE: Final = timedelta(minutes=15)
"""The longest delay of a start with few sessions left: a day has fewer such delays than a tenth has sessions."""

_SHORTEST_WAIT: Final = timedelta(minutes=1)
_LONGEST_WAIT: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StartLimit:
    """Discord's reply to a bot that is about to connect."""

    shards: int = 1
    max_concurrency: int = 1
    total: int = 1000
    remaining: int = 1000
    reset_after: timedelta = timedelta(0)

    @property
    def is_low(self) -> bool:
        """Whether few sessions are left."""
        return self.remaining < self.total * LOW_SHARE

    def pause(self, needed: int) -> timedelta:
        """Return how long to wait before beginning the sessions of a start."""
        if self.remaining < min(needed, self.total):
            return self.until_reset
        paced = self.reset_after * needed / self.remaining if self.is_low else timedelta(0)
        return min(paced, LONGEST_PAUSE)

    @property
    def until_reset(self) -> timedelta:
        """The time until the next day's sessions."""
        return max(self.reset_after, _SHORTEST_WAIT)


class SessionStarts:
    """Waits until Discord allows as many sessions as the bot has shards."""

    def __init__(
        self,
        fetch: Callable[[], Awaitable[StartLimit]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._fetch = fetch
        self._sleep = sleep
        self._seconds = seconds
        self._clock = clock
        self._told_until = -math.inf
        """The end of the wait that the log has announced for lost sessions."""

    async def wait(self, shards: int | None) -> StartLimit:
        """Wait until a number of shards may begin their first sessions, and return Discord's reply.

        Args:
            shards: The number of shards; None for Discord's recommendation.
        """
        while pause := (limit := await self._fetch()).pause(needed := shards or limit.shards):
            self._tell(limit, pause)
            await self._sleep(pause.total_seconds())
            if limit.remaining >= needed:
                # The pause only slowed the start down, and enough sessions are left.
                break
        return limit

    async def wait_for_one(self, reserved: Callable[[], int]) -> None:
        """Wait until a session may replace a lost one.

        Args:
            reserved: Returns how many sessions other shards are about to begin.
        """
        while (limit := await self._fetch()).remaining <= reserved():
            pause = _SHORTEST_WAIT if limit.remaining else limit.until_reset
            if not limit.remaining and self._told_until <= self._seconds():
                self._told_until = self._seconds() + pause.total_seconds()
                self._tell(limit, pause)
            await self._sleep(pause.total_seconds())

    def _tell(self, limit: StartLimit, pause: timedelta) -> None:
        log.warning(
            "Discord lets the bot begin %d more sessions until %s, of %d a day. It waits until %s, and then "
            "connects by itself",
            limit.remaining,
            _text(self._clock() + limit.reset_after),
            limit.total,
            _text(self._clock() + pause),
        )


def read_start_limit(answer: Any) -> StartLimit:
    """Parse the answer to `GET /gateway/bot`, with the values of a small bot in place of unreadable ones."""
    body = answer if isinstance(answer, dict) else {}
    limit = body.get("session_start_limit")
    starts, usual = limit if isinstance(limit, dict) else {}, StartLimit()
    read = StartLimit(
        shards=max(1, _whole(body.get("shards"), usual.shards)),
        max_concurrency=max(1, _whole(starts.get("max_concurrency"), usual.max_concurrency)),
        total=max(1, _whole(starts.get("total"), usual.total)),
        remaining=_whole(starts.get("remaining"), usual.remaining),
        reset_after=min(timedelta(milliseconds=min(_whole(starts.get("reset_after"), 0), 10**12)), _LONGEST_WAIT),
    )
    if "shards" not in body or not starts:
        log.warning(
            "Discord's answer about connecting is incomplete; assuming the values of a small bot for what is missing"
        )
    return read


def _whole(value: object, default: int) -> int:
    """Return a value if it is a whole number of at least 0, or else the default."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default


def _text(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")


class IndependentShard(Shard):
    """Connects in its own task, and begins a session only when the client permits."""

    def __init__(
        self, ws: DiscordWebSocket, client: discord.AutoShardedClient, queue_put: Callable[[EventItem], None]
    ) -> None:
        super().__init__(ws, client, queue_put)
        self._bot = client
        self._report = queue_put
        self._connecting: asyncio.Task[None] | None = None

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Start to resume the session or to begin another one."""
        self._start(super().reidentify, exc, begins=not exc.resume)

    async def reconnect(self) -> None:
        """Start to begin another session."""
        self._start(super().reconnect, begins=True)

    async def close(self) -> None:
        """Disconnect for good."""
        if self._connecting is not None:
            self._connecting.cancel()
        await super().close()

    def _start(self, connect: Any, *arguments: Any, begins: bool) -> None:
        self._connecting = asyncio.create_task(self._connect(connect, *arguments, begins=begins))

    async def _connect(self, connect: Any, *arguments: Any, begins: bool) -> None:
        try:
            if begins and isinstance(self._bot, ShardedBot):
                await self._bot.wait_for_session(self.id)
            if not self._bot.is_closed():
                await connect(*arguments)
        except Exception as fault:  # noqa: BLE001 - the client ends with it
            self._report(EventItem(EventType.terminate, self, fault))


SERVERS_SECONDS: Final = 2.0
"""A shard is ready once Discord has sent no further server for this long; discord.py's default."""

_LONGEST_PAUSE: Final = 30.0
"""The longest pause of a shard that keeps losing sessions; discord.py gives up after a minute."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose shards connect concurrently, each as soon as it may identify."""

    def __init__(self, identify_gate: IdentifyGate, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, guild_ready_timeout=SERVERS_SECONDS, **options)
        self._identify_gate = identify_gate
        self._admitted = set[int]()
        """Shards that may begin a session but have not done so yet."""
        self._starts = SessionStarts(self._fetch_start_limit)
        self._pauses: defaultdict[int, ExponentialBackoff[Any]] = defaultdict(ExponentialBackoff)
        """The growing pauses before a shard replaces a lost session."""
        self._launches: list[tuple[yarl.URL, int]] | None = None
        """Shards collected to be launched together; None if each one is launched immediately."""

    async def login(self, token: str) -> None:
        """Log in and set the bot up; raise MalformedAnswer if Discord's data about the bot is unreadable."""
        try:
            await super().login(token)
        except (LookupError, TypeError, ValueError, AttributeError):
            if self.application is not None:
                raise
            with reading():
                raise

    async def _fetch_start_limit(self) -> StartLimit:
        with reading():
            return read_start_limit(await self.http.request(Route("GET", "/gateway/bot")))

    async def launch_shards(self) -> None:
        """Connect all shards concurrently, where discord.py connects one after another."""
        if self.is_closed():
            return
        limit = await self._starts.wait(self.shard_count if self.shard_ids is None else len(self.shard_ids))
        self._identify_gate.max_concurrency = limit.max_concurrency
        self.shard_count = self.shard_count or limit.shards
        self._launches = []
        await super().launch_shards()
        launches, self._launches = self._launches, None
        await asyncio.gather(*(self.launch_shard(gateway, shard_id) for gateway, shard_id in launches))

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard once it may identify, because a waiting connection would time out."""
        if self._launches is not None:
            self._launches.append((gateway, shard_id))
            return
        self._admitted.add(shard_id)
        await self._identify_gate.wait(shard_id, self.shard_count or 1)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def wait_for_session(self, shard_id: int) -> None:
        """Wait until a shard that has lost its session may identify."""
        self._admitted.discard(shard_id)
        await asyncio.sleep(min(self._pauses[shard_id].delay(), _LONGEST_PAUSE))
        try:
            await self._starts.wait_for_one(lambda: len(self._admitted))
        except (*NETWORK_ERRORS, discord.DiscordException) as fault:
            # Go on without Discord's answer.
            log.debug("how many sessions may be begun is not known: %s", fault)
        self._admitted.add(shard_id)
        await self._identify_gate.wait(shard_id, self.shard_count or 1)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let a shard identify at once, because it waited before connecting."""
        self._admitted.discard(shard_id or 0)

    def latencies_by_shard(self) -> dict[int, float | None]:
        """Return each shard's heartbeat latency in seconds, None if it is not connected; empty before the start."""
        if not self.is_ready():
            return {}
        return {number: None if shard.is_closed() else shard.latency for number, shard in self.shards.items()}
