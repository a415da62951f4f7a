"""Open pages: each has a session, which sends changes and performs its user's actions."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.gateway.session import Connection
from bot.sandbox.model.application import LOCALES, translate_command
from bot.sandbox.model.channels import Channel, DirectChannel, ServerChannel
from bot.sandbox.model.clock import parse_snowflake
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import (
    Change,
    ChannelChange,
    CommandsChange,
    LocaleChange,
    MembershipChange,
    MessageChange,
    Op,
    PresenceChange,
    ThreadChange,
    TroubleChange,
    World,
)
from bot.sandbox.page.trouble import TroublePanel
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.sandbox.wire import Json, decode

T = TypeVar("T")


MAX_QUEUED_FRAMES = 2000
"""A page with more unread frames is disconnected; it reconnects and gets the current state."""

MAX_THREAD_NAME_LENGTH = 100

Action: TypeAlias = Callable[[Json], Awaitable[None]]


def _describe_servers(person_id: int, world: World) -> list[Json]:
    """Describe a person's servers, with the channels and threads that they see."""
    threads = defaultdict[int, list[Json]](list)
    for thread in world.threads.values():
        if thread.visible_to(person_id):
            state = {"archived": thread.is_archived, "locked": thread.is_locked}
            described = {"id": str(thread.id), "name": thread.name, "type": int(thread.kind), **state}
            threads[thread.parent.id].append(described)
    return [
        {
            "id": str(server.id),
            "name": server.name,
            "roles": [{"id": str(role.id), "name": role.name} for role in server.roles.values()],
            "channels": [
                {"id": str(channel.id), "name": channel.name, "type": 0, "threads": threads[channel.id]}
                for channel in server.channels
                if channel.visible_to(person_id)
            ],
        }
        for server in world.servers.values()
        if server.has_member(person_id)
    ]


def _describe_chats(person_id: int, world: World) -> list[Json]:
    """Describe a person's direct messages with others, without the bot."""
    return [
        {
            "id": str(channel.id),
            "name": ", ".join(user.name for user in channel.people if user.id != person_id),
            "people": [str(user.id) for user in channel.people],
            "threads": [],
        }
        for channel in world.people_channels
        if channel.visible_to(person_id)
    ]


def _describe_locales(world: World) -> Json:
    """Describe the languages of people and servers, by id."""
    locales = {**world.locales, **{server.id: server.locale for server in world.servers.values()}}
    return {"owners": {str(owner_id): locale for owner_id, locale in locales.items()}}


def _describe_message(message: Message) -> Json:
    return {**message.payload(), "ephemeral": message.ephemeral_to is not None}


def _require_field(frame: Json, name: str, kind: type[T]) -> T:
    """Return a field of a frame; raise ClientRefusal if it has another type."""
    value = frame.get(name)
    if not isinstance(value, kind):
        raise ClientRefusal(f"The sandbox did not understand this: {name}.")
    return value


