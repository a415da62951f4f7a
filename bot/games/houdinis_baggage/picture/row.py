"""Draws the row of open assignments: small below the seats, or large on the stage while one of them is chosen."""

from collections.abc import Iterator

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.picture.pieces import ART_FOLDER, bonus_chip, item_marks, number_tag, points_plate
from bot.games.houdinis_baggage.pieces import ROW_SIZE, State
from bot.rules.components import TIGHT_MARGIN, action_frame
from bot.rules.picture import Box, ColourRole, Mark, Rect, Sprite

ROW_HEIGHT, POSTER_HEIGHT = 118, 324

_ITEMS_PER_LINE, _LARGE_ITEMS_PER_LINE = 3, 2


def row_backdrop(at: Rect) -> Iterator[Mark]:
    """Yield the empty places of the row."""
    for room in _assignment_areas(at):
        yield Box(room, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 12, 2)


def row_marks(view: State, at: Rect) -> Iterator[Mark]:
    """Yield the open assignments."""
    for assignment, room in zip(view.row, _assignment_areas(at), strict=False):
        yield from _assignment_marks(assignment, room)


def choice_marks(view: State, at: Rect) -> Iterator[Mark]:
    """Yield the open assignments of which the mover chooses one."""
    for assignment, room in zip(view.row, _assignment_areas(at), strict=False):
        yield from poster_marks(assignment, room)
        yield action_frame(room, 12, TIGHT_MARGIN)


def _assignment_areas(at: Rect) -> tuple[Rect, ...]:
    return at.split_columns(ROW_SIZE, 16)


def poster_marks(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    """Yield an open assignment as a poster, 180 by 324 pixels: number and points, items, bonus."""
    yield Sprite(f"{ART_FOLDER}/poster-large", at)
    yield from number_tag(assignment, Rect(at.x + 24, at.y + 8, 58, 46), 36)
    yield from points_plate(assignment, Rect(at.x + 92, at.y + 8, 64, 46), 40)
    for index, item in enumerate(assignment.items):
        line, column = divmod(index, _LARGE_ITEMS_PER_LINE)
        yield from item_marks(item, Rect(at.x + 7 + 84 * column, at.y + 74 + 60 * line, 82, 58))
    chip = Rect(at.x + 10, at.bottom - 66, at.width - 20, 56)
    yield Box(chip.inset(-2), ColourRole.PAPER_SHADE, radius=14)
    yield from bonus_chip(assignment.bonus, chip)


def _assignment_marks(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    """Yield an open assignment, 180 by 118 pixels."""
    yield Sprite(f"{ART_FOLDER}/poster", at)
    yield from number_tag(assignment, Rect(at.x + 20, at.y + 5, 38, 32))
    yield from points_plate(assignment, Rect(at.x + 61, at.y + 5, 38, 32))
    yield from bonus_chip(assignment.bonus, Rect(at.x + 102, at.y + 5, 60, 32))
    for index, item in enumerate(assignment.items):
        line, column = divmod(index, _ITEMS_PER_LINE)
        yield from item_marks(item, Rect(at.x + 4 + 58 * column, at.y + 44 + 36 * line, 56, 36))
