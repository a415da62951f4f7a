"""The data of profiles and duels."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.features.results.model import FinishedTable, GameStats
from bot.features.results.ratings import PersonRating
from bot.tables.model import Result


@dataclass(frozen=True, slots=True)
class SoloScores:
    """A person's newest solo scores in a game, without hints. With the best score, they replace a rating."""

    game: str
    average: float
    games: int
    """The number of scores, at most `NEWEST_SOLO_GAMES`."""


NEWEST_SOLO_GAMES: Final = 20


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """The facts of a profile, without the person's tables."""

    stats: tuple[GameStats, ...] = ()
    ratings: tuple[PersonRating, ...] = ()
    """By game; empty outside servers."""
    solo_scores: tuple[SoloScores, ...] = ()
    """By game; empty outside servers."""
    form: tuple[Result, ...] = ()
    """The person's newest ten results without hints, newest first."""

    @property
    def favourite_game(self) -> str | None:
        """The game that the person has played most; None without games. The lowest key decides ties."""
        played = Counter[str]()
        for of_game in sorted(self.stats, key=lambda of_game: of_game.game):
            played[of_game.game] += of_game.played
        return max(played, key=played.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's record, with their newest tables."""

    user_id: int
    record: PersonRecord
    latest: tuple[FinishedTable, ...]

    @property
    def stats(self) -> tuple[GameStats, ...]:
        """The person's totals by game and company."""
        return self.record.stats


class Duel(NamedTuple):
    """Two people in a server."""

    guild_id: int
    user_id: int
    """The person from whose point of view wins are counted."""
    other_id: int


@dataclass(frozen=True, slots=True)
class Encounters:
    """How two people did against each other at the tables of one game."""

    game: str
    wins: int
    """At how many tables `user_id` placed before the other person."""
    losses: int
    draws: int

    @property
    def tables(self) -> int:
        """At how many tables both people played."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class Versus:
    """The history between two people in a server."""

    duel: Duel
    encounters: tuple[Encounters, ...]
    """One entry per game; a resignation counts as last place."""
    latest: tuple[FinishedTable, ...]
    """The newest tables with both people, newest first."""
