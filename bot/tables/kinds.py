"""The kinds of tables: how lessons, daily bags and the pairings of a tournament differ from other games.

The contribution of its seat to the salt marks a daily bag. Everyone who plays the bag of a day has its seed and this
contribution, so the same decisions give the same dice.
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
"""The beginning of the contribution of a seat with a daily bag."""

_CONTRIBUTION: Final = re.compile(rf"{DAILY_PREFIX}(\d{{4}}-\d{{2}}-\d{{2}})", re.ASCII)

TIME_LIMIT: Final = timedelta(hours=24)
"""How long an attempt keeps the seed of its day secret, without downtime of the bot.

An attempt that ends before the seed is published has a result.
"""


@dataclass(frozen=True, slots=True)
class TableKind:
    """The rules for the tables of a kind; the defaults are those of ordinary tables."""

    counts: bool = True
    """Whether finished tables of this kind have results; further attempts at a daily bag have none either way."""
    has_own_dice: bool = True
    """Whether people contribute their clicks to the salt. Otherwise everyone has the same dice."""
    takes_back: bool = True
    """Whether a move that has revealed nothing can be taken back."""
    is_arranged: bool = False
    """Whether a tournament opens the table, however many its players have, and decides how long its lobby waits."""


GAME: Final = TableKind()
LESSON: Final = TableKind(counts=False, has_own_dice=False)
# Taking moves back would change the steps, and so the dice, which must be the same for everyone.
DAILY: Final = TableKind(has_own_dice=False, takes_back=False)
PAIRING: Final = TableKind(is_arranged=True)


def kind_of(header: Header, seats: Sequence[Occupant]) -> TableKind:
    """Return the kind of a table, by its link or its first seat's contribution."""
    if header.link is not None and header.link.kind is SeriesLinkKind.PAIRING:
        return PAIRING
    if not seats:
        return GAME
    if is_lesson(seats[0].contribution):
        return LESSON
    return GAME if find_daily_day(seats[0].contribution) is None else DAILY


def daily_contribution(day: Day) -> str:
    """Return the contribution of a seat with the bag of a day."""
    return f"{DAILY_PREFIX}{name_of_day(day)}"


def find_daily_day(contribution: str) -> Day | None:
    """Return the day of a daily bag by its seat's contribution; None for other contributions."""
    found = _CONTRIBUTION.fullmatch(contribution)
    try:
        return found and day_of(datetime.fromisoformat(found[1]).replace(tzinfo=UTC))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class DailyBag:
    """The seed of a day, with the times of its commitment and publication."""

    day: Day
    seed: bytes = field(repr=False)
    """32 bytes; secret until the bag is published, so `repr` omits it."""
    committed_at: datetime
    published_at: datetime | None = None

    @property
    def commitment(self) -> str:
        """The SHA-256 hash of the seed, shown before the seed."""
        return hashlib.sha256(self.seed).hexdigest()

    @property
    def is_late(self) -> bool:
        """Whether the commitment came after the day had begun, because the bot did not run before."""
        return self.committed_at >= start_of_day(self.day)
