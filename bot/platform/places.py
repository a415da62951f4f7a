"""People, the places where they act, days and shards."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user, under the name they had when they acted."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a table. A channel has one shared table, and one solo game for each person."""

    guild_id: int | None
    """None in a direct message."""
    channel_id: int
    solo_id: int = 0
    """The user whose solo game it is; 0 for the channel's shared table."""
    is_own_thread: bool = False
    """Whether the bot has opened the channel, a thread, for this table and the games that follow it."""
    is_outside: bool = False
    """Whether the bot is not in the channel: it only answers the interactions of a person who has installed it."""

    @property
    def scope_id(self) -> int:
        """The id under which settings are stored: of the server, the direct messages or, outside, the person."""
        # Ids of channels, servers and people never collide.
        return self.guild_id or (self.solo_id if self.is_outside else self.channel_id)


Day: TypeAlias = int
"""A day in UTC: the number of days since 1970-01-01."""

_FIRST_DAY: Final = datetime(1970, 1, 1, tzinfo=UTC)


def day_of(moment: datetime) -> Day:
    """Return the day of a moment in UTC."""
    return (moment - _FIRST_DAY).days


def start_of_day(day: Day) -> datetime:
    """Return the moment at which a day begins."""
    return _FIRST_DAY + timedelta(days=day)


def name_of_day(day: Day) -> str:
    """Return the date of a day, such as `2026-11-25`."""
    return start_of_day(day).date().isoformat()


@dataclass(frozen=True, slots=True, order=True)
class ShardRange:
    """A range of adjacent shards."""

    first: int
    last: int
    """The last shard, which belongs to the range."""
    count: int
    """The total number of shards in all processes."""

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def numbers(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    def overlaps(self, other: "ShardRange") -> bool:
        """Return whether a server may belong to both ranges; ranges with different totals may share any server."""
        return self.count != other.count or (self.first <= other.last and other.first <= self.last)


ALL_SHARDS: Final = ShardRange(0, 0, 1)
"""The range that covers every server, whatever the number of shards."""
