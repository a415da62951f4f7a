"""The daily bag: its days, and the mark of its tables, which is what their seat contributes to the salt.

Everyone who plays the bag of a day has its seed and this contribution, so the same decisions give the same dice.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.platform.places import Day, day_of, name_of_day, start_of_day

DAILY_GAME: Final = "magic_bag"
"""The key of the game that everyone plays with the same dice."""

DAILY_PREFIX: Final = "daily:"
"""How the contribution of a seat with a daily bag begins."""

TIME_LIMIT: Final = timedelta(hours=24)
"""How long an attempt keeps the seed of its day secret, not counting time in which the bot did not run.

It has a result if it ends before the seed is published.
"""


_CONTRIBUTION: Final = re.compile(rf"{DAILY_PREFIX}(\d{{4}}-\d{{2}}-\d{{2}})", re.ASCII)


def daily_contribution(day: Day) -> str:
    """Return what the seat of a table with the bag of a day contributes to the salt."""
    return f"{DAILY_PREFIX}{name_of_day(day)}"


def find_daily_day(contribution: str) -> Day | None:
    """Return the day whose bag a table has, by its contribution; None for any other table."""
    found = _CONTRIBUTION.fullmatch(contribution)
    try:
        return found and day_of(datetime.fromisoformat(found[1]).replace(tzinfo=UTC))
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
