"""Private messages that do not pile up: of each kind, whoever asks again keeps the newest alone."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import Any, Final, TypeAlias

import discord

from bot.tables.tasks import TaskSet
from bot.ui.delivery.http import NETWORK_ERRORS
from bot.ui.interactions.responses import EphemeralMessage

log = logging.getLogger(__name__)

TOKEN_SECONDS: Final = 14 * 60.0
"""An interaction's token, which alone can delete a private message, works for 15 minutes."""

_MAX_GROUPS: Final = 500


class EphemeralKind(Enum):
    """What people ask for again and again."""

    HAND = "hand"
    READING = "reading"
    GUIDE = "guide"
    REPLAY = "replay"
    OPTIONS = "options"


_Key: TypeAlias = tuple[int, EphemeralKind, Hashable]


@dataclass(frozen=True, slots=True)
class _MessageGroup:
    """Messages that belong together, and until when they can be deleted."""

    messages: tuple[EphemeralMessage, ...]
    expires_at: float

    @property
    def first_id(self) -> int:
        """Where they stand in their channel: Discord's ids count up."""
        return min((message.message_id or 0 for message in self.messages), default=0)


class EphemeralMessages:
    """Deletes what somebody was shown before as soon as they are shown it anew.

    The newest message stays, whatever order answers arrive in: an older one that was clicked meanwhile goes. What this
    process does not know of, or can no longer reach, just stays.
    """

    def __init__(self, size: int = _MAX_GROUPS, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = size
        self._clock = clock
        self._newest: OrderedDict[_Key, _MessageGroup] = OrderedDict()
        self._tasks = TaskSet("tidying")
        self._numbers = count()

    def replace_previous(
        self, asked: discord.Interaction[Any], kind: EphemeralKind, about: Hashable, *messages: EphemeralMessage
    ) -> bool:
        """Note what somebody has just been shown about something, and delete what is older; nobody waits for that.

        Tell whether it is the newest.
        """
        key = (asked.user.id, kind, about)
        self._drop_expired()
        shown, earlier = _MessageGroup(messages, self._clock() + TOKEN_SECONDS), self._newest.get(key)
        if earlier is not None and earlier.first_id > shown.first_id:
            self._delete(shown.messages)
            return False
        self._newest[key] = shown
        self._newest.move_to_end(key)
        while len(self._newest) > self._size:
            self._newest.popitem(last=False)
        kept = {message.message_id for message in messages}
        self._delete([message for message in earlier.messages if message.message_id not in kept] if earlier else ())
        return True

    def newest(self, person_id: int, kind: EphemeralKind, about: Hashable) -> Sequence[EphemeralMessage]:
        """Return what somebody was last shown about something, if it can still be reached."""
        self._drop_expired()
        shown = self._newest.get((person_id, kind, about))
        return shown.messages if shown else ()

    def _delete(self, messages: Iterable[EphemeralMessage]) -> None:
        for message in messages:
            self._tasks.start(next(self._numbers), _delete(message))

    async def close(self, seconds: float) -> None:
        """Finish what is being deleted, for some seconds at most."""
        await self._tasks.close(seconds)

    def _drop_expired(self) -> None:
        """Drop what can't be deleted any more; the oldest stands first."""
        now = self._clock()
        while self._newest and next(iter(self._newest.values())).expires_at <= now:
            self._newest.popitem(last=False)


async def _delete(message: EphemeralMessage) -> None:
    try:
        await message.delete()
    except NETWORK_ERRORS as fault:
        log.debug("a private message could not be deleted: %s", fault)
