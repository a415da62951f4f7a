"""Servers (guilds) with their members, roles and channels, and the accounts of people and of the bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sandbox.model.clock import creation_timestamp
from bot.sandbox.model.permissions import ALL_PERMISSIONS, MEMBER_PERMISSIONS, Permissions
from bot.sandbox.wire import Json

if TYPE_CHECKING:
    from bot.sandbox.model.channels import ServerChannel


@dataclass(frozen=True, slots=True)
class User:
    """The account of a person or of the bot."""

    id: int
    name: str
    color: str
    bot: bool = False

    def payload(self) -> Json:
        """Return the account in Discord's format."""
        return {
            "id": str(self.id),
            "username": self.name if self.bot else self.name.lower(),
            "global_name": None if self.bot else self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass(frozen=True, slots=True)
class Role:
    """A role; the one with the server's id belongs to everyone."""

    id: int
    name: str
    permissions: int = 0
    color: int = 0
    position: int = 1
    is_mentionable: bool = False
    """Whether every member may mention it."""

    def payload(self) -> Json:
        """Return it as Discord describes it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "color": self.color,
            "colors": {"primary_color": self.color, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "position": self.position,
            "permissions": str(int(self.permissions)),
            "managed": False,
            "mentionable": self.is_mentionable,
            "flags": 0,
        }


class Server:
    """A server; its owner has all permissions."""

    def __init__(self, server_id: int, name: str, owner: User, members: Iterable[User]) -> None:
        self.id = server_id
        self.name = name
        self.owner = owner
        self.channels: list[ServerChannel] = []
        self.roles = {server_id: Role(server_id, "@everyone", MEMBER_PERMISSIONS, position=0)}
        self._members = {user.id: user for user in members}
        self._role_ids: dict[int, list[int]] = {user_id: [] for user_id in self._members}
        self._joined_at: dict[int, str] = {}
        """When later members joined; the first ones did when their account was made."""
        self.locale = "en-US"
        """Discord's tag of the server's language."""
        self.system_channel_id: int | None = None
        """The channel for notices of Discord."""

    def __repr__(self) -> str:
        return f"Server({self.name!r})"

    @property
    def members(self) -> tuple[User, ...]:
        """All members, including the bot."""
        return tuple(self._members.values())

    def add_role(self, role: Role, *holders: User) -> None:
        """Add a role, or replace the one with the same id, and give it to members."""
        self.roles[role.id] = role
        for user in holders:
            self._role_ids[user.id] = sorted({*self._role_ids[user.id], role.id})

    def add_member(self, user: User, joined_at: str) -> None:
        """Add a member without roles, at a time in ISO 8601."""
        self._members[user.id] = user
        self._joined_at[user.id] = joined_at
        self._role_ids[user.id] = []

    def remove_member(self, user: User) -> None:
        """Remove a member and their roles."""
        del self._members[user.id], self._role_ids[user.id]

    def has_member(self, user_id: int) -> bool:
        """Whether a user is a member."""
        return user_id in self._members

    def roles_of(self, user_id: int) -> list[int]:
        """Return the role ids of a member."""
        return self._role_ids.get(user_id, [])

    def permissions_of(self, user_id: int) -> int:
        """Return a member's permission bits before channel overwrites."""
        if user_id == self.owner.id:
            return ALL_PERMISSIONS
        bits = 0
        for role_id in (self.id, *self.roles_of(user_id)):
            bits |= self.roles[role_id].permissions
        return ALL_PERMISSIONS if bits & Permissions.ADMINISTRATOR else int(bits)

    def member_payload(self, user: User) -> Json:
        """Return a membership in Discord's format, without the user."""
        return {
            "nick": None,
            "avatar": None,
            "banner": None,
            "roles": [str(role_id) for role_id in self.roles_of(user.id)],
            "joined_at": self._joined_at.get(user.id, creation_timestamp(user.id)),
            "premium_since": None,
            "communication_disabled_until": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }

    def payload(self) -> Json:
        """Return it in Discord's format, without channels and members."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "icon": None,
            "splash": None,
            "discovery_splash": None,
            "home_header": None,
            "banner": None,
            "description": None,
            "region": "en-US",
            "preferred_locale": self.locale,
            "afk_channel_id": None,
            "afk_timeout": 300,
            "system_channel_id": None if self.system_channel_id is None else str(self.system_channel_id),
            "system_channel_flags": 0,
            "rules_channel_id": None,
            "public_updates_channel_id": None,
            "vanity_url_code": None,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw": False,
            "nsfw_level": 0,
            "widget_enabled": False,
            "widget_channel_id": None,
            "safety_alerts_channel_id": None,
            "incidents_data": None,
            "max_presences": None,
            "max_members": 500_000,
            "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50,
            "premium_progress_bar_enabled": False,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "features": [],
            "emojis": [],
            "stickers": [],
            "roles": [role.payload() for role in self.roles.values()],
            "application_id": None,
        }
