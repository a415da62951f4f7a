"""What people see of turns: a computer player's turn at once, and what in it is worth noticing."""

from itertools import takewhile
from typing import Any, Final, NamedTuple

from bot.rules.game import Seat
from bot.rules.showcase import visible_events
from bot.rules.story import Highlight
from bot.tables.news import MoveNews
from bot.tables.table import Table

_HEAVY: Final = 2
"""The least weight of a highlight that gets a banner, and time to be read."""


class SeatHighlight(NamedTuple):
    """A highlight and the seat that it belongs to."""

    seat: Seat
    highlight: Highlight


def is_passing(table: Table) -> bool:
    """Return whether a computer player is in the middle of its turn, so that the position is about to be replaced."""
    return table.header.awaits_computer and bool(table.news) and _is_passed(table, table.news[-1])


def heavy_highlight(table: Table, view: Any) -> SeatHighlight | None:
    """Return the heaviest highlight of what was shown last, if it is big: of a whole turn once it has ended.

    Args:
        table: A table that is being played.
        view: A spectator's view of it.
    """
    narration = table.package.narration
    if narration is None:
        return None
    found = [
        SeatHighlight(move.seat, highlight)
        for move in _newly_shown(table)
        if (highlight := narration.highlight(view, visible_events(None, move.events))) and highlight.weight >= _HEAVY
    ]
    return max(found, key=lambda each: each.highlight.weight, default=None)


def _newly_shown(table: Table) -> tuple[MoveNews, ...]:
    """Return the moves of a turn that has ended, or else the newest move and those made in passing before it."""
    if not table.news:
        return ()
    *earlier, newest = table.news
    if newest.ends_turn:
        before = takewhile(lambda move: not move.ends_turn, reversed(earlier))
    elif _is_by_computer(table, newest):
        before = takewhile(lambda move: _is_passed(table, move), reversed(earlier))
    else:
        return (newest,)
    return (*reversed(list(before)), newest)


def _is_passed(table: Table, move: MoveNews) -> bool:
    return not move.ends_turn and _is_by_computer(table, move)


def _is_by_computer(table: Table, move: MoveNews) -> bool:
    return table.seats[move.seat].is_computer or move.seat in move.vacated
