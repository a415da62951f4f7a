"""Changes of the model that listeners are notified of."""

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
    """A message was created, edited or deleted."""

    op: Op
    message: Message


@dataclass(frozen=True, slots=True)
class CommandsChange:
    """The bot's commands have changed."""


@dataclass(frozen=True, slots=True)
class EmojisChange:
    """The bot's own emoji have changed."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """The bot has connected or disconnected."""

    online: bool


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """The permissions of a channel have changed, or it was deleted."""

    op: Op
    channel: ServerChannel


@dataclass(frozen=True, slots=True)
class MembershipChange:
    """The bot was removed from a server or added to it."""

    server: Server


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """A thread was created, edited or deleted."""

    op: Op
    thread: Thread


@dataclass(frozen=True, slots=True)
class InteractionChange:
    """An interaction got its response or has failed."""

    id: int


@dataclass(frozen=True, slots=True)
class TroubleChange:
    """The state of the trouble panel has changed."""


Change: TypeAlias = (
    MessageChange
    | CommandsChange
    | EmojisChange
    | PresenceChange
    | ChannelChange
    | MembershipChange
    | ThreadChange
    | InteractionChange
    | TroubleChange
)
Listener: TypeAlias = Callable[[Change], None]
