"""The assignments of Mr. Houdini's Baggage that lie open for everybody."""

from collections.abc import Iterator

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.picture.signs import bonus_signs, item_signs, number_tag, points_plate
from bot.games.houdinis_baggage.pieces import ROW_SIZE, Phase, State
from bot.rules.components import can_be_done
from bot.rules.picture import Box, Ink, Mark, Rect

HEIGHT = 118

_IN_LINE = 3


def row_backdrop(at: Rect) -> Iterator[Mark]:
    """Yield the places of the open assignments."""
    for room in _places(at):
        yield Box(room, Ink.FELT_SHADE, Ink.FELT_LINE, 12, 2)


def row_marks(view: State, at: Rect) -> Iterator[Mark]:
    """Yield the open assignments; they are framed when one of them is chosen."""
    is_choice = view.mover is not None and view.phase is Phase.CHOOSE
    for assignment, room in zip(view.row, _places(at), strict=False):
        yield from _open_assignment(assignment, room)
        if is_choice:
            yield can_be_done(room, 12)


def _places(at: Rect) -> tuple[Rect, ...]:
    return at.columns(ROW_SIZE, 16)


def _open_assignment(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    yield Box(at, Ink.PAPER, radius=12)
    yield from number_tag(assignment, Rect(at.x + 8, at.y + 7, 42, 34))
    yield from points_plate(assignment, Rect(at.x + 54, at.y + 7, 42, 34))
    yield from bonus_signs(assignment.bonus, Rect(at.right - 80, at.y + 5, 76, 38))
    for index, item in enumerate(assignment.items):
        line, column = divmod(index, _IN_LINE)
        yield from item_signs(item, Rect(at.x + 4 + 58 * column, at.y + 44 + 36 * line, 56, 36))
