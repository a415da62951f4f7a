"""A gateway connection that survives what it can't read.

By itself, discord.py ends the whole client at a frame that can't be read, and at a new connection that is closed before
it has begun.
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
from bot.platform.jobs.shards import reserve_identify

log = logging.getLogger(__name__)

RESUME_PAUSE_SECONDS: Final = 1.0
"""How long to wait before another attempt to resume a session, if the gateway has closed the connection at once."""

_RESUMABLE: Final = 4000
"""A close code after which the session can be resumed."""

_FAILED_CONNECTION: Final = (ReconnectWebSocket, discord.ConnectionClosed, aiohttp.ClientError, OSError)
"""What discord.py itself answers with a new connection."""


class UnreadableGateway(aiohttp.ClientError):
    """The gateway did not begin a connection as it should; discord.py waits a while, and then makes another one."""


class GatewaySocket(DiscordWebSocket):
    """Loses a frame that can't be read, and has the connection made anew."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(socket, loop=loop)
        self._has_events = False
        """Whether any event of this connection could be read."""

    @classmethod
    async def from_client(cls, client: discord.Client, *, resume: bool = False, **options: Any) -> Self:
        """Connect; a gateway that breaks off before it has begun is asked again later."""
        try:
            return await super().from_client(client, resume=resume, **options)
        except ReconnectWebSocket as fault:
            if not resume:
                raise UnreadableGateway("the gateway has closed a connection before it began") from fault
            await asyncio.sleep(RESUME_PAUSE_SECONDS)
            raise

    async def received_message(self, msg: Any, /) -> None:
        """Handle a frame. If it can't be read, resume the session, or begin another if that has not helped."""
        before = self.sequence
        try:
            await super().received_message(msg)
        except _FAILED_CONNECTION:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever can't be read
            log.warning(
                "shard %s reconnects: the gateway sent a frame that can't be read (%s)",
                self.shard_id,
                describe_place(fault),
            )
            await self.close(_RESUMABLE)
            if self._has_events:
                raise ReconnectWebSocket(self.shard_id) from None
            # Resumed or new, this would come again at once.
            raise UnreadableGateway("the first event of a connection can't be read") from None
        self._has_events = self._has_events or self.sequence != before


def describe_place(fault: Exception) -> str:
    """Return what kind of fault it is and where it arose; its message may tell what people have written."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" in {frames[-1].name}" if frames else ""
    return f"{type(fault).__name__}{place}"


IDENTIFY_EVERY: Final = timedelta(seconds=5.5)
"""How often a shard of a bucket may identify: Discord's five seconds, and half a second because connecting takes time.

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
        """When the shards of this process leave each bucket free."""
        self.max_concurrency = 1
        """How many buckets the bot has; Discord tells it at the start."""

    async def wait(self, shard_id: int, shard_count: int) -> None:
        """Wait until a shard may identify; while the database does not work, only for others of this process.

        The shard of a bot that has only one does not wait, as with discord.py: it identifies but once a start.
        """
        if shard_count == 1:
            return
        every, bucket = IDENTIFY_EVERY.total_seconds(), shard_id % self.max_concurrency
        try:
            reserved = await self._db.maintain(reserve_identify, bucket, IDENTIFY_EVERY, shard_count * IDENTIFY_EVERY)
        except StoreUnavailable as fault:
            log.debug("shard %d identifies without asking other processes: %s", shard_id, fault)
            # A shard of another process may just have identified.
            pause = max(every, self._free_at.get(bucket, 0.0) - self._seconds())
        else:
            pause = reserved.total_seconds()
        free_at = self._seconds() + pause + every
        self._free_at[bucket] = max(free_at, self._free_at.get(bucket, free_at))
        await self._sleep(pause)


LOW_SHARE: Final = 0.1
"""From which part of its sessions on the bot starts more slowly, in case something restarts it again and again."""

LONGEST_PAUSE: Final = timedelta(minutes=15)
"""How long a start with few sessions left is put off: a day has fewer quarters of an hour than a tenth has sessions."""

_SHORTEST_WAIT: Final = timedelta(minutes=1)
_LONGEST_WAIT: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StartLimit:
    """What Discord tells a bot that is about to connect."""

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
        """Return how long to wait before the sessions of a start are begun."""
        if self.remaining < min(needed, self.total):
            return self.until_reset
        paced = self.reset_after * needed / self.remaining if self.is_low else timedelta(0)
        return min(paced, LONGEST_PAUSE)

    @property
    def until_reset(self) -> timedelta:
        """How long to wait for the next day's sessions."""
        return max(self.reset_after, _SHORTEST_WAIT)


