"""Rows of seats in pictures: the score track of a race, and rows for games that are none."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from bot.rules.components import FRAME_WIDTH, name_labels, tag_marks, token_marks
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite, seat_colour

TRACK_ROW_HEIGHT, TRACK_HEADING_HEIGHT = 54, 34
"""How high a row of the score track is, and the line above the rows."""

_CACHE_SIZE: Final = 1024
"""Most rows stay the same from one picture to the next; each takes half a kB to three."""

_TAG_WIDTH, _BADGE_WIDTH, _GAP = 108, 54, 10
_NAME_WIDTH = 190
_LINE_WIDTH = 4
"""How wide the line is that a score track leads to."""


class Badge(Enum):
    """What a seat may wear in the score track; each is a piece of art, 54 pixels wide and 40 high."""

    CROWN = "crown"
    """Has won, or shares the win."""
    FLAG = "flag"
    """Has reached the line."""

    # Rows are cache keys, and hashing a member by identity is faster than by its name, which Enum does.
    __hash__ = object.__hash__


class ScoreRow(NamedTuple):
    """What a row of the score track tells of a seat."""

    seat: Seat
    score: int
    gained: int = 0
    """What the newest move brought; below zero where it cost something."""
    is_to_move: bool = False
    badge: Badge | None = None
    lost: int = 0
    """What the newest turn would have brought but for a bust; shown if nothing was gained."""


class ScoreFormat(NamedTuple):
    """How the numbers of a score track are written."""

    format_score: Callable[[int], str] = str
    width: int = 112
    """How much room a score has: 112 pixels are enough for 12345, and 140 for -12,300."""
    name_width: int = 0
    """How much room a name has."""


_DEFAULT_FORMAT = ScoreFormat()


def score_track_height(seats: int) -> int:
    """Return how high a score track is."""
    return TRACK_HEADING_HEIGHT + TRACK_ROW_HEIGHT * seats


def score_track_marks(
    rows: Sequence[ScoreRow],
    target: int,
    heading: str,
    at: Rect,
    figures: ScoreFormat = _DEFAULT_FORMAT,
    *,
    names: Sequence[str] = (),
) -> tuple[Mark, ...]:
    """Return how far each seat has come on the way to the target; the heading stands where the line is."""
    full = max(target, *[row.score for row in rows])
    figures = figures._replace(name_width=_NAME_WIDTH if names else 0)
    label, areas, line = _lay_out_track(target, full, figures, at, heading=heading, rows=len(rows))
    marks: list[Mark] = [label]
    for row, room in zip(rows, areas, strict=True):
        marks += _row_marks(row, full, figures, room)
        marks += name_labels(names, row.seat, Rect(room.x + 72, room.y, _NAME_WIDTH - 4, room.height))
    return (*marks, line)


# 10 us of each picture with a score track.
@lru_cache(_CACHE_SIZE)
def _lay_out_track(
    target: int, full: int, figures: ScoreFormat, at: Rect, *, heading: str, rows: int
) -> tuple[Label, tuple[Rect, ...], Box]:
    """Return the heading, where the rows lie, and the line."""
    bar = _bar_area(Rect(at.x, at.y, at.width, TRACK_HEADING_HEIGHT), figures)
    middle = bar.x + target * bar.width // full
    line = Box(
        Rect(middle - _LINE_WIDTH // 2, at.y + TRACK_HEADING_HEIGHT, _LINE_WIDTH, TRACK_ROW_HEIGHT * rows),
        ColourRole.SURFACE_TEXT,
        may_overlap=True,
    )
    areas = tuple(
        Rect(at.x, at.y + TRACK_HEADING_HEIGHT + TRACK_ROW_HEIGHT * down, at.width, TRACK_ROW_HEIGHT).inset(1)
        for down in range(rows)
    )
    return _heading_label(heading, line.at.x + _LINE_WIDTH // 2, at), areas, line


def _heading_label(text: str, line: int, at: Rect) -> Label:
    """Write what the line is on that side of it where there is more room."""
    if 2 * (line - at.x) > at.width:
        return Label(
            text,
            Rect(at.x, at.y, line - at.x, TRACK_HEADING_HEIGHT - 4),
            ColourRole.SURFACE_TEXT_FAINT,
            26,
            Align.RIGHT,
        )
    return Label(
        text, Rect(line, at.y, at.right - line, TRACK_HEADING_HEIGHT - 4), ColourRole.SURFACE_TEXT_FAINT, 26, Align.LEFT
    )


def _bar_area(row: Rect, figures: ScoreFormat) -> Rect:
    """Return what is left of a row between its token and its figures."""
    left = 78 + figures.name_width
    taken = left + _TAG_WIDTH + _BADGE_WIDTH + figures.width + 4 * _GAP
    return Rect(row.x + left, row.y + row.height // 2 - 14, row.width - taken, 28)


# 25 us of each picture with a score track, 3 % of a click.
@lru_cache(_CACHE_SIZE)
def _row_marks(row: ScoreRow, full: int, figures: ScoreFormat, at: Rect) -> tuple[Mark, ...]:
    bar, middle = _bar_area(at, figures), at.y + at.height // 2
    marks = _seat_marks(row, at)
    marks += score_bar_marks(row, full, bar)
    tag = Rect(bar.right + _GAP, middle - 18, _TAG_WIDTH, 36)
    if row.gained:
        plus = "+" if row.gained > 0 else ""
        marks += tag_marks(f"{plus}{figures.format_score(row.gained)}", tag, ColourRole.NEW)
    elif row.lost:
        plate = Box(tag, ColourRole.BAD, radius=tag.height // 2)
        strike = Box(Rect(tag.x + 6, middle - 3, tag.width - 12, 6), ColourRole.PAPER, radius=2, may_overlap=True)
        text = figures.format_score(row.lost)
        marks += (plate, strike, Label(text, tag.inset(2), ColourRole.TEXT, 28, bold=True, may_overlap=True))
    if row.badge is not None:
        marks.append(Sprite(row.badge.value, Rect(bar.right + _TAG_WIDTH + 2 * _GAP, middle - 20, _BADGE_WIDTH, 40)))
    room = Rect(at.right - figures.width - _GAP - 8, at.y + 4, figures.width, at.height - 8)
    marks.append(Label(figures.format_score(row.score), room, ColourRole.SURFACE_TEXT, 38, Align.RIGHT, bold=True))
    return tuple(marks)


_NEW_GAP = 3
"""What is left free between a seat's colour and what is new, which differ too little where they touch."""


