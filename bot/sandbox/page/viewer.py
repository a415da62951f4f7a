"""What one open page is told, and what its reader does through it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.model.changes import (
    Change,
    ChannelChange,
    CommandsChange,
    MembershipChange,
    MessageChange,
    Op,
    PresenceChange,
    ThreadChange,
    TroubleChange,
)
from bot.sandbox.model.channels import Channel, ServerChannel
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.model.snowflakes import snowflake
from bot.sandbox.model.world import World
from bot.sandbox.page.frames import field, found_by, introduced, shown
from bot.sandbox.page.trouble import TroubleMaker
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import Refusal
from bot.sandbox.wire import Json, decode, encode

MOST_WAITING = 2000
"""A browser that does not read so many frames is cut off; it comes back and gets the present state."""


LONGEST_THREAD_NAME = 100

Act: TypeAlias = Callable[[Json], Awaitable[None]]


class Viewer:
    """One open page: it looks through one person's eyes at one channel at a time."""

    def __init__(
        self, socket: web.WebSocketResponse, world: World, people: tuple[Person, ...], trouble: TroubleMaker
    ) -> None:
        self._socket = socket
        self._world = world
        self._people = people
        self._trouble = trouble
        # What was for one reader alone is gone when their page is loaded anew.
        self._loaded = world.snowflakes.new()
        self._person = people[0]
        self._channel: Channel = world.channels[0]
        self._outgoing: asyncio.Queue[str | None] = asyncio.Queue()
        self._closing = False
        self._asked: Interaction | None = None
        """What the bot answered with the form that is open now."""
        self._doing: set[asyncio.Task[None]] = set()
        self._acts: dict[str, Act] = {
            "be": self._be,
            "open": self._open,
            "say": self._say,
            "slash": self._slash,
            "complete": self._complete,
            "click": self._click,
            "select": self._select,
            "submit": self._submit,
            "thread": self._start_thread,
            "dismiss": self._dismiss,
            "trouble": self._cause,
        }

    async def converse(self) -> None:
        """Serve the page until it goes."""
        pump = asyncio.create_task(self._pump())
        self._send(self._hello())
        self._send_messages()
        try:
            async for frame in self._socket:
                if frame.type is WSMsgType.TEXT:
                    self._take(frame.data)
        finally:
            for task in (pump, *self._doing):
                task.cancel()

    def close(self) -> None:
        """Hang up after what was sent before."""
        self._closing = True
        self._outgoing.put_nowait(None)

    def show(self, change: Change) -> None:
        """Show a change, as far as the person may see it."""
        match change:
            case MessageChange(op, message):
                self._show_message(op, message)
            case CommandsChange() | MembershipChange():
                self._send({"t": "commands", **self._commands()})
            case PresenceChange(online):
                self._send({"t": "bot", "online": online})
            case TroubleChange():
                self._send_trouble()
            case ChannelChange() | ThreadChange():
                self._send_trouble()
                self._send_places()
            case _:
                pass

    def _show_message(self, op: Op, message: Message) -> None:
        if not message.reaches(self._person.id) or self._is_past(message):
            return
        if op is Op.DELETE or message.visible_to(self._person.id):
            self._send({"t": "message", "op": op.value, "message": shown(message)})

    def _is_past(self, message: Message) -> bool:
        return message.ephemeral_to is not None and message.id < self._loaded

    # --- sending

    async def _pump(self) -> None:
        with suppress(ConnectionError):
            while (text := await self._outgoing.get()) is not None:
                await self._socket.send_str(text)
        await self._socket.close(code=WSCloseCode.GOING_AWAY)

    def _send(self, frame: Json) -> None:
        if self._closing:
            return
        self._outgoing.put_nowait(encode(frame))
        if self._outgoing.qsize() > MOST_WAITING:
            self.close()

    def _hello(self) -> Json:
        world = self._world
        return {
            "t": "hello",
            "people": [introduced(person) for person in self._people],
            "bot": {"id": str(world.bot.id), "name": world.bot.name, "online": world.bot_online},
            "servers": found_by(self._person.id, world),
            **self._commands(),
            "you": str(self._person.id),
            "channel": str(self._channel.id),
        }

    def _commands(self) -> Json:
        world, server = self._world, self._channel.server or self._world.server
        return {"commands": world.commands_in(server), "direct_commands": world.commands_in(None)}

    def _send_messages(self) -> None:
        self._send_trouble()
        messages = [shown(message) for message in self._person.sees(self._channel, self._loaded)]
        self._send({"t": "messages", "channel": str(self._channel.id), "messages": messages})

    def _send_places(self) -> None:
        servers = found_by(self._person.id, self._world)
        self._send({"t": "places", "you": str(self._person.id), "servers": servers})

    def _send_trouble(self) -> None:
        state = self._trouble.state(self._channel)
        self._send({"t": "trouble", "channel": str(self._channel.id), **state})

    def _report(self, frame: Json, state: str, text: str | None = None) -> None:
        report: Json = {"t": "interaction", "nonce": frame.get("nonce"), "state": state}
        self._send(report if text is None else {**report, "text": text})

    # --- taking

    def _take(self, text: str) -> None:
        try:
            frame = decode(text)
            act = self._acts[frame["do"]]
        except (ValueError, TypeError, KeyError):
            self.close()
            return
        task = asyncio.create_task(self._run(act, frame))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

    async def _run(self, act: Act, frame: Json) -> None:
        try:
            await act(frame)
        except Refusal as refusal:
            self._report(frame, "failed", str(refusal))

    async def _be(self, frame: Json) -> None:
        wanted = field(frame, "person", str)
        for person in self._people:
            if str(person.id) == wanted:
                self._become(person)
        self._send({"t": "you", "you": str(self._person.id)})
        self._send_places()
        self._send_messages()

    def _become(self, person: Person) -> None:
        self._person = person
        if not self._channel.visible_to(person.id):
            # From the direct messages of one person one comes to those of the other.
            self._channel = person.direct

    async def _open(self, frame: Json) -> None:
        before = self._channel.server
        self._channel = self._named_channel(frame)
        if self._channel.server is not before:
            self._send({"t": "commands", **self._commands()})
        self._send_messages()

    async def _say(self, frame: Json) -> None:
        self._person.say(self._named_channel(frame), field(frame, "text", str))
        self._report(frame, "done")

    async def _slash(self, frame: Json) -> None:
        channel, command = self._named_channel(frame), field(frame, "command", str)
        options = field({"options": {}, **frame}, "options", dict)
        self._report(frame, "sent")
        self._finish(frame, await self._person.slash(channel, command, **options))

    async def _complete(self, frame: Json) -> None:
        channel, command = self._named_channel(frame), field(frame, "command", str)
        options = field({"options": {}, **frame}, "options", dict)
        focused = field(frame, "focused", str)
        try:
            choices = await self._person.complete(channel, command, options, focused=focused)
        except Refusal:
            choices = []
        offered = [{"name": choice.name, "value": choice.value} for choice in choices]
        self._send({"t": "choices", "nonce": frame.get("nonce"), "choices": offered})

    async def _click(self, frame: Json) -> None:
        message, custom_id = field(frame, "message", str), field(frame, "custom_id", str)
        self._report(frame, "sent")
        self._finish(frame, await self._person.click(message, custom_id))

    async def _select(self, frame: Json) -> None:
        message, custom_id = field(frame, "message", str), field(frame, "custom_id", str)
        values = [str(value) for value in field(frame, "values", list)]
        self._report(frame, "sent")
        self._finish(frame, await self._person.select(message, custom_id, values))

    async def _submit(self, frame: Json) -> None:
        asked, entries = self._asked, field(frame, "entries", dict)
        if asked is None or str(asked.id) != field(frame, "modal", str):
            raise Refusal("This form is no longer open.")
        filled = {name: entry if isinstance(entry, list) else str(entry) for name, entry in entries.items()}
        self._finish(frame, await self._person.submit(asked, filled))

    async def _start_thread(self, frame: Json) -> None:
        channel, name = self._named_channel(frame), field(frame, "name", str).strip()
        if not isinstance(channel, ServerChannel):
            raise Refusal("Threads are started in the channels of a server.")
        if not 0 < len(name) <= LONGEST_THREAD_NAME:
            raise Refusal(f"The name of a thread holds 1 to {LONGEST_THREAD_NAME} characters.")
        thread = self._person.start_thread(channel, name)
        self._report(frame, "done", str(thread.id))

    async def _dismiss(self, frame: Json) -> None:
        self._person.dismiss(field(frame, "message", str))

    async def _cause(self, frame: Json) -> None:
        self._trouble.cause(self._channel, frame)
        self._report(frame, "done")

    def _finish(self, frame: Json, interaction: Interaction) -> None:
        if interaction.state is InteractionState.FAILED:
            self._report(frame, "failed", interaction.failure)
            return
        self._report(frame, "done")
        if interaction.modal is not None:
            self._asked = interaction
            self._send({"t": "modal", "modal": str(interaction.id), "form": interaction.modal})

    def _named_channel(self, frame: Json) -> Channel:
        channel = self._world.channel(snowflake(field(frame, "channel", str)))
        if channel is None or not channel.visible_to(self._person.id):
            raise Refusal("There is no such channel.")
        return channel
