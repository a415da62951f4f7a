"""The data of leaderboards."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from bot.features.results.model import ALL_TIME, PlayerStats
from bot.features.results.ratings import PROVISIONAL_GAMES
from bot.platform.paging import Excerpt, Page
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
    """All time, or a week, month, quarter or year (`bot.features.results.model`)."""
    lower_is_better: bool = False
    """Whether lower scores are better."""


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
class Standings(Excerpt):
    """Some rows of a leaderboard, whose total is the number of ranked people."""

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


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard, with the asker's own row."""

    key: BoardKey
    page: Page
    rows: tuple[Standing, ...]
    own: Standing | None


class Bests(NamedTuple):
    """The best scores in a solo game; None where there are none."""

    own: int | None
    """The player's."""
    server: int | None
    """That of anyone in the server."""
