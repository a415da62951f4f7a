"""Finds the people, roles and channels that somebody chose, and describes them to the bot."""

from collections.abc import Collection
from typing import Any

from bot.sandbox.model.accounts import User
from bot.sandbox.model.channels import Channel, ServerChannel
from bot.sandbox.model.snowflakes import parse_snowflake
from bot.sandbox.model.threads import Thread
from bot.sandbox.model.world import World
from bot.sandbox.wire import Json


class Resolver:
    """Looks at ids from within one channel; what it found is described in `found`."""

    def __init__(self, world: World, channel: Channel) -> None:
        self.resolved: dict[str, Json] = {}
        self._world = world
        self._channel = channel
        self._server = channel.server

    def resolve_user(self, value: Any) -> str | None:
        """Return the id of a person or the bot, if there is one."""
        user = self._world.user(parse_snowflake(value))
        if user is None:
            return None
        self._add_resolved("users", user.id, user.payload())
        if self._server is not None and self._server.has_member(user.id):
            self._add_resolved("members", user.id, self._member_payload(user))
        return str(user.id)

    def resolve_role(self, value: Any) -> str | None:
        """Return the id of a role, if there is one."""
        role = None if self._server is None else self._server.roles.get(parse_snowflake(value))
        if role is None:
            return None
        self._add_resolved("roles", role.id, role.payload())
        return str(role.id)

    def resolve_mentionable(self, value: Any) -> str | None:
        """Return the id of a person or a role, if there is one."""
        return self.resolve_user(value) or self.resolve_role(value)

    def resolve_channel(self, value: Any, kinds: Collection[int] = ()) -> str | None:
        """Return the id of a channel or a thread of the server, of one of some kinds if any are named."""
        channel = self._world.channel(parse_snowflake(value))
        if not isinstance(channel, ServerChannel | Thread) or channel.server is not self._server:
            return None
        payload = channel.payload()
        if kinds and payload["type"] not in kinds:
            return None
        kept = ("id", "name", "type", "parent_id", "thread_metadata")
        partial = {key: payload[key] for key in kept if key in payload}
        self._add_resolved("channels", channel.id, {**partial, "permissions": str(channel.bot_permissions)})
        return str(channel.id)

    def _member_payload(self, user: User) -> Json:
        membership: Json = {} if self._server is None else self._server.member_payload(user)
        return {**membership, "permissions": str(self._channel.permissions_of(user.id))}

    def _add_resolved(self, shelf: str, key: int, value: Json) -> None:
        self.resolved.setdefault(shelf, {})[str(key)] = value
