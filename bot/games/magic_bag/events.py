"""What happens in a game of The Magic Bag."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.games.magic_bag.pieces import Faces, Piece, Row, Suit
from bot.rules.game import Event


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


GameEvent: TypeAlias = Rolled | RowTaken | CoinDiscarded
"""An event of the game."""
