"""The data of challenges: attempts, boards and streaks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.platform.paging import Excerpt
from bot.platform.places import Day, Person, day_of, start_of_day
from bot.rules.refusals import RefusalReason
from bot.tables.kinds import Cadence, Edition, SharedSeed, edition_on
from bot.tables.lobby import make_occupant
from bot.tables.model import Header, TableId
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, salt_of, start_game
from bot.words import N_

LEAST_PERCENT: Final = 50
"""A share of the players is told only if the person was better than half of them."""

LEAST_PLAYERS: Final = 10
"""A share of fewer players says little."""

LEAST_PEOPLE: Final = 3
"""How many people of a server must have finished a challenge in the last week for the server's streak to be shown."""


class ChallengeReason(RefusalReason):
    """Why a challenge can't be played or shown."""

    NO_CHALLENGE = "no_challenge"
    CHALLENGE_SEALED = "challenge_sealed"
    NOT_FINISHED = "challenge_not_finished"


CHALLENGE_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ChallengeReason.NO_CHALLENGE: N_("There's no such game here now. `/play` opens one of your own."),
    ChallengeReason.CHALLENGE_SEALED: N_("You can see this once you have finished yours: `/daily`."),
    ChallengeReason.NOT_FINISHED: N_("You have no result to share yet."),
}
"""The message for each reason."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's only attempt at an edition."""

    user_id: int
    edition: Edition
    table_id: TableId
    guild_id: int | None
    """The server in which the attempt began; None for a direct message."""
    name: str
    """The person's name there."""
    started_at: datetime
    ended_at: datetime | None = None
    score: int | None = None
    """None before the end, and for an attempt without a result."""
    counted_on: Day | None = None
    """The day of the streak to which the result belongs; None without a result."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive days on which a challenge was finished; one missed day per month is forgiven."""

    current: int = 0
    """The streak up to today, or up to yesterday while nothing is finished today. Forgiven days are not counted."""
    longest: int = 0
    has_forgiveness: bool = True
    """Whether this month still has its forgiven day to give."""


@dataclass(frozen=True, slots=True)
class Placing:
    """The place of a score among others."""

    place: int
    """1 is best; equal scores share a place."""
    count: int
    """The number of scores."""


@dataclass(frozen=True, slots=True)
class AttemptEnd:
    """The end of an attempt."""

    edition: Edition
    score: int | None
    """None if the table was closed, which leaves no result."""
    ended_at: datetime

    @property
    def day(self) -> Day:
        """The day of the streak to which the result belongs.

        A day's challenge belongs to its day even if it is finished after midnight, a week's to the day of the end.
        """
        last = self.edition.next.day - 1
        return max(self.edition.day, min(last, day_of(self.ended_at)))


def attempt_end_of(table: Table) -> AttemptEnd | None:
    """Return the end of an attempt; None while it goes on, and for other tables."""
    edition, outcome = table.edition, table.outcome
    if edition is None or not table.header.status.is_over:
        return None
    return AttemptEnd(edition, None if outcome is None else outcome.scores[0], table.header.updated_at)


class AlreadyAttempted(Exception):
    """The person already has an attempt at this edition."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of a board."""

    user_id: int
    name: str
    score: int
    place: int
    table_id: TableId


@dataclass(frozen=True, slots=True)
class BoardKey:
    """The key of a board: an edition, and a server or (None) all servers."""

    edition: Edition
    guild_id: int | None


@dataclass(frozen=True, slots=True)
class Board(Excerpt):
    """A page of a board; the total is the number of people on it."""

    rows: tuple[BoardRow, ...]
    own: BoardRow | None
    """The asker's row, even if the board lacks it because they played elsewhere or have not consented."""
    is_shown: bool
    """Whether other people see the asker's row on the board."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The stored data behind the menu of the day: a person's and a server's."""

    attempts: Mapping[Cadence, Attempt]
    """The person's attempts at the present editions."""
    late: tuple[Attempt, ...]
    """The person's unfinished attempts at the editions before that may still get a result."""
    own: Streak
    server: Streak | None
    """None in a direct message, and where too few people play."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a finished attempt is compared with."""

    best: int | None
    """The person's best earlier score; None without one."""
    here: Placing | None
    """The place among the scores of the server; None in a direct message."""
    percent: int | None
    """The share of all other players that did worse; None if it says little, or nothing to be proud of."""
    streak: Streak
    counts: bool = True
    """Whether the attempt has a result: it ended in time."""


UNCOUNTED: Final = Standing(None, None, None, Streak(), counts=False)


def percent_better(worse: int, others: int) -> int | None:
    """Return the share of other players that did worse, in percent, if it is worth telling.

    Args:
        worse: How many of them did worse.
        others: How many others there are.
    """
    percent = 100 * worse // others if others else 0
    return percent if others + 1 >= LEAST_PLAYERS and percent >= LEAST_PERCENT else None


def current_editions(today: Day) -> tuple[Edition, ...]:
    """Return the edition of each challenge on a day."""
    return tuple(edition_on(cadence, today) for cadence in Cadence)


def find_streak(days: Sequence[Day], today: Day, excused: Collection[Day] = ()) -> Streak:
    """Return the streak at a day.

    A missed day between two finished ones is forgiven if it is the first in its month; it adds nothing to the length. A
    streak that ends uses up no forgiveness.

    Args:
        days: The days on which a challenge was finished, in ascending order.
        today: The present day, which can't be missed yet.
        excused: Days that count as missed by nobody.
    """
    length, longest = 0, 0
    forgiven = set[int]()
    last = today
    for day in days:
        used = _forgive(range(last + 1, day), excused, forgiven) if length else None
        length, forgiven = (1, forgiven) if used is None else (length + 1, used)
        longest, last = max(longest, length), day
    now = _forgive(range(last + 1, today), excused, forgiven) if length else None
    return Streak(0 if now is None else length, longest, _month_of(today) not in (now or forgiven))


def _forgive(between: range, excused: Collection[Day], forgiven: set[int]) -> set[int] | None:
    """Return the months with a forgiven day once all days in between are forgiven; None if they can't be."""
    missed = [day for day in between if day not in excused]
    months = {_month_of(day) for day in missed}
    return None if len(months) < len(missed) or months & forgiven else forgiven | months


def _month_of(day: Day) -> int:
    """Return a number that is unique for the month of a day."""
    start = start_of_day(day)
    return 12 * start.year + start.month


def start_challenge(header: Header, package: AnyPackage, shared: SharedSeed, person: Person) -> Table:
    """Create the private table of an edition and start it.

    Args:
        header: The header of a new table.
        package: The game.
        shared: The seed of the edition.
        person: The player.
    """
    contribution = str(shared.edition)
    header = replace(
        header, options="{}", seed=shared.seed, salt=salt_of([contribution]), allows_hints=False, is_private=True
    )
    occupant = replace(make_occupant(person, click_id=0), contribution=contribution)
    return start_game(Table(header, (occupant,), package))
