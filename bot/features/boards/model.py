"""The data of leaderboards."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.features.results.model import ALL_TIME, PlayerStats
from bot.features.results.ratings import PROVISIONAL_GAMES
from bot.platform.paging import Excerpt, Page
from bot.rules.package import ScoreKind
from bot.rules.refusals import RefusalReason
from bot.tables.model import Company
from bot.words import N_


class BoardReason(RefusalReason):
    """Why a leaderboard can't be shown or posted."""

    NO_BOARD_YET = "no_board_yet"
    BOARD_POSTED = "board_posted"


BOARD_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    BoardReason.NO_BOARD_YET: N_("No one here is on a leaderboard yet. `/play` lists the games."),
    BoardReason.BOARD_POSTED: N_("This page was posted here within the last ten minutes: {link}"),
}
"""The message for each reason."""


class BoardOrder(StrEnum):
    """By what people are ranked."""

    RATING = "rating"
    """The rating after their newest rated game of the period."""
    WINS = "wins"
    """Wins, then the share of games won."""
    POINTS = "points"
    """The sum of points."""
    BEST = "best"
    """The best score, then the average."""


class Span(StrEnum):
    """The periods that leaderboards offer, relative to the present."""

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
    """All time, or a week, month, quarter or year (`bot.features.results.model`)."""
    lower_is_better: bool = False
    """Whether lower scores are better."""


@dataclass(frozen=True, slots=True)
class BoardRating:
    """A person's rating on a board."""

    shown: int
    """The rating after their newest rated game of the period."""
    games: int
    """The number of rated games that they have played in all."""

    @property
    def is_provisional(self) -> bool:
        """Whether the rating rests on too few games to be reliable."""
        return self.games < PROVISIONAL_GAMES


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard."""

    place: int
    """1 is best. Equal people share a place, and the next places are skipped."""
    user_id: int
    name: str
    """The person's name in their newest game in this server."""
    stats: PlayerStats
    rating: BoardRating | None = None
    """None if the person has no rated game in the period."""


@dataclass(frozen=True, slots=True)
class Standings(Excerpt):
    """Some rows of a leaderboard; the total is the number of ranked people."""

    rows: tuple[Standing, ...]
    own: Standing | None
    """The asker's own row, even if it is not among `rows`."""


def orders_of(score_kind: ScoreKind, company: Company) -> tuple[BoardOrder, ...]:
    """Return the orders in which a game and company can be ranked, the most telling first.

    Points are not added up where fewer are better: the person who plays most would come last.
    """
    together = {
        Company.PEOPLE: (BoardOrder.RATING, BoardOrder.WINS),
        Company.COMPUTERS: (BoardOrder.WINS,),
        Company.ALONE: (),
    }[company]
    points = () if score_kind.lower_is_better else (BoardOrder.POINTS,)
    return (*together, *points, BoardOrder.BEST) if together else (BoardOrder.BEST, *points)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard, with the asker's own row."""

    key: BoardKey
    page: Page
    rows: tuple[Standing, ...]
    own: Standing | None
