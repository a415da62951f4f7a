"""Accounts and messages as Discord describes them."""

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

SENT_AT = "2026-01-01T00:00:00+00:00"
BOT_ID = 9


def user_payload(user_id: int, name: str) -> Json:
    """Describe an account."""
    return {
        "id": str(user_id),
        "username": f"user{user_id}",
        "global_name": name,
        "discriminator": "0",
        "avatar": None,
        "bot": False,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def message_payload(message_id: int, channel_id: int, **more: Any) -> Json:
    """Describe a message of the bot."""
    return {
        "id": str(message_id),
        "channel_id": str(channel_id),
        "type": 0,
        "content": "",
        "timestamp": SENT_AT,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "flags": 0,
        "author": {**user_payload(BOT_ID, "Parlour"), "username": "parlour", "bot": True},
        **more,
    }
