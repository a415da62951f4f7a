"""Totals of people, finished tables, and the periods whose results are added up.

Days begin at midnight UTC, weeks on Mondays (ISO 8601).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, TypeAlias

from bot.features.settings.choices import SeasonLength
from bot.platform.paging import Excerpt, Page
from bot.platform.places import Location
from bot.rules.game import Seat
from bot.tables.characters import name_seats
from bot.tables.model import Company, Result


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A person's totals over some games."""

    games: int
    wins: int
    """First places, alone or shared."""
    shared_wins: int
    points: int
    highest: int | None
    """The highest score; None if resignations ended every game."""
    lowest: int | None
    """The lowest score; None if resignations ended every game."""

    @property
    def average(self) -> float:
        """The average score per game; 0 without games."""
        return self.points / max(1, self.games)

    def best(self, *, lower_is_better: bool) -> int | None:
        """Return the best score; None if resignations ended every game."""
        return self.lowest if lower_is_better else self.highest


@dataclass(frozen=True, slots=True)
class GameStats:
    """A person's totals in one game and company."""

    game: str
    company: Company
    stats: PlayerStats
    """The totals without the games with hints."""
    streak: int = 0
    """The number of newest games won in a row."""
    longest_streak: int = 0
    with_hints: int = 0
    """The number of further games, played with hints."""

    @property
    def played(self) -> int:
        """The number of games played, with or without hints."""
        return self.stats.games + self.with_hints


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A finished table: its results, best place first, and its message's id."""

    results: tuple[Result, ...]
    message_id: int | None
    is_outside: bool = False
    """Whether it was in a channel in which the bot is not."""

    @property
    def location(self) -> Location:
        """The table's location, without a solo id."""
        return Location(self.results[0].guild_id, self.results[0].channel_id, is_outside=self.is_outside)

    @property
    def names(self) -> Mapping[Seat, str]:
        """The names of the players by seat."""
        seated = sorted(self.results, key=lambda result: result.seat)
        return dict(zip((result.seat for result in seated), name_seats(seated), strict=True))

    def result_of(self, user_id: int) -> Result:
        """Return the result of a person who had a seat."""
        return next(result for result in self.results if result.user_id == user_id)


@dataclass(frozen=True, slots=True)
class FinishedTables(Excerpt):
    """Some of the finished tables that match a filter, newest first."""

    tables: tuple[FinishedTable, ...]


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished tables, newest first."""

    page: Page
    tables: tuple[FinishedTable, ...]


@dataclass(frozen=True, slots=True)
class ChannelsFilter:
    """The finished tables of some channels of a server."""

    guild_id: int
    channels: frozenset[int]


@dataclass(frozen=True, slots=True)
class PersonFilter:
    """A person's finished tables, in one server or (None) everywhere."""

    user_id: int
    guild_id: int | None


@dataclass(frozen=True, slots=True)
class PersonInChannelsFilter:
    """A person's finished tables in some channels of a server."""

    user_id: int
    guild_id: int
    channels: frozenset[int]


HistoryFilter: TypeAlias = ChannelsFilter | PersonFilter | PersonInChannelsFilter
"""Selects finished tables."""

ALL_TIME: Final = "all"

WITH_HINTS: Final = "hints"
"""Not a period of time: the results with hints. Profiles count them as games played; no leaderboard shows them."""

LIFETIME: Final = (ALL_TIME, WITH_HINTS)
"""The periods that together cover everything a person has played."""


def year_of(moment: datetime) -> str:
    """Return the year at a time, such as `2026`."""
    return f"{_utc(moment).year:04}"


def quarter_of(moment: datetime) -> str:
    """Return the quarter at a time, such as `2026-Q4`."""
    return f"{_utc(moment):%Y}-Q{(_utc(moment).month + 2) // 3}"


def month_of(moment: datetime) -> str:
    """Return the month at a time, such as `2026-11`."""
    return f"{_utc(moment):%Y-%m}"


def week_of(moment: datetime) -> str:
    """Return the week at a time, such as `2026-W48`; the week's Thursday decides its year."""
    year, week, _ = _utc(moment).isocalendar()
    return f"{year:04}-W{week:02}"


def season_of(length: SeasonLength, moment: datetime) -> str | None:
    """Return the season at a time, or None in a server without seasons."""
    match length:
        case SeasonLength.OFF:
            return None
        case SeasonLength.MONTH:
            return month_of(moment)
        case SeasonLength.QUARTER:
            return quarter_of(moment)
        case SeasonLength.YEAR:
            return year_of(moment)


def periods_at(moment: datetime) -> tuple[str, ...]:
    """Return all periods in which a result at a time counts."""
    return _periods_on(_utc(moment).date())


@lru_cache(maxsize=8)
def _periods_on(day: date) -> tuple[str, ...]:
    moment = _midnight(day)
    return ALL_TIME, year_of(moment), quarter_of(moment), month_of(moment), week_of(moment)


def bounds_of(period: str) -> tuple[datetime, datetime]:
    """Return the start of a week, month, quarter or year, and the start of the next one.

    Raises:
        ValueError: The text is no such period.
    """
    year, _, part = period.partition("-")
    if not part:
        return _midnight(date(int(year), 1, 1)), _midnight(date(int(year) + 1, 1, 1))
    if part.startswith("W"):
        monday = _midnight(date.fromisocalendar(int(year), int(part[1:]), 1))
        return monday, monday + timedelta(weeks=1)
    if part.startswith("Q"):
        first = 3 * int(part[1:]) - 2
        return _month(int(year), first), _month(int(year), first + 3)
    return _month(int(year), int(part)), _month(int(year), int(part) + 1)


def next_month(moment: datetime) -> datetime:
    """Return the start of the next month; every season ends with a month."""
    return bounds_of(month_of(moment))[1]


def _month(year: int, month: int) -> datetime:
    return _midnight(date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1))


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
