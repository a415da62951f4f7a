"""Days in UTC, as numbers."""

from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

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
