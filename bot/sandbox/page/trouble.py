"""The page's panel for trouble: whoever sits at the page breaks something and watches the bot recover."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeAlias

from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.model.changes import PresenceChange, TroubleChange
from bot.sandbox.model.channels import Channel, DirectChannel, ServerChannel
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.model.world import World
from bot.sandbox.people.typed_commands import Refusal
from bot.sandbox.rest.failures import LONGEST_LIMIT_SECONDS, MOST_FAILURES, SLOWEST_MS, Failure, Troubles
from bot.sandbox.wire import Json


class Ending(Enum):
    """How the bot's process is ended."""

    POLITE = "polite"
    KILL = "kill"


class Keeper(Protocol):
    """Holds the bot's process, where the bot was started together with the sandbox."""

    async def end(self, manner: Ending) -> None:
        """End the process and wait until it is gone."""
        ...

    async def start(self) -> None:
        """Start the process anew."""
        ...


class Phase(Enum):
    """What is done with the bot's process."""

    ENDING = "ending"
    STARTING = "starting"


DENIABLE = (
    Permissions.VIEW_CHANNEL,
    Permissions.SEND_MESSAGES,
    Permissions.EMBED_LINKS,
    Permissions.ATTACH_FILES,
    Permissions.READ_MESSAGE_HISTORY,
    Permissions.SEND_MESSAGES_IN_THREADS,
)
"""What can be taken away from the bot in a channel."""

Act: TypeAlias = Callable[[Channel, Json], None]


class TroubleMaker:
    """Causes trouble as the page asks for it, and tells how things stand."""

    def __init__(self, world: World, gateway: Gateway, troubles: Troubles) -> None:
        self.keeper: Keeper | None = None
        self._world = world
        self._troubles = troubles
        self._phase: Phase | None = None
        self._restarting: asyncio.Task[None] | None = None
        self._acts: dict[str, Act] = {
            "restart": self._restart,
            "drop": lambda *_: gateway.drop_connections(),
            "forget": lambda *_: gateway.invalidate_sessions(),
            "slow": self._slow,
            "fail": self._fail,
            "limit": self._limit,
            "wear": self._wear,
            "permit": self._permit,
            "archive": self._archive,
            "lock": self._lock,
            "close": self._close,
            "delete": self._delete,
        }
        world.subscribe(self._on_change)

    def stop(self) -> None:
        """Leave off restarting the bot."""
        if self._restarting is not None:
            self._restarting.cancel()

    def cause(self, channel: Channel, frame: Json) -> None:
        """Do what the page asks for; refuse what it cannot mean."""
        act = self._acts.get(str(frame.get("trouble")))
        if act is None:
            raise Refusal("The sandbox knows no such trouble.")
        act(channel, frame)

    def state(self, channel: Channel) -> Json:
        """Return how things stand, and what could be broken in a channel."""
        failing = self._troubles.failing
        return {
            "phase": self._phase and self._phase.value,
            "can_restart": self.keeper is not None,
            "delay_ms": self._troubles.delay_ms,
            "failing": failing and {"status": int(failing.failure), "left": failing.left},
            "permissions": _permissions(channel),
            "thread": _thread(channel),
            "closed": channel.is_closed if isinstance(channel, DirectChannel) else None,
        }

    # --- the bot's process

    def _restart(self, _: Channel, frame: Json) -> None:
        if self.keeper is None:
            raise Refusal("The bot was started elsewhere: restart it there.")
        if self._phase is not None:
            raise Refusal("The bot is being restarted already.")
        manner = Ending.KILL if frame.get("kill") is True else Ending.POLITE
        # A task of its own: the page that asked for it may go before it is done.
        self._restarting = asyncio.create_task(self._replace(self.keeper, manner))

    async def _replace(self, keeper: Keeper, manner: Ending) -> None:
        self._enter(Phase.ENDING)
        await keeper.end(manner)
        self._enter(Phase.STARTING)
        await keeper.start()

    def _enter(self, phase: Phase | None) -> None:
        self._phase = phase
        self._world.tell(TroubleChange())

    def _on_change(self, change: object) -> None:
        match change:
            case PresenceChange(online=True) if self._phase is Phase.STARTING:
                self._enter(None)
            case _:
                pass

    # --- the line

    def _slow(self, _: Channel, frame: Json) -> None:
        self._troubles.slow(_number(frame, "ms", SLOWEST_MS))

    def _fail(self, _: Channel, frame: Json) -> None:
        status = frame.get("status")
        if status not in list(Failure):
            raise Refusal("Requests can fail with 429, 500 or 502.")
        self._troubles.fail(Failure(status), _number(frame, "count", MOST_FAILURES))

    def _limit(self, _: Channel, frame: Json) -> None:
        self._troubles.limit_edits(_number(frame, "seconds", LONGEST_LIMIT_SECONDS))

    # --- the channel

    def _permit(self, channel: Channel, frame: Json) -> None:
        permission = next((each for each in DENIABLE if each.name == frame.get("permission")), None)
        place = _governing(channel)
        if permission is None or place is None:
            raise Refusal("This cannot be taken away from the bot here.")
        held = frame.get("held") is True
        bits = place.bot_permissions
        place.bot_permissions = bits | permission if held else bits & ~permission

    def _archive(self, channel: Channel, _: Json) -> None:
        thread = _as_thread(channel)
        thread.change(archived=not thread.is_archived)

    def _lock(self, channel: Channel, _: Json) -> None:
        thread = _as_thread(channel)
        thread.change(locked=not thread.is_locked)

    def _close(self, channel: Channel, frame: Json) -> None:
        if not isinstance(channel, DirectChannel):
            raise Refusal("Only direct messages can be closed.")
        channel.is_closed = frame.get("closed") is True
        self._world.tell(TroubleChange())

    def _delete(self, channel: Channel, _: Json) -> None:
        self._world.remove(_newest_table(channel))

    def _wear(self, channel: Channel, _: Json) -> None:
        _newest_table(channel).is_worn = True


def _governing(channel: Channel) -> ServerChannel | None:
    """Return the channel whose permissions count: a thread has none of its own."""
    place = channel.parent if isinstance(channel, Thread) else channel
    return place if isinstance(place, ServerChannel) else None


def _permissions(channel: Channel) -> Json:
    place = _governing(channel)
    return {} if place is None else {str(each.name): bool(place.bot_permissions & each) for each in DENIABLE}


def _as_thread(channel: Channel) -> Thread:
    if not isinstance(channel, Thread):
        raise Refusal("This is no thread.")
    return channel


def _thread(channel: Channel) -> Json | None:
    if not isinstance(channel, Thread):
        return None
    return {"archived": channel.is_archived, "locked": channel.is_locked}


def _newest_table(channel: Channel) -> Message:
    for message in reversed(channel.public):
        if message.author.bot and message.components:
            return message
    raise Refusal("There is no message with buttons here.")


def _number(frame: Json, name: str, most: int) -> int:
    value = frame.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise Refusal(f"{name} must be a whole number from 0 to {most}.")
    return value
