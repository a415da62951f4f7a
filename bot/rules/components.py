"""Furniture: what stands on every table, so that all games speak one visual language.

Whoever is to move is framed, and so is what they can do; what has just changed has brackets at its corners; what counts
lies on gold. Each of them needs some pixels around itself: 8 for a frame or brackets.

What was made lately is handed out again: most of a table stays as it was, and equal marks are told at a glance if they
are the same ones.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from bot.rules.game import Seat
from bot.rules.picture import Align, Box, Ink, Label, Mark, Pattern, Rect, Sprite, seat_ink

FRAME = 6
"""How wide the frame is around what can be done."""

OUTSIDE = 8
"""How far frames and brackets reach beyond what they are about."""

TIGHT = 4
"""How far they reach where small things lie side by side."""

ROW, HEADING = 54, 34
"""How high a row of the score track is, and the line above the rows."""

REMEMBERED: Final = 1024
"""How many pieces of each kind are remembered, half a kB to three each."""

_TAG, _BADGE, _GAP = 108, 54, 10
_LINE = 4
"""How wide the line is that a score track leads to."""


@lru_cache(REMEMBERED)
def die(face: int, at: Rect, ink: Ink | None = None) -> Sprite:
    """Return an ordinary die; `data/art` has it 144 pixels wide at most."""
    return Sprite(f"die-{face}", at, ink)


@lru_cache(REMEMBERED)
def token(seat: Seat, at: Rect) -> tuple[Mark, ...]:
    """Return the marker of a seat: its colour, its shape and its number. It is square, from 44 to 96 pixels wide."""
    size = max(26, at.height // 2)
    return (Sprite(f"token-{seat + 1}", at), Label(str(seat + 1), at, Ink.TEXT, size, bold=True))


def can_be_done(at: Rect, radius: int = 0, outside: int = OUTSIDE) -> Box:
    """Return the frame around what can be done now."""
    return Box(at.inset(-outside), None, Ink.MARK, radius + outside if radius else 0, FRAME, over=True)


class Brackets(Enum):
    """How large brackets are, and how far they reach."""

    USUAL = (30, OUTSIDE)
    SMALL = (20, OUTSIDE)
    """Around what is so small that usual brackets would lie on its text."""
    TIGHT = (16, TIGHT)
    """Where small things lie side by side."""


@lru_cache(REMEMBERED)
def just_changed(at: Rect, brackets: Brackets = Brackets.USUAL) -> tuple[Sprite, ...]:
    """Return the brackets at the corners of what has just changed."""
    side, outside = brackets.value
    out = at.inset(-outside)
    left, right, top, bottom = out.x, out.right - side, out.y, out.bottom - side
    corners = ((left, top, 0), (right, top, 90), (right, bottom, 180), (left, bottom, 270))
    return tuple(Sprite("bracket", Rect(x, y, side, side), Ink.NEW, turn, over=True) for x, y, turn in corners)


@lru_cache(REMEMBERED)
def tag(text: str, at: Rect, fill: Ink = Ink.PAPER, ink: Ink = Ink.TEXT, size: int = 28) -> tuple[Mark, ...]:
    """Return a few signs on a plate of their own."""
    return (Box(at, fill, radius=at.height // 2), Label(text, at.inset(2), ink, size, bold=True))


class Badge(Enum):
    """What a seat may wear in the score track; each is a piece of art, 54 pixels wide and 40 high."""

    CROWN = "crown"
    """Has won, or shares the win."""
    FLAG = "flag"
    """Has reached the line."""

    # Rows of the score track are looked up by what they tell; that a badge is itself need not be told by its name.
    __hash__ = object.__hash__


class Score(NamedTuple):
    """What a row of the score track tells of a seat."""

    seat: Seat
    score: int
    gained: int = 0
    """What the newest move brought; below zero where it cost something."""
    is_to_move: bool = False
    badge: Badge | None = None


class Figures(NamedTuple):
    """How the numbers of a score track are written."""

    write: Callable[[int], str] = str
    width: int = 112
    """How much room a score has: 112 pixels are enough for 12345, and 140 for -12,300."""


_USUAL = Figures()


def track_height(seats: int) -> int:
    """Return how high a score track is."""
    return HEADING + ROW * seats


def score_track(
    rows: Sequence[Score], target: int, heading: str, at: Rect, figures: Figures = _USUAL
) -> tuple[Mark, ...]:
    """Return how far each seat has come on the way to the target; the heading stands where the line is."""
    full = max(target, *[row.score for row in rows])
    line = _line(target, full, figures, at, len(rows))
    marks: list[Mark] = [_heading(heading, line.at.x + _LINE // 2, at)]
    for row, room in zip(rows, _rooms(at, len(rows)), strict=True):
        marks += _row(row, full, figures, room)
    return (*marks, line)


@lru_cache(REMEMBERED)
def _rooms(at: Rect, rows: int) -> tuple[Rect, ...]:
    """Return where the rows of a score track lie."""
    return tuple(Rect(at.x, at.y + HEADING + ROW * down, at.width, ROW).inset(1) for down in range(rows))


@lru_cache(REMEMBERED)
def _line(target: int, full: int, figures: Figures, at: Rect, rows: int) -> Box:
    bar = _bar_room(Rect(at.x, at.y, at.width, HEADING), figures)
    middle = bar.x + target * bar.width // full
    return Box(Rect(middle - _LINE // 2, at.y + HEADING, _LINE, ROW * rows), Ink.CHALK, over=True)


@lru_cache(REMEMBERED)
def _heading(text: str, line: int, at: Rect) -> Label:
    """Write what the line is on that side of it where there is more room."""
    if 2 * (line - at.x) > at.width:
        return Label(text, Rect(at.x, at.y, line - at.x, HEADING - 4), Ink.CHALK_FAINT, 26, Align.RIGHT)
    return Label(text, Rect(line, at.y, at.right - line, HEADING - 4), Ink.CHALK_FAINT, 26, Align.LEFT)


def _bar_room(row: Rect, figures: Figures) -> Rect:
    """Return what is left of a row between its token and its figures."""
    taken = 78 + _TAG + _BADGE + figures.width + 4 * _GAP
    return Rect(row.x + 78, row.y + row.height // 2 - 14, row.width - taken, 28)


@lru_cache(REMEMBERED)
def _row(row: Score, full: int, figures: Figures, at: Rect) -> tuple[Mark, ...]:
    bar, middle = _bar_room(at, figures), at.y + at.height // 2
    marks: list[Mark] = []
    if row.is_to_move:
        marks.append(Box(at, Ink.FELT_SHADE, Ink.MARK, 14, FRAME))
    elif row.badge is Badge.CROWN:
        marks.append(Box(at, Ink.FELT_SHADE, Ink.GOLD, 14, 3))
    marks += token(row.seat, Rect(at.x + 16, middle - 22, 44, 44))
    marks += score_bar(row, full, bar)
    if row.gained:
        plus = "+" if row.gained > 0 else ""
        marks += tag(f"{plus}{figures.write(row.gained)}", Rect(bar.right + _GAP, middle - 18, _TAG, 36), Ink.NEW)
    if row.badge is not None:
        marks.append(Sprite(row.badge.value, Rect(bar.right + _TAG + 2 * _GAP, middle - 20, _BADGE, 40)))
    room = Rect(at.right - figures.width - _GAP - 8, at.y + 4, figures.width, at.height - 8)
    marks.append(Label(figures.write(row.score), room, Ink.CHALK, 38, Align.RIGHT, bold=True))
    return tuple(marks)


def score_bar(row: Score, full: int, at: Rect) -> list[Mark]:
    """Return how far a seat has come on the way to a full bar."""
    marks: list[Mark] = [Box(at, Ink.FELT, Ink.FELT_LINE, 8, 3)]
    room = at.inset(3)
    length = max(0, row.score) * room.width // full
    new = min(max(0, row.gained), max(0, row.score)) * room.width // full
    if length:
        marks.append(_part(Rect(room.x, room.y, length, room.height), seat_ink(row.seat)))
    if new:
        marks.append(_part(Rect(room.x + length - new, room.y, new, room.height), Ink.NEW, Pattern.STRIPES))
    return marks


@lru_cache(REMEMBERED)
def _part(at: Rect, ink: Ink, pattern: Pattern | None = None) -> Box:
    return Box(at, ink, radius=min(5, at.width // 2), pattern=pattern)
