"""Servers of ordinary size as Discord tells of them: 40 channels and threads, 25 roles and 20 emoji."""

from bot.sandbox.model.permissions import MEMBER_PERMISSIONS, Overwrite, OverwriteKind, Permissions
from bot.sandbox.model.servers import Role
from bot.sandbox.model.world import World
from bot.sandbox.wire import Json

CATEGORIES, TEXT_CHANNELS, VOICE_CHANNELS, THREADS = 6, 22, 8, 4
ROLES = 25
EMOJI = 20
FIRST_SERVER = 1200000000000000000 >> 22 << 22
SERVER_STEP = 1 << 22
"""The difference of the ids of two servers; neighbours belong to different shards. All ids of a server lie between."""

_CATEGORY, _TEXT, _VOICE, _THREAD = 4, 0, 2, 11
_TOPIC = "Everything about games that need a table: rules, questions, results, and who is looking for players. Be kind!"
_TIME = "2026-01-01T12:00:00.000000+00:00"


def server_id(number: int) -> int:
    """Return the id of a server."""
    return FIRST_SERVER + number * SERVER_STEP


def build_server(world: World, number: int) -> Json:
    """Return the data of GUILD_CREATE for a server that is none of the sandbox's own."""
    first = server_id(number)
    roles = [_role(first, at) for at in range(ROLES)]
    membership = world.server.member_payload(world.bot)
    return {
        **world.server.payload(),
        "id": str(first),
        "name": f"A server for everybody {number}",
        "icon": f"{first:032x}",
        "owner_id": str(first + 900),
        "description": "A server where people meet to talk and to play.",
        "system_channel_id": str(first + 200),
        "features": ["COMMUNITY", "NEWS", "WELCOME_SCREEN_ENABLED", "SOUNDBOARD"],
        "roles": roles,
        "emojis": [_emoji(first + 100 + at, at) for at in range(EMOJI)],
        "joined_at": membership["joined_at"],
        "large": True,
        "unavailable": False,
        "member_count": 1500,
        "voice_states": [],
        "members": [{**membership, "roles": [roles[1]["id"]], "user": world.bot.payload()}],
        "channels": [_channel(first, at) for at in range(CATEGORIES + TEXT_CHANNELS + VOICE_CHANNELS)],
        "threads": [_thread(first, at) for at in range(THREADS)],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def _role(first: int, at: int) -> Json:
    role = Role(first + at, f"Role number {at}" if at else "@everyone", MEMBER_PERMISSIONS + at, 0x4A83D4 + at, at)
    return role.payload() if at != 1 else {**role.payload(), "managed": True, "tags": {"bot_id": str(first + 1)}}


def _emoji(emoji_id: int, at: int) -> Json:
    flags = {"require_colons": True, "managed": False, "animated": at % 4 == 0, "available": True}
    return {"id": str(emoji_id), "name": f"emoji_number_{at}", "roles": [], **flags}


def _channel(first: int, at: int) -> Json:
    kind = _CATEGORY if at < CATEGORIES else _TEXT if at < CATEGORIES + TEXT_CHANNELS else _VOICE
    more: Json = {}
    if kind != _CATEGORY:
        more = {"parent_id": str(first + 200 + at % CATEGORIES), "last_message_id": str(first + 500 + at)}
    if kind == _TEXT:
        more |= {"topic": _TOPIC if at % 2 else None, "rate_limit_per_user": 0, "default_auto_archive_duration": 1440}
    if kind == _VOICE:
        more |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None, "rate_limit_per_user": 0}
    return {
        "id": str(first + 200 + at),
        "type": kind,
        "name": f"channel-number-{at}",
        "position": at,
        "nsfw": False,
        "flags": 0,
        "permission_overwrites": _overwrites(first) if at % 3 == 0 else [],
        **more,
    }


def _overwrites(first: int) -> list[Json]:
    hidden = Overwrite(first, OverwriteKind.ROLE, deny=Permissions.VIEW_CHANNEL)
    shown = (Overwrite(first + at, OverwriteKind.ROLE, allow=Permissions.VIEW_CHANNEL) for at in (1, 5))
    return [each.payload() for each in (hidden, *shown)]


def _thread(first: int, at: int) -> Json:
    return {
        "id": str(first + 300 + at),
        "guild_id": str(first),
        "parent_id": str(first + 200 + CATEGORIES + at),
        "owner_id": str(first + 900),
        "type": _THREAD,
        "name": f"A thread about the game of yesterday {at}",
        "last_message_id": str(first + 600 + at),
        "rate_limit_per_user": 0,
        "message_count": 20,
        "member_count": 5,
        "total_message_sent": 20,
        "flags": 0,
        "thread_metadata": {
            "archived": False,
            "archive_timestamp": _TIME,
            "auto_archive_duration": 10080,
            "locked": False,
            "create_timestamp": _TIME,
        },
    }
