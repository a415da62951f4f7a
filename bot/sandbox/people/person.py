"""People: what they can do in the channels and with the bot's messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.sandbox.model.accounts import User
from bot.sandbox.model.channels import Channel, DirectChannel, ServerChannel
from bot.sandbox.model.interactions import Interaction, InteractionKind, InteractionService, InteractionState
from bot.sandbox.model.messages import SELECT_TYPES, ComponentType, Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.snowflakes import parse_snowflake
from bot.sandbox.model.threads import Thread, ThreadKind
from bot.sandbox.model.world import World
from bot.sandbox.people.forms import fill_modal, resolve_selection
from bot.sandbox.people.resolver import Resolver
from bot.sandbox.people.typed_commands import ClientRefusal, CommandInput, CommandPath, find_command
from bot.sandbox.validation.messages import MAX_CONTENT_LENGTH
from bot.sandbox.validation.modals import FieldValue
from bot.sandbox.wire import Json

MessageRef: TypeAlias = Message | int | str


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the bot offers while a person types."""

    name: str
    value: str | int | float


class Person:
    """Somebody at the screen. What Discord's client would not send raises `Refusal`."""

    def __init__(self, user: User, world: World, desk: InteractionService) -> None:
        self.user = user
        self._world = world
        self._interactions = desk

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
    def direct_channel(self) -> DirectChannel:
        """The direct messages with the bot."""
        return self._world.direct_channels[self.id]

    def say(self, channel: Channel, text: str) -> Message:
        """Write an ordinary message."""
        self._require_visible(channel)
        if not channel.allows_user(self.id, Permissions.SEND_MESSAGES):
            raise ClientRefusal(f"{self.name} may not write here.")
        self._unarchive(channel)
        content = text.strip()
        if not 0 < len(content) <= MAX_CONTENT_LENGTH:
            raise ClientRefusal(f"A message holds 1 to {MAX_CONTENT_LENGTH} characters.")
        message = Message(self._world.snowflakes.next_id(), channel, self.user, content)
        self._world.add_message(message)
        return message

    def start_thread(self, channel: ServerChannel, name: str, kind: ThreadKind = ThreadKind.PUBLIC) -> Thread:
        """Start a thread in a channel."""
        self._require_visible(channel)
        is_public = kind is ThreadKind.PUBLIC
        needed = Permissions.CREATE_PUBLIC_THREADS if is_public else Permissions.CREATE_PRIVATE_THREADS
        if not channel.allows_user(self.id, needed):
            raise ClientRefusal(f"{self.name} may not start threads here.")
        thread = Thread(self._world, self._world.snowflakes.next_id(), channel, name, self.user)
        thread.kind = kind
        self._world.add_thread(thread)
        return thread

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Use a slash command; return when it is answered or nobody answered in time."""
        leaf = self._find_command(channel, command)
        data = CommandInput(self._world, channel, leaf, options).build_data()
        return await self._send_interaction(InteractionKind.COMMAND, channel, data, name=_command_name(leaf))

    async def autocomplete(
        self, channel: Channel, command: str, options: Mapping[str, Any] | None = None, *, focused: str
    ) -> list[Choice]:
        """Return what the bot offers while one option is typed."""
        data = CommandInput(
            self._world, channel, self._find_command(channel, command), options or {}
        ).build_autocomplete_data(focused)
        interaction = await self._send_interaction(InteractionKind.AUTOCOMPLETE, channel, data)
        if interaction.state is InteractionState.FAILED:
            raise ClientRefusal(interaction.failure or "Nobody offered choices in time.")
        return [Choice(each["name"], each["value"]) for each in interaction.choices]

    async def click(self, message: MessageRef, custom_id: str, *, forged: bool = False) -> Interaction:
        """Press a button; a forged one need not be there."""
        target = self._require_message(message)
        if not forged:
            _require_component(target, custom_id, ComponentType.BUTTON)
        data = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
        return await self._send_interaction(InteractionKind.COMPONENT, target.channel, data, message=target)

    async def select(
        self, message: MessageRef, custom_id: str, values: Sequence[Any], *, forged: bool = False
    ) -> Interaction:
        """Choose from a menu, by values or ids; a forged choice need not be offered."""
        target = self._require_message(message)
        resolver = Resolver(self._world, target.channel)
        if forged:
            data = _select_data(custom_id, ComponentType.SELECT, [str(value) for value in values])
        else:
            select = _require_component(target, custom_id, *SELECT_TYPES)
            data = _select_data(custom_id, ComponentType(select["type"]), resolve_selection(select, values, resolver))
        if resolver.resolved:
            data["resolved"] = resolver.resolved
        return await self._send_interaction(InteractionKind.COMPONENT, target.channel, data, message=target)

    async def submit(self, asked: Interaction, entries: Mapping[str, FieldValue]) -> Interaction:
        """Fill in the form with which the bot answered, by the ids of its fields, and send it."""
        if asked.modal is None or asked.user is not self.user:
            raise ClientRefusal("There is no form to fill in.")
        data = fill_modal(asked.modal, entries, Resolver(self._world, asked.channel))
        return await self._send_interaction(
            InteractionKind.MODAL, asked.channel, data, message=asked.message, trigger=asked
        )

    def dismiss(self, message: MessageRef) -> None:
        """Put away a message that only this person sees."""
        target = self._require_message(message)
        if target.ephemeral_to is None:
            raise ClientRefusal("Only messages for you alone can be dismissed.")
        self._world.dismiss_message(target)

    def visible_messages(self, channel: Channel, since: int = 0) -> list[Message]:
        """Return what stands on this person's screen, oldest first; private messages from before an id are gone."""
        found = (message for message in channel.messages if message.visible_to(self.id))
        return [message for message in found if message.ephemeral_to is None or message.id >= since]

    def _require_visible(self, channel: Channel) -> None:
        if self._world.channel(channel.id) is None or not channel.visible_to(self.id):
            raise ClientRefusal("There is no such channel.")

    def _unarchive(self, channel: Channel) -> None:
        if isinstance(channel, Thread):
            if channel.is_locked and not channel.is_moderated_by(self.id):
                raise ClientRefusal("This thread is locked.")
            channel.unarchive()

    def _find_command(self, channel: Channel, command: str) -> CommandPath:
        self._require_visible(channel)
        if isinstance(channel, Thread) and channel.is_archived:
            raise ClientRefusal("This thread is archived.")
        leaf = find_command(self._world.commands_in(channel.server), command)
        # Only servers have somebody to withhold commands.
        if channel.server_id is not None and not _may_use(channel.permissions_of(self.id), leaf.command):
            raise ClientRefusal(f"{self.name} may not use /{_command_name(leaf)}.")
        return leaf

    def _require_message(self, message: MessageRef) -> Message:
        target = message if isinstance(message, Message) else self._world.message(parse_snowflake(message))
        if target is None or not target.visible_to(self.id):
            raise ClientRefusal("This message is gone.")
        return target

    async def _send_interaction(
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
            interaction_id=self._world.snowflakes.next_id(),
            opened=self._world.clock.now(),
            kind=kind,
            user=self.user,
            channel=channel,
            data=data,
            name=name,
            message=message,
            trigger=trigger,
        )
        return await self._interactions.send(interaction)


def _may_use(bits: int, command: Json) -> bool:
    if bits & Permissions.ADMINISTRATOR:
        return True
    needed = command.get("default_member_permissions")
    if not bits & Permissions.USE_APPLICATION_COMMANDS or needed is None:
        return bool(bits & Permissions.USE_APPLICATION_COMMANDS)
    # No permission in the list means nobody but administrators.
    return int(needed) != 0 and int(needed) & ~bits == 0


def _command_name(leaf: CommandPath) -> str:
    return " ".join(part["name"] for part in (leaf.command, *leaf.branches))


def _require_component(message: Message, custom_id: str, *kinds: ComponentType) -> Json:
    name = "button" if ComponentType.BUTTON in kinds else "select"
    found = next((leaf for leaf in message.iter_components() if leaf.get("custom_id") == custom_id), None)
    if found is None or found["type"] not in kinds:
        raise ClientRefusal(f"The message has no such {name}: {custom_id}")
    if found.get("disabled"):
        raise ClientRefusal(f"This {name} is disabled: {custom_id}")
    return found


def _select_data(custom_id: str, kind: ComponentType, values: list[str]) -> Json:
    return {"custom_id": custom_id, "component_type": int(kind), "values": values}
