"""What happens in the world, for those who watch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from bot.sandbox.model.channels import ServerChannel
from bot.sandbox.model.messages import Message
from bot.sandbox.model.servers import Server
from bot.sandbox.model.threads import Thread


class Op(Enum):
    """What happened to a message, a channel or a thread."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message came, changed or went."""

    op: Op
    message: Message


@dataclass(frozen=True, slots=True)
class CommandsChange:
    """The bot registered other commands."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """The bot came or went."""

    online: bool


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """The permissions in a channel changed, or it went."""

    op: Op
    channel: ServerChannel


@dataclass(frozen=True, slots=True)
class MembershipChange:
    """The bot was thrown out of a server, or invited."""

    server: Server


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """A thread came, changed or went."""

    op: Op
    thread: Thread


@dataclass(frozen=True, slots=True)
class InteractionChange:
    """What somebody did was answered, or was not in time."""

    id: int


@dataclass(frozen=True, slots=True)
class TroubleChange:
    """Somebody caused trouble, or an end was made of it."""


Change: TypeAlias = (
    MessageChange
    | CommandsChange
    | PresenceChange
    | ChannelChange
    | MembershipChange
    | ThreadChange
    | InteractionChange
    | TroubleChange
)
Listener: TypeAlias = Callable[[Change], None]
