"""The data of leaderboards."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.features.results.periods import ALL_TIME
from bot.features.results.ratings import PROVISIONAL_GAMES
from bot.rules.package import ScoreKind
from bot.rules.refusals import RefusalReason
from bot.tables.model import Company
from bot.words import N_


class BoardReason(RefusalReason):
    """Why a leaderboard is not shown or posted."""

    NO_BOARD_YET = "no_board_yet"
    BOARD_POSTED = "board_posted"


BOARD_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    BoardReason.NO_BOARD_YET: N_("No one here is on a leaderboard yet. `/play` lists the games."),
    BoardReason.BOARD_POSTED: N_("This page was posted here within the last ten minutes: {link}"),
}
"""What is said for each reason."""


class BoardOrder(StrEnum):
    """What people are ranked by."""

    RATING = "rating"
    """The rating after their newest rated game of the period."""
    WINS = "wins"
    """Wins, then the share of games won."""
    POINTS = "points"
    """All points together."""
    BEST = "best"
    """The best score, then the average."""


class Span(StrEnum):
    """The periods that leaderboards offer, named from the present."""

    ALL = "all"
    SEASON = "season"
    MONTH = "month"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class BoardKey:
    """Which results a leaderboard ranks, and how."""

    guild_id: int
    game: str
    company: Company
    by: BoardOrder
    period: str = ALL_TIME
    """All time, or a week, month, quarter or year (`bot.features.results.periods`)."""
    lower_is_better: bool = False
    """Whether lower scores are better."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A person's totals over some games."""

    games: int
    wins: int
    """First places, shared ones included."""
    shared_wins: int
    points: int
    highest: int | None
    """The highest score; None if none ended otherwise than by resignations."""
    lowest: int | None
    """The lowest score; None likewise."""

    @property
    def average(self) -> float:
        """The average score per game; 0 without games."""
        return self.points / max(1, self.games)

    def best(self, *, lower_is_better: bool) -> int | None:
        """Return the best score; None if resignations ended every game."""
        return self.lowest if lower_is_better else self.highest


@dataclass(frozen=True, slots=True)
class BoardRating:
    """The rating of a person on a board."""

    shown: int
    """The number after their newest rated game of the period."""
    games: int
    """How many rated games they have played in all."""

    @property
    def is_provisional(self) -> bool:
        """Whether too few games have counted to say much."""
        return self.games < PROVISIONAL_GAMES


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard."""

    place: int
    """1 is best. Equal people share a place, and the next place is skipped."""
    user_id: int
    name: str
    """The name of their newest game in this server."""
    stats: PlayerStats
    rating: BoardRating | None = None
    """None if no game of theirs has counted for ratings in the period."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Some rows of a leaderboard."""

    total: int
    """How many people are ranked in total."""
    rows: tuple[Standing, ...]
    own: Standing | None
    """The asker's own row, even if it is not among `rows`."""


def orders_of(score_kind: ScoreKind, company: Company) -> tuple[BoardOrder, ...]:
    """Return what people can be ranked by in a game of some company, the most telling first.

    Daily bags are left out: they have boards of their own.
    Points are not added up where fewer are better: whoever plays most would be last.
    """
    if company is Company.DAILY:
        return ()
    together = {
        Company.PEOPLE: (BoardOrder.RATING, BoardOrder.WINS),
        Company.COMPUTERS: (BoardOrder.WINS,),
        Company.ALONE: (),
    }[company]
    points = () if score_kind.lower_is_better else (BoardOrder.POINTS,)
    return (*together, *points, BoardOrder.BEST) if together else (BoardOrder.BEST, *points)
