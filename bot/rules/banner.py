"""The banner under a table's picture: a highlight in a big word and a big number.

It is appended below, so that what is above it keeps its place and need not be drawn again.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.rules.components import token_marks
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.story import Highlight

BANNER_HEIGHT: Final = 108
"""How many pixels a banner adds to a picture."""

_PLATE_MARGIN, _PADDING, _ICON, _TOKEN, _GAP = 20, 24, 52, 60, 20
_SIZE, _SMALL_SIZE, _MAX_LARGE_TEXT = 58, 44, 21


def with_banner(picture: Picture, highlight: Highlight, seat: Seat | None, description: str) -> Picture:
    """Append a banner to a picture.

    Args:
        picture: A table's picture.
        highlight: What the banner shows.
        seat: The seat it belongs to; None at tables with one seat.
        description: What the alternative text says of it.
    """
    width, height = picture.size
    plate = Rect(_PLATE_MARGIN, height + 4, width - 2 * _PLATE_MARGIN, BANNER_HEIGHT - 20)
    return replace(
        picture,
        size=(width, height + BANNER_HEIGHT),
        marks=(*picture.marks, *_lay_out(highlight, seat, plate)),
        description=f"{picture.description} {description}",
    )


def _lay_out(highlight: Highlight, seat: Seat | None, at: Rect) -> Iterator[Mark]:
    """Yield the plate, the icon, the seat's token, the word and the number."""
    good = highlight.is_good
    yield Box(at, ColourRole.GOOD if good else ColourRole.BAD, ColourRole.TEXT, 20, 4)
    inner = Rect(at.x + _PADDING, at.y, at.width - 2 * _PADDING, at.height)
    middle = at.y + at.height // 2
    yield Sprite(
        "moment-good" if good else "moment-bad", Rect(inner.x, middle - _ICON // 2, _ICON, _ICON), ColourRole.TEXT
    )
    left = inner.x + _ICON + _GAP
    if seat is not None:
        yield from token_marks(seat, Rect(left, middle - _TOKEN // 2, _TOKEN, _TOKEN))
        left += _TOKEN + _GAP
    word, number = highlight.word, highlight.number
    size = _SIZE if len(word) + len(number) <= _MAX_LARGE_TEXT else _SMALL_SIZE
    text = Rect(left, at.y + 4, inner.right - left, at.height - 8)
    yield Label(word, text, ColourRole.TEXT, size, Align.LEFT, bold=True)
    yield Label(number, text, ColourRole.TEXT, size, Align.RIGHT, bold=True)
