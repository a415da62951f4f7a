"""Interactions as Discord describes them."""

from tests.fuzz.acts import Act, Json
from tests.support.payloads import BOT_ID, SENT_AT, message_payload, user_payload

MANAGE_MESSAGES = 1 << 13
MEMBER_PERMISSIONS = (1 << 10) | (1 << 11)
BOT_PERMISSIONS = str((1 << 50) - 1)


def interaction_payload(act: Act, *, flags: int) -> Json:
    """Describe an interaction as Discord does."""
    location, user = act.location, user_payload(act.person.id, act.person.name)
    body: Json = {
        "id": str(act.id),
        "application_id": str(BOT_ID),
        "type": int(act.kind),
        "data": act.data,
        "channel_id": str(location.channel_id),
        "channel": _channel(act),
        "token": f"secret-of-{act.id}",
        "version": 1,
        "app_permissions": BOT_PERMISSIONS,
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(location.guild_id or 0)},
        "context": 0 if location.guild_id else 1,
        "attachment_size_limit": 10 * 1024 * 1024,
    }
    if location.guild_id is None:
        body["user"] = user
    else:
        body["guild_id"] = str(location.guild_id)
        body["guild"] = {"id": str(location.guild_id), "locale": "en-US", "features": []}
        permissions = MEMBER_PERMISSIONS | (MANAGE_MESSAGES if act.is_moderator else 0)
        body["member"] = {
            **MEMBER,
            "user": user_payload(act.person.id, act.person.name),
            "permissions": str(permissions),
        }
    if act.message_id is not None:
        body["message"] = {**message_payload(act.message_id, location.channel_id), "flags": flags}
        if act.mentions is not None:
            body["message"]["content"] = f"<@{act.mentions}>"
    return body


MEMBER: Json = {
    "nick": None,
    "avatar": None,
    "roles": [],
    "joined_at": SENT_AT,
    "deaf": False,
    "mute": False,
    "flags": 0,
}


def _channel(act: Act) -> Json:
    location = act.location
    body: Json = {"id": str(location.channel_id), "last_message_id": None, "flags": 0}
    if location.guild_id is None:
        return {**body, "type": 1, "recipients": [user_payload(act.person.id, act.person.name)]}
    return {**body, "type": 0, "guild_id": str(location.guild_id), "name": "channel", "position": 0, "permissions": "0"}
