"""People: what they can do in the channels and with the bot's messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.sandbox.model.accounts import User
from bot.sandbox.model.channels import Channel, DirectChannel, ServerChannel
from bot.sandbox.model.interactions import Desk, Interaction, InteractionKind, InteractionState
from bot.sandbox.model.messages import SELECTS, ComponentType, Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.snowflakes import snowflake
from bot.sandbox.model.threads import Thread, ThreadKind
from bot.sandbox.model.world import World
from bot.sandbox.people.forms import chosen, filled
from bot.sandbox.people.resolving import Resolver
from bot.sandbox.people.typed_commands import Form, Leaf, Refusal, find
from bot.sandbox.validation.messages import CONTENT
from bot.sandbox.validation.modals import Entry
from bot.sandbox.wire import Json

MessageRef: TypeAlias = Message | int | str


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the bot offers while a person types."""

    name: str
    value: str | int | float


class Person:
    """Somebody at the screen. What Discord's client would not send raises `Refusal`."""

    def __init__(self, user: User, world: World, desk: Desk) -> None:
        self.user = user
        self._world = world
        self._desk = desk

    def __repr__(self) -> str:
        return f"Person({self.name!r})"

    @property
    def id(self) -> int:
        """The id of the account."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name people see."""
        return self.user.name

    @property
    def direct(self) -> DirectChannel:
        """The direct messages with the bot."""
        return self._world.directs[self.id]

    def say(self, channel: Channel, text: str) -> Message:
        """Write an ordinary message."""
        self._enter(channel)
        if not channel.lets(self.id, Permissions.SEND_MESSAGES):
            raise Refusal(f"{self.name} may not write here.")
        self._wake(channel)
        content = text.strip()
        if not 0 < len(content) <= CONTENT:
            raise Refusal(f"A message holds 1 to {CONTENT} characters.")
        message = Message(self._world.snowflakes.new(), channel, self.user, content)
        self._world.add(message)
        return message

    def start_thread(self, channel: ServerChannel, name: str, kind: ThreadKind = ThreadKind.PUBLIC) -> Thread:
        """Start a thread in a channel."""
        self._enter(channel)
        is_public = kind is ThreadKind.PUBLIC
        needed = Permissions.CREATE_PUBLIC_THREADS if is_public else Permissions.CREATE_PRIVATE_THREADS
        if not channel.lets(self.id, needed):
            raise Refusal(f"{self.name} may not start threads here.")
        thread = Thread(self._world, self._world.snowflakes.new(), channel, name, self.user)
        thread.kind = kind
        self._world.add_thread(thread)
        return thread

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Use a slash command; return when it is answered or nobody answered in time."""
        leaf = self._find(channel, command)
        data = Form(self._world, channel, leaf, options).data()
        return await self._open(InteractionKind.COMMAND, channel, data, name=_path(leaf))

    async def complete(
        self, channel: Channel, command: str, options: Mapping[str, Any] | None = None, *, focused: str
    ) -> list[Choice]:
        """Return what the bot offers while one option is typed."""
        data = Form(self._world, channel, self._find(channel, command), options or {}).focused(focused)
        interaction = await self._open(InteractionKind.AUTOCOMPLETE, channel, data)
        if interaction.state is InteractionState.FAILED:
            raise Refusal(interaction.failure or "Nobody offered choices in time.")
        return [Choice(each["name"], each["value"]) for each in interaction.choices]

    async def click(self, message: MessageRef, custom_id: str, *, forged: bool = False) -> Interaction:
        """Press a button; a forged one need not be there."""
        target = self._see(message)
        if not forged:
            _component(target, custom_id, ComponentType.BUTTON)
        data = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
        return await self._open(InteractionKind.COMPONENT, target.channel, data, message=target)

    async def select(
        self, message: MessageRef, custom_id: str, values: Sequence[Any], *, forged: bool = False
    ) -> Interaction:
        """Choose from a menu, by values or ids; a forged choice need not be offered."""
        target = self._see(message)
        resolver = Resolver(self._world, target.channel)
        if forged:
            data = _selected(custom_id, ComponentType.SELECT, [str(value) for value in values])
        else:
            select = _component(target, custom_id, *SELECTS)
            data = _selected(custom_id, ComponentType(select["type"]), chosen(select, values, resolver))
        if resolver.found:
            data["resolved"] = resolver.found
        return await self._open(InteractionKind.COMPONENT, target.channel, data, message=target)

    async def submit(self, asked: Interaction, entries: Mapping[str, Entry]) -> Interaction:
        """Fill in the form with which the bot answered, by the ids of its fields, and send it."""
        if asked.modal is None or asked.user is not self.user:
            raise Refusal("There is no form to fill in.")
        data = filled(asked.modal, entries, Resolver(self._world, asked.channel))
        return await self._open(InteractionKind.MODAL, asked.channel, data, message=asked.message, trigger=asked)

    def dismiss(self, message: MessageRef) -> None:
        """Put away a message that only this person sees."""
        target = self._see(message)
        if target.ephemeral_to is None:
            raise Refusal("Only messages for you alone can be dismissed.")
        self._world.dismiss(target)

    def sees(self, channel: Channel, since: int = 0) -> list[Message]:
        """Return what stands on this person's screen, oldest first; private messages from before an id are gone."""
        found = (message for message in channel.messages if message.visible_to(self.id))
        return [message for message in found if message.ephemeral_to is None or message.id >= since]

    def _enter(self, channel: Channel) -> None:
        if self._world.channel(channel.id) is None or not channel.visible_to(self.id):
            raise Refusal("There is no such channel.")

    def _wake(self, channel: Channel) -> None:
        if isinstance(channel, Thread):
            if channel.is_locked and not channel.is_moderated_by(self.id):
                raise Refusal("This thread is locked.")
            channel.wake()

    def _find(self, channel: Channel, command: str) -> Leaf:
        self._enter(channel)
        if isinstance(channel, Thread) and channel.is_archived:
            raise Refusal("This thread is archived.")
        leaf = find(self._world.commands_in(channel.server), command)
        # Only servers have somebody to withhold commands.
        if channel.server_id is not None and not _may_use(channel.permissions_of(self.id), leaf.command):
            raise Refusal(f"{self.name} may not use /{_path(leaf)}.")
        return leaf

    def _see(self, message: MessageRef) -> Message:
        target = message if isinstance(message, Message) else self._world.message(snowflake(message))
        if target is None or not target.visible_to(self.id):
            raise Refusal("This message is gone.")
        return target

    async def _open(
        self,
        kind: InteractionKind,
        channel: Channel,
        data: Json,
        *,
        name: str | None = None,
        message: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        interaction = Interaction(
            interaction_id=self._world.snowflakes.new(),
            opened=self._world.clock.now(),
            kind=kind,
            user=self.user,
            channel=channel,
            data=data,
            name=name,
            message=message,
            trigger=trigger,
        )
        return await self._desk.open(interaction)


def _may_use(bits: int, command: Json) -> bool:
    if bits & Permissions.ADMINISTRATOR:
        return True
    needed = command.get("default_member_permissions")
    if not bits & Permissions.USE_APPLICATION_COMMANDS or needed is None:
        return bool(bits & Permissions.USE_APPLICATION_COMMANDS)
    # No permission in the list means nobody but administrators.
    return int(needed) != 0 and int(needed) & ~bits == 0


def _path(leaf: Leaf) -> str:
    return " ".join(part["name"] for part in (leaf.command, *leaf.branches))


def _component(message: Message, custom_id: str, *kinds: ComponentType) -> Json:
    name = "button" if ComponentType.BUTTON in kinds else "select"
    found = next((leaf for leaf in message.leaves() if leaf.get("custom_id") == custom_id), None)
    if found is None or found["type"] not in kinds:
        raise Refusal(f"The message has no such {name}: {custom_id}")
    if found.get("disabled"):
        raise Refusal(f"This {name} is disabled: {custom_id}")
    return found


def _selected(custom_id: str, kind: ComponentType, values: list[str]) -> Json:
    return {"custom_id": custom_id, "component_type": int(kind), "values": values}
