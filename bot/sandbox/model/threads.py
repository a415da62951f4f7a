"""Threads: channels within a channel that come and go."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from bot.sandbox.model.channels import Channel, ServerChannel
from bot.sandbox.model.commands import InteractionContext
from bot.sandbox.model.permissions import Permissions, is_allowed
from bot.sandbox.model.snowflakes import creation_timestamp
from bot.sandbox.wire import Json

if TYPE_CHECKING:
    from bot.sandbox.model.accounts import User
    from bot.sandbox.model.servers import Server
    from bot.sandbox.model.world import World

ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
"""After so many quiet minutes Discord archives a thread; the sandbox leaves that to people and bots."""


class ThreadKind(IntEnum):
    """Who finds a thread: everybody who sees its channel, or only whoever was brought in."""

    PUBLIC = 11
    PRIVATE = 12


class Thread(Channel):
    """A thread. While it is archived nothing in it can be changed, and only moderators open one that is locked."""

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
        """The server of its channel."""
        return self.parent.server

    def edit(
        self,
        *,
        name: str | None = None,
        archived: bool | None = None,
        locked: bool | None = None,
        archive_minutes: int | None = None,
    ) -> None:
        """Change what is named, and tell everybody."""
        if archived is not None and archived is not self.is_archived:
            self.is_archived = archived
            self._archived_at = self._world.now()
        self.name = self.name if name is None else name
        self.is_locked = self.is_locked if locked is None else locked
        self.archive_minutes = self.archive_minutes if archive_minutes is None else archive_minutes
        self._world.notify_thread_changed(self)

    def unarchive(self) -> None:
        """Open it again, as anything new in it does."""
        if self.is_archived:
            self.edit(archived=False)

    def join(self, user_id: int) -> None:
        """Make somebody a member of it."""
        if user_id not in self.members:
            self.members[user_id] = self._world.now()
            self._world.notify_thread_changed(self)

    def leave(self, user_id: int) -> None:
        """End somebody's membership."""
        if self.members.pop(user_id, None) is not None:
            self._world.notify_thread_changed(self)

    def permissions_of(self, user_id: int) -> int:
        """Return the bits of what somebody may do in its channel."""
        return self.parent.permissions_of(user_id)

    def allows_user(self, user_id: int, permission: Permissions) -> bool:
        """Whether somebody may do something here; writing in threads is a permission of its own."""
        bits = self.permissions_of(user_id)
        if self.kind is ThreadKind.PRIVATE and user_id not in self.members and not bits & Permissions.MANAGE_THREADS:
            return False
        is_writing = permission is Permissions.SEND_MESSAGES
        return is_allowed(bits, Permissions.SEND_MESSAGES_IN_THREADS if is_writing else permission)

    def is_moderated_by(self, user_id: int) -> bool:
        """Whether somebody may lock it, and open it when it is locked."""
        return self.allows_user(user_id, Permissions.MANAGE_THREADS)

    def visible_to(self, person_id: int) -> bool:
        """Whether this person finds it."""
        return self.allows_user(person_id, Permissions.VIEW_CHANNEL)

    def member_payload(self, user_id: int) -> Json:
        """Return somebody's membership as Discord describes it."""
        return {"id": str(self.id), "user_id": str(user_id), "join_timestamp": self.members[user_id], "flags": 0}

    def payload(self) -> Json:
        """Return it as Discord describes it to the bot."""
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
        return body if self.kind is ThreadKind.PUBLIC else {**body, "invitable": self.is_invitable}
