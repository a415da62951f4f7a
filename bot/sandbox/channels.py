"""Channels and the latest messages in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bot.sandbox.messages import Message
from bot.sandbox.permissions import EVERYTHING, MEMBER
from bot.sandbox.wire import Json

if TYPE_CHECKING:
    from bot.sandbox.world import World

PUBLIC_HISTORY = 500
EPHEMERAL_HISTORY = 200

_MENTION = re.compile(r"<@!?(\d+)>")


class Channel:
    """A text channel and its latest messages."""

    def __init__(self, world: World, channel_id: int, name: str, position: int) -> None:
        self.id = channel_id
        self.name = name
        self.position = position
        self._world = world
        self._bot_permissions = MEMBER
        self._public: dict[int, Message] = {}
        self._ephemeral: dict[int, Message] = {}

    def __repr__(self) -> str:
        return f"Channel({self.name!r})"

    @property
    def server_id(self) -> int:
        """The server it belongs to."""
        return self._world.server.id

    @property
    def messages(self) -> list[Message]:
        """The live messages, oldest first, those for one reader included."""
        kept = (*self._public.values(), *self._ephemeral.values())
        return sorted((message for message in kept if not message.dismissed), key=lambda each: each.id)

    @property
    def public(self) -> list[Message]:
        """The live messages that everybody sees, oldest first."""
        return list(self._public.values())

    @property
    def bot_permissions(self) -> int:
        """The bits of what the bot may do here."""
        return self._bot_permissions

    @bot_permissions.setter
    def bot_permissions(self, value: int) -> None:
        self._bot_permissions = int(value)
        self._world.permissions_changed(self)

    def mentioned(self, text: str) -> list[Json]:
        """Return the accounts that a text mentions."""
        if "<@" not in text:
            return []
        users = (self._world.user(int(found)) for found in dict.fromkeys(_MENTION.findall(text)))
        return [user.payload() for user in users if user is not None]

    def keep(self, message: Message) -> Message | None:
        """Take in a message; return the one that had to go for it."""
        if message.ephemeral_to is None:
            shelf, room = self._public, PUBLIC_HISTORY
        else:
            shelf, room = self._ephemeral, EPHEMERAL_HISTORY
        shelf[message.id] = message
        return shelf.pop(next(iter(shelf))) if len(shelf) > room else None

    def drop(self, message: Message) -> None:
        """Let go of a message."""
        self._public.pop(message.id, None)
        self._ephemeral.pop(message.id, None)

    def payload(self) -> Json:
        """Return it as Discord describes it; what the bot may do stands in an overwrite for it."""
        overwrite = {
            "id": str(self._world.bot.id),
            "type": 1,
            "allow": str(self._bot_permissions),
            "deny": str(EVERYTHING & ~self._bot_permissions),
        }
        return {
            "id": str(self.id),
            "type": 0,
            "guild_id": str(self.server_id),
            "name": self.name,
            "position": self.position,
            "permission_overwrites": [overwrite],
            "topic": None,
            "nsfw": False,
            "parent_id": None,
            "rate_limit_per_user": 0,
            "last_message_id": str(next(reversed(self._public))) if self._public else None,
            "flags": 0,
        }
