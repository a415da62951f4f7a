"""What members may do, in a server and in one of its channels."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from bot.sandbox.wire import Json


class Permissions(IntFlag):
    """The bits of Discord's permissions that matter here."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
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
"""All bits Discord hands out, with room for those to come."""

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
"""What an ordinary member has, and a bot that was invited with what it needs."""

DIRECT_MESSAGE_PERMISSIONS = int(
    Permissions.EMBED_LINKS | Permissions.ATTACH_FILES | Permissions.MENTION_EVERYONE | Permissions.USE_EXTERNAL_EMOJIS
)
"""What a bot is told that it may do in its direct messages, where reading and writing go without saying."""


class OverwriteKind(IntEnum):
    """Whom an overwrite is for."""

    ROLE = 0
    MEMBER = 1


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a role or a member may do more or less in one channel."""

    id: int
    kind: OverwriteKind
    allow: int = 0
    deny: int = 0

    def payload(self) -> Json:
        """Return it as Discord describes it."""
        return {
            "id": str(self.id),
            "type": int(self.kind),
            "allow": str(int(self.allow)),
            "deny": str(int(self.deny)),
        }

    def apply(self, bits: int) -> int:
        """Return bits with what it takes away and gives."""
        return (bits & ~self.deny) | self.allow


def apply_overwrites(bits: int, everyone: int, roles: Collection[int], user_id: int, found: Iterable[Overwrite]) -> int:
    """Return what a channel leaves of the bits of a server: first for all, then for the roles, then for the member."""
    if bits & Permissions.ADMINISTRATOR:
        return ALL_PERMISSIONS
    of = {each.id: each for each in found}
    nothing = Overwrite(0, OverwriteKind.ROLE)
    mine = [each for each in of.values() if each.id in roles]
    allow = deny = 0
    for each in mine:
        allow, deny = allow | each.allow, deny | each.deny
    bits = of.get(everyone, nothing).apply(bits)
    bits = Overwrite(0, OverwriteKind.ROLE, allow, deny).apply(bits)
    return int(of.get(user_id, nothing).apply(bits))


def is_allowed(bits: int, permission: Permissions) -> bool:
    """Whether bits hold a permission; who does not see a channel can do nothing there."""
    return bool(bits & permission) and bool(bits & Permissions.VIEW_CHANNEL)
