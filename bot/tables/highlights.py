"""Decides which positions of a turn people see, and which moves deserve a banner."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any, Final, NamedTuple

from bot.rules.game import Seat, visible_events
from bot.rules.picture import Sprite
from bot.rules.race import find_overtaker, newest_scores
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece
from bot.tables.table import MoveNews, Table
from bot.words import format_number, gettext as _

_HEAVY: Final = 2
"""The least weight of a highlight that gets a banner and a longer pause."""
_CROWN: Final = HighlightPiece("", (Sprite("crown", PIECE_AREA.center(64, 47)),))


class SeatHighlight(NamedTuple):
    """A highlight and its seat."""

    seat: Seat
    highlight: Highlight


def is_passing(table: Table) -> bool:
    """Return whether a computer player is in the middle of its turn and will soon replace the position."""
    return table.header.awaits_computer and bool(table.passed_moves)


def heavy_highlight(table: Table, view: Any) -> SeatHighlight | None:
    """Return the heaviest highlight of the moves shown last, if it deserves a banner.

    Args:
        table: A table that is being played.
        view: A spectator's view of it.
    """
    found = _highlights(table, view, _newly_shown(table))
    return max((one for one in found if _weight(one) >= _HEAVY), key=_weight, default=None)


def needs_a_look(table: Table) -> bool:
    """Return whether people need some time for one of the moves shown last, such as a card from a hand."""
    narration = table.package.words.narration
    shown = (visible_events(None, move.events) for move in _newly_shown(table))
    return narration is not None and any(map(narration.needs_a_look, shown))


def newest_highlight(table: Table) -> SeatHighlight | None:
    """Return the public highlight of the newest move, or None."""
    view = table.package.game.view(table.state, None)
    return max(_highlights(table, view, table.news[-1:]), key=_weight, default=None)


def _weight(found: SeatHighlight) -> int:
    return found.highlight.weight


def _highlights(table: Table, view: Any, moves: Sequence[MoveNews]) -> Iterator[SeatHighlight]:
    """Yield the highlights of the newest moves, then that of a seat that has taken the lead."""
    narration = table.package.words.narration
    if narration is None or not moves:
        return
    for move in moves:
        if highlight := narration.highlight(view, visible_events(None, move.events)):
            yield SeatHighlight(move.seat, highlight)
    if moves[-1].ends_turn and (taken := _lead_taken(table)):
        yield taken


def _lead_taken(table: Table) -> SeatHighlight | None:
    """Return the highlight of a seat that has overtaken the leader, unless it has resigned."""
    seats = len(table.seats)
    race = newest_scores(table.race, seats, turns=2 * seats) if seats > 1 else ()
    seat = find_overtaker(race, lower_is_better=table.package.results.score_kind.lower_is_better)
    if seat is None or seat in table.seat_status.resigned:
        return None
    lead = Highlight(_("Takes the lead!"), format_number(race[-1][seat]), _HEAVY, pieces=(_CROWN,))
    return SeatHighlight(seat, lead)


def _newly_shown(table: Table) -> tuple[MoveNews, ...]:
    """Return the moves of a person's turn that has ended, else the moves since the position that people saw last."""
    if not table.news:
        return ()
    *earlier, newest = table.news
    if newest.ends_turn and not table.is_by_computer(newest):
        before = list(takewhile(lambda move: not move.ends_turn, reversed(earlier)))
    else:
        before = [move for _, move in takewhile(lambda pair: not pair[0].from_seen, pairwise(reversed(table.news)))]
    return (*reversed(before), newest)
