"""The data of profiles and duels."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.features.results.model import FinishedTable, GameStats
from bot.features.results.ratings import PersonRating
from bot.tables.model import Result


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
        played = Counter[str]()
        for of_game in sorted(self.stats, key=lambda of_game: of_game.game):
            played[of_game.game] += of_game.played
        return max(played, key=played.__getitem__, default=None)


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