class SessionStarts:
    """Waits until Discord lets the bot begin as many sessions as it has shards."""

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
        """Until when the log tells that lost sessions have to wait."""

    async def wait(self, shards: int | None) -> StartLimit:
        """Wait until the first sessions of some shards may be begun, and return what Discord has told.

        Args:
            shards: How many; None for those that Discord recommends.
        """
        while pause := (limit := await self._fetch()).pause(needed := shards or limit.shards):
            self._tell(limit, pause)
            await self._sleep(pause.total_seconds())
            if limit.remaining >= needed:
                # It was only slowed down.
                break
        return limit

    async def wait_for_one(self, reserved: Callable[[], int]) -> None:
        """Wait until a session may be begun in place of a lost one.

        Args:
            reserved: Tells how many sessions other shards are about to begin.
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
    """Return what `GET /gateway/bot` has answered, with the values of a small bot for what can't be read."""
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
    """Return a number that is not negative, or the default."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default


def _text(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")


class IndependentShard(Shard):
    """Connects in a task of its own, and begins a session only when the client lets it."""

    def __init__(
        self, ws: DiscordWebSocket, client: discord.AutoShardedClient, queue_put: Callable[[EventItem], None]
    ) -> None:
        super().__init__(ws, client, queue_put)
        self._bot = client
        self._report = queue_put
        self._connecting: asyncio.Task[None] | None = None

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Start to resume the session, or to begin another one."""
        self._start(super().reidentify, exc, begins=not exc.resume)

    async def reconnect(self) -> None:
        """Start to begin another session."""
        self._start(super().reconnect, begins=True)

    async def close(self) -> None:
        """Disconnect, and connect no more."""
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
"""How long Discord must name no further server before a shard counts as ready; discord.py's default."""

_LONGEST_PAUSE: Final = 30.0
"""How long a shard waits that loses one session after the other; discord.py gives up after a minute."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose shards connect at the same time, each once it may identify."""

    def __init__(self, identify_gate: IdentifyGate, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, guild_ready_timeout=SERVERS_SECONDS, **options)
        self._identify_gate = identify_gate
        self._admitted = set[int]()
        """Shards that may begin a session and have not yet."""
        self._starts = SessionStarts(self._fetch_start_limit)
        self._pauses: defaultdict[int, ExponentialBackoff[Any]] = defaultdict(ExponentialBackoff)
        """The growing pauses before the sessions that replace those a shard has lost."""
        self._launches: list[tuple[yarl.URL, int]] | None = None
        """The shards to be launched together; None if each is launched at once."""

    async def login(self, token: str) -> None:
        """Log in and set the bot up; raise MalformedAnswer if it can't be read what Discord says of the bot."""
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
        """Connect all shards at the same time, where discord.py connects one after another."""
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
        """Connect a shard once it may identify: a connection that waits for that would time out."""
        if self._launches is not None:
            self._launches.append((gateway, shard_id))
            return
        self._admitted.add(shard_id)
        await self._identify_gate.wait(shard_id, self.shard_count or 1)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def wait_for_session(self, shard_id: int) -> None:
        """Wait until a shard may identify that has lost its session."""
        self._admitted.discard(shard_id)
        await asyncio.sleep(min(self._pauses[shard_id].delay(), _LONGEST_PAUSE))
        try:
            await self._starts.wait_for_one(lambda: len(self._admitted))
        except (*NETWORK_ERRORS, discord.DiscordException) as fault:
            # What Discord does not tell is no hindrance.
            log.debug("how many sessions may be begun is not known: %s", fault)
        self._admitted.add(shard_id)
        await self._identify_gate.wait(shard_id, self.shard_count or 1)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let a shard identify at once: it has waited before it connected."""
        self._admitted.discard(shard_id or 0)

    def latencies_by_shard(self) -> dict[int, float | None]:
        """Return the seconds of each shard's last heartbeat, None if it is not connected; empty before the start."""
        if not self.is_ready():
            return {}
        return {number: None if shard.is_closed() else shard.latency for number, shard in self.shards.items()}
