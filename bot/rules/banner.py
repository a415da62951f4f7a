"""The banner under a table's picture: what made a highlight, a big word and a big number.

It is appended below, so that what is above it keeps its place and need not be drawn again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.rules.components import token_marks
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Surface
from bot.rules.story import PIECE_AREA, Highlight

BANNER_HEIGHT: Final = 108
"""How many pixels a banner adds to a picture."""

_PLATE_MARGIN, _PADDING, _ICON, _TOKEN, _GAP, _PIECE_GAP = 20, 36, 52, 60, 20, 6
_SIZES = (58, 50, 44, 38)
_MIN_COUNTED = 3
"""From so many equal pieces on, one and their number take less room."""
_CHARACTER_WIDTH = 0.52
"""The usual width of a bold character as a part of its size."""


def with_banner(picture: Picture, highlight: Highlight, seat: Seat | None, description: str) -> Picture:
    """Append a banner to a picture.

    Args:
        picture: A table's picture.
        highlight: What the banner shows.
        seat: The seat it belongs to; None at tables with one seat.
        description: What the alternative text says of it.
    """
    width, height = picture.size
    strip = Rect(0, height, width, BANNER_HEIGHT)
    return replace(
        picture,
        size=(width, height + BANNER_HEIGHT),
        marks=(*picture.marks, _plate(picture.surface, highlight, strip), *_lay_out(highlight, seat, _inside(strip))),
        description=f"{picture.description} {description}",
    )


def _inside(strip: Rect) -> Rect:
    """Return the area of the plate, without what hangs over its edges."""
    return Rect(strip.x + _PLATE_MARGIN, strip.y + 4, strip.width - 2 * _PLATE_MARGIN, strip.height - 20)


def _plate(surface: Surface, highlight: Highlight, strip: Rect) -> Mark:
    """Return the plate of the game, in green or red."""
    colour = ColourRole.GOOD if highlight.is_good else ColourRole.BAD
    if surface.banner is not None:
        return Sprite(surface.banner, strip, colour)
    return Box(_inside(strip), colour, ColourRole.TEXT, 20, 4)


def _lay_out(highlight: Highlight, seat: Seat | None, at: Rect) -> Iterator[Mark]:
    """Yield the seat's token, the pieces, the word and the number."""
    text = at.inset(4)._replace(x=at.x + _PADDING, width=at.width - 2 * _PADDING)
    if seat is not None:
        yield from token_marks(seat, text._replace(width=_TOKEN).center(_TOKEN, _TOKEN))
        text = _cut_left(text, _TOKEN + _GAP)
    choices = ((pieces, _find_size(highlight, text.width - _width_of(pieces))) for pieces in _ways_to_show(highlight))
    pieces, size = next(((pieces, size) for pieces, size in choices if size), ((), None))
    if size:
        yield from _piece_marks(pieces, text)
        text = _cut_left(text, _width_of(pieces))
    else:
        icon = text._replace(width=_ICON).center(_ICON, _ICON)
        yield Sprite("moment-good" if highlight.is_good else "moment-bad", icon, ColourRole.TEXT)
        text = _cut_left(text, _ICON + _GAP)
        size = _find_size(highlight, text.width) or _SIZES[-1]
    yield Label(highlight.word, text, ColourRole.TEXT, size, Align.LEFT, bold=True)
    yield Label(highlight.number, text, ColourRole.TEXT, size, Align.RIGHT, bold=True)


def _ways_to_show(highlight: Highlight) -> Iterator[Sequence[tuple[Mark, ...]]]:
    """Yield the pieces, then one of them with their number if all are equal, or else fewer and fewer of them."""
    pieces = highlight.pieces
    if pieces:
        yield pieces
    if len(pieces) >= _MIN_COUNTED and len(set(pieces)) == 1:
        yield pieces[0], _text_piece(f"×{len(pieces)}")
    else:
        for count in range(len(pieces) - 2, 0, -1):
            yield *pieces[:count], _text_piece("…")


def _text_piece(text: str) -> tuple[Mark, ...]:
    return (Label(text, PIECE_AREA, ColourRole.TEXT, _SIZES[-1], bold=True),)


def _width_of(pieces: Sequence[tuple[Mark, ...]]) -> int:
    return len(pieces) * (PIECE_AREA.width + _PIECE_GAP) + _GAP


def _cut_left(area: Rect, width: int) -> Rect:
    return area._replace(x=area.x + width, width=area.width - width)


def _find_size(highlight: Highlight, width: int) -> int | None:
    """Return the largest size of text at which the word and the number fit into a width, or None."""
    length = len(highlight.word) + len(highlight.number) + 1
    return next((size for size in _SIZES if length * size * _CHARACTER_WIDTH <= width), None)


def _piece_marks(pieces: Sequence[tuple[Mark, ...]], area: Rect) -> Iterator[Mark]:
    """Yield the pieces from the left."""
    top = area.center(0, PIECE_AREA.height).y
    for place, piece in enumerate(pieces):
        left = area.x + place * (PIECE_AREA.width + _PIECE_GAP)
        for mark in piece:
            yield mark._replace(at=mark.at.shift(left, top))
