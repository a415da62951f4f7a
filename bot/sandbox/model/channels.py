"""Channels and the latest messages in them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from bot.sandbox.model.commands import InteractionContext
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import (
    ALL_PERMISSIONS,
    DIRECT_MESSAGE_PERMISSIONS,
    Overwrite,
    OverwriteKind,
    Permissions,
    apply_overwrites,
    is_allowed,
)
from bot.sandbox.wire import Json

if TYPE_CHECKING:
    from bot.sandbox.model.accounts import User
    from bot.sandbox.model.servers import Server
    from bot.sandbox.model.world import World

PUBLIC_HISTORY = 500
EPHEMERAL_HISTORY = 200

_MENTION = re.compile(r"<@!?(\d+)>")


class Channel(ABC):
    """A channel with its latest messages."""

    context: ClassVar[InteractionContext]

    def __init__(self, world: World, channel_id: int) -> None:
        self.id = channel_id
        self._world = world
        self._public: dict[int, Message] = {}
        self._ephemeral: dict[int, Message] = {}

    @property
    @abstractmethod
    def server(self) -> Server | None:
        """The server it belongs to; direct messages belong to none."""

    @property
    def server_id(self) -> int | None:
        """The id of the server it belongs to."""
        return None if self.server is None else self.server.id

    @property
    def bot_permissions(self) -> int:
        """The bot's permission bits here."""
        return self.permissions_of(self._world.bot.id)

    @abstractmethod
    def permissions_of(self, user_id: int) -> int:
        """Return a user's permission bits here."""

    @property
    def messages(self) -> list[Message]:
        """The messages that are not deleted or dismissed, oldest first, including ephemeral ones."""
        kept = (*self._public.values(), *self._ephemeral.values())
        return sorted((message for message in kept if not message.dismissed), key=lambda each: each.id)

    @property
    def public_messages(self) -> list[Message]:
        """The public messages, oldest first."""
        return list(self._public.values())

    def allows_bot(self, permission: Permissions) -> bool:
        """Whether the bot has a permission here."""
        return self.allows_user(self._world.bot.id, permission)

    def allows_user(self, user_id: int, permission: Permissions) -> bool:
        """Whether a user has a permission here."""
        return is_allowed(self.permissions_of(user_id), permission)

    def visible_to(self, person_id: int) -> bool:
        """Whether a person may view the channel."""
        return self.allows_user(person_id, Permissions.VIEW_CHANNEL)

    @abstractmethod
    def payload(self) -> Json:
        """Return it as Discord describes it."""

    def find_mentions(self, text: str) -> list[Json]:
        """Return the users that a text mentions."""
        if "<@" not in text:
            return []
        users = (self._world.user(int(found)) for found in dict.fromkeys(_MENTION.findall(text)))
        return [user.payload() for user in users if user is not None]

    def add_message(self, message: Message) -> Message | None:
        """Add a message; return the oldest one if there are too many now."""
        if message.ephemeral_to is None:
            messages, limit = self._public, PUBLIC_HISTORY
        else:
            messages, limit = self._ephemeral, EPHEMERAL_HISTORY
        messages[message.id] = message
        return messages.pop(next(iter(messages))) if len(messages) > limit else None

    def remove_message(self, message: Message) -> None:
        """Remove a message."""
        self._public.pop(message.id, None)
        self._ephemeral.pop(message.id, None)

    def _base_payload(self) -> Json:
        newest = str(next(reversed(self._public))) if self._public else None
        return {"id": str(self.id), "last_message_id": newest, "flags": 0}


class ServerChannel(Channel):
    """A text channel of a server, seen by the members who may view it."""

    context = InteractionContext.SERVER

    def __init__(self, world: World, server: Server, channel_id: int, name: str) -> None:
        super().__init__(world, channel_id)
        self.name = name
        self.is_announcement = False
        self.position = len(server.channels)
        self._server = server
        self._overwrites: dict[int, Overwrite] = {}

    def __repr__(self) -> str:
        return f"ServerChannel({self.name!r})"

    @property
    def server(self) -> Server:
        """The server it belongs to."""
        return self._server

    @property
    def bot_permissions(self) -> int:
        """The bot's permission bits here."""
        return self.permissions_of(self._world.bot.id)

    @bot_permissions.setter
    def bot_permissions(self, value: int) -> None:
        self.set_overwrite(
            Overwrite(self._world.bot.id, OverwriteKind.MEMBER, int(value), ALL_PERMISSIONS & ~int(value))
        )

    def set_overwrite(self, overwrite: Overwrite) -> None:
        """Set the permission overwrite of a role or member."""
        self._overwrites[overwrite.id] = overwrite
        self._world.notify_permissions_changed(self)

    def permissions_of(self, user_id: int) -> int:
        """Return a user's permission bits here; none for users who are no members."""
        server = self._server
        if not server.has_member(user_id):
            return 0
        bits, roles = server.permissions_of(user_id), server.roles_of(user_id)
        if user_id == server.owner.id:
            return bits
        return apply_overwrites(bits, server.id, roles, user_id, self._overwrites.values())

    def payload(self) -> Json:
        """Return it as Discord describes it."""
        return {
            **self._base_payload(),
            "type": 5 if self.is_announcement else 0,
            "guild_id": str(self._server.id),
            "name": self.name,
            "position": self.position,
            "permission_overwrites": [each.payload() for each in self._overwrites.values()],
            "topic": None,
            "nsfw": False,
            "parent_id": None,
            "rate_limit_per_user": 0,
        }


class DirectChannel(Channel):
    """The direct messages between a person and the bot."""

    context = InteractionContext.DIRECT

    def __init__(self, world: World, channel_id: int, recipient: User) -> None:
        super().__init__(world, channel_id)
        self.recipient = recipient
        self.is_closed = False
        """Whether the person refuses direct messages from the bot."""

    def __repr__(self) -> str:
        return f"DirectChannel({self.recipient.name!r})"

    @property
    def server(self) -> None:
        """Direct messages belong to no server."""
        return

    def permissions_of(self, user_id: int) -> int:
        """Return the fixed bits that Discord reports for direct messages."""
        return DIRECT_MESSAGE_PERMISSIONS

    def allows_user(self, user_id: int, permission: Permissions) -> bool:
        """Return True: direct messages have no permissions."""
        return True

    def visible_to(self, person_id: int) -> bool:
        """Whether these are a person's direct messages."""
        return person_id == self.recipient.id

    def payload(self) -> Json:
        """Return it in Discord's format."""
        return {**self._base_payload(), "type": 1, "recipients": [self.recipient.payload()]}
