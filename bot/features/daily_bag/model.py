"""The data of the daily bag: attempts, boards and streaks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.platform.paging import Excerpt
from bot.platform.places import Day, Location, Person, start_of_day
from bot.rules.refusals import RefusalReason
from bot.tables.kinds import DailyBag, daily_contribution
from bot.tables.lobby import make_occupant
from bot.tables.model import Header, TableId
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, salt_of, start_game
from bot.words import N_


class DailyBagReason(RefusalReason):
    """Why a daily bag can't be played or shown."""

    NO_DAILY_BAG = "no_daily_bag"
    DAILY_BAG_OPEN = "daily_bag_open"
    DAILY_BAG_SEALED = "daily_bag_sealed"


DAILY_BAG_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    DailyBagReason.NO_DAILY_BAG: N_("There's no daily bag today. `/magic-bag new` opens one of your own."),
    DailyBagReason.DAILY_BAG_OPEN: N_(
        "Your attempt at this bag is still open: {link}\nYou can practise with the same bag once it's over."
    ),
    DailyBagReason.DAILY_BAG_SEALED: N_(
        "Until its seed is published, this bag is shown only to people who have finished it. `/daily` shows today's, "
        "and when its seed is published."
    ),
}
"""The message for each reason."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's attempt at a day's bag that counts."""

    user_id: int
    day: Day
    table_id: TableId
    guild_id: int | None
    """The server in which the attempt began; None for a direct message."""
    channel_id: int
    name: str
    """The person's name there."""
    started_at: datetime
    ended_at: datetime | None = None
    score: int | None = None
    """None before the end, and for an attempt without a result."""

    @property
    def location(self) -> Location:
        """The location of the attempt's table."""
        return Location(self.guild_id, self.channel_id, self.user_id)


@dataclass(frozen=True, slots=True)
class DailyStreak:
    """Consecutive days on which the bag was finished; one missed day per month is forgiven."""

    current: int = 0
    """The streak up to today, or up to yesterday while today's bag is unfinished. Forgiven days are not counted."""
    longest: int = 0
    has_forgiveness: bool = True
    """Whether this month still has its forgiven day to give."""


@dataclass(frozen=True, slots=True)
class Placing:
    """The place of a score on a board."""

    place: int
    """1 is best; equal scores share a place."""
    count: int
    """The number of scores."""


@dataclass(frozen=True, slots=True)
class DailyEnd:
    """The end of the attempt that counts at a daily bag."""

    day: Day
    score: int | None
    """None if the table was closed, which leaves no result."""


def daily_end_of(table: Table) -> DailyEnd | None:
    """Return the end of an attempt that counts; None while the attempt goes on, and for other tables."""
    day, outcome = table.daily_day, table.outcome
    if day is None or table.header.is_practice or not table.header.status.is_over:
        return None
    return DailyEnd(day, None if outcome is None else outcome.scores[0])


class AlreadyAttempted(Exception):
    """The person already has an attempt at this daily bag."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of a board."""

    user_id: int
    name: str
    score: int
    place: int


@dataclass(frozen=True, slots=True)
class BoardKey:
    """The key of a board: a day, and a server or (None) all servers."""

    day: Day
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
class DailyFacts:
    """The stored data of a person and a server around a day."""

    bags: Mapping[Day, DailyBag]
    """The existing bags of yesterday, today and tomorrow."""
    attempts: Mapping[Day, Attempt]
    """The person's attempts at these bags."""
    own_days: tuple[Day, ...]
    """The days whose bag the person finished, in ascending order."""
    server_days: tuple[Day, ...]
    """The days whose bag anyone in the server finished, in ascending order."""
    excused_days: frozenset[Day]
    """The days that count as missed by nobody, because the bot was down for a while."""
    here: Placing | None
    """The place of the person's score today in the server; None without a score there."""
    everywhere: Placing | None
    """The place of the same score across servers; None if the person is not shown there."""

    def open_attempt(self, day: Day) -> Attempt | None:
        """Return the person's attempt at a day's bag if it may still get a result."""
        attempt, bag = self.attempts.get(day), self.bags.get(day)
        is_secret = bag is not None and bag.published_at is None
        return attempt if attempt is not None and attempt.ended_at is None and is_secret else None


@dataclass(frozen=True, slots=True)
class DailyScores:
    """The scores that a person's result of a day is compared with, loaded before the result exists."""

    own_days: tuple[Day, ...]
    """The days whose bag the person finished in this server or, for a direct message, in any."""
    excused_days: frozenset[Day]
    scores: Mapping[int, int]
    """The number of people in the server for each score; empty in a direct message."""


def find_streak(days: Sequence[Day], today: Day, excused: Collection[Day] = ()) -> DailyStreak:
    """Return the streak at a day.

    A missed day between two finished ones is forgiven if it is the first in its month; it adds nothing to the length. A
    streak that ends uses up no forgiveness.

    Args:
        days: The days whose bag was finished, in ascending order.
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
    return DailyStreak(0 if now is None else length, longest, _month_of(today) not in (now or forgiven))


def _forgive(between: range, excused: Collection[Day], forgiven: set[int]) -> set[int] | None:
    """Return the months with a forgiven day once all days in between are forgiven; None if they can't be."""
    missed = [day for day in between if day not in excused]
    months = {_month_of(day) for day in missed}
    return None if len(months) < len(missed) or months & forgiven else forgiven | months


def _month_of(day: Day) -> int:
    """Return a number that is unique for the month of a day."""
    start = start_of_day(day)
    return 12 * start.year + start.month


def start_daily(header: Header, package: AnyPackage, bag: DailyBag, person: Person) -> Table:
    """Create the table of a daily bag and start it.

    Args:
        header: The header of a new table with the default options.
        package: The game.
        bag: The bag of the day.
        person: The player.
    """
    contribution = daily_contribution(bag.day)
    header = replace(header, seed=bag.seed, salt=salt_of([contribution]), allows_hints=False)
    occupant = replace(make_occupant(person, click_id=0), contribution=contribution)
    return start_game(Table(header, (occupant,), package))
