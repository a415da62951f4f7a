"""The data of seasons."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.features.boards.model import BoardKey, BoardOrder

CHAMPION_GAMES: Final = 5
"""The number of rated games in the season that a champion by rating needs."""


@dataclass(frozen=True, slots=True)
class Champion:
    """The best player of a game in a season; equal people share the title."""

    game: str
    user_id: int
    name: str
    by: BoardOrder
    value: int
    """The champion's rating at the end of the season, or best score."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season that is over."""

    period: str
    ended_at: datetime
    champions: tuple[Champion, ...]
    """Sorted by game, then by id."""


@dataclass(frozen=True, slots=True)
class EndedSeason:
    """A season to end, with the board of each game whose first place wins the title."""

    guild_id: int
    period: str
    ended_at: datetime
    boards: tuple[BoardKey, ...]
