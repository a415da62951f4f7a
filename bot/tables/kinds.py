"""The kinds of tables: what lessons, daily bags and the pairings of a tournament do otherwise than any other game.

A daily bag is marked by what its seat contributes to the salt. Everyone who plays the bag of a day has its seed and
this contribution, so the same decisions give the same dice.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.platform.places import Day, day_of, name_of_day, start_of_day
from bot.rules.study import is_lesson
from bot.tables.model import Header, Occupant, SeriesLinkKind

DAILY_GAME: Final = "magic_bag"
"""The key of the game that everyone plays with the same dice."""

DAILY_PREFIX: Final = "daily:"
"""How the contribution of a seat with a daily bag begins."""

_CONTRIBUTION: Final = re.compile(rf"{DAILY_PREFIX}(\d{{4}}-\d{{2}}-\d{{2}})", re.ASCII)

TIME_LIMIT: Final = timedelta(hours=24)
"""How long an attempt keeps the seed of its day secret, not counting time in which the bot did not run.

It has a result if it ends before the seed is published.
"""


@dataclass(frozen=True, slots=True)
class TableKind:
    """What is different at the tables of a kind; the defaults are those of any other game."""

    counts: bool = True
    """Whether it is a game in earnest, whose end has a result; a further attempt at a daily bag has none either."""
    has_own_dice: bool = True
    """Whether its people contribute their clicks to the salt. Otherwise everyone has the same dice."""
    takes_back: bool = True
    """Whether a move that has revealed nothing can be taken back."""
    is_arranged: bool = False
    """Whether a tournament arranges it, decides how long its lobby waits, and opens it whatever else people play."""


GAME: Final = TableKind()
LESSON: Final = TableKind(counts=False, has_own_dice=False)
# With a way back its steps, and with them its dice, would not be the same for everyone.
DAILY: Final = TableKind(has_own_dice=False, takes_back=False)
PAIRING: Final = TableKind(is_arranged=True)


def kind_of(header: Header, seats: Sequence[Occupant]) -> TableKind:
    """Return the kind of a table, by its link or by what its first seat contributes to the salt."""
    if header.link is not None and header.link.kind is SeriesLinkKind.PAIRING:
        return PAIRING
    if not seats:
        return GAME
    if is_lesson(seats[0].contribution):
        return LESSON
    return GAME if find_daily_day(seats[0].contribution) is None else DAILY


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