class PageSession:
    """An open page, which shows one channel as one person sees it."""

    def __init__(
        self, socket: web.WebSocketResponse, world: World, people: tuple[Person, ...], trouble_panel: TroublePanel
    ) -> None:
        self._socket = socket
        self._connection = Connection(socket, None)
        self._world = world
        self._people = people
        self._trouble = trouble_panel
        # Ephemeral messages disappear when the page is reloaded.
        self._loaded_at_id = world.snowflakes.next_id()
        self._person = people[0]
        self._channel: Channel = world.channels[0]
        self._tasks: set[asyncio.Task[None]] = set()
        self._actions: dict[str, Action] = {
            "be": self._switch_person,
            "open": self._open_channel,
            "say": self._say,
            "slash": self._slash,
            "complete": self._autocomplete,
            "click": self._click,
            "select": self._select,
            "speak": self._speak,
            "thread": self._start_thread,
            "dismiss": self._dismiss,
            "trouble": self._cause_trouble,
        }

    async def serve(self) -> None:
        """Serve the page until it disconnects."""
        sender = asyncio.create_task(self._connection.send_queued())
        self._send(self._hello_frame())
        self._send_messages()
        try:
            async for frame in self._socket:
                if frame.type is WSMsgType.TEXT:
                    self._handle_text(frame.data)
        finally:
            for task in (sender, *self._tasks):
                task.cancel()

    def close(self) -> None:
        """Close the connection after the queued frames."""
        self._connection.close(WSCloseCode.GOING_AWAY)

    def send_change(self, change: Change) -> None:
        """Send a change if the person may see it."""
        match change:
            case MessageChange(op, message):
                self._send_message_change(op, message)
            case CommandsChange() | MembershipChange():
                self._send({"t": "commands", **self._command_lists()})
            case LocaleChange():
                self._send({"t": "locales", **_describe_locales(self._world)})
                self._send({"t": "commands", **self._command_lists()})
            case PresenceChange(online):
                self._send({"t": "bot", "online": online})
            case TroubleChange():
                self._send_trouble()
            case ChannelChange() | ThreadChange():
                self._send_trouble()
                self._send_places()
            case _:
                pass

    def _send_message_change(self, op: Op, message: Message) -> None:
        is_before_load = message.ephemeral_to is not None and message.id < self._loaded_at_id
        if is_before_load or not message.is_addressed_to(self._person.id):
            return
        if op is Op.DELETE or message.visible_to(self._person.id):
            self._send({"t": "message", "op": op.value, "message": _describe_message(message)})

    # --- sending

    def _send(self, frame: Json) -> None:
        if self._connection.is_closing:
            return
        self._connection.send(frame)
        if self._connection.queued_count > MAX_QUEUED_FRAMES:
            self.close()

    def _hello_frame(self) -> Json:
        world = self._world
        return {
            "t": "hello",
            "people": [
                {
                    "id": str(person.id),
                    "name": person.name,
                    "color": person.user.color,
                    "direct": str(person.direct_channel.id),
                }
                for person in self._people
            ],
            "bot": {"id": str(world.bot.id), "name": world.bot.name, "online": world.bot_online},
            "servers": _describe_servers(self._person.id, world),
            "chats": _describe_chats(self._person.id, world),
            "suggested": world.suggested_command,
            "known_locales": LOCALES,
            "locales": _describe_locales(world),
            **self._command_lists(),
            "you": str(self._person.id),
            "channel": str(self._channel.id),
        }

    def _command_lists(self) -> Json:
        world, user = self._world, self._person.user
        channel = world.channels[0] if isinstance(self._channel, DirectChannel) else self._channel
        here, direct = world.commands_in(channel, user), world.commands_in(self._person.direct_channel, user)
        locale = world.locales[user.id]
        return {
            "commands": [translate_command(command, locale) for command in here],
            "direct_commands": [translate_command(command, locale) for command in direct],
        }

    def _send_messages(self) -> None:
        self._send_trouble()
        messages = [
            _describe_message(message) for message in self._person.visible_messages(self._channel, self._loaded_at_id)
        ]
        self._send({"t": "messages", "channel": str(self._channel.id), "messages": messages})

    def _send_places(self) -> None:
        person_id = self._person.id
        servers, chats = _describe_servers(person_id, self._world), _describe_chats(person_id, self._world)
        self._send({"t": "places", "you": str(person_id), "servers": servers, "chats": chats})

    def _send_trouble(self) -> None:
        state = self._trouble.state(self._channel)
        self._send({"t": "trouble", "channel": str(self._channel.id), **state})

    def _report(self, frame: Json, state: str, text: str | None = None) -> None:
        report: Json = {"t": "interaction", "nonce": frame.get("nonce"), "state": state}
        self._send(report if text is None else {**report, "text": text})

    # --- receiving

    def _handle_text(self, text: str) -> None:
        try:
            frame = decode(text)
            action = self._actions[frame["do"]]
        except (ValueError, TypeError, KeyError):
            self.close()
            return
        task = asyncio.create_task(self._run(action, frame))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, action: Action, frame: Json) -> None:
        try:
            await action(frame)
        except ClientRefusal as refusal:
            self._report(frame, "failed", str(refusal))

    async def _switch_person(self, frame: Json) -> None:
        person_id = _require_field(frame, "person", str)
        for person in self._people:
            if str(person.id) == person_id:
                self._person = person
                if not self._channel.visible_to(person.id):
                    # Direct messages of one person are replaced by those of the other.
                    self._channel = person.direct_channel
        self._send({"t": "you", "you": str(self._person.id)})
        self._send({"t": "commands", **self._command_lists()})
        self._send_places()
        self._send_messages()

    async def _open_channel(self, frame: Json) -> None:
        previous = self._channel
        self._channel = self._require_channel(frame)
        if (self._channel.server, self._channel.context) != (previous.server, previous.context):
            self._send({"t": "commands", **self._command_lists()})
        self._send_messages()

    async def _say(self, frame: Json) -> None:
        self._person.say(self._require_channel(frame), _require_field(frame, "text", str))
        self._report(frame, "done")

    async def _slash(self, frame: Json) -> None:
        channel, command = self._require_channel(frame), _require_field(frame, "command", str)
        options = _require_field({"options": {}, **frame}, "options", dict)
        self._report(frame, "sent")
        self._finish(frame, await self._person.slash(channel, command, **options))

    async def _autocomplete(self, frame: Json) -> None:
        channel, command = self._require_channel(frame), _require_field(frame, "command", str)
        options = _require_field({"options": {}, **frame}, "options", dict)
        focused = _require_field(frame, "focused", str)
        try:
            choices = await self._person.autocomplete(channel, command, options, focused=focused)
        except ClientRefusal:
            choices = []
        offered = [{"name": choice.name, "value": choice.value} for choice in choices]
        self._send({"t": "choices", "nonce": frame.get("nonce"), "choices": offered})

    async def _click(self, frame: Json) -> None:
        message, custom_id = _require_field(frame, "message", str), _require_field(frame, "custom_id", str)
        self._report(frame, "sent")
        self._finish(frame, await self._person.click(message, custom_id))

    async def _select(self, frame: Json) -> None:
        message, custom_id = _require_field(frame, "message", str), _require_field(frame, "custom_id", str)
        values = [str(value) for value in _require_field(frame, "values", list)]
        self._report(frame, "sent")
        self._finish(frame, await self._person.select(message, custom_id, values))

    async def _speak(self, frame: Json) -> None:
        owner_id, locale = parse_snowflake(_require_field(frame, "owner", str)), _require_field(frame, "locale", str)
        owner = self._world.servers.get(owner_id) or self._world.user(owner_id)
        if owner is None or locale not in LOCALES:
            raise ClientRefusal("There is no such language.")
        self._world.set_locale(owner, locale)

    async def _start_thread(self, frame: Json) -> None:
        channel, name = self._require_channel(frame), _require_field(frame, "name", str).strip()
        if not isinstance(channel, ServerChannel):
            raise ClientRefusal("Threads are started in the channels of a server.")
        if not 0 < len(name) <= MAX_THREAD_NAME_LENGTH:
            raise ClientRefusal(f"The name of a thread holds 1 to {MAX_THREAD_NAME_LENGTH} characters.")
        thread = self._person.start_thread(channel, name)
        self._report(frame, "done", str(thread.id))

    async def _dismiss(self, frame: Json) -> None:
        self._person.dismiss(_require_field(frame, "message", str))

    async def _cause_trouble(self, frame: Json) -> None:
        self._trouble.cause(self._channel, frame)
        self._report(frame, "done")

    def _finish(self, frame: Json, interaction: Interaction) -> None:
        if interaction.state is InteractionState.FAILED:
            self._report(frame, "failed", interaction.failure)
            return
        self._report(frame, "done")

    def _require_channel(self, frame: Json) -> Channel:
        channel = self._world.channel(parse_snowflake(_require_field(frame, "channel", str)))
        if channel is None or not channel.visible_to(self._person.id):
            raise ClientRefusal("There is no such channel.")
        return channel


class PageServer:
    """All open pages."""

    def __init__(self, world: World, people: tuple[Person, ...], trouble_panel: TroublePanel) -> None:
        self._world = world
        self._people = people
        self._trouble = trouble_panel
        self._sessions: set[PageSession] = set()
        world.subscribe(self._on_change)

    def add_to(self, app: web.Application) -> None:
        """Add the route to an application."""
        app.router.add_get("/page/socket", self._serve)

    def stop(self) -> None:
        """Close all sessions."""
        for session in self._sessions:
            session.close()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=1 << 16)
        await socket.prepare(request)
        session = PageSession(socket, self._world, self._people, self._trouble)
        self._sessions.add(session)
        try:
            await session.serve()
        finally:
            self._sessions.discard(session)
        return socket

    def _on_change(self, change: Change) -> None:
        for session in self._sessions:
            session.send_change(change)
