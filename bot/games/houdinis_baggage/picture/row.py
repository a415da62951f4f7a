"""Draws the row of open assignments."""

from collections.abc import Iterator

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.picture.pieces import ART_FOLDER, bonus_chip, item_marks, number_tag, points_plate
from bot.games.houdinis_baggage.pieces import ROW_SIZE, Phase, State
from bot.rules.components import action_frame
from bot.rules.picture import Box, ColourRole, Mark, Rect, Sprite

ROW_HEIGHT = 118

_ITEMS_PER_LINE = 3


def row_backdrop(at: Rect) -> Iterator[Mark]:
    """Yield the empty places of the row."""
    for room in _assignment_areas(at):
        yield Box(room, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 12, 2)


def row_marks(view: State, at: Rect) -> Iterator[Mark]:
    """Yield the open assignments, framed if the mover chooses one."""
    is_choice = view.mover is not None and view.phase is Phase.CHOOSE
    for assignment, room in zip(view.row, _assignment_areas(at), strict=False):
        yield from assignment_marks(assignment, room)
        if is_choice:
            yield action_frame(room, 12)


def _assignment_areas(at: Rect) -> tuple[Rect, ...]:
    return at.split_columns(ROW_SIZE, 16)


def assignment_marks(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    """Yield an open assignment, 180 by 118 pixels."""
    yield Sprite(f"{ART_FOLDER}/poster", at)
    yield from number_tag(assignment, Rect(at.x + 20, at.y + 5, 38, 32))
    yield from points_plate(assignment, Rect(at.x + 61, at.y + 5, 38, 32))
    yield from bonus_chip(assignment.bonus, Rect(at.x + 102, at.y + 5, 60, 32))
    for index, item in enumerate(assignment.items):
        line, column = divmod(index, _ITEMS_PER_LINE)
        yield from item_marks(item, Rect(at.x + 4 + 58 * column, at.y + 44 + 36 * line, 56, 36))
