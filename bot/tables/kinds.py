"""The kinds of tables: how challenges and the pairings of a tournament differ from other games.

A challenge is a game that everyone plays once with the same dice. The daily one has an edition each day, the weekly one
each week. The contribution of its seat to the salt marks its table. Everyone who plays an edition has its seed and this
contribution, so the same decisions give the same dice.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.platform.places import Day, day_of, name_of_day, start_of_day
from bot.tables.model import Header, Occupant, SeriesLinkKind

_FIRST_DAY: Final = day_of(datetime(2026, 1, 1, tzinfo=UTC))
"""The day of the first edition of the daily challenge; that week has the first one of the weekly challenge."""

_DAYS_OF_WEEK: Final = 7
_A_MONDAY: Final = day_of(datetime(1970, 1, 5, tzinfo=UTC))

TIME_LIMIT: Final = timedelta(hours=24)
"""How long an attempt keeps the seed of its edition secret, without downtime of the bot.

An attempt that ends before the seed is published has a result.
"""


class Cadence(StrEnum):
    """The challenges, by how often there is a new edition."""

    DAILY = "daily"
    WEEKLY = "weekly"

    @property
    def days(self) -> int:
        """How many days an edition lasts."""
        return 1 if self is Cadence.DAILY else _DAYS_OF_WEEK


CHALLENGE_GAMES: Final[Mapping[Cadence, str]] = {Cadence.DAILY: "magpie", Cadence.WEEKLY: "magic_bag"}
"""The keys of the games that are played, by one seat with the default options."""

_CONTRIBUTION: Final = re.compile(rf"({'|'.join(Cadence)}):(\d{{4}}-\d{{2}}-\d{{2}})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Edition:
    """A challenge on one day, or in one week from Monday to Sunday."""

    cadence: Cadence
    day: Day
    """Its first day."""

    def __str__(self) -> str:
        """Return the contribution of a seat with this edition, such as `daily:2027-03-01`."""
        return f"{self.cadence}:{name_of_day(self.day)}"

    @property
    def game(self) -> str:
        """The key of its game."""
        return CHALLENGE_GAMES[self.cadence]

    @property
    def number(self) -> int:
        """Its number among the editions of its challenge, from 1."""
        first = edition_on(self.cadence, _FIRST_DAY)
        return (self.day - first.day) // self.cadence.days + 1

    @property
    def starts_at(self) -> datetime:
        """The moment at which it begins."""
        return start_of_day(self.day)

    @property
    def ends_at(self) -> datetime:
        """The moment at which the next one begins."""
        return self.next.starts_at

    @property
    def previous(self) -> "Edition":
        """The edition before it."""
        return Edition(self.cadence, self.day - self.cadence.days)

    @property
    def next(self) -> "Edition":
        """The edition after it."""
        return Edition(self.cadence, self.day + self.cadence.days)


def edition_on(cadence: Cadence, day: Day) -> Edition:
    """Return the edition of a challenge on a day."""
    return Edition(cadence, day - (day - _A_MONDAY) % cadence.days)


def find_edition(contribution: str) -> Edition | None:
    """Return the edition of a challenge by its seat's contribution; None for other contributions."""
    found = _CONTRIBUTION.fullmatch(contribution)
    if found is None:
        return None
    try:
        day = day_of(datetime.fromisoformat(found[2]).replace(tzinfo=UTC))
    except ValueError:
        return None
    edition = edition_on(Cadence(found[1]), day)
    return edition if edition.day == day else None


def claims_edition(contribution: str) -> bool:
    """Return whether a contribution says that it belongs to a challenge, even if there is no such edition."""
    return contribution.startswith(tuple(f"{cadence}:" for cadence in Cadence))


@dataclass(frozen=True, slots=True)
class SharedSeed:
    """The seed of an edition, with the times of its commitment and publication."""

    edition: Edition
    seed: bytes = field(repr=False)
    """32 bytes; secret until it is published, so `repr` omits it."""
    committed_at: datetime
    published_at: datetime | None = None

    @property
    def commitment(self) -> str:
        """The SHA-256 hash of the seed, shown before the seed."""
        return hashlib.sha256(self.seed).hexdigest()

    @property
    def is_late(self) -> bool:
        """Whether the commitment came after the edition had begun, because the bot did not run before."""
        return self.committed_at >= self.edition.starts_at


@dataclass(frozen=True, slots=True)
class TableKind:
    """The rules for the tables of a kind; the defaults are those of ordinary tables."""

    counts: bool = True
    """Whether finished tables of this kind have results."""
    has_own_dice: bool = True
    """Whether people contribute their clicks to the salt. Otherwise everyone has the same dice."""
    takes_back: bool = True
    """Whether a move that has revealed nothing can be taken back."""
    is_arranged: bool = False
    """Whether a tournament opens the table, however many its players have, and decides how long its lobby waits."""


GAME: Final = TableKind()
# Taking moves back would change the steps, and so the dice, which must be the same for everyone. Nobody may learn of a
# result before they have one, so only the challenges' own boards have them.
CHALLENGE: Final = TableKind(counts=False, has_own_dice=False, takes_back=False)
PAIRING: Final = TableKind(is_arranged=True)


def kind_of(header: Header, seats: Sequence[Occupant]) -> TableKind:
    """Return the kind of a table, by its link or its first seat's contribution."""
    if header.link is not None and header.link.kind is SeriesLinkKind.PAIRING:
        return PAIRING
    if not seats:
        return GAME
    return GAME if find_edition(seats[0].contribution) is None else CHALLENGE
