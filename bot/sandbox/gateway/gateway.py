"""The gateway: the websocket over which events reach the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from functools import partial

from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.gateway.session import CloseCode, Connection, Intents, Opcode, Session, StartLimit, make_compress
from bot.sandbox.model.servers import Server
from bot.sandbox.model.world import Change, ChannelChange, LocaleChange, MembershipChange, Op, ThreadChange, World
from bot.sandbox.rest.application import application_payload
from bot.sandbox.wire import Json, decode

HEARTBEAT_MS = 41_250
RESUMABLE_SECONDS = 60.0

ACK_SECONDS = 0.02
"""Round-trip time of a heartbeat. discord.py starts its clock after sending, and an acknowledgement that is there
earlier makes it believe that the gateway lags by a whole interval."""


class StallPoint(Enum):
    """Points at which the gateway can stop responding."""

    CONNECT = "connect"
    """The websocket is not opened."""
    REFUSE = "refuse"
    """The websocket is refused with 503, so that clients back off."""
    HELLO = "hello"
    IDENTIFY = "identify"
    RESUME = "resume"
    CLOSE = "close"
    """The closing handshake is not completed."""


class Gateway:
    """Keeps the sessions of the bot and sends them events."""

    def __init__(
        self, world: World, token: str, url: Callable[[], str], *, max_concurrency: int = 1, identify_seconds: float = 0
    ) -> None:
        self._world = world
        self._max_concurrency = max_concurrency
        self._identify_seconds = identify_seconds
        """How far apart the shards of a bucket must identify."""
        self._identified_at: dict[int, float] = {}
        """When a shard last identified, by bucket."""
        self.early_identify_count = 0
        """Number of shards that identified too early and were refused."""
        self._token = token
        self._url = url
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.hello_count = 0
        """Number of connections that got a HELLO."""
        self.start_limit = StartLimit()
        self.identify_count = 0
        """Number of sessions that were begun."""
        self.rewrite: Callable[[str], str] = str
        """Changes every frame before it is sent."""
        self._stopped = asyncio.Event()
        self.stall_at: StallPoint | None = None
        """Where new connections get no response."""
        self.stall_reached = asyncio.Event()
        """Set as soon as a client is stalled there."""
        world.subscribe(self._on_change)

    def _is_stalled(self, point: StallPoint) -> bool:
        if self.stall_at is point:
            self.stall_reached.set()
        return self.stall_at is point

    # --- for the rest of the sandbox

    @property
    def is_reachable(self) -> bool:
        """Whether a client is connected or may still resume."""
        return bool(self._sessions)

    @property
    def session_count(self) -> int:
        """The number of clients that are connected, or may come back."""
        return len(self._sessions)

    def dispatch(self, event: str, data: Json, server_id: int | None, intent: Intents | None = None) -> None:
        """Send an event to the sessions whose shard serves the server, or direct messages (None)."""
        for session in self._sessions.values():
            if session.wants(intent) and session.serves(server_id):
                session.dispatch(event, data)

    def drop_connections(self) -> None:
        """Break all connections, like a network failure."""
        for connection in self._connections:
            connection.close(CloseCode.UNKNOWN_ERROR)

    def send_frame(self, frame: str | bytes) -> None:
        """Send all clients a frame, whatever it holds: a text is compressed like others, bytes are sent as they are."""
        for connection in self._connections:
            if isinstance(frame, bytes):
                connection.send_bytes(frame)
            else:
                connection.send_text(frame)

    def ask_to_reconnect(self) -> None:
        """Ask all clients to reconnect."""
        for connection in self._connections:
            connection.send({"op": Opcode.RECONNECT, "d": None})

    def invalidate_sessions(self, shard: int | None = None) -> None:
        """Invalidate all sessions, or those of a shard, so that clients must identify again."""
        for session in tuple(self._sessions.values()):
            if shard not in (None, session.shard[0]):
                continue
            if session.connection is not None:
                session.connection.send({"op": Opcode.INVALID_SESSION, "d": False})
            self._forget(session)

    def stop(self) -> None:
        """Close all connections for good."""
        self._stopped.set()
        for timer in self._timers.values():
            timer.cancel()
        for connection in self._connections:
            connection.close(WSCloseCode.GOING_AWAY)

    def _rewrite(self, text: str) -> str:
        # A test may set `rewrite` while a connection is open.
        return self.rewrite(text)

    # --- one connection

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection."""
        compression = request.query.get("compress")
        compress = None if compression is None else make_compress(compression)
        if compression is not None and compress is None:
            raise web.HTTPBadRequest(text=f"The gateway does not know {compression} here, but zlib-stream.")
        if self._is_stalled(StallPoint.CONNECT):
            await self._stopped.wait()
            raise web.HTTPServiceUnavailable
        if self._is_stalled(StallPoint.REFUSE):
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=1 << 16, autoclose=self.stall_at is not StallPoint.CLOSE)
        await socket.prepare(request)
        connection = Connection(socket, compress, self._rewrite)
        self._connections.add(connection)
        sender = asyncio.create_task(connection.send_queued())
        try:
            await self._serve(socket, connection)
        finally:
            self._connections.discard(connection)
            sender.cancel()
        return socket

    async def _serve(self, socket: web.WebSocketResponse, connection: Connection) -> None:
        if not self._is_stalled(StallPoint.HELLO):
            self.hello_count += 1
            connection.send({"op": Opcode.HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": []}})
        session: Session | None = None
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    continue
                session = self._handle_text(connection, session, frame.data)
        finally:
            if session is not None and session.connection is connection:
                # A clean close ends the session; after any other the client may resume.
                is_clean = socket.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY)
                self._detach(session, clean=is_clean and not connection.is_closing)

    def _handle_text(self, connection: Connection, session: Session | None, text: str) -> Session | None:
        try:
            frame = decode(text)
            opcode, data = frame["op"], frame["d"]
        except (ValueError, TypeError, KeyError):
            connection.close(CloseCode.DECODE_ERROR)
            return session
        return self._handle_frame(connection, session, opcode, data if isinstance(data, dict) else {})

    def _handle_frame(self, connection: Connection, session: Session | None, opcode: int, data: Json) -> Session | None:
        if opcode == Opcode.HEARTBEAT:
            acknowledge = partial(connection.send, {"op": Opcode.HEARTBEAT_ACK})
            asyncio.get_running_loop().call_later(ACK_SECONDS, acknowledge)
        elif opcode in (Opcode.IDENTIFY, Opcode.RESUME):
            if session is None:
                return self._authenticate(connection, opcode, data)
            connection.close(CloseCode.ALREADY_AUTHENTICATED)
        elif session is None:
            connection.close(CloseCode.NOT_AUTHENTICATED)
        return session

    def _authenticate(self, connection: Connection, opcode: int, data: Json) -> Session | None:
        if data.get("token") != self._token:
            connection.close(CloseCode.AUTHENTICATION_FAILED)
            return None
        if self._is_stalled(StallPoint.IDENTIFY if opcode == Opcode.IDENTIFY else StallPoint.RESUME):
            return None
        if opcode == Opcode.IDENTIFY:
            return self._identify(connection, data)
        return self._resume(connection, data)

    # --- sessions

    def _identify(self, connection: Connection, data: Json) -> Session | None:
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            connection.close(CloseCode.INVALID_SHARD)
            return None
        if not self._may_identify(int(number)):
            self.early_identify_count += 1
            connection.send({"op": Opcode.INVALID_SESSION, "d": False})
            return None
        if self.start_limit.remaining <= 0:
            # Discord resets the token.
            connection.close(CloseCode.AUTHENTICATION_FAILED)
            return None
        self.start_limit.remaining -= 1
        self.identify_count += 1
        session = Session(int(data.get("intents") or 0), (int(number), int(count)))
        self._attach(session, connection)
        session.dispatch("READY", ready_payload(self._world, session, self._servers_of(session), self._url()))
        if session.wants(Intents.GUILDS):
            for server in self._servers_of(session):
                session.dispatch("GUILD_CREATE", guild_payload(self._world, server))
        self._world.set_online(True)
        return session

    def _may_identify(self, shard: int) -> bool:
        bucket, now = shard % self._max_concurrency, asyncio.get_running_loop().time()
        is_early = now - self._identified_at.get(bucket, -self._identify_seconds) < self._identify_seconds
        if not is_early:
            self._identified_at[bucket] = now
        return not is_early

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        session = self._sessions.get(str(data.get("session_id")))
        sequence = int(data.get("seq") or 0)
        if session is None or not session.can_replay(sequence):
            connection.send({"op": Opcode.INVALID_SESSION, "d": False})
            return None
        self._attach(session, connection)
        session.replay(sequence)
        session.dispatch("RESUMED", {"_trace": []})
        self._world.set_online(True)
        return session

    def _attach(self, session: Session, connection: Connection) -> None:
        if timer := self._timers.pop(session.id, None):
            timer.cancel()
        session.connection = connection
        self._sessions[session.id] = session

    def _detach(self, session: Session, *, clean: bool) -> None:
        session.connection = None
        if clean:
            self._forget(session)
        else:
            later = asyncio.get_running_loop().call_later
            self._timers[session.id] = later(RESUMABLE_SECONDS, self._forget, session)
        self._update_presence()

    def _forget(self, session: Session) -> None:
        self._sessions.pop(session.id, None)
        self._timers.pop(session.id, None)
        self._update_presence()

    def _update_presence(self) -> None:
        self._world.set_online(any(session.connection for session in self._sessions.values()))

    # --- events

    def _servers_of(self, session: Session) -> list[Server]:
        return [server for server in self._world.bot_servers.values() if session.serves(server.id)]

    def _on_change(self, change: Change) -> None:
        if isinstance(change, MembershipChange):
            server = change.server
            if server.id in self._world.bot_servers:
                self.dispatch("GUILD_CREATE", guild_payload(self._world, server), server.id, Intents.GUILDS)
            else:
                self.dispatch("GUILD_DELETE", {"id": str(server.id)}, server.id, Intents.GUILDS)
        elif isinstance(change, LocaleChange):
            if change.owner.id in self._world.bot_servers:
                self.dispatch("GUILD_UPDATE", change.owner.payload(), change.owner.id, Intents.GUILDS)
        elif isinstance(change, ChannelChange) and change.channel.server_id in self._world.bot_servers:
            event, channel = f"CHANNEL_{change.op.name}", change.channel
            self.dispatch(event, channel.payload(), channel.server_id, Intents.GUILDS)
        elif isinstance(change, ThreadChange) and change.thread.visible_to(self._world.bot.id):
            self.dispatch(f"THREAD_{change.op.name}", thread_payload(change), change.thread.server_id, Intents.GUILDS)


def ready_payload(world: World, session: Session, servers: list[Server], resume_url: str) -> Json:
    """Return the data of READY."""
    application = application_payload(world)
    return {
        "v": 10,
        "user": {**world.bot.payload(), "verified": True, "mfa_enabled": False, "email": None},
        "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
        "session_id": session.id,
        "resume_gateway_url": resume_url,
        "shard": list(session.shard),
        "application": {"id": application["id"], "flags": application["flags"]},
        "_trace": [],
    }


def guild_payload(world: World, server: Server) -> Json:
    """Return the data of GUILD_CREATE."""
    membership = server.member_payload(world.bot)
    return {
        **server.payload(),
        "joined_at": membership["joined_at"],
        "large": False,
        "unavailable": False,
        "member_count": len(server.members),
        "voice_states": [],
        "members": [{**membership, "user": world.bot.payload()}],
        "channels": [channel.payload() for channel in server.channels],
        "threads": [thread.payload() for thread in world.active_threads(server)],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def thread_payload(change: ThreadChange) -> Json:
    """Return the data of a thread's event."""
    payload = change.thread.payload()
    if change.op is Op.DELETE:
        return {key: payload[key] for key in ("id", "guild_id", "parent_id", "type")}
    return {**payload, "newly_created": True} if change.op is Op.CREATE else payload
