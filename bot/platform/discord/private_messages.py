"""Deletes ephemeral messages once a newer one of the same kind replaces them."""

import logging
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from itertools import count
from typing import Final, TypeAlias

from cachetools import TTLCache

from bot.platform.discord import late_pictures
from bot.platform.discord.answers import EphemeralMessage, Interaction
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.tasks import TaskSet

log = logging.getLogger(__name__)

TOKEN_SECONDS: Final = 14 * 60.0
"""How long messages are tracked: only the interaction's token can delete them, and it expires after 15 minutes."""

_MAX_GROUPS: Final = 500


class EphemeralKind(Enum):
    """What an ephemeral message shows."""

    HAND = "hand"
    READING = "reading"
    WHAT_HAPPENED = "what_happened"
    GUIDE = "guide"
    HINT = "hint"
    REPLAY = "replay"
    REVIEW = "review"
    OPTIONS = "options"
    SETTINGS = "settings"
    PINGS = "pings"
    PRIVACY = "privacy"
    PUZZLE = "puzzle"
    DAILY_BAG = "daily_bag"


_Key: TypeAlias = tuple[int, EphemeralKind, Hashable]


class EphemeralMessages:
    """Keeps only the newest message for each user, kind and subject.

    The newest is the one with the highest id, whatever order responses arrive in; `replace_others` is for what
    was chosen in an older one. Messages of other processes, and those older than the token, stay.
    """

    def __init__(self, size: int = _MAX_GROUPS, clock: Callable[[], float] = time.monotonic) -> None:
        self._newest: TTLCache[_Key, Sequence[EphemeralMessage]] = TTLCache(size, TOKEN_SECONDS, clock)
        self._tasks = TaskSet("tidying")
        self._numbers = count()

    def replace_previous(
        self, interaction: Interaction, kind: EphemeralKind, subject: Hashable, *messages: EphemeralMessage
    ) -> bool:
        """Note the messages that a user was just sent about a subject, and delete older ones in the background.

        Returns:
            Whether these are the newest.
        """
        if _first_id(self.newest(interaction.user.id, kind, subject)) > _first_id(messages):
            self._delete(messages)
            return False
        self.replace_others(interaction, kind, subject, *messages)
        return True

    def replace_others(
        self, interaction: Interaction, kind: EphemeralKind, subject: Hashable, *messages: EphemeralMessage
    ) -> None:
        """Note messages as the newest about a subject, even if they are not, and delete others in the background."""
        key = (interaction.user.id, kind, subject)
        others = self._newest.get(key, ())
        self._newest[key] = messages
        current = {message.message_id for message in messages}
        self._delete(message for message in others if message.message_id not in current)

    def forget_clicked(self, click: Interaction, kind: EphemeralKind, subject: Hashable) -> None:
        """Let the clicked message stay, because it is about to show something of another kind."""
        clicked_id = click.message.id if click.message else None
        if any(message.message_id == clicked_id for message in self.newest(click.user.id, kind, subject)):
            del self._newest[click.user.id, kind, subject]

    def dismiss(self, user_id: int, kind: EphemeralKind, subject: Hashable) -> None:
        """Delete what a user was sent about a subject, in the background, because that is over."""
        self._delete(self._newest.pop((user_id, kind, subject), ()))

    def newest(self, user_id: int, kind: EphemeralKind, subject: Hashable) -> Sequence[EphemeralMessage]:
        """Return the newest messages that a user was sent about a subject, if they can still be edited."""
        return self._newest.get((user_id, kind, subject), ())

    def _delete(self, messages: Iterable[EphemeralMessage]) -> None:
        for message in messages:
            self._tasks.start(next(self._numbers), _delete(message))

    async def close(self, seconds: float) -> None:
        """Finish running deletions, within some seconds."""
        await self._tasks.close(seconds)


def _first_id(messages: Sequence[EphemeralMessage]) -> int:
    """Return the lowest message id: Discord's ids grow with time."""
    return min((message.message_id or 0 for message in messages), default=0)


async def _delete(message: EphemeralMessage) -> None:
    late_pictures.forget(message.message_id)
    try:
        await message.delete()
    except NETWORK_ERRORS as fault:
        log.debug("an ephemeral message could not be deleted: %s", fault)
