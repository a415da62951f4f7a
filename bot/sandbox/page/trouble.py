"""The page's trouble panel, with which users break things and watch the bot recover."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeAlias

from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.model.channels import Channel, DirectChannel, ServerChannel, Thread
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.world import PresenceChange, TroubleChange, World
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.sandbox.rest.failures import MAX_DELAY_MS, MAX_FAILURES, MAX_LIMIT_SECONDS, Failure, FaultInjector
from bot.sandbox.wire import Json


class EndMode(Enum):
    """How to end the bot's process."""

    POLITE = "polite"
    KILL = "kill"


class ProcessController(Protocol):
    """Controls the bot's process, if the sandbox has started it."""

    async def end(self, mode: EndMode) -> None:
        """End the process and wait for its exit."""

    async def start(self) -> None:
        """Start the process again."""


class RestartPhase(Enum):
    """The phase of a restart."""

    ENDING = "ending"
    STARTING = "starting"


REVOCABLE_PERMISSIONS = (
    Permissions.VIEW_CHANNEL,
    Permissions.SEND_MESSAGES,
    Permissions.EMBED_LINKS,
    Permissions.ATTACH_FILES,
    Permissions.READ_MESSAGE_HISTORY,
    Permissions.SEND_MESSAGES_IN_THREADS,
)
"""Permissions that the panel can take away from the bot in a channel."""

Action: TypeAlias = Callable[[Channel, Json], None]


class TroublePanel:
    """Causes trouble on the page's request, and describes the current state."""

    def __init__(self, world: World, gateway: Gateway, fault_injector: FaultInjector) -> None:
        self.process: ProcessController | None = None
        self._world = world
        self._fault_injector = fault_injector
        self._phase: RestartPhase | None = None
        self._restart_task: asyncio.Task[None] | None = None
        self._actions: dict[str, Action] = {
            "restart": self._restart,
            "drop": lambda *_: gateway.drop_connections(),
            "forget": lambda *_: gateway.invalidate_sessions(),
            "slow": self._slow,
            "fail": self._fail,
            "limit": self._limit,
            "wear": self._limit_message_edits,
            "permit": self._set_permission,
            "archive": self._archive,
            "lock": self._lock,
            "close": self._close,
            "delete": self._delete,
        }
        world.subscribe(self._on_change)

    def stop(self) -> None:
        """Cancel a running restart."""
        if self._restart_task is not None:
            self._restart_task.cancel()

    def cause(self, channel: Channel, frame: Json) -> None:
        """Cause the trouble that a frame asks for; raise ClientRefusal if that is not possible."""
        action = self._actions.get(str(frame.get("trouble")))
        if action is None:
            raise ClientRefusal("The sandbox knows no such trouble.")
        action(channel, frame)

    def state(self, channel: Channel) -> Json:
        """Return the current state, and what can be broken in a channel."""
        failing = self._fault_injector.failing
        return {
            "phase": self._phase and self._phase.value,
            "can_restart": self.process is not None,
            "delay_ms": self._fault_injector.delay_ms,
            "failing": failing and {"status": int(failing.failure), "left": failing.left},
            "permissions": _describe_permissions(channel),
            "thread": (
                {"archived": channel.is_archived, "locked": channel.is_locked} if isinstance(channel, Thread) else None
            ),
            "closed": channel.is_closed if isinstance(channel, DirectChannel) else None,
        }

    # --- the bot's process

    def _restart(self, _: Channel, frame: Json) -> None:
        if self.process is None:
            raise ClientRefusal("The bot was started elsewhere: restart it there.")
        if self._phase is not None:
            raise ClientRefusal("The bot is being restarted already.")
        mode = EndMode.KILL if frame.get("kill") is True else EndMode.POLITE
        # A task of its own: the page may be closed before the restart is done.
        self._restart_task = asyncio.create_task(self._run_restart(self.process, mode))

    async def _run_restart(self, process: ProcessController, mode: EndMode) -> None:
        self._set_phase(RestartPhase.ENDING)
        await process.end(mode)
        self._set_phase(RestartPhase.STARTING)
        await process.start()

    def _set_phase(self, phase: RestartPhase | None) -> None:
        self._phase = phase
        self._world.notify(TroubleChange())

    def _on_change(self, change: object) -> None:
        if isinstance(change, PresenceChange) and change.online and self._phase is RestartPhase.STARTING:
            self._set_phase(None)

    # --- REST requests

    def _slow(self, _: Channel, frame: Json) -> None:
        self._fault_injector.set_delay(_require_number(frame, "ms", MAX_DELAY_MS))

    def _fail(self, _: Channel, frame: Json) -> None:
        status = frame.get("status")
        if status not in list(Failure):
            raise ClientRefusal("Requests can fail with 429, 500 or 502.")
        self._fault_injector.fail_next(Failure(status), _require_number(frame, "count", MAX_FAILURES))

    def _limit(self, _: Channel, frame: Json) -> None:
        self._fault_injector.limit_edits(_require_number(frame, "seconds", MAX_LIMIT_SECONDS))

    # --- the channel

    def _set_permission(self, channel: Channel, frame: Json) -> None:
        permission = next((each for each in REVOCABLE_PERMISSIONS if each.name == frame.get("permission")), None)
        server_channel = _permission_channel(channel)
        if permission is None or server_channel is None:
            raise ClientRefusal("This cannot be taken away from the bot here.")
        is_granted = frame.get("held") is True
        bits = server_channel.bot_permissions
        server_channel.bot_permissions = bits | permission if is_granted else bits & ~permission

    def _archive(self, channel: Channel, _: Json) -> None:
        thread = _require_thread(channel)
        thread.edit(archived=not thread.is_archived)

    def _lock(self, channel: Channel, _: Json) -> None:
        thread = _require_thread(channel)
        thread.edit(locked=not thread.is_locked)

    def _close(self, channel: Channel, frame: Json) -> None:
        if not isinstance(channel, DirectChannel):
            raise ClientRefusal("Only direct messages can be closed.")
        channel.is_closed = frame.get("closed") is True
        self._world.notify(TroubleChange())

    def _delete(self, channel: Channel, _: Json) -> None:
        self._world.remove_message(_find_newest_table(channel))

    def _limit_message_edits(self, channel: Channel, _: Json) -> None:
        _find_newest_table(channel).is_edit_limited = True


def _permission_channel(channel: Channel) -> ServerChannel | None:
    """Return the channel whose permissions apply: a thread has none of its own."""
    server_channel = channel.parent if isinstance(channel, Thread) else channel
    return server_channel if isinstance(server_channel, ServerChannel) else None


def _describe_permissions(channel: Channel) -> Json:
    server_channel = _permission_channel(channel)
    return (
        {}
        if server_channel is None
        else {str(each.name): bool(server_channel.bot_permissions & each) for each in REVOCABLE_PERMISSIONS}
    )


def _require_thread(channel: Channel) -> Thread:
    if not isinstance(channel, Thread):
        raise ClientRefusal("This is no thread.")
    return channel


def _find_newest_table(channel: Channel) -> Message:
    for message in reversed(channel.public_messages):
        if message.author.bot and message.components:
            return message
    raise ClientRefusal("There is no message with buttons here.")


def _require_number(frame: Json, name: str, maximum: int) -> int:
    value = frame.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= maximum:
        raise ClientRefusal(f"{name} must be a whole number from 0 to {maximum}.")
    return value
