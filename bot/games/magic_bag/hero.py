"""What was built in The Magic Bag: the three artifacts, and how many of their coins were found."""

from collections.abc import Iterator

from bot.games.magic_bag.pieces import State, Suit
from bot.games.magic_bag.sheet_picture import hero_marks, suit_sprite
from bot.rules.game import Seat
from bot.rules.hero import BUILT_AREA, HERO_AREA, BestTurn, Hero
from bot.rules.picture import Align, Box, ColourRole, Label, Mark

_ARTIFACTS = (Suit.MOON, Suit.SUN, Suit.ARMS)
_TILE, _ART, _SIZE = 116, 72, 76


def build_hero(view: State, _seat: Seat, _best_turn: BestTurn | None) -> Hero:
    """Lay out the artifacts as they were built."""
    return Hero(hero_marks(view, HERO_AREA), built=tuple(_built_marks(view)))


def _built_marks(view: State) -> Iterator[Mark]:
    """Yield the number of coins that each artifact is built of."""
    for suit, room in zip(_ARTIFACTS, BUILT_AREA.inset(30).split_columns(len(_ARTIFACTS), 20), strict=True):
        tile = room._replace(width=_TILE).center(_TILE, _TILE)
        yield Box(tile, ColourRole.PAPER, radius=24, is_raised=True)
        yield suit_sprite(suit, tile.center(_ART, _ART))
        count = sum(coin.suit is suit for coin in view.layout.collected)
        at = room._replace(x=tile.right + 14, width=room.right - tile.right - 14)
        yield Label(f"×{count}", at, ColourRole.SURFACE_TEXT, _SIZE, Align.LEFT, bold=True)
