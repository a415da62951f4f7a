"""Permissions of members in servers and channels."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from bot.sandbox.wire import Json


class Permissions(IntFlag):
    """The permission bits that the sandbox supports."""

    ADMINISTRATOR = 1 << 3
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


ALL_PERMISSIONS = (1 << 53) - 1
"""All present and future bits."""

MEMBER_PERMISSIONS = int(
    Permissions.ADD_REACTIONS
    | Permissions.VIEW_CHANNEL
    | Permissions.SEND_MESSAGES
    | Permissions.EMBED_LINKS
    | Permissions.ATTACH_FILES
    | Permissions.READ_MESSAGE_HISTORY
    | Permissions.USE_EXTERNAL_EMOJIS
    | Permissions.CHANGE_NICKNAME
    | Permissions.USE_APPLICATION_COMMANDS
    | Permissions.CREATE_PUBLIC_THREADS
    | Permissions.CREATE_PRIVATE_THREADS
    | Permissions.SEND_MESSAGES_IN_THREADS
)
"""The permissions of ordinary members and of the bot."""

DIRECT_MESSAGE_PERMISSIONS = int(
    Permissions.EMBED_LINKS | Permissions.ATTACH_FILES | Permissions.MENTION_EVERYONE | Permissions.USE_EXTERNAL_EMOJIS
)
"""The permissions that Discord reports for direct messages, where reading and writing are implied."""


class OverwriteKind(IntEnum):
    """What an overwrite applies to."""

    ROLE = 0
    MEMBER = 1


@dataclass(frozen=True, slots=True)
class Overwrite:
    """A permission overwrite of a channel for a role or member."""

    id: int
    kind: OverwriteKind
    allow: int = 0
    deny: int = 0

    def payload(self) -> Json:
        """Return it in Discord's format."""
        return {
            "id": str(self.id),
            "type": int(self.kind),
            "allow": str(int(self.allow)),
            "deny": str(int(self.deny)),
        }

    def apply(self, bits: int) -> int:
        """Return the bits after denying and allowing."""
        return (bits & ~self.deny) | self.allow


def apply_overwrites(
    bits: int, everyone: int, roles: Collection[int], user_id: int, overwrites: Iterable[Overwrite]
) -> int:
    """Apply a channel's overwrites to a member's permissions: for everyone, then for roles, then for the member."""
    if bits & Permissions.ADMINISTRATOR:
        return ALL_PERMISSIONS
    by_id = {each.id: each for each in overwrites}
    nothing = Overwrite(0, OverwriteKind.ROLE)
    role_overwrites = [each for each in by_id.values() if each.id in roles]
    allow = deny = 0
    for each in role_overwrites:
        allow, deny = allow | each.allow, deny | each.deny
    bits = by_id.get(everyone, nothing).apply(bits)
    bits = Overwrite(0, OverwriteKind.ROLE, allow, deny).apply(bits)
    return int(by_id.get(user_id, nothing).apply(bits))


def is_allowed(bits: int, permission: Permissions) -> bool:
    """Whether bits include a permission; without View Channel nothing is allowed."""
    return bool(bits & permission) and bool(bits & Permissions.VIEW_CHANNEL)
