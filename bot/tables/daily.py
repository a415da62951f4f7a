"""The daily bag: its days, and the mark of its tables, which is what their seat contributes to the salt.

Everyone who plays the bag of a day has its seed and this contribution, so the same decisions give the same dice.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final, TypeAlias

Day: TypeAlias = int
"""A day in UTC: the number of days since 1970-01-01."""

DAILY_GAME: Final = "magic_bag"
"""The key of the game that everyone plays with the same dice."""

DAILY_PREFIX: Final = "daily:"
"""How the contribution of a seat with a daily bag begins."""

TIME_LIMIT: Final = timedelta(hours=24)
"""An attempt that takes longer has no result."""

_FIRST_DAY: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CONTRIBUTION: Final = re.compile(rf"{DAILY_PREFIX}(\d{{4}}-\d{{2}}-\d{{2}})", re.ASCII)


def day_of(moment: datetime) -> Day:
    """Return the day of a moment in UTC."""
    return (moment - _FIRST_DAY).days


def start_of_day(day: Day) -> datetime:
    """Return the moment at which a day begins."""
    return _FIRST_DAY + timedelta(days=day)


def name_of_day(day: Day) -> str:
    """Return a day as in `2026-11-25`."""
    return start_of_day(day).date().isoformat()


def daily_contribution(day: Day) -> str:
    """Return what the seat of a table with the bag of a day contributes to the salt."""
    return f"{DAILY_PREFIX}{name_of_day(day)}"


def find_daily_day(contribution: str) -> Day | None:
    """Return the day whose bag a table has, by its contribution; None for any other table."""
    found = _CONTRIBUTION.fullmatch(contribution)
    try:
        return found and (date.fromisoformat(found[1]) - _FIRST_DAY.date()).days
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class DailyBag:
    """The seed of a day, and when it was committed to and published."""

    day: Day
    seed: bytes = field(repr=False)
    """32 bytes, secret until the bag is published, and so left out of `repr`."""
    committed_at: datetime
    published_at: datetime | None = None

    @property
    def commitment(self) -> str:
        """The SHA-256 hash of the seed, which is shown before the seed is."""
        return hashlib.sha256(self.seed).hexdigest()

    @property
    def is_late(self) -> bool:
        """Whether it was committed to after its day had begun, as the bot did not run before."""
        return self.committed_at >= start_of_day(self.day)


@dataclass(frozen=True, slots=True)
class DailyEnd:
    """The end of the attempt at a daily bag that counts."""

    day: Day
    score: int | None
    """None if it has no result: it was closed, or took too long."""
