"""Rows of seats in pictures: who, what each seat did last, what that brought, and how far it has come."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from bot.rules.components import FRAME_WIDTH, Nameplate, name_labels, tag_marks, token_marks
from bot.rules.direction import mirror_area, mirror_marks
from bot.rules.game import Seat
from bot.rules.picture import MIN_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, Sprite, seat_colour

_CACHE_SIZE: Final = 1024
"""Most rows stay the same from one picture to the next; each takes half a kB to three."""


class SeatSign(Enum):
    """What a seat may wear beside its face; each is a piece of art."""

    CROWN = "crown"
    """Has won, or shares the win."""
    FLAG = "flag"
    """Has the score to beat."""

    # Rows are cache keys, and hashing a member by identity is faster than by its name, which Enum does.
    __hash__ = object.__hash__


ROW_HEIGHT, LOW_ROW_HEIGHT, ROW_GAP = 92, 72, 8
"""The heights of a row of a few and of many seats, and the usual gap between rows."""

_MANY_SEATS = 4
"""From so many seats on, rows are low."""

_ROW_PADDING, _FACE, _TOKEN, _FACE_GAP, _PART_GAP = 16, 60, 52, 20, 14
_NAME_SIZE, _GAIN_SIZE = 42, 40
_SCORE_SIZES, _GAIN_HEIGHTS, _BAR_HEIGHTS, _BAR_MARGINS = (58, 50), (50, 46), (14, 10), (6, 2)
"""In a usual row, and in a low one."""

_CROWN, _FLAG = Rect(8, -27, 44, 33), Rect(42, -2, 38, 28)
"""Where a seat wears them: to the right of its face, and below the upper end of its token."""

_STRIKE_OUTSIDE, _STRIKE_SHAPE = 8, 0.3
"""How far the stroke through lost points reaches beyond their plate, and its height as a share of its width."""


class SeatRow(NamedTuple):
    """What a row tells of a seat."""

    seat: Seat
    score: int
    gained: int | None = None
    """What its last move brought or cost, shown until it moves again."""
    is_to_move: bool = False
    sign: SeatSign | None = None
    lost: int = 0
    """What its last move would have brought, struck through; shown if nothing was gained."""


class RowFormat(NamedTuple):
    """What the rows of a game have in common."""

    goal: int
    """The score of a full bar; a higher score of any seat takes its place."""
    format_score: Callable[[int], str] = str
    score_width: int = 118
    """How much room a score has: 118 pixels are enough for three digits."""
    gain_width: int = 124
    piece_width: int = 0
    """How much room the game's own pieces have beside the gain."""
    language: str = ""
    """The language of the scores, because rows are cached."""
    runs_left: bool = False
    """Whether that is written from right to left, as the rows are then."""


def row_height_of(seats: int) -> int:
    """Return the height of a row."""
    return LOW_ROW_HEIGHT if seats >= _MANY_SEATS else ROW_HEIGHT


def place_rows(seats: int, at: Rect, gap: int = ROW_GAP) -> tuple[Rect, ...]:
    """Return the areas of rows from the top of an area on, whose height does not matter."""
    height = row_height_of(seats)
    return tuple(Rect(at.x, at.y + seat * (height + gap), at.width, height) for seat in range(seats))


def row_pieces_area(shape: RowFormat, at: Rect) -> Rect:
    """Return the part of a row that is left for the game's own pieces."""
    pieces = _pieces_area(shape, at)
    return mirror_area(pieces, at) if shape.runs_left else pieces


def seat_rows_marks(
    rows: Sequence[SeatRow], nameplates: Sequence[Nameplate], shape: RowFormat, areas: Sequence[Rect]
) -> tuple[Mark, ...]:
    """Return a row for each seat: its face, name, gain, score, and a bar; a game's own pieces come on top."""
    full = max(shape.goal, *[row.score for row in rows])
    marks: list[Mark] = []
    for row, at in zip(rows, areas, strict=True):
        marks += _seat_row_marks(row, full, shape, at)
        marks += _face_marks(row, nameplates, at)
        marks += name_labels(nameplates, row.seat, _name_area(shape, at), size=_NAME_SIZE)
    return mirror_marks(marks, areas[0]) if shape.runs_left and areas else tuple(marks)


def _is_low(at: Rect) -> bool:
    return at.height < ROW_HEIGHT


def _content_area(at: Rect) -> Rect:
    """Return what a row has above its bar."""
    return Rect(at.x, at.y + 2, at.width, _bar_area_below(at).y - at.y - 2)


def _bar_area_below(at: Rect) -> Rect:
    height, left = _BAR_HEIGHTS[_is_low(at)], _ROW_PADDING + _FACE + _FACE_GAP
    bottom = at.bottom - FRAME_WIDTH - _BAR_MARGINS[_is_low(at)]
    return Rect(at.x + left, bottom - height, at.width - left - _ROW_PADDING - 4, height)


