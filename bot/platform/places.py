"""People, and the places where they do something."""

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
    """Where a table is. A channel has one shared table, and one solo game for each person."""

    guild_id: int | None
    """None in a direct message."""
    channel_id: int
    solo_id: int = 0
    """The user whose solo game it is; 0 for the channel's shared table."""

    @property
    def scope_id(self) -> int:
        """The id under which preferences are stored: the server's, or the direct message channel's."""
        # Channel ids and server ids never collide.
        return self.guild_id or self.channel_id


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
    """Return a day as in `2026-11-25`."""
    return start_of_day(day).date().isoformat()
