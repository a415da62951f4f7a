"""Resolves chosen users, roles and channels."""

from collections.abc import Collection
from typing import Any

from bot.sandbox.model.accounts import User
from bot.sandbox.model.channels import Channel, ServerChannel
from bot.sandbox.model.snowflakes import parse_snowflake
from bot.sandbox.model.threads import Thread
from bot.sandbox.model.world import World
from bot.sandbox.wire import Json


class Resolver:
    """Resolves ids in the context of a channel, and collects their data in `resolved`."""

    def __init__(self, world: World, channel: Channel) -> None:
        self.resolved: dict[str, Json] = {}
        self._world = world
        self._channel = channel
        self._server = channel.server

    def resolve_user(self, value: Any) -> str | None:
        """Return the id of a user, or None if there is none."""
        user = self._world.user(parse_snowflake(value))
        if user is None:
            return None
        self._add_resolved("users", user.id, user.payload())
        if self._server is not None and self._server.has_member(user.id):
            self._add_resolved("members", user.id, self._member_payload(user))
        return str(user.id)

    def resolve_role(self, value: Any) -> str | None:
        """Return the id of a role, or None if there is none."""
        role = None if self._server is None else self._server.roles.get(parse_snowflake(value))
        if role is None:
            return None
        self._add_resolved("roles", role.id, role.payload())
        return str(role.id)

    def resolve_mentionable(self, value: Any) -> str | None:
        """Return the id of a user or role, or None if there is none."""
        return self.resolve_user(value) or self.resolve_role(value)

    def resolve_channel(self, value: Any, kinds: Collection[int] = ()) -> str | None:
        """Return the id of a channel or thread of the server, or None; `kinds` limits the channel types."""
        channel = self._world.channel(parse_snowflake(value))
        if not isinstance(channel, ServerChannel | Thread) or channel.server is not self._server:
            return None
        payload = channel.payload()
        if kinds and payload["type"] not in kinds:
            return None
        fields = ("id", "name", "type", "parent_id", "thread_metadata")
        partial = {key: payload[key] for key in fields if key in payload}
        self._add_resolved("channels", channel.id, {**partial, "permissions": str(channel.bot_permissions)})
        return str(channel.id)

    def _member_payload(self, user: User) -> Json:
        membership: Json = {} if self._server is None else self._server.member_payload(user)
        return {**membership, "permissions": str(self._channel.permissions_of(user.id))}

    def _add_resolved(self, kind: str, key: int, value: Json) -> None:
        self.resolved.setdefault(kind, {})[str(key)] = value
