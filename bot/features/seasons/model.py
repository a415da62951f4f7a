"""The data of seasons."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.features.boards.model import BoardKey, BoardOrder

CHAMPION_GAMES: Final = 5
"""How many rated games of the season a champion by rating needs."""


@dataclass(frozen=True, slots=True)
class Champion:
    """The best of a game in a season; equal people share the title."""

    game: str
    user_id: int
    name: str
    by: BoardOrder
    value: int
    """Their rating at the end of the season, or their best score."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season that is over."""

    period: str
    ended_at: datetime
    champions: tuple[Champion, ...]
    """By game, then by id."""


@dataclass(frozen=True, slots=True)
class EndedSeason:
    """A season to close, with the board of each game whose first place is the title."""

    guild_id: int
    period: str
    ended_at: datetime
    boards: tuple[BoardKey, ...]
