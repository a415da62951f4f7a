"""The scene of a turn: what its card leads into, seen from a deck."""

from collections.abc import Iterator
from typing import Final

from bot.games.fortune.deck import CardKind
from bot.games.fortune.pieces import Turn
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Mark, Rect, Sprite

_AREA: Final = Rect(0, 0, PICTURE_WIDTH, 466)
_RAIL: Final = 5

_SCENES: Final = {CardKind.STORM: "storm", CardKind.SEA_BATTLE: "battle"}


def scene_marks(turn: Turn, height: int) -> Iterator[Mark]:
    """Yield the Island, the storm, the battle or a calm night, and the deck down to the end of the picture."""
    name = "island" if turn.island else _SCENES.get(turn.card.kind, "calm")
    yield Sprite(f"fortune/scene-{name}", _AREA, may_overlap=True)
    deck = Rect(0, _AREA.bottom, PICTURE_WIDTH, height - _AREA.bottom)
    yield Box(deck, ColourRole.SURFACE_SHADE)
    yield Box(deck._replace(height=_RAIL), ColourRole.SURFACE_LINE)
