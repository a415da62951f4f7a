"""The moves of The Magic Bag and their notation."""

from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from bot.games.magic_bag.pieces import PIECES, PIECES_BY_NAME, ROW_SIZES, SUITS_BY_NAME, Piece, Suit
from bot.rules.refusals import unreadable


@dataclass(frozen=True, slots=True)
class Roll:
    """Re-roll the dice of these suits. Rule MB-3."""

    suits: tuple[Suit, ...]

    def __str__(self) -> str:
        return " ".join(("roll", *map(str, self.suits)))


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop rolling although no row matches. Rule MB-3."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class Claim:
    """Take a row that the dice match, by its number. Rules MB-5 and MB-6."""

    row: int

    def __str__(self) -> str:
        return f"claim {self.row}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a coin after a failed roll, and perhaps remove a tile. Rules MB-8 and MB-9."""

    coin: Piece
    tile: Piece | None = None

    def __str__(self) -> str:
        return f"discard {self.coin}" if self.tile is None else f"discard {self.coin} tile {self.tile}"


@dataclass(frozen=True, slots=True)
class Finish:
    """End the game after a failed roll. Rule MB-8."""

    def __str__(self) -> str:
        return "finish"


Move: TypeAlias = Roll | Stop | Claim | Discard | Finish


ROLLS = tuple(Roll(suits) for count in (4, 3, 2, 1) for suits in combinations(Suit, count))
"""Every choice of dice to re-roll, most dice first: of equal rolls, the one that keeps only what matters."""


STOP = Stop()


CLAIMS = tuple(map(Claim, range(1, len(ROW_SIZES) + 1)))


DISCARDS = {tile: {coin: Discard(coin, tile) for coin in PIECES} for tile in (None, *PIECES)}
"""Every discard by its tile, then by its coin."""


FINISH = Finish()


_CLAIMS_BY_NAME = {str(claim): claim for claim in CLAIMS}


def parse_move(text: str) -> Move:
    """Parse `roll sun moon`, `stop`, `claim 4`, `discard crown-2 tile arms-5` or `finish`.

    Raise an unreadable refusal for anything else.
    """
    match text.split(" "):
        case ["stop"]:
            return STOP
        case ["finish"]:
            return FINISH
        case ["roll", *suits] if all(suit in SUITS_BY_NAME for suit in suits):
            return Roll(tuple(sorted(SUITS_BY_NAME[suit] for suit in suits)))
        case ["claim", _] if text in _CLAIMS_BY_NAME:
            return _CLAIMS_BY_NAME[text]
        case ["discard", coin] if coin in PIECES_BY_NAME:
            return DISCARDS[None][PIECES_BY_NAME[coin]]
        case ["discard", coin, "tile", tile] if coin in PIECES_BY_NAME and tile in PIECES_BY_NAME:
            return DISCARDS[PIECES_BY_NAME[tile]][PIECES_BY_NAME[coin]]
        case _:
            raise unreadable(text)
