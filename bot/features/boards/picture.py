"""The picture of a leaderboard page, which is posted for everyone."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.reading_order import whole_in_reading_order
from bot.rules.components import cover_marks
from bot.rules.picture import (
    MIN_TEXT_SIZE,
    PICTURE_WIDTH,
    Align,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
)
from bot.tables.shown.links import drawn_name
from bot.tables.shown.result_picture import fitting_size
from bot.words import format_number, gettext as _

_EDGE: Final = 24
_COVER: Final = Rect(_EDGE + 4, _EDGE + 4, 300, 132)
_TITLE: Final = Rect(_COVER.right + 24, _EDGE - 10, PICTURE_WIDTH - _COVER.right - 24 - _EDGE, 64)
_HEADING: Final = Rect(_TITLE.x, _TITLE.bottom, _TITLE.width, 44)
_PLACE_LINE: Final = _HEADING.shift(down=44)
_ROWS_TOP: Final = _COVER.bottom + 20
_ROW_HEIGHT, _GAP = 116, 8
_MEDAL_SIZE: Final = (60, 70)
_MAIN_WIDTH: Final = 336
_TITLE_SIZES, _MAIN_SIZES, _HEADING_SIZES = (52, 44, MIN_TEXT_SIZE), (48, 42, MIN_TEXT_SIZE), (40, MIN_TEXT_SIZE)
_MEDALS: Final = (ColourRole.GOLD, ColourRole.PAPER_SHADE, ColourRole.SEAT_2)
"""The metals of the first three places; the place's number is drawn on each."""


class BoardRow(NamedTuple):
    """The texts of a row in the picture."""

    place: int
    name: str
    main: str
    rest: str


class BoardWords(NamedTuple):
    """The texts around the rows."""

    title: str
    heading: str
    where: str
    """The period and the name of the server."""
    notes: Sequence[str]
    """The lines below the rows."""


def board_picture(
    rows: Sequence[BoardRow], words: BoardWords, surface: Surface, cover: str | None, description: str
) -> Picture:
    """Lay out the rows of a board.

    Args:
        rows: The rows, best first.
        words: What is written around them.
        surface: The surface of the game.
        cover: The art of the game, if it has any.
        description: The alternative text.
    """
    room = Rect(_EDGE, _ROWS_TOP, PICTURE_WIDTH - 2 * _EDGE, len(rows) * (_ROW_HEIGHT + _GAP) - _GAP)
    marks: list[Mark] = [*_header_marks(words, cover)]
    # All main figures have the size that fits the longest.
    longest = max((row.main for row in rows), key=len)
    size = fitting_size(longest, _MAIN_WIDTH, _MAIN_SIZES)
    for row, at in zip(rows, room.split_rows(len(rows), _GAP), strict=True):
        marks += _row_marks(row, at, size)
    bottom = room.bottom
    for note in words.notes:
        at = Rect(room.x, bottom + 8, room.width, 48)
        marks.append(Label(note, at, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, Align.LEFT))
        bottom = at.bottom
    return whole_in_reading_order(Picture((PICTURE_WIDTH, bottom + _EDGE), (), tuple(marks), description, surface))


def _header_marks(words: BoardWords, cover: str | None) -> Iterator[Mark]:
    left = _TITLE.x if cover is not None else _EDGE
    wide = PICTURE_WIDTH - left - _EDGE
    if cover is not None:
        yield from cover_marks(cover, _COVER)
    title, heading, where = (at._replace(x=left, width=wide) for at in (_TITLE, _HEADING, _PLACE_LINE))
    size = fitting_size(words.title, wide, _TITLE_SIZES)
    yield Label(words.title, title, ColourRole.SURFACE_TEXT, size, Align.LEFT, bold=True)
    size = fitting_size(words.heading, wide, _HEADING_SIZES)
    yield Label(words.heading, heading, ColourRole.SURFACE_TEXT, size, Align.LEFT)
    yield Label(words.where, where, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, Align.LEFT, is_name=True)


def _row_marks(row: BoardRow, at: Rect, main_size: int) -> Iterator[Mark]:
    """Yield a row: medal or place, name and main figure, and below them the minor figures."""
    is_first = row.place == 1
    edge, width = (ColourRole.GOLD, 5) if is_first else (ColourRole.SURFACE_LINE, 2)
    yield Box(at, ColourRole.SURFACE_SHADE, edge, 16, width)
    yield from _place_marks(row.place, Rect(at.x + 8, at.y, 124, at.height))
    name = Rect(at.x + 140, at.y + 6, 448, 56)
    text = drawn_name(row.name)
    if text:
        yield Label(text, name, ColourRole.SURFACE_TEXT, 48, Align.LEFT, bold=is_first, is_name=True)
    else:
        yield Label(_("(name below)"), name, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, Align.LEFT)
    rest = Rect(name.x, name.bottom, at.right - 24 - name.x, at.bottom - 4 - name.bottom)
    yield Label(row.rest, rest, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, Align.LEFT)
    main = Rect(at.right - 24 - _MAIN_WIDTH, name.y, _MAIN_WIDTH, name.height)
    if row.main:
        yield Label(row.main, main, ColourRole.SURFACE_TEXT, main_size, Align.RIGHT, bold=True)


def _place_marks(place: int, at: Rect) -> Iterator[Mark]:
    if place > len(_MEDALS):
        text = _("{place}.").format(place=format_number(place))
        size = fitting_size(text, at.width, (44, MIN_TEXT_SIZE))
        yield Label(text, at, ColourRole.SURFACE_TEXT_FAINT, size, bold=True)
        return
    medal = at.center(*_MEDAL_SIZE)
    yield Sprite("medal", medal, _MEDALS[place - 1])
    disc = Rect(medal.x, medal.y + 22, medal.width, 46)
    yield Label(str(place), disc, ColourRole.TEXT, MIN_TEXT_SIZE, bold=True)
