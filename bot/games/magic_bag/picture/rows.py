"""Draws pieces, and the nine rows: the tiles that the dice cover, and the coins that matching rows bring."""

from collections.abc import Sequence
from typing import Final

from bot.games.magic_bag.pieces import ROW_SIZES, GameEvent, MagicBagEnd, Piece, Row, RowTaken, State, Suit
from bot.games.magic_bag.scoring import coins_for, find_covered_tiles, find_exact_tiles
from bot.games.magic_bag.words import SUIT_SYMBOLS
from bot.rules.components import FRAME_WIDTH, change_brackets, tag_marks
from bot.rules.picture import SYMBOL_AREA, Box, ColourRole, Label, Mark, Rect, Sprite, Symbol

TILE_WIDTH, TILE_HEIGHT = 88, 60
"""Pixels of a tile on the table; a single coin is as high."""

_PITCH, _HEIGHT = 78, 76
_NUMBER_SIZE = 44
_LEFT, _GAP = 66, 8
"""The left edge of the first tile, and the gap between tiles."""

_COINS_WIDTH = 58
_SUIT_AREA: Final = SYMBOL_AREA.center(96, 96).shift(down=-4)


def suit_sprite(suit: Suit, at: Rect) -> Sprite:
    """Return the symbol of a suit, a square of at most 72 pixels."""
    return Sprite(f"magic_bag/{suit}", at)


