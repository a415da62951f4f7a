"""What can be asked about finished tables, and what is answered."""

from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

from bot.rules.game import GameInfo, Options
from bot.tables.model import Company, Place, Result


@dataclass(frozen=True, slots=True)
class LeaderboardKey:
    """The games that are ranked together: those of one server, of one game, in one company."""

    guild_id: int
    game: str
    company: Company
    lower_is_better: bool = False
    """Which score of a game is better: it orders the games that are ranked by their scores."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """What somebody's games of a kind come to."""

    games: int
    wins: int
    """Games in first place, shared ones included."""
    shared_wins: int
    points: int
    highest: int | None
    """The highest score; None if nothing was scored, because resignations ended every game."""
    lowest: int | None
    """The lowest score, likewise."""

    @property
    def average(self) -> float:
        """The points of a game."""
        return self.points / self.games


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's place in a contest."""

    place: int
    """1 is best; who is equal shares a place, and the next place is left out."""
    user_id: int
    name: str
    """The name they played under last in this server."""
    stats: PlayerStats


@dataclass(frozen=True, slots=True)
class Standings:
    """A stretch of a contest's ranking."""

    total: int
    """How many people are ranked in all."""
    rows: tuple[Standing, ...]
    own: Standing | None
    """The standing of whoever asked, wherever it is."""


@dataclass(frozen=True, slots=True)
class GameStats:
    """Somebody's figures in one game and company."""

    game: str
    company: Company
    stats: PlayerStats


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A finished table: its results, best place first, and the message that shows it."""

    results: tuple[Result, ...]
    message_id: int | None

    @property
    def place(self) -> Place:
        """Where the table stood."""
        return Place(self.results[0].guild_id, self.results[0].channel_id)

    def result_of(self, user_id: int) -> Result:
        """Return the result of somebody who sat there."""
        return next(result for result in self.results if result.user_id == user_id)


@dataclass(frozen=True, slots=True)
class ChannelsFilter:
    """The finished tables of some channels of a server."""

    guild_id: int
    channels: frozenset[int]


@dataclass(frozen=True, slots=True)
class PersonFilter:
    """The finished tables somebody sat at, in one server or (None) anywhere."""

    user_id: int
    guild_id: int | None


@dataclass(frozen=True, slots=True)
class PersonInChannelsFilter:
    """The finished tables somebody sat at, in some channels of a server."""

    user_id: int
    guild_id: int
    channels: frozenset[int]


HistoryFilter: TypeAlias = ChannelsFilter | PersonFilter | PersonInChannelsFilter
"""Which finished tables are meant."""


@dataclass(frozen=True, slots=True)
class FinishedTables:
    """A stretch of the finished tables on a shelf, newest first."""

    total: int
    tables: tuple[FinishedTable, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list, counted from 1; a list without rows has one page."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a contest's ranking, with the standing of whoever asked."""

    key: LeaderboardKey
    page: Page
    rows: tuple[Standing, ...]
    own: Standing | None


@dataclass(frozen=True, slots=True)
class Profile:
    """What somebody has played, in one server or anywhere, and their newest tables."""

    user_id: int
    stats: tuple[GameStats, ...]
    latest: tuple[FinishedTable, ...]

    def keep_game(self, game: str) -> "Profile":
        """Keep the figures of one game."""
        return Profile(self.user_id, tuple(each for each in self.stats if each.game == game), ())


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished tables, newest first."""

    page: Page
    tables: tuple[FinishedTable, ...]


def clamp_page(number: int, total: int, size: int) -> Page:
    """Return the page with a number, or the nearest there is."""
    count = max(1, ceil(total / size))
    return Page(min(max(1, number), count), count)


def companies_of(info: GameInfo[Options]) -> tuple[Company, ...]:
    """Return the companies a game can be played in, the one asked for most first."""
    together = (Company.PEOPLE, Company.COMPUTERS) if info.most_seats > 1 else ()
    return (*together, Company.ALONE) if info.least_seats == 1 else together
