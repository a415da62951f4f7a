"""The data of gateway events."""

from bot.sandbox.gateway.session import Intents, Session
from bot.sandbox.model.changes import MessageChange, Op, ThreadChange
from bot.sandbox.model.servers import Server
from bot.sandbox.model.world import World
from bot.sandbox.rest.identity import application_payload
from bot.sandbox.wire import Json

_HIDDEN_CONTENT: Json = {"content": "", "embeds": [], "components": [], "attachments": []}
"""What a client without the intent gets of messages by others."""


def ready_payload(world: World, session: Session, servers: list[Server], resume_url: str) -> Json:
    """Return the data of READY."""
    application = application_payload(world)
    return {
        "v": 10,
        "user": {**world.bot.payload(), "verified": True, "mfa_enabled": False, "email": None},
        "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
        "session_id": session.id,
        "resume_gateway_url": resume_url,
        "shard": list(session.shard),
        "application": {"id": application["id"], "flags": application["flags"]},
        "_trace": [],
    }


def guild_payload(world: World, server: Server) -> Json:
    """Return the data of GUILD_CREATE."""
    membership = server.member_payload(world.bot)
    return {
        **server.payload(),
        "joined_at": membership["joined_at"],
        "large": False,
        "unavailable": False,
        "member_count": len(server.members),
        "voice_states": [],
        "members": [{**membership, "user": world.bot.payload()}],
        "channels": [channel.payload() for channel in server.channels],
        "threads": [thread.payload() for thread in world.active_threads(server)],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def members_payload(server: Server, nonce: object) -> Json:
    """Return the data of GUILD_MEMBERS_CHUNK, with all members in one chunk."""
    chunk: Json = {
        "guild_id": str(server.id),
        "members": [{**server.member_payload(user), "user": user.payload()} for user in server.members],
        "chunk_index": 0,
        "chunk_count": 1,
    }
    return chunk if nonce is None else {**chunk, "nonce": nonce}


def thread_payload(change: ThreadChange) -> Json:
    """Return the data of a thread's event."""
    payload = change.thread.payload()
    if change.op is Op.DELETE:
        return {key: payload[key] for key in ("id", "guild_id", "parent_id", "type")}
    return {**payload, "newly_created": True} if change.op is Op.CREATE else payload


def message_payload(world: World, change: MessageChange, session: Session) -> Json:
    """Return the data of a message's event, as far as the session's intents allow."""
    message, server = change.message, change.message.channel.server
    guild: Json = {} if server is None else {"guild_id": str(server.id)}
    if change.op is Op.DELETE:
        return {"id": str(message.id), "channel_id": str(message.channel.id), **guild}
    if server is None:
        # Bots may always read their direct messages.
        return message.payload()
    is_hidden = message.author is not world.bot and not session.wants(Intents.MESSAGE_CONTENT)
    return {
        **message.payload(),
        **(_HIDDEN_CONTENT if is_hidden else {}),
        "member": server.member_payload(message.author),
        **guild,
    }
