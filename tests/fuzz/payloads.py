"""Interactions, people and messages as Discord describes them."""

from bot.platform.places import Person
from tests.fuzz.acts import Act, Json

SENT_AT = "2026-01-01T00:00:00+00:00"
MANAGE_MESSAGES = 1 << 13
MEMBER_PERMISSIONS = (1 << 10) | (1 << 11)
BOT_PERMISSIONS = str((1 << 50) - 1)
BOT_ID = 9


def interaction_payload(act: Act, *, flags: int) -> Json:
    """Describe an interaction as Discord does."""
    location = act.location
    body: Json = {
        "id": str(act.id),
        "application_id": str(BOT_ID),
        "type": int(act.kind),
        "data": act.data,
        "channel_id": str(location.channel_id),
        "channel": _channel(act),
        "token": token_of(act.id),
        "version": 1,
        "app_permissions": BOT_PERMISSIONS,
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(location.guild_id or 0)},
        "context": 0 if location.guild_id else 1,
        "attachment_size_limit": 10 * 1024 * 1024,
    }
    if location.guild_id is None:
        body["user"] = user_payload(act.person)
    else:
        body["guild_id"] = str(location.guild_id)
        body["guild"] = {"id": str(location.guild_id), "locale": "en-US", "features": []}
        permissions = MEMBER_PERMISSIONS | (MANAGE_MESSAGES if act.is_moderator else 0)
        body["member"] = {**MEMBER, "user": user_payload(act.person), "permissions": str(permissions)}
    if act.message_id is not None:
        body["message"] = {**message_payload(act.message_id, location.channel_id), "flags": flags}
        if act.mentions is not None:
            body["message"]["content"] = f"<@{act.mentions}>"
    return body


def token_of(act_id: int) -> str:
    """Return the token of an interaction, which no one else may see."""
    return f"secret-of-{act_id}"


MEMBER: Json = {
    "nick": None,
    "avatar": None,
    "roles": [],
    "joined_at": SENT_AT,
    "deaf": False,
    "mute": False,
    "flags": 0,
}


def user_payload(person: Person) -> Json:
    """Describe an account as Discord does."""
    return {
        "id": str(person.id),
        "username": f"user{person.id}",
        "global_name": person.name,
        "discriminator": "0",
        "avatar": None,
        "bot": False,
    }


def _channel(act: Act) -> Json:
    location = act.location
    body: Json = {"id": str(location.channel_id), "last_message_id": None, "flags": 0}
    if location.guild_id is None:
        return {**body, "type": 1, "recipients": [user_payload(act.person)]}
    return {**body, "type": 0, "guild_id": str(location.guild_id), "name": "channel", "position": 0, "permissions": "0"}


def message_payload(message_id: int, channel_id: int) -> Json:
    """Describe a message of the bot as Discord does."""
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
        "author": {"id": str(BOT_ID), "username": "parlour", "discriminator": "0", "avatar": None, "bot": True},
    }
