"""What people say in a channel since its table was posted, as far as clicks tell: the bot reads no messages."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from cachetools import LRUCache
from discord.utils import snowflake_time

from bot.platform.discord.answers import Interaction
from bot.platform.discord.context import permissions_note

_MAX_CHANNELS: Final = 5000

MOVED_AFTER: Final = timedelta(minutes=5)
"""A table stays where it is this long, or for `MOVED_AFTER_MOVES`, before it follows the talk."""
MOVED_AFTER_MOVES: Final = 10
LEAST_STAY: Final = timedelta(minutes=2)
"""A table never moves sooner."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The newest message of a channel at the time of a click."""

    newest_id: int
    at: datetime

    def is_past(self, message_id: int, moves: int) -> bool:
        """Return whether a table should be posted anew.

        Args:
            message_id: The table's message.
            moves: How many moves were made since it was posted.
        """
        stayed = self.at - snowflake_time(message_id)
        is_due = stayed >= MOVED_AFTER or moves >= MOVED_AFTER_MOVES
        return self.newest_id > message_id and stayed >= LEAST_STAY and is_due


class NewestMessages:
    """Remembers the talk in each channel in which somebody has clicked."""

    def __init__(self) -> None:
        self._talks: LRUCache[int, Talk] = LRUCache(_MAX_CHANNELS)

    def note(self, click: Interaction) -> None:
        """Note what a click tells; where the bot may not post, nothing."""
        newest_id: int | None = getattr(click.channel, "last_message_id", None)
        if click.channel_id is None:
            return
        if newest_id is None or permissions_note(click):
            self._talks.pop(click.channel_id, None)
            return
        self._talks[click.channel_id] = Talk(newest_id, snowflake_time(click.id))

    def find(self, channel_id: int) -> Talk | None:
        """Return the talk in a channel, as far as it is known."""
        return self._talks.get(channel_id)

    def has_talk_below(self, channel_id: int, message_id: int) -> bool:
        """Return whether anything stands below a message in a channel, as far as it is known."""
        talk = self.find(channel_id)
        return talk is not None and talk.newest_id > message_id

    def clear(self) -> None:
        """Forget everything."""
        self._talks.clear()
