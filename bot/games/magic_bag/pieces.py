"""The pieces of The Magic Bag, its refusal reasons, and its state."""

from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, product
from typing import NamedTuple, TypeAlias

from bot.games.magic_bag.sheet import ReferenceSheet
from bot.rules.game import Options
from bot.rules.outcome import EndReason
from bot.rules.refusals import RefusalFacts, RefusalReason

ROW_SIZES = (1, 1, 2, 2, 3, 3, 4, 4, 4)
"""The sizes of rows 1 to 9 at the start. Rule MB-1."""

EXTRA_ROLLS = 2
"""Re-rolls in a turn. Rule MB-3."""

VALUES = range(6)
"""The values of tiles, coins and dice; null is 0 and the ace 1."""

Faces: TypeAlias = tuple[int, ...]
"""The values of the four dice, in the order of the suits."""


class MagicBagOptions(Options):
    """The Magic Bag has no options."""


class Suit(IntEnum):
    """A suit; its number is the place of its die."""

    SUN = 0
    MOON = 1
    CROWN = 2
    ARMS = 3

    def __str__(self) -> str:
        return self.name.lower()


_VALUE_NAMES = ("null", "ace", "2", "3", "4", "5")


class Piece(NamedTuple):
    """A tile, a coin or the face of a die: a suit and a value."""

    suit: Suit
    value: int

    def __str__(self) -> str:
        return f"{self.suit}-{_VALUE_NAMES[self.value]}"


PIECES = tuple(Piece(suit, value) for suit in Suit for value in VALUES)
"""One of each suit and value, for tiles and for coins."""

PIECES_BY_NAME = {str(piece): piece for piece in PIECES}
"""Pieces by their notation, such as `crown-null`."""

SUITS_BY_NAME = {str(suit): suit for suit in Suit}

STARTING_COINS = tuple(Piece(Suit.CROWN, value) for value in (0, 1, 2))
"""The coins at the start. Rule MB-2."""


class MagicBagReason(RefusalReason):
    """Why a move is refused."""

    NO_DICE = "no_dice"
    DIE_TWICE = "die_twice"
    OUT_OF_ORDER = "out_of_order"
    NO_ROLLS_LEFT = "no_rolls_left"
    ROLLS_LEFT = "rolls_left"
    NO_SUCH_ROW = "no_such_row"
    ROW_NOT_MATCHED = "row_not_matched"
    MUST_CLAIM = "must_claim"
    COIN_NOT_COLLECTED = "coin_not_collected"
    TILE_NOT_ON_BOARD = "tile_not_on_board"
    TILE_NOT_ROLLED = "tile_not_rolled"


@dataclass(frozen=True)
class SuitFacts(RefusalFacts):
    """The suit of a die."""

    suit: Suit


@dataclass(frozen=True)
class RowFacts(RefusalFacts):
    """The number of a row."""

    row: int


@dataclass(frozen=True)
class CoinFacts(RefusalFacts):
    """A coin."""

    coin: Piece


@dataclass(frozen=True)
class TileFacts(RefusalFacts):
    """A tile."""

    tile: Piece


class MagicBagEnd(EndReason):
    """Why a game of The Magic Bag is over. Rules MB-7 and MB-8."""

    LAST_COIN = "last_coin"
    LAST_ROW = "last_row"
    FINISHED = "finished"
    NO_COIN_TO_DISCARD = "no_coin_to_discard"


Row: TypeAlias = tuple[Piece, ...]
"""The tiles of a row; empty once it is taken."""

TAKEN_ROW: Row = ()


def needed_values(row: Row) -> tuple[int, ...]:
    """Return the values that match a row, in any order. Rule MB-4."""
    return tuple([tile.value for tile in row])


_SHOWN_PIECES = {faces: frozenset(map(Piece, Suit, faces)) for faces in product(VALUES, repeat=len(Suit))}
"""The suit and value of each die."""


class Layout(NamedTuple):
    """Everything on the table but the dice: rows, coins, and the reference sheet."""

    sheet: ReferenceSheet
    rows: tuple[Row, ...]
    """All nine rows; their numbers, from 1, never change."""
    needs: tuple[tuple[int, ...], ...]
    """The values that each row needs."""
    bag: tuple[Piece, ...]
    """The coins left to draw, in the order of `PIECES`; which one comes is up to chance."""
    collected: tuple[Piece, ...]
    """The player's coins, in the order drawn."""
    discarded: tuple[Piece, ...]

    def find_row(self, tile: Piece) -> int | None:
        """Return the number of the row with a tile, or None."""
        for number, row in enumerate(self.rows, 1):
            if tile in row:
                return number
        return None


class State(NamedTuple):
    """A position; nothing in it is secret, so it is also every seat's view."""

    layout: Layout
    faces: Faces
    rolls_left: int
    matching: tuple[int, ...]
    """The numbers of the rows that the dice match. Rule MB-4."""
    end: MagicBagEnd | None
    """Why the game is over; None while it goes on."""

    @property
    def has_failed(self) -> bool:
        """Whether the last roll matches no row. Rule MB-8."""
        return self.end is None and not self.rolls_left and not self.matching

    @property
    def removable(self) -> tuple[Piece, ...]:
        """Tiles on the board that equal a die in suit and value, in the order of the suits. Rule MB-9."""
        on_board = chain.from_iterable(self.layout.rows)
        return tuple(sorted(_SHOWN_PIECES[self.faces].intersection(on_board)))
