"""Draws suits, dice, tiles and coins."""

from bot.games.magic_bag.pieces import Piece, Suit
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite

TILE_WIDTH, TILE_HEIGHT = 88, 60
"""Pixels of a tile on the table; a single coin is as high."""


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
