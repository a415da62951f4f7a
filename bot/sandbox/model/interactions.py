"""Interactions, their responses and their deadlines."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Protocol

from bot.sandbox.model.application import InstallationType
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.model.servers import User
from bot.sandbox.model.world import InteractionChange, World
from bot.sandbox.wire import Json

MAX_FOLLOW_UPS = 5

MAX_INTERACTIONS = 5000
"""Number of interactions that are kept; the tokens of older ones stop working."""


class InteractionKind(IntEnum):
    """Types of interactions."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4


class CallbackType(IntEnum):
    """Types of initial responses."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8


class InteractionState(Enum):
    """Whether the bot has responded."""

    WAITING = "waiting"
    RESPONDED = "responded"
    FAILED = "failed"


@dataclass(eq=False, repr=False)
class Interaction:
    """An interaction with its responses."""

    id: int
    opened_at: float
    kind: InteractionKind
    user: User
    channel: Channel
    data: Json
    installed: Mapping[InstallationType, int]
    """For which server and person the bot is installed there."""
    name: str | None = None
    message: Message | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), init=False)
    state: InteractionState = field(default=InteractionState.WAITING, init=False)
    callback_type: CallbackType | None = field(default=None, init=False)
    failure: str | None = field(default=None, init=False)
    choices: list[Json] = field(default_factory=list, init=False)
    original: Message | None = field(default=None, init=False)
    _replies: list[Message] = field(default_factory=list, init=False)
    _has_response: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _has_text: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def __repr__(self) -> str:
        return f"Interaction({self.id}, {self.kind.name}, {self.state.name})"

    @property
    def replies(self) -> tuple[Message, ...]:
        """The response and followups that are not deleted."""
        return tuple(message for message in self._replies if not message.deleted)

    @property
    def text(self) -> str:
        """The text of all replies."""
        return "\n".join(message.text for message in self.replies)

    @property
    def ephemeral(self) -> bool:
        """Whether the first reply is ephemeral."""
        return bool(self.replies) and self.replies[0].ephemeral_to is not None

    async def wait_for_response(self) -> Interaction:
        """Wait for the initial response or the deadline."""
        await self._has_response.wait()
        return self

    async def wait_for_text(self, timeout: float = 30.0) -> Interaction:  # noqa: ASYNC109 - part of the API of tests
        """Wait until a deferred response has its content; raise `TimeoutError` if that takes too long."""
        if self.state is InteractionState.RESPONDED and self.callback_type is CallbackType.DEFERRED_MESSAGE:
            await asyncio.wait_for(self._has_text.wait(), timeout)
        return self

    def owns(self, message: Message) -> bool:
        """Whether the token may access this message."""
        return message is self.original or message in self._replies

    def record_response(self, kind: CallbackType, original: Message | None) -> None:
        """Record the initial response and its message."""
        self.callback_type = kind
        self.original = original
        self.state = InteractionState.RESPONDED
        self._has_response.set()

    def add_reply(self, message: Message) -> None:
        """Record a reply."""
        self._replies.append(message)

    def finish_deferred(self) -> None:
        """Record that the deferred response has its content or was deleted."""
        self._has_text.set()

    def record_failure(self, reason: str | None = None) -> None:
        """Record that there was no response."""
        self.state = InteractionState.FAILED
        self.failure = reason
        self._has_response.set()

    @property
    def authorizing_owners(self) -> Json:
        """The server (0 for direct messages) and the person who have installed the bot there."""
        return {str(int(kind)): str(owner) for kind, owner in self.installed.items()}

    @property
    def is_out_of_follow_ups(self) -> bool:
        """Whether the limit of follow-ups is reached, which holds where only a person has installed the bot."""
        follow_ups = sum(message is not self.original for message in self._replies)
        return InstallationType.SERVER not in self.installed and follow_ups >= MAX_FOLLOW_UPS

    def metadata(self) -> Json:
        """Return the interaction metadata of messages."""
        body: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": self.user.payload(),
            "authorizing_integration_owners": self.authorizing_owners,
        }
        if self.name is not None:
            body["name"] = self.name
        if self.message is not None:
            body["interacted_message_id"] = str(self.message.id)
        return body


class EventDispatcher(Protocol):
    """Sends events to the bot."""

    @property
    def is_reachable(self) -> bool:
        """Whether the bot is connected or may resume."""

    def dispatch(self, event: str, data: Json, server_id: int | None) -> None:
        """Send an event of a server, or of direct messages (None)."""


class InteractionService:
    """Sends interactions to the bot and enforces their deadlines."""

    def __init__(self, world: World, dispatcher: EventDispatcher, deadline: float, token_lifetime: float) -> None:
        self.deadline = deadline
        self._world = world
        self._dispatcher = dispatcher
        self._token_lifetime = token_lifetime
        self._by_token: dict[str, Interaction] = {}

    async def send(self, interaction: Interaction) -> Interaction:
        """Send an interaction to the bot and wait for its initial response or the deadline."""
        if (reason := self._undeliverable_reason(interaction)) is not None:
            interaction.record_failure(reason)
            return interaction
        self._by_token[interaction.token] = interaction
        while len(self._by_token) > MAX_INTERACTIONS:
            del self._by_token[next(iter(self._by_token))]
        timer = self._world.clock.call_later(self.deadline, lambda: self._expire(interaction))
        self._dispatcher.dispatch("INTERACTION_CREATE", self.payload(interaction), interaction.channel.server_id)
        await interaction.wait_for_response()
        # If the caller is cancelled, the timer stays.
        self._world.clock.cancel(timer)
        return interaction

    def find_by_token(self, token: str) -> Interaction | None:
        """Return the interaction of a token, while the token is valid."""
        interaction = self._by_token.get(token)
        if interaction is None:
            return None
        age = self._world.clock.now() - interaction.opened_at
        return interaction if age <= self._token_lifetime else None

    def payload(self, interaction: Interaction) -> Json:
        """Return an interaction in Discord's format."""
        body: Json = {
            "id": str(interaction.id),
            "application_id": str(self._world.bot.id),
            "type": int(interaction.kind),
            "data": interaction.data,
            "channel_id": str(interaction.channel.id),
            **self._context_payload(interaction),
            "token": interaction.token,
            "version": 1,
            "app_permissions": str(interaction.channel.bot_permissions),
            "locale": self._world.locales[interaction.user.id],
            "entitlements": [],
            "authorizing_integration_owners": interaction.authorizing_owners,
            "context": int(interaction.channel.context),
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if interaction.message is not None:
            body["message"] = interaction.message.payload()
        return body

    def _context_payload(self, interaction: Interaction) -> Json:
        channel, user = interaction.channel, interaction.user
        if channel.server is None:
            return {"channel": channel.payload(), "user": user.payload()}
        permissions = str(channel.permissions_of(user.id))
        return {
            "guild": {"id": str(channel.server_id), "locale": channel.server.locale, "features": []},
            "guild_id": str(channel.server_id),
            "guild_locale": channel.server.locale,
            "channel": {**channel.payload(), "permissions": permissions},
            "member": {**channel.server.member_payload(user), "user": user.payload(), "permissions": permissions},
        }

    def _undeliverable_reason(self, interaction: Interaction) -> str | None:
        """Return why an interaction can't be delivered to the bot, or None."""
        name = self._world.bot.name
        if not self._dispatcher.is_reachable:
            return f"{name} is offline."
        if not interaction.installed:
            return f"{name} does not belong to this server any more."
        return None

    def _expire(self, interaction: Interaction) -> None:
        if interaction.state is InteractionState.WAITING:
            interaction.record_failure()
            self._world.notify(InteractionChange(interaction.id))