def die_marks(piece: Piece, at: Rect) -> tuple[Mark, ...]:
    """Return a square die with its suit and value."""
    side = at.width * 7 // 16
    top = at.y + (at.height * 11 // 12 - side) // 2
    value = Rect(at.x + at.width // 2, top, at.width * 7 // 16, side)
    return (
        Sprite("die", at),
        suit_sprite(piece.suit, Rect(at.x + at.width // 12, top, side, side)),
        Label(str(piece.value), value, ColourRole.TEXT, at.width * 9 // 16, bold=True),
    )


def tile_marks(piece: Piece, at: Rect, ink: ColourRole = ColourRole.PAPER) -> tuple[Mark, ...]:
    """Return a tile with room on its right for a star or a tick."""
    return (
        Box(at, ink, radius=8, is_raised=True),
        *_piece_marks(piece, at.x + at.height // 15, at, at.height * 19 // 30),
    )


def coin_marks(piece: Piece, at: Rect) -> tuple[Mark, ...]:
    """Return a single coin, as high as a tile."""
    return (
        Box(at, ColourRole.PAPER, ColourRole.GOLD, at.height // 2, 4),
        *_piece_marks(piece, at.x + at.height * 11 // 60, at, at.height * 17 // 30),
    )


def _piece_marks(piece: Piece, left: int, at: Rect, side: int) -> tuple[Mark, ...]:
    """Return a suit's symbol, `side` pixels wide, and the value beside it."""
    value = Rect(left + side, at.y, at.height * 2 // 5, at.height)
    return (
        suit_sprite(piece.suit, Rect(left, at.y + (at.height - side) // 2, side, side)),
        Label(str(piece.value), value, ColourRole.TEXT, side, bold=True),
    )


def slot_marks(at: Rect) -> tuple[Mark, ...]:
    """Return the empty places of the tiles."""
    places = (place for row, size in enumerate(ROW_SIZES, 1) for place in _tile_areas(_row_area(row, at), size))
    return tuple(Box(place, ColourRole.SURFACE_SHADE, radius=8) for place in places)


def row_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the rows from top to bottom; those that can be taken are framed."""
    marks: list[Mark] = []
    for number, row in enumerate(view.layout.rows, 1):
        strip = _row_area(number, at)
        marks += _number_marks(view, number, strip)
        marks += _tile_marks(view, row, strip)
        if number in view.matching:
            marks += _takable_marks(view, number, strip)
    return (*marks, *_taken_marks(events, at))


def _row_area(number: int, at: Rect) -> Rect:
    """Return the area of a row, as wide as at the start."""
    width = _LEFT + ROW_SIZES[number - 1] * (TILE_WIDTH + _GAP) + _COINS_WIDTH + 12
    return Rect(at.x, at.y + _PITCH * (number - 1), width, _HEIGHT)


def _tile_areas(strip: Rect, count: int) -> tuple[Rect, ...]:
    first = Rect(strip.x + _LEFT, strip.y + (_HEIGHT - TILE_HEIGHT) // 2, TILE_WIDTH, TILE_HEIGHT)
    return tuple(first.shift(right=nth * (TILE_WIDTH + _GAP)) for nth in range(count))


def _number_marks(view: State, number: int, strip: Rect) -> tuple[Mark, ...]:
    at = Rect(strip.x + 12, strip.y + (_HEIGHT - _NUMBER_SIZE) // 2, _NUMBER_SIZE, _NUMBER_SIZE)
    if number in view.matching:
        return tag_marks(str(number), at, ColourRole.MARK, ColourRole.TEXT, 30)
    return tag_marks(str(number), at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT_FAINT, 30)


def _tile_marks(view: State, row: Row, strip: Rect) -> list[Mark]:
    """Return the tiles: with a star if a die equals one, a tick if a die has its value, shaded otherwise."""
    covered, exact = find_covered_tiles(row, view.faces), find_exact_tiles(row, view.faces)
    marks: list[Mark] = []
    for piece, place in zip(row, _tile_areas(strip, len(row)), strict=False):
        if view.end is not None:
            marks += tile_marks(
                piece, place, ColourRole.GOLD if view.end is MagicBagEnd.LAST_COIN else ColourRole.PAPER_SHADE
            )
            continue
        marks += tile_marks(piece, place, ColourRole.PAPER if piece in covered else ColourRole.PAPER_SHADE)
        if piece in exact and view.has_failed and view.layout.collected:
            marks.append(Box(place.inset(-3), None, ColourRole.MARK, 11, FRAME_WIDTH, may_overlap=True))
        if piece in covered:
            badge = Rect(place.right - 21, place.y - 2, 28, 28)
            marks.append(Sprite("magic_bag/star" if piece in exact else "tick", badge, may_overlap=True))
    return marks


def _takable_marks(view: State, number: int, strip: Rect) -> tuple[Mark, ...]:
    """Return the frame of a row and the number of coins it brings. Rules MB-5 and MB-6."""
    pill = Rect(strip.right - _COINS_WIDTH - 12, strip.y + (_HEIGHT - 44) // 2, _COINS_WIDTH, 44)
    frame = Box(strip, None, ColourRole.MARK, 16, FRAME_WIDTH)
    return (frame, *tag_marks(f"+{coins_for(view, number)}", pill, ColourRole.GOLD, ColourRole.TEXT, 32))


def _taken_marks(events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return brackets around the row that was just taken."""
    numbers = [event.row for event in events if isinstance(event, RowTaken)]
    marks: list[Mark] = []
    for number in numbers:
        places = _tile_areas(_row_area(number, at), ROW_SIZES[number - 1])
        whole = Rect(places[0].x, places[0].y, places[-1].right - places[0].x, TILE_HEIGHT)
        marks += change_brackets(whole)
    return tuple(marks)


SYMBOLS: Final = (
    *(
        Symbol(str(suit), symbol, (Sprite("die", SYMBOL_AREA), suit_sprite(suit, _SUIT_AREA)))
        for suit, symbol in SUIT_SYMBOLS.items()
    ),
    Symbol("bag", "👜", (Sprite("magic_bag/bag", SYMBOL_AREA),)),
    Symbol("discarded", "🗑️", (Sprite("magic_bag/bin", SYMBOL_AREA),)),
    Symbol("bonus_star", "⭐", (Sprite("magic_bag/star", SYMBOL_AREA),)),
)