def score_bar_marks(row: ScoreRow, full: int, at: Rect) -> list[Mark]:
    """Return how far a seat has come on the way to a full bar."""
    marks: list[Mark] = [Box(at, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 8, 3)]
    room = at.inset(3)
    length = max(0, row.score) * room.width // full
    new = min(max(0, row.gained), max(0, row.score)) * room.width // full
    before = length - new - (_NEW_GAP if new else 0)
    if before > 0:
        marks.append(_bar_segment(room._replace(width=before), seat_colour(row.seat)))
    if new:
        marks.append(
            _bar_segment(Rect(room.x + length - new, room.y, new, room.height), ColourRole.NEW, is_striped=True)
        )
    return marks


def _bar_segment(at: Rect, ink: ColourRole, *, is_striped: bool = False) -> Box:
    return Box(at, ink, radius=min(5, at.width // 2), is_striped=is_striped)


SEAT_ROW_HEIGHT = 64
"""The height of a seat row in pixels."""


class SeatRow(NamedTuple):
    """What a row tells of a seat in a game that is no race."""

    seat: Seat
    note: str = ""
    """A few characters at its end, such as its place."""
    is_to_move: bool = False
    is_out: bool = False
    """Whether the seat has been eliminated; its note is grey instead of gold then."""
    badge: Badge | None = None


def seat_row_room(at: Rect) -> Rect:
    """Return the part of a seat row that is left for the game's own pieces and the name: between token and note."""
    return Rect(at.x + 78, at.y + 8, at.width - 78 - _TAG_WIDTH - _BADGE_WIDTH - 3 * _GAP, at.height - 16)


def _seat_marks(row: ScoreRow | SeatRow, at: Rect) -> list[Mark]:
    """Return the frame of a seat that is to move or has won, and its token."""
    marks: list[Mark] = []
    if row.is_to_move:
        marks.append(Box(at, ColourRole.SURFACE_SHADE, ColourRole.MARK, 14, FRAME_WIDTH))
    elif row.badge is Badge.CROWN:
        marks.append(Box(at, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 14, 3))
    return [*marks, *token_marks(row.seat, Rect(at.x + 16, at.y + at.height // 2 - 22, 44, 44))]


def seat_row_marks(row: SeatRow, at: Rect) -> tuple[Mark, ...]:
    """Return a seat's token, badge and note, without a bar; `seat_row_room` is left free."""
    room, middle = seat_row_room(at), at.y + at.height // 2
    marks = _seat_marks(row, at)
    if row.badge is not None:
        marks.append(Sprite(row.badge.value, Rect(room.right + _GAP, middle - 20, _BADGE_WIDTH, 40)))
    if row.note:
        tag = Rect(at.right - _TAG_WIDTH - _GAP, middle - 18, _TAG_WIDTH, 36)
        marks += tag_marks(row.note, tag, ColourRole.PAPER_SHADE if row.is_out else ColourRole.GOLD)
    return tuple(marks)


def column_headings(columns: Sequence[tuple[str, Rect]]) -> tuple[Label, ...]:
    """Return a heading above each column, in a line as high as that above a score track."""
    return tuple(
        Label(
            text,
            Rect(column.x, column.y - TRACK_HEADING_HEIGHT, column.width, TRACK_HEADING_HEIGHT - 4),
            ColourRole.SURFACE_TEXT_FAINT,
            26,
        )
        for text, column in columns
    )
