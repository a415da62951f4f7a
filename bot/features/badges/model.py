"""A person's finished games, and the rules of the badges that they earn."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.platform.places import Location
from bot.tables.model import Award, Company

OVERALL: Final = "overall"
"""Replaces the game in the keys of badges that belong to no game."""


class PlayRecord(NamedTuple):
    """What a person has finished in one game and company."""

    game: str
    company: Company
    has_won: bool
    """Whether the person came first at least once without hints, alone or shared."""
    first_at: datetime
    last_at: datetime


PlayRecords: TypeAlias = Sequence[PlayRecord]


class ShownAward(NamedTuple):
    """An award, with the place of its table's message."""

    award: Award
    location: Location | None
    """None if the table is gone."""
    message_id: int | None


_TOUR_GAMES: Final = 5
_ROUND_GAMES: Final = 4
_FRIENDSHIP: Final = timedelta(days=100)


def _is_old_friend(records: PlayRecords) -> bool:
    """Return whether two games with people are far enough apart; only the first and the newest one matter."""
    with_people = [record for record in records if record.company is Company.PEOPLE]
    if not with_people:
        return False
    first_at, last_at = min(record.first_at for record in with_people), max(record.last_at for record in with_people)
    return last_at - first_at >= _FRIENDSHIP


def _games_won(records: PlayRecords) -> int:
    """Return the number of games that the person has won at least once; a solo game can't be won."""
    return len({record.game for record in records if record.has_won and not record.company.is_solo})


RULES: Final[Mapping[str, Callable[[PlayRecords], bool]]] = {
    "first_game": bool,
    "first_win": lambda records: _games_won(records) > 0,
    "grand_tour": lambda records: len({record.game for record in records}) >= _TOUR_GAMES,
    "all_rounder": lambda records: _games_won(records) >= _ROUND_GAMES,
    "old_friend": _is_old_friend,
}
"""By key of a badge: whether a person with some records earns it."""


def earned_overall(records: PlayRecords) -> tuple[str, ...]:
    """Return the full keys of the overall badges that records earn."""
    return tuple(f"{OVERALL}/{key}" for key, is_earned in RULES.items() if is_earned(records))
