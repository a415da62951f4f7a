"""The nine rows of The Magic Bag as they are drawn: what the dice cover, which rows can be taken and for how much."""

from collections.abc import Sequence

from bot.games.magic_bag.events import RowTaken
from bot.games.magic_bag.picture.pieces import TILE_HEIGHT, TILE_WIDTH, tile
from bot.games.magic_bag.pieces import ROW_SIZES, MagicBagEnd, Row, State
from bot.games.magic_bag.scoring import coins_for, covering, exact_tiles
from bot.rules.components import FRAME, just_changed, tag
from bot.rules.game import Event
from bot.rules.picture import Box, Ink, Mark, Rect, Sprite

_PITCH, _HEIGHT = 78, 76
_NUMBER = 44
_LEFT, _GAP = 66, 8
"""Where the tiles of a row begin, and how far they lie apart."""

_COINS = 58


def slots(at: Rect) -> tuple[Mark, ...]:
    """Return the places where the tiles were dealt."""
    places = (place for row, size in enumerate(ROW_SIZES, 1) for place in _places(_strip(row, at), size))
    return tuple(Box(place, Ink.FELT_SHADE, radius=8) for place in places)


def row_marks(view: State, news: Sequence[Event], at: Rect) -> tuple[Mark, ...]:
    """Return the rows below one another; rows that can be taken are framed."""
    marks: list[Mark] = []
    for number, row in enumerate(view.layout.rows, 1):
        strip = _strip(number, at)
        marks += _numbered(view, number, strip)
        marks += _tiles(view, row, strip)
        if number in view.matching:
            marks += _takable(view, number, strip)
    return (*marks, *_taken(news, at))


def _strip(number: int, at: Rect) -> Rect:
    """Return the room of a row, as wide as it was dealt."""
    width = _LEFT + ROW_SIZES[number - 1] * (TILE_WIDTH + _GAP) + _COINS + 12
    return Rect(at.x, at.y + _PITCH * (number - 1), width, _HEIGHT)


def _places(strip: Rect, count: int) -> tuple[Rect, ...]:
    first = Rect(strip.x + _LEFT, strip.y + (_HEIGHT - TILE_HEIGHT) // 2, TILE_WIDTH, TILE_HEIGHT)
    return tuple(first.moved(right=nth * (TILE_WIDTH + _GAP)) for nth in range(count))


def _numbered(view: State, number: int, strip: Rect) -> tuple[Mark, ...]:
    at = Rect(strip.x + 12, strip.y + (_HEIGHT - _NUMBER) // 2, _NUMBER, _NUMBER)
    if number in view.matching:
        return tag(str(number), at, Ink.MARK, Ink.TEXT, 30)
    return tag(str(number), at, Ink.FELT_SHADE, Ink.CHALK_FAINT, 30)


def _tiles(view: State, row: Row, strip: Rect) -> list[Mark]:
    """Lay the tiles out: with a star if a die equals one, with a tick if a die has its value, in the shade if not."""
    covered, exact = covering(row, view.faces), exact_tiles(row, view.faces)
    marks: list[Mark] = []
    for piece, place in zip(row, _places(strip, len(row)), strict=False):
        if view.end is not None:
            marks += tile(piece, place, Ink.GOLD if view.end is MagicBagEnd.LAST_COIN else Ink.PAPER_SHADE)
            continue
        marks += tile(piece, place, Ink.PAPER if piece in covered else Ink.PAPER_SHADE)
        if piece in exact and view.has_failed and view.layout.collected:
            marks.append(Box(place.inset(-3), None, Ink.MARK, 11, FRAME, over=True))
        if piece in covered:
            marks.append(_badge("star" if piece in exact else "tick", place))
    return marks


def _badge(name: str, place: Rect) -> Sprite:
    """Return what marks a tile, at its upper right corner."""
    return Sprite(f"magic_bag/{name}", Rect(place.right - 21, place.y - 2, 28, 28), over=True)


def _takable(view: State, number: int, strip: Rect) -> tuple[Mark, ...]:
    """Frame a row, and say how many coins it brings. Rules MB-5 and MB-6."""
    pill = Rect(strip.right - _COINS - 12, strip.y + (_HEIGHT - 44) // 2, _COINS, 44)
    frame = Box(strip, None, Ink.MARK, 16, FRAME)
    return (frame, *tag(f"+{coins_for(view, number)}", pill, Ink.GOLD, Ink.TEXT, 32))


def _taken(news: Sequence[Event], at: Rect) -> tuple[Mark, ...]:
    """Put what was the row that was just taken in brackets."""
    numbers = [event.row for event in news if isinstance(event, RowTaken)]
    marks: list[Mark] = []
    for number in numbers:
        places = _places(_strip(number, at), ROW_SIZES[number - 1])
        whole = Rect(places[0].x, places[0].y, places[-1].right - places[0].x, TILE_HEIGHT)
        marks += just_changed(whole)
    return tuple(marks)
