"""Channels and threads, with the latest messages in them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Final

from bot.sandbox.model.application import InteractionContext
from bot.sandbox.model.clock import creation_timestamp
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
    from bot.sandbox.model.servers import Server, User
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


class PeopleChannel(Channel):
    """Direct messages among people, without the bot: of two, or of a group."""

    context = InteractionContext.AMONG_PEOPLE

    def __init__(self, world: World, channel_id: int, people: Sequence[User]) -> None:
        super().__init__(world, channel_id)
        self.people = tuple(people)

    def __repr__(self) -> str:
        return f"PeopleChannel({', '.join(user.name for user in self.people)})"

    @property
    def server(self) -> None:
        """Direct messages belong to no server."""
        return

    def permissions_of(self, user_id: int) -> int:
        """Return the fixed bits that Discord reports for direct messages."""
        return DIRECT_MESSAGE_PERMISSIONS

    def allows_user(self, user_id: int, permission: Permissions) -> bool:
        """Whether it is one of the people, who may do everything."""
        return self.visible_to(user_id)

    def visible_to(self, person_id: int) -> bool:
        """Whether it is one of the people."""
        return any(user.id == person_id for user in self.people)

    def payload(self) -> Json:
        """Return it in Discord's format."""
        kind = _PAIR if len(self.people) == _PAIR_SIZE else _GROUP
        return {**self._base_payload(), "type": kind, "recipients": [user.payload() for user in self.people]}


_PAIR, _GROUP = 1, 3
_PAIR_SIZE: Final = 2

ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
"""Allowed auto-archive durations; the sandbox does not archive threads by itself."""


class ThreadKind(IntEnum):
    """Private threads are visible to their members, others to all who see the channel.

    Those of announcement channels are of a kind of their own.
    """

    ANNOUNCEMENT = 10
    PUBLIC = 11
    PRIVATE = 12


class Thread(Channel):
    """A thread. An archived thread can't be changed, and only moderators can open a locked one."""

    context = InteractionContext.SERVER

    def __init__(self, world: World, thread_id: int, parent: ServerChannel, name: str, owner: User) -> None:
        super().__init__(world, thread_id)
        self.parent = parent
        self.name = name
        self.owner = owner
        self.kind = ThreadKind.PUBLIC
        self.archive_minutes = ARCHIVE_MINUTES[1]
        self.is_archived = False
        self.is_locked = False
        self.is_invitable = True
        self.members = {owner.id: world.now()}
        self._archived_at = creation_timestamp(thread_id)

    def __repr__(self) -> str:
        return f"Thread({self.name!r})"

    @property
    def server(self) -> Server:
        """The server of its parent channel."""
        return self.parent.server

    def edit(
        self,
        *,
        name: str | None = None,
        archived: bool | None = None,
        locked: bool | None = None,
        archive_minutes: int | None = None,
    ) -> None:
        """Change the given attributes and notify listeners."""
        if archived is not None and archived is not self.is_archived:
            self.is_archived = archived
            self._archived_at = self._world.now()
        self.name = self.name if name is None else name
        self.is_locked = self.is_locked if locked is None else locked
        self.archive_minutes = self.archive_minutes if archive_minutes is None else archive_minutes
        self._world.notify_thread_changed(self)

    def unarchive(self) -> None:
        """Open it again."""
        if self.is_archived:
            self.edit(archived=False)

    def join(self, user_id: int) -> None:
        """Add a member."""
        if user_id not in self.members:
            self.members[user_id] = self._world.now()
            self._world.notify_thread_changed(self)

    def permissions_of(self, user_id: int) -> int:
        """Return a user's permission bits in the parent channel."""
        return self.parent.permissions_of(user_id)

    def allows_user(self, user_id: int, permission: Permissions) -> bool:
        """Whether a user has a permission here; writing in threads is a permission of its own."""
        bits = self.permissions_of(user_id)
        if self.kind is ThreadKind.PRIVATE and user_id not in self.members and not bits & Permissions.MANAGE_THREADS:
            return False
        is_writing = permission is Permissions.SEND_MESSAGES
        return is_allowed(bits, Permissions.SEND_MESSAGES_IN_THREADS if is_writing else permission)

    def member_payload(self, user_id: int) -> Json:
        """Return a membership in Discord's format."""
        return {"id": str(self.id), "user_id": str(user_id), "join_timestamp": self.members[user_id], "flags": 0}

    def payload(self) -> Json:
        """Return it in Discord's format for the bot."""
        count = len(self.public_messages)
        body: Json = {
            **self._base_payload(),
            "type": int(self.kind),
            "guild_id": str(self.server.id),
            "parent_id": str(self.parent.id),
            "owner_id": str(self.owner.id),
            "name": self.name,
            "rate_limit_per_user": 0,
            "message_count": count,
            "total_message_sent": count,
            "member_count": len(self.members),
            "thread_metadata": self._metadata(),
        }
        bot = self._world.bot.id
        return {**body, "member": self.member_payload(bot)} if bot in self.members else body

    def _metadata(self) -> Json:
        body: Json = {
            "archived": self.is_archived,
            "locked": self.is_locked,
            "auto_archive_duration": self.archive_minutes,
            "archive_timestamp": self._archived_at,
            "create_timestamp": creation_timestamp(self.id),
        }
        return body if self.kind is not ThreadKind.PRIVATE else {**body, "invitable": self.is_invitable}
