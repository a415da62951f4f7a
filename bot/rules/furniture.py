"""Furniture: what stands on every table, so that all games speak one visual language.

Whoever can act is framed, and so is what they can do; what has just changed has brackets at its corners.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.rules.game import Seat
from bot.rules.picture import Align, Box, Ink, Label, Mark, Rect, Sprite, seat_ink

FRAME = 6
"""How wide the frame is around what can be done."""

ROW = 64
"""How high a row of the score track is."""

_MARGIN = 8
_BRACKET = 30


def die(face: int, at: Rect, ink: Ink | None = None) -> Sprite:
    """Return an ordinary die; `data/art` has it 144 pixels wide at most."""
    return Sprite(f"die-{face}", at, ink)


def token(seat: Seat, at: Rect) -> tuple[Mark, ...]:
    """Return the marker of a seat: its colour, its shape and its number. It is square, from 48 to 96 pixels wide."""
    size = max(26, at.height * 5 // 9)
    return (Sprite(f"token-{seat + 1}", at), Label(str(seat + 1), at, Ink.TEXT, size, bold=True))


def can_be_done(at: Rect, radius: int = 0) -> Box:
    """Return the frame around what can be done now; it lies outside of it."""
    outside = at.inset(-_MARGIN)
    return Box(outside, None, Ink.MARK, radius + _MARGIN if radius else 0, FRAME, over=True)


def just_changed(at: Rect) -> tuple[Sprite, ...]:
    """Return the brackets at the corners of what has just changed; they lie outside of it."""
    out = at.inset(-_MARGIN)
    left, right, top, bottom = out.x, out.right - _BRACKET, out.y, out.bottom - _BRACKET
    corners = ((left, top, 0), (right, top, 90), (right, bottom, 180), (left, bottom, 270))
    return tuple(Sprite("bracket", Rect(x, y, _BRACKET, _BRACKET), Ink.NEW, turn, over=True) for x, y, turn in corners)


def tag(text: str, at: Rect, fill: Ink = Ink.PAPER, ink: Ink = Ink.TEXT, size: int = 28) -> tuple[Mark, ...]:
    """Return a few signs on a plate of their own."""
    return (Box(at, fill, radius=at.height // 2), Label(text, at.inset(2), ink, size, bold=True))


@dataclass(frozen=True, slots=True)
class Score:
    """What a row of the score track tells of a seat."""

    seat: Seat
    score: int
    gained: int = 0
    """How much of it is new."""
    is_to_move: bool = False
    is_first: bool = False
    """Whether the seat has won, or shares the win."""


def score_track(scores: Iterable[Score], target: int, at: Rect) -> tuple[Mark, ...]:
    """Return a row for every seat, 64 pixels high: how far each has come on the way to the target."""
    rows = tuple(scores)
    full = max(target, *(row.score for row in rows))
    marks: list[Mark] = []
    for at_row, row in zip(at.rows(len(rows)), rows, strict=True):
        marks += _score_row(row, target, full, at_row.inset(2))
    return tuple(marks)


def _score_row(row: Score, target: int, full: int, at: Rect) -> list[Mark]:
    middle = at.y + at.height // 2
    bar = Rect(at.x + 84, middle - 16, at.width - 84 - 196, 32)
    marks: list[Mark] = []
    if row.is_to_move:
        marks.append(Box(at, Ink.FELT_SHADE, Ink.MARK, 16, FRAME))
    marks += token(row.seat, Rect(at.x + 18, middle - 24, 48, 48))
    marks += _bar(row, target, full, bar)
    if row.gained:
        marks += tag(f"+{row.gained}", Rect(bar.right + 14, middle - 18, 80, 36), Ink.NEW)
    marks.append(
        Label(str(row.score), Rect(at.right - 98, at.y + 6, 80, at.height - 12), Ink.CHALK, 38, Align.RIGHT, bold=True)
    )
    return marks


def _bar(row: Score, target: int, full: int, at: Rect) -> list[Mark]:
    marks: list[Mark] = [Box(at, Ink.FELT_SHADE, Ink.FELT_LINE, 8, 3)]
    inner = at.inset(5)
    length = max(0, row.score) * inner.width // full
    new = min(row.gained, max(0, row.score)) * inner.width // full
    if length:
        marks.append(Box(Rect(inner.x, inner.y, length, inner.height), seat_ink(row.seat), radius=min(4, length // 2)))
    if new:
        marks.append(Box(Rect(inner.x + length - new, inner.y, new, inner.height), Ink.NEW, radius=min(4, new // 2)))
    line = inner.x + target * inner.width // full
    if target < full:
        marks.append(Box(Rect(line - 2, at.y - 6, 4, at.height + 12), Ink.CHALK, over=True))
    if row.is_first:
        marks.append(Sprite("crown", Rect(inner.x + 6, at.y - 2, 48, 36), over=True))
    return marks
