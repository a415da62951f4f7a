"""The data of profiles and histories, and the filters for them."""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from bot.features.boards.model import BoardKey, PlayerStats, Standing
from bot.features.results.ratings import PersonRating
from bot.platform.paging import Page
from bot.platform.places import Location
from bot.rules.game import GameInfo, Options
from bot.tables.model import Company, Result


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


class Bests(NamedTuple):
    """The best scores in a solo game; None where there are none."""

    own: int | None
    """The player's."""
    server: int | None
    """That of anyone in the server."""


@dataclass(frozen=True, slots=True)
class GameStats:
    """A person's totals in one game and company."""

    game: str
    company: Company
    stats: PlayerStats
    """Those of their games without hints."""
    streak: int = 0
    """How many of their newest games they have won in a row."""
    longest_streak: int = 0
    with_hints: int = 0
    """How many games they have played with hints besides."""

    @property
    def played(self) -> int:
        """How many games they have played, with hints or without."""
        return self.stats.games + self.with_hints


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
class Leaderboard:
    """A page of a leaderboard, with the asker's own row."""

    key: BoardKey
    page: Page
    rows: tuple[Standing, ...]
    own: Standing | None


@dataclass(frozen=True, slots=True)
class SoloScores:
    """A person's newest scores in a game played alone, without hints: with the best score they replace a rating."""

    game: str
    average: float
    games: int
    """How many these are: at most `NEWEST_SOLO_GAMES`."""


NEWEST_SOLO_GAMES: Final = 20


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """What a profile shows of a person apart from their tables."""

    stats: tuple[GameStats, ...] = ()
    ratings: tuple[PersonRating, ...] = ()
    """By game; empty outside servers."""
    solo_scores: tuple[SoloScores, ...] = ()
    """By game; empty outside servers."""
    form: tuple[Result, ...] = ()
    """Their newest ten results without hints, newest first."""

    @property
    def favourite_game(self) -> str | None:
        """The game that they have played most, of several the first by key; None if they have played none."""
        games = sorted({each.game for each in self.stats})
        return max(games, key=self._count, default=None)

    def _count(self, game: str) -> int:
        return sum(each.played for each in self.stats if each.game == game)


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's totals by game and company, and their newest tables."""

    user_id: int
    record: PersonRecord
    latest: tuple[FinishedTable, ...]

    @property
    def stats(self) -> tuple[GameStats, ...]:
        """Their totals by game and company."""
        return self.record.stats

    def keep_game(self, game: str) -> "Profile":
        """Return the profile for one game, without tables."""
        return Profile(self.user_id, PersonRecord(tuple(each for each in self.stats if each.game == game)), ())


class Duel(NamedTuple):
    """Two people in a server."""

    guild_id: int
    user_id: int
    """The one whose wins are counted as wins."""
    other_id: int


@dataclass(frozen=True, slots=True)
class Encounters:
    """How two people did at the tables of a game that they shared."""

    game: str
    wins: int
    """At how many the first of them placed before the second."""
    losses: int
    draws: int

    @property
    def tables(self) -> int:
        """How many tables they shared."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class Versus:
    """The history between two people in a server."""

    duel: Duel
    encounters: tuple[Encounters, ...]
    """By game; resignations count as last places."""
    latest: tuple[FinishedTable, ...]
    """The newest tables that they shared, newest first."""


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished tables, newest first."""

    page: Page
    tables: tuple[FinishedTable, ...]


def companies_of(info: GameInfo[Options]) -> tuple[Company, ...]:
    """Return the companies a game can be played in, most common first."""
    together = (Company.PEOPLE, Company.COMPUTERS) if info.most_seats > 1 else ()
    return (*together, Company.ALONE) if info.least_seats == 1 else together