def _score_area(shape: RowFormat, at: Rect) -> Rect:
    return _content_area(at)._replace(x=_bar_area_below(at).right - shape.score_width, width=shape.score_width)


def _pieces_area(shape: RowFormat, at: Rect) -> Rect:
    gain, room = _gain_area(shape, at), _content_area(at)
    return Rect(gain.x - _PART_GAP - shape.piece_width, room.y, shape.piece_width, room.height)


def _gain_area(shape: RowFormat, at: Rect) -> Rect:
    room = _content_area(at)._replace(width=shape.gain_width)
    left = _score_area(shape, at).x - _PART_GAP - shape.gain_width
    return room._replace(x=left).center(shape.gain_width, _GAIN_HEIGHTS[_is_low(at)])


def _name_area(shape: RowFormat, at: Rect) -> Rect:
    left, right = _bar_area_below(at).x, _pieces_area(shape, at).x
    return _content_area(at)._replace(x=left, width=right - left - _PART_GAP)


# 25 us of each picture with rows, 3 % of a click.
@lru_cache(_CACHE_SIZE)
def _seat_row_marks(row: SeatRow, full: int, shape: RowFormat, at: Rect) -> tuple[Mark, ...]:
    border, width = (ColourRole.GOLD, 4) if row.sign is SeatSign.CROWN else (None, 0)
    if row.is_to_move:
        border, width = ColourRole.MARK, FRAME_WIDTH
    marks: list[Mark] = [Box(at, ColourRole.SURFACE_SHADE, border, 16, width)]
    marks += score_bar_marks(row, full, _bar_area_below(at))
    marks += _gain_marks(row, shape, _gain_area(shape, at))
    size = _SCORE_SIZES[_is_low(at)]
    score = shape.format_score(row.score)
    label = Label(score, _score_area(shape, at), ColourRole.SURFACE_TEXT, size, Align.RIGHT, bold=True)
    return (*marks, label)


def _face_marks(row: SeatRow, nameplates: Sequence[Nameplate], at: Rect) -> Iterator[Mark]:
    """Yield the face of a computer player, or the token of anyone else, with what the seat wears on top."""
    face = Rect(at.x + _ROW_PADDING, at.y + (at.height - _FACE) // 2, _FACE, _FACE)
    token = face.center(_TOKEN, _TOKEN)
    is_computer = nameplates and nameplates[row.seat].species is not None
    yield from token_marks(nameplates, row.seat, face if is_computer else token, MIN_TEXT_SIZE)
    if row.sign is not None:
        worn = (_CROWN if row.sign is SeatSign.CROWN else _FLAG).shift(face.x, token.y)
        yield Sprite(row.sign.value, worn, may_overlap=True)


def _gain_marks(row: SeatRow, shape: RowFormat, at: Rect) -> tuple[Mark, ...]:
    if row.gained is not None:
        fill = ColourRole.NEW if row.gained > 0 else ColourRole.SURFACE_LINE if row.gained == 0 else ColourRole.BAD
        plus = "+" if row.gained >= 0 else ""
        return tag_marks(f"{plus}{shape.format_score(row.gained)}", at, fill, size=_GAIN_SIZE)
    if row.lost:
        plate, label = tag_marks(shape.format_score(row.lost), at, ColourRole.PAPER_SHADE, size=_GAIN_SIZE)
        width = at.width + 2 * _STRIKE_OUTSIDE
        stroke = Sprite("strike", at.center(width, round(width * _STRIKE_SHAPE)), may_overlap=True)
        return plate, stroke, label._replace(may_overlap=True)
    return ()


_NEW_GAP = 3
"""What is left free between a seat's colour and what is new, which differ too little where they touch."""


def score_bar_marks(row: SeatRow, full: int, at: Rect) -> list[Mark]:
    """Return how far a seat has come on the way to a full bar."""
    marks: list[Mark] = [Box(at, ColourRole.SURFACE, ColourRole.SURFACE_LINE, min(8, at.height // 2), 3)]
    room = at.inset(3)
    length = max(0, row.score) * room.width // full
    new = min(max(0, row.gained or 0), max(0, row.score)) * room.width // full
    before = length - new - (_NEW_GAP if new else 0)
    if before > 0:
        marks.append(_bar_segment(room._replace(width=before), seat_colour(row.seat)))
    if new:
        marks.append(
            _bar_segment(Rect(room.x + length - new, room.y, new, room.height), ColourRole.NEW, is_striped=True)
        )
    return marks


def _bar_segment(at: Rect, ink: ColourRole, *, is_striped: bool = False) -> Box:
    return Box(at, ink, radius=min(5, at.width // 2, at.height // 2), is_striped=is_striped)
