"""The events of a table's newest moves, and what taking the newest one back restores."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.rules.badges import SeatBadge
from bot.rules.feats import Feat
from bot.rules.game import Event, Seat
from bot.rules.race import PackedRace


class MoveNews(NamedTuple):
    """The events of one move."""

    seat: Seat
    """The seat that made the move."""
    events: tuple[Event, ...]
    vacated: frozenset[Seat] = frozenset()
    """The people's seats that a computer player played at that time."""
    ends_turn: bool = True
    by_itself: bool = False
    """Whether it ended a turn in which a person could do nothing."""
    resigned: frozenset[Seat] = frozenset()
    """The seats that resigned between this move and the next."""


@dataclass(frozen=True, slots=True)
class TakeBackState:
    """The position before a move that can be taken back."""

    seat: Seat
    """The seat that made the move."""
    state: Any
    news: tuple[MoveNews, ...]
    race: PackedRace
    feats: tuple[Feat, ...] = ()
    badges: frozenset[SeatBadge] = frozenset()


def add_news(news: tuple[MoveNews, ...], newest: MoveNews, *, turns: int, moves: int) -> tuple[MoveNews, ...]:
    """Add a move to the news; once a turn ends, older turns are dropped.

    Args:
        news: The news so far.
        newest: The news of the newest move.
        turns: How many turns are kept, besides the present one.
        moves: How many moves are kept in any case.
    """
    all_news = (*news, newest)
    if not newest.ends_turn:
        return all_news
    ends = [0, *(number for number, move in enumerate(all_news, 1) if move.ends_turn)]
    needed = min(ends[max(0, len(ends) - turns - 1)], max(0, len(all_news) - moves))
    return all_news[max(end for end in ends if end <= needed) :]


def add_resignation(news: tuple[MoveNews, ...], seat: Seat) -> tuple[MoveNews, ...]:
    """Note with the newest move that a seat resigned after it; before the first move there is nothing to miss."""
    return tuple(move._replace(resigned=move.resigned | {seat}) if move is news[-1] else move for move in news)
