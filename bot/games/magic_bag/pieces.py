"""The pieces of The Magic Bag: its sheet, tiles, coins and dice, its state, moves with notation, and events."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import AfterValidator, BeforeValidator

from bot.rules.content import ContentModel, Tables
from bot.rules.game import EndReason, Event, Options
from bot.rules.grades import Grades
from bot.rules.notation import digits, names, notation
from bot.rules.package import GameContent
from bot.rules.refusals import RefusalFacts, RefusalReason

_GAP = "."
_VALUES = "012345"

Grid: TypeAlias = tuple[tuple[int | None, ...], ...]
"""The rows of an artifact: the values of the pieces from left to right, None for a gap."""

ROW_SIZES = (1, 1, 2, 2, 3, 3, 4, 4, 4)
"""The sizes of rows 1 to 9 at the start. Rule MB-1."""

EXTRA_ROLLS = 2
"""Re-rolls in a turn. Rule MB-3."""

VALUES = range(6)
"""The values of tiles, coins and dice; null is 0 and the ace 1."""


def _read_grid(rows: object) -> object:
    """Split rows such as `0 2 4` into cells; pydantic refuses anything else."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
        raise ValueError('must be a list of rows such as "0 2 4"')
    return tuple(tuple(map(_read_cell, row.split())) for row in rows)


def _read_cell(cell: str) -> int | None:
    if cell not in {*_VALUES, _GAP}:
        raise ValueError(f"{cell!r} is neither a value from 0 to 5 nor a dot for a gap")
    return None if cell == _GAP else int(cell)


def _validate_complete(grid: Grid) -> Grid:
    """Raise ValueError if an artifact does not have each value once."""
    shown = Counter(str(value) for row in grid for value in row if value is not None)
    wrong = [value for value in _VALUES if shown[value] != 1]
    if wrong:
        raise ValueError(f"must show each value from 0 to 5 once; look at {', '.join(wrong)}")
    return grid


ArtifactGrid: TypeAlias = Annotated[Grid, BeforeValidator(_read_grid), AfterValidator(_validate_complete)]


class ReferenceSheet(ContentModel):
    """The layout of the three artifacts."""

    suns: ArtifactGrid
    moons: ArtifactGrid
    arms: ArtifactGrid


class MagicBagContent(GameContent):
    """The content of The Magic Bag."""

    reference_sheet: ReferenceSheet
    grades: Grades
    """The scores of the computer player."""
    outlook: Tables
    """What the strong computer player has learned about the rest of a game."""


def adjacent_pairs(grid: Grid) -> frozenset[tuple[int, int]]:
    """Return the pairs of pieces that share an edge, in both orders."""
    cells = {(down, right): value for down, row in enumerate(grid) for right, value in enumerate(row)}
    pairs = set()
    for (down, right), value in cells.items():
        for other in (cells.get((down + 1, right)), cells.get((down, right + 1))):
            if value is not None and other is not None:
                pairs |= {(value, other), (other, value)}
    return frozenset(pairs)


# 35 us of a click; there are 64 sets of pieces for each of the three artifacts.
@lru_cache(maxsize=1_024)
def find_groups(grid: Grid, values: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of collected pieces, each in rising order. Rule MB-11."""
    left, found = set(values), []
    while left:
        group = _find_group(min(left), left, adjacent_pairs(grid))
        left -= group
        found.append(tuple(sorted(group)))
    return tuple(found)


def _find_group(first: int, values: Collection[int], pairs: frozenset[tuple[int, int]]) -> set[int]:
    """Return the pieces connected with one of them."""
    group, reached = set(), {first}
    while reached:
        group |= reached
        reached = {other for value in reached for other in values if (value, other) in pairs} - group
    return group


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


@notation("{suit}-{value}")
class Piece(NamedTuple):
    """A tile, a coin or the face of a die: a suit and a value."""

    suit: Suit
    value: Annotated[int, names({"null": 0, "ace": 1, "2": 2, "3": 3, "4": 4, "5": 5})]


PIECES = tuple(Piece(suit, value) for suit in Suit for value in VALUES)
"""One of each suit and value, for tiles and for coins."""

PIECES_BY_NAME = {str(piece): piece for piece in PIECES}
"""Pieces by their notation, such as `crown-null`."""

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
NO_ROWS = (TAKEN_ROW,) * len(ROW_SIZES)


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


@notation("roll[ {suits}]")
@dataclass(frozen=True, slots=True)
class Roll:
    """Re-roll the dice of these suits. Rule MB-3."""

    suits: Annotated[tuple[Suit, ...], sorted]


@notation("stop")
@dataclass(frozen=True, slots=True)
class Stop:
    """Stop rolling although no row matches. Rule MB-3."""


@notation("claim {row}")
@dataclass(frozen=True, slots=True)
class Claim:
    """Take a row that the dice match, by its number. Rules MB-5 and MB-6."""

    row: Annotated[int, digits("[1-9]")]


@notation("discard {coin}[ tile {tile}]")
@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a coin after a failed roll, and perhaps remove a tile. Rules MB-8 and MB-9."""

    coin: Piece
    tile: Piece | None = None


@notation("finish")
@dataclass(frozen=True, slots=True)
class Finish:
    """End the game after a failed roll. Rule MB-8."""


Move: TypeAlias = Roll | Stop | Claim | Discard | Finish

ROLLS = tuple(Roll(suits) for count in (4, 3, 2, 1) for suits in combinations(Suit, count))
"""Every choice of dice to re-roll, most dice first: of equal rolls, the one that keeps only what matters."""


STOP = Stop()


CLAIMS = tuple(map(Claim, range(1, len(ROW_SIZES) + 1)))


DISCARDS = {tile: {coin: Discard(coin, tile) for coin in PIECES} for tile in (None, *PIECES)}
"""Every discard by its tile, then by its coin."""


FINISH = Finish()


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The dice of these suits were rolled; a turn starts with all four. Rule MB-3."""

    suits: tuple[Suit, ...]
    faces: Faces
    """All four dice after the roll."""


@dataclass(frozen=True, slots=True)
class RowTaken(Event):
    """A row was taken, and coins were drawn. Rules MB-6 and MB-7."""

    row: int
    tiles: Row
    exact_tiles: tuple[Piece, ...]
    """Tiles that equal a die in suit and value."""
    coins: tuple[Piece, ...]
    """The coins drawn, in order."""

    @property
    def lapsed_draws(self) -> int:
        """The draws lost because the bag ran out. Rule MB-7."""
        return 1 + len(self.exact_tiles) - len(self.coins)


@dataclass(frozen=True, slots=True)
class CoinDiscarded(Event):
    """A coin was discarded after a failed roll, and perhaps a tile removed. Rules MB-8 and MB-9."""

    coin: Piece
    tile: Piece | None
    row: int | None
    """The row of that tile."""


GameEvent: TypeAlias = Rolled | RowTaken | CoinDiscarded
"""An event of the game."""
