"""The data of leaderboards, profiles and histories, and the filters for them."""

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple, TypeAlias

from bot.rules.game import GameInfo, Options
from bot.tables.model import Company, Location, Result


@dataclass(frozen=True, slots=True)
class PersonalPreferences:
    """What a person has chosen for themselves; it counts in every server."""

    tips: bool = True
    """Whether they get tips in games that are new to them."""
    reads_aloud: bool = False
    """Whether the table is read out to them after each of their moves."""


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """What tables need to know of a person."""

    preferences: PersonalPreferences = PersonalPreferences()
    finished_games: frozenset[str] = frozenset()
    """The keys of the games that they have played to the end."""


@dataclass(frozen=True, slots=True)
class LeaderboardKey:
    """Which results a leaderboard ranks: one server, one game, one company."""

    guild_id: int
    game: str
    company: Company
    lower_is_better: bool = False
    """Whether lower scores are better, for leaderboards ranked by score."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A person's totals over some games."""

    games: int
    wins: int
    """First places, shared ones included."""
    shared_wins: int
    points: int
    highest: int | None
    """The highest score; None if none was without hints and ended otherwise than by resignations."""
    lowest: int | None
    """The lowest score; None likewise."""

    @property
    def average(self) -> float:
        """The average score per game."""
        return self.points / self.games

    def best(self, *, lower_is_better: bool) -> int | None:
        """Return the best score; None if resignations ended every game."""
        return self.lowest if lower_is_better else self.highest


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard."""

    place: int
    """1 is best. Equal people share a place, and the next place is skipped."""
    user_id: int
    name: str
    """The name of their newest game in this server."""
    stats: PlayerStats


class Bests(NamedTuple):
    """The best scores in a solo game; None where there are none."""

    own: int | None
    """The player's."""
    server: int | None
    """That of anyone in the server."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Some rows of a leaderboard."""

    total: int
    """How many people are ranked in total."""
    rows: tuple[Standing, ...]
    own: Standing | None
    """The asker's own row, even if it is not among `rows`."""


@dataclass(frozen=True, slots=True)
class GameStats:
    """A person's totals in one game and company."""

    game: str
    company: Company
    stats: PlayerStats


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A finished table: its results, best place first, and its message."""

    results: tuple[Result, ...]
    message_id: int | None

    @property
    def location(self) -> Location:
        """The table's location, without a solo id."""
        return Location(self.results[0].guild_id, self.results[0].channel_id)

    def result_of(self, user_id: int) -> Result:
        """Return the result of a person who had a seat."""
        return next(result for result in self.results if result.user_id == user_id)


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


@dataclass(frozen=True, slots=True)
class FinishedTables:
    """Some of the finished tables that match a filter, newest first."""

    total: int
    """How many tables match."""
    tables: tuple[FinishedTable, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page number, from 1, and the number of pages; an empty list has one page."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard, with the asker's own row."""

    key: LeaderboardKey
    page: Page
    rows: tuple[Standing, ...]
    own: Standing | None


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's totals by game and company, and their newest tables."""

    user_id: int
    stats: tuple[GameStats, ...]
    latest: tuple[FinishedTable, ...]

    def keep_game(self, game: str) -> "Profile":
        """Return the profile for one game, without tables."""
        return Profile(self.user_id, tuple(each for each in self.stats if each.game == game), ())


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished tables, newest first."""

    page: Page
    tables: tuple[FinishedTable, ...]


def clamp_page(number: int, total: int, size: int) -> Page:
    """Return the page with a number, or the nearest existing one."""
    count = max(1, ceil(total / size))
    return Page(min(max(1, number), count), count)


def companies_of(info: GameInfo[Options]) -> tuple[Company, ...]:
    """Return the companies a game can be played in, most common first."""
    together = (Company.PEOPLE, Company.COMPUTERS) if info.most_seats > 1 else ()
    return (*together, Company.ALONE) if info.least_seats == 1 else together
