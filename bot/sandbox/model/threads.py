"""Threads."""

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

    def leave(self, user_id: int) -> None:
        """Remove a member."""
        if self.members.pop(user_id, None) is not None:
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
