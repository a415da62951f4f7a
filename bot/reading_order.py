"""What a picture lays out in the direction in which people read; the boards of games stay as they are."""

from collections.abc import Iterable
from dataclasses import replace

from bot.languages import current_language
from bot.rules.direction import mirror_area, mirror_marks
from bot.rules.guide import SceneRow
from bot.rules.picture import Mark, Picture, Rect
from bot.rules.seat_rows import RowFormat


def place_in_reading_order(at: Rect, within: Rect) -> Rect:
    """Return where an area lies in the order of the language that is spoken now; what is in it stays as it is."""
    return mirror_area(at, within) if current_language().runs_left else at


def in_reading_order(marks: Iterable[Mark], within: Rect) -> tuple[Mark, ...]:
    """Return marks that are laid out from left to right in an area in the order of the language that is spoken now."""
    return mirror_marks(marks, within) if current_language().runs_left else tuple(marks)


def spoken_row(row: SceneRow) -> SceneRow:
    """Return a row of a scene in the order of the language that is spoken now."""
    return row._replace(build=lambda at: in_reading_order(row.build(at), at))


def spoken_rows(shape: RowFormat) -> RowFormat:
    """Return the format of rows of seats in the language that is spoken now."""
    language = current_language()
    return shape._replace(language=language.code, runs_left=language.runs_left)


def whole_in_reading_order(picture: Picture) -> Picture:
    """Return a picture of words and figures in the order of the language that is spoken now."""
    return replace(picture, marks=in_reading_order(picture.marks, Rect(0, 0, *picture.size)))
