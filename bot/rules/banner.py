"""The banner under a table's picture: what made a highlight, a big word and a big number.

It is appended below, so that what is above it keeps its place and need not be drawn again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.rules.components import Nameplate, token_marks
from bot.rules.direction import mirror_area, mirror_marks
from bot.rules.game import Seat
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Surface
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece

BANNER_HEIGHT: Final = 108
"""How many pixels a banner adds to a picture."""

LEFT_OUT: Final = "…"
"""What stands for pieces without room."""

_PLATE_MARGIN, _PADDING, _ICON, _TOKEN, _GAP, _PIECE_GAP = 20, 36, 52, 60, 20, 6
_SIZES = (58, 50, 44, 38)
_MIN_COUNTED = 3
"""From so many equal pieces on, one and their number take less room."""
_CHARACTER_WIDTH = 0.52
"""The usual width of a bold character as a part of its size."""


def with_banner(
    picture: Picture,
    highlight: Highlight,
    seat: Seat | None,
    description: str,
    nameplates: Sequence[Nameplate] = (),
    *,
    runs_left: bool = False,
) -> Picture:
    """Append a banner to a picture.

    Args:
        picture: A table's picture.
        highlight: What the banner shows.
        seat: The seat it belongs to; None at tables with one seat.
        description: What the alternative text says of it.
        nameplates: Who has the seats, or none.
        runs_left: Whether people read from right to left.
    """
    width, height = picture.size
    strip = Rect(0, height, width, BANNER_HEIGHT)
    text = _text_area(strip)
    token = () if seat is None else token_marks(nameplates, seat, text._replace(width=_TOKEN).center(_TOKEN, _TOKEN))
    room = _beside_token(text, seat)
    pieces = _pieces_for(highlight, room.width)
    words = (*token, *_lay_out(highlight, pieces, room))
    return replace(
        picture,
        size=(width, height + BANNER_HEIGHT),
        marks=(
            *picture.marks,
            _plate(picture.surface, highlight, strip),
            *(mirror_marks(words, strip) if runs_left else words),
            *_piece_marks(pieces, room, strip, runs_left=runs_left),
        ),
        description=f"{picture.description} {description}",
    )


def shown_pieces(highlight: Highlight, seat: Seat | None) -> Sequence[HighlightPiece]:
    """Return the pieces as a banner shows them; the last one is called `LEFT_OUT` if there is no room for more."""
    strip = Rect(0, 0, PICTURE_WIDTH, BANNER_HEIGHT)
    return _pieces_for(highlight, _beside_token(_text_area(strip), seat).width)


def _inside(strip: Rect) -> Rect:
    """Return the area of the plate, without what hangs over its edges."""
    return Rect(strip.x + _PLATE_MARGIN, strip.y + 4, strip.width - 2 * _PLATE_MARGIN, strip.height - 20)


def _text_area(strip: Rect) -> Rect:
    plate = _inside(strip)
    return Rect(plate.x + _PADDING, plate.y + 4, plate.width - 2 * _PADDING, plate.height - 8)


def _beside_token(text: Rect, seat: Seat | None) -> Rect:
    return text if seat is None else _cut_left(text, _TOKEN + _GAP)


def _plate(surface: Surface, highlight: Highlight, strip: Rect) -> Mark:
    """Return the plate of the game, in green or red."""
    colour = ColourRole.GOOD if highlight.is_good else ColourRole.BAD
    if surface.banner is not None:
        return Sprite(surface.banner, strip, colour)
    return Box(_inside(strip), colour, ColourRole.TEXT, 20, 4)


def _piece_marks(shown: Sequence[HighlightPiece], text: Rect, strip: Rect, *, runs_left: bool) -> Iterator[Mark]:
    """Yield the pieces, each of which looks the same in all languages."""
    top = text.center(0, PIECE_AREA.height).y
    for place, piece in enumerate(shown):
        at = PIECE_AREA.shift(text.x + place * (PIECE_AREA.width + _PIECE_GAP), top)
        left = mirror_area(at, strip).x if runs_left else at.x
        for mark in piece.marks:
            yield mark._replace(at=mark.at.shift(left, top))


def _lay_out(highlight: Highlight, shown: Sequence[HighlightPiece], text: Rect) -> Iterator[Mark]:
    """Yield a sign if there are no pieces, the word and the number."""
    if shown:
        text = _cut_left(text, _width_of(shown))
    else:
        icon = text._replace(width=_ICON).center(_ICON, _ICON)
        yield Sprite("moment-good" if highlight.is_good else "moment-bad", icon, ColourRole.TEXT)
        text = _cut_left(text, _ICON + _GAP)
    size = _find_size(highlight, text.width) or _SIZES[-1]
    yield Label(highlight.word, text, ColourRole.TEXT, size, Align.LEFT, bold=True)
    yield Label(highlight.number, text, ColourRole.TEXT, size, Align.RIGHT, bold=True)


def _pieces_for(highlight: Highlight, width: int) -> Sequence[HighlightPiece]:
    """Return the pieces for which there is room beside the words."""
    ways = _ways_to_show(highlight.pieces)
    return next((pieces for pieces in ways if _find_size(highlight, width - _width_of(pieces))), ())


def _ways_to_show(pieces: Sequence[HighlightPiece]) -> Iterator[Sequence[HighlightPiece]]:
    """Yield the pieces, then one of them with their number if all are equal, or else fewer and fewer of them."""
    if pieces:
        yield pieces
    if len(pieces) >= _MIN_COUNTED and len(set(pieces)) == 1:
        counted = pieces[0]._replace(name=f"{len(pieces)} × {pieces[0].name}")
        yield counted, _text_piece(f"×{len(pieces)}")
    else:
        for count in range(len(pieces) - 2, 0, -1):
            yield *pieces[:count], _text_piece(LEFT_OUT, LEFT_OUT)


def _text_piece(text: str, name: str = "") -> HighlightPiece:
    return HighlightPiece(name, (Label(text, PIECE_AREA, ColourRole.TEXT, _SIZES[-1], bold=True),))


def _width_of(pieces: Sequence[HighlightPiece]) -> int:
    return len(pieces) * (PIECE_AREA.width + _PIECE_GAP) + _GAP


def _cut_left(area: Rect, width: int) -> Rect:
    return area._replace(x=area.x + width, width=area.width - width)


def _find_size(highlight: Highlight, width: int) -> int | None:
    """Return the largest size of text at which the word and the number fit into a width, or None."""
    length = len(highlight.word) + len(highlight.number) + 1
    return next((size for size in _SIZES if length * size * _CHARACTER_WIDTH <= width), None)
