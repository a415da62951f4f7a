"""The data of the daily bag: attempts, boards and what a person is told."""

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
"""What is said for each reason."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt of a person at the bag of a day that counts."""

    user_id: int
    day: Day
    table_id: TableId
    guild_id: int | None
    """The server in which it was begun; None for a direct message."""
    channel_id: int
    name: str
    """The name of the person there."""
    started_at: datetime
    ended_at: datetime | None = None
    score: int | None = None
    """None until it has ended, and if it has no result."""

    @property
    def location(self) -> Location:
        """The place of its table."""
        return Location(self.guild_id, self.channel_id, self.user_id)


@dataclass(frozen=True, slots=True)
class DailyStreak:
    """Days in a row on which the bag was finished; a missed day in each month is forgiven."""

    current: int = 0
    """Up to today, or up to yesterday while today's is open. Forgiven days do not add to it."""
    longest: int = 0
    has_forgiveness: bool = True
    """Whether no missed day of this month was forgiven yet."""


@dataclass(frozen=True, slots=True)
class Placing:
    """The place of a score among those of a board."""

    place: int
    """1 is best; equal scores share a place."""
    count: int
    """How many scores there are."""


@dataclass(frozen=True, slots=True)
class DailyEnd:
    """The end of the attempt at a daily bag that counts."""

    day: Day
    score: int | None
    """None if it has no result: it was closed."""


def daily_end_of(table: Table) -> DailyEnd | None:
    """Return the end of the attempt at a daily bag that counts; None at other tables, and while it goes on."""
    day, outcome = table.daily_day, table.outcome
    if day is None or table.header.is_practice or not table.header.status.is_over:
        return None
    return DailyEnd(day, None if outcome is None else outcome.scores[0])


class AlreadyAttempted(Exception):
    """The person has begun an attempt at the daily bag before."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of a board."""

    user_id: int
    name: str
    score: int
    place: int


@dataclass(frozen=True, slots=True)
class BoardKey:
    """Which board: of a day, in a server or (None) across servers."""

    day: Day
    guild_id: int | None


@dataclass(frozen=True, slots=True)
class Board(Excerpt):
    """A page of a board, whose total is the number of people on it."""

    rows: tuple[BoardRow, ...]
    own: BoardRow | None
    """The asker's, even if it is not on the board, because they played elsewhere or do not consent."""
    is_shown: bool
    """Whether the asker's row is on the board for others."""


@dataclass(frozen=True, slots=True)
class DailyFacts:
    """What is stored about a person and a server before and on a day."""

    bags: Mapping[Day, DailyBag]
    """Those of yesterday, today and tomorrow, as far as there are any."""
    attempts: Mapping[Day, Attempt]
    """The person's, likewise."""
    own_days: tuple[Day, ...]
    """The days whose bag the person finished, in order."""
    server_days: tuple[Day, ...]
    """The days on which anyone in the server finished it."""
    excused_days: frozenset[Day]
    """The days that nobody has missed, because the bot did not run for a while."""
    here: Placing | None
    """The place of the person's score of today in the server; None without a score there."""
    everywhere: Placing | None
    """The same among those who are shown across servers; None if the person is not."""

    def open_attempt(self, day: Day) -> Attempt | None:
        """Return the person's attempt at the bag of a day, if it may still get a result."""
        attempt, bag = self.attempts.get(day), self.bags.get(day)
        is_secret = bag is not None and bag.published_at is None
        return attempt if attempt is not None and attempt.ended_at is None and is_secret else None


@dataclass(frozen=True, slots=True)
class DailyScores:
    """What a person's result of a day is compared with, before it is there."""

    own_days: tuple[Day, ...]
    """The days whose bag the person finished in the server, or in a direct message anywhere."""
    excused_days: frozenset[Day]
    scores: Mapping[int, int]
    """How many people in the server had which score; empty in a direct message."""


def find_streak(days: Sequence[Day], today: Day, excused: Collection[Day] = ()) -> DailyStreak:
    """Return the streak at a day.

    A missed day between two finished ones is forgiven if none of its month was before; it does not count itself. A
    streak that ends uses up nothing.

    Args:
        days: The days whose bag was finished, in order.
        today: The present day, which is not missed before it is over.
        excused: Days that nobody has missed.
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
    """Return the months with a forgiven day once those between two days are forgiven, or None if they can't be."""
    missed = [day for day in between if day not in excused]
    months = {_month_of(day) for day in missed}
    return None if len(months) < len(missed) or months & forgiven else forgiven | months


def _month_of(day: Day) -> int:
    """Return a number for the month of a day, which differs from that of any other month."""
    start = start_of_day(day)
    return 12 * start.year + start.month


def start_daily(header: Header, package: AnyPackage, bag: DailyBag, person: Person) -> Table:
    """Return the table of a daily bag, started.

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
