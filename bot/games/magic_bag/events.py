"""What happens in a game of The Magic Bag."""

from dataclasses import dataclass

from bot.games.magic_bag.pieces import Faces, Piece, Row, Suit
from bot.rules.game import Event


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The dice of these suits were rolled; all four begin a turn. Rule MB-3."""

    suits: tuple[Suit, ...]
    faces: Faces
    """All four dice after the roll."""


@dataclass(frozen=True, slots=True)
class RowTaken(Event):
    """A row was taken and its coins were drawn. Rules MB-6 and MB-7."""

    row: int
    tiles: Row
    exact_tiles: tuple[Piece, ...]
    """The tiles that a die equals in suit and value."""
    coins: tuple[Piece, ...]
    """What was drawn, in that order."""

    @property
    def lapsed_draws(self) -> int:
        """The draws that were still owed when the bag was empty."""
        return 1 + len(self.exact_tiles) - len(self.coins)


@dataclass(frozen=True, slots=True)
class CoinDiscarded(Event):
    """A coin left the game after a failed roll, and a tile perhaps. Rules MB-8 and MB-9."""

    coin: Piece
    tile: Piece | None
