"""The actions of people in channels and on the bot's messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.sandbox.model.channels import Channel, DirectChannel, ServerChannel, Thread, ThreadKind
from bot.sandbox.model.clock import parse_snowflake
from bot.sandbox.model.interactions import Interaction, InteractionKind, InteractionService, InteractionState
from bot.sandbox.model.messages import SELECT_TYPES, ComponentType, Message, max_values, min_values
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.servers import User
from bot.sandbox.model.world import World
from bot.sandbox.people.typed_commands import ClientRefusal, CommandInput, CommandPath, Resolver, find_command
from bot.sandbox.validation.messages import MAX_CONTENT_LENGTH
from bot.sandbox.wire import Json

MessageRef: TypeAlias = Message | int | str


@dataclass(frozen=True, slots=True)
class Choice:
    """An autocomplete choice."""

    name: str
    value: str | int | float


class Person:
    """A user of Discord's client. Actions that the client does not allow raise ClientRefusal."""

    def __init__(self, user: User, world: World, interactions: InteractionService) -> None:
        self.user = user
        self._world = world
        self._interactions = interactions

    def __repr__(self) -> str:
        return f"Person({self.name!r})"

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The user's name."""
        return self.user.name

    @property
    def direct_channel(self) -> DirectChannel:
        """The direct messages with the bot."""
        return self._world.direct_channels[self.id]

    def say(self, channel: Channel, text: str) -> Message:
        """Post a message."""
        self._require_visible(channel)
        if not channel.allows_user(self.id, Permissions.SEND_MESSAGES):
            raise ClientRefusal(f"{self.name} may not write here.")
        if isinstance(channel, Thread):
            if channel.is_locked and not channel.allows_user(self.id, Permissions.MANAGE_THREADS):
                raise ClientRefusal("This thread is locked.")
            channel.unarchive()
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
        permission = Permissions.CREATE_PUBLIC_THREADS if is_public else Permissions.CREATE_PRIVATE_THREADS
        if not channel.allows_user(self.id, permission):
            raise ClientRefusal(f"{self.name} may not start threads here.")
        thread = Thread(self._world, self._world.snowflakes.next_id(), channel, name, self.user)
        thread.kind = kind
        self._world.add_thread(thread)
        self._world.announce_thread(thread)
        return thread

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Use a slash command, and wait for the initial response or the deadline."""
        path = self._find_command(channel, command)
        data = CommandInput(self._world, channel, path, options).build_data()
        return await self._send_interaction(InteractionKind.COMMAND, channel, data, name=_command_name(path))

    async def autocomplete(
        self, channel: Channel, command: str, options: Mapping[str, Any] | None = None, *, focused: str
    ) -> list[Choice]:
        """Return the bot's choices for a focused option."""
        data = CommandInput(
            self._world, channel, self._find_command(channel, command), options or {}
        ).build_autocomplete_data(focused)
        interaction = await self._send_interaction(InteractionKind.AUTOCOMPLETE, channel, data)
        if interaction.state is InteractionState.FAILED:
            raise ClientRefusal(interaction.failure or "Nobody offered choices in time.")
        return [Choice(each["name"], each["value"]) for each in interaction.choices]

    async def click(self, message: MessageRef, custom_id: str, *, forged: bool = False) -> Interaction:
        """Click a button; a forged one need not exist."""
        target = self._require_message(message)
        if not forged:
            _require_component(target, custom_id, ComponentType.BUTTON)
        data = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
        return await self._send_interaction(InteractionKind.COMPONENT, target.channel, data, message=target)

    async def select(
        self, message: MessageRef, custom_id: str, values: Sequence[Any], *, forged: bool = False
    ) -> Interaction:
        """Choose from a menu, by values or ids; a forged choice need not exist."""
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

    def dismiss(self, message: MessageRef) -> None:
        """Dismiss an ephemeral message."""
        target = self._require_message(message)
        if target.ephemeral_to is None:
            raise ClientRefusal("Only messages for you alone can be dismissed.")
        self._world.dismiss_message(target)

    def visible_messages(self, channel: Channel, since: int = 0) -> list[Message]:
        """Return the messages that the person sees, oldest first, without ephemeral ones from before an id."""
        found = (message for message in channel.messages if message.visible_to(self.id))
        return [message for message in found if message.ephemeral_to is None or message.id >= since]

    def _require_visible(self, channel: Channel) -> None:
        if self._world.channel(channel.id) is None or not channel.visible_to(self.id):
            raise ClientRefusal("There is no such channel.")

    def _find_command(self, channel: Channel, command: str) -> CommandPath:
        self._require_visible(channel)
        if isinstance(channel, Thread) and channel.is_archived:
            raise ClientRefusal("This thread is archived.")
        path = find_command(self._world.commands_in(channel, self.user), command)
        # Command permissions exist only in servers.
        if channel.server_id is not None and not _may_use(channel.permissions_of(self.id), path.command):
            raise ClientRefusal(f"{self.name} may not use /{_command_name(path)}.")
        return path

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
    ) -> Interaction:
        interaction_id, now = self._world.snowflakes.next_id(), self._world.clock.now()
        installed = self._world.installations(channel, self.user)
        interaction = Interaction(interaction_id, now, kind, self.user, channel, data, installed, name, message)
        return await self._interactions.send(interaction)


def _may_use(bits: int, command: Json) -> bool:
    if bits & Permissions.ADMINISTRATOR:
        return True
    permissions = command.get("default_member_permissions")
    if not bits & Permissions.USE_APPLICATION_COMMANDS or permissions is None:
        return bool(bits & Permissions.USE_APPLICATION_COMMANDS)
    # An empty permission set means administrators only.
    return int(permissions) != 0 and int(permissions) & ~bits == 0


def _command_name(path: CommandPath) -> str:
    return " ".join(part["name"] for part in (path.command, *path.branches))


def _require_component(message: Message, custom_id: str, *kinds: ComponentType) -> Json:
    name = "button" if ComponentType.BUTTON in kinds else "select"
    found = next(
        (component for component in message.iter_components() if component.get("custom_id") == custom_id), None
    )
    if found is None or found["type"] not in kinds:
        raise ClientRefusal(f"The message has no such {name}: {custom_id}")
    if found.get("disabled"):
        raise ClientRefusal(f"This {name} is disabled: {custom_id}")
    return found


def _select_data(custom_id: str, kind: ComponentType, values: list[str]) -> Json:
    return {"custom_id": custom_id, "component_type": int(kind), "values": values}


def resolve_selection(select: Json, values: Sequence[Any], resolver: Resolver) -> list[str]:
    """Return the values of a selection; raise ClientRefusal if one is not offered."""
    found = [_resolve_value(select, value, resolver) for value in values]
    if None in found or len(set(found)) < len(found):
        raise ClientRefusal("Only what is offered can be chosen, and each only once.")
    if not min_values(select) <= len(found) <= max_values(select):
        raise ClientRefusal(f"Choose {min_values(select)} to {max_values(select)}.")
    return [str(each) for each in found]


def _resolve_value(select: Json, value: Any, resolver: Resolver) -> str | None:
    match ComponentType(select["type"]):
        case ComponentType.ROLE_SELECT:
            return resolver.resolve_role(value)
        case ComponentType.CHANNEL_SELECT:
            return resolver.resolve_channel(value, select.get("channel_types") or ())
        case _:
            return value if value in [option["value"] for option in select["options"]] else None
