"""What members may do in a channel."""

from enum import IntFlag


class Permissions(IntFlag):
    """The bits of Discord's permissions that matter here."""

    ADMINISTRATOR = 1 << 3
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
    SEND_MESSAGES_IN_THREADS = 1 << 38


EVERYTHING = (1 << 53) - 1
"""All bits Discord hands out, with room for those to come."""

MEMBER = int(
    Permissions.ADD_REACTIONS
    | Permissions.VIEW_CHANNEL
    | Permissions.SEND_MESSAGES
    | Permissions.EMBED_LINKS
    | Permissions.ATTACH_FILES
    | Permissions.READ_MESSAGE_HISTORY
    | Permissions.USE_EXTERNAL_EMOJIS
    | Permissions.CHANGE_NICKNAME
    | Permissions.USE_APPLICATION_COMMANDS
    | Permissions.SEND_MESSAGES_IN_THREADS
)
"""What an ordinary member has, and a bot that was invited with what it needs."""

IN_DIRECT_MESSAGES = int(
    Permissions.EMBED_LINKS | Permissions.ATTACH_FILES | Permissions.MENTION_EVERYONE | Permissions.USE_EXTERNAL_EMOJIS
)
"""What a bot is told that it may do in its direct messages, where reading and writing go without saying."""
