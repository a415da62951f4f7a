"""The scene of a turn: what its card leads into, seen from a deck."""

from collections.abc import Iterator
from typing import Final

from bot.games.fortune.deck import CardKind
from bot.games.fortune.pieces import Turn
from bot.rules.picture import PICTURE_WIDTH, Mark, Rect, Sprite

_AREA: Final = Rect(0, 0, PICTURE_WIDTH, 466)
_PLANKS: Final = Rect(0, _AREA.bottom, PICTURE_WIDTH, 284)
"""Scenery, down to the end of the highest picture."""

_SCENES: Final = {CardKind.STORM: "storm", CardKind.SEA_BATTLE: "battle"}


def scene_marks(turn: Turn) -> Iterator[Mark]:
    """Yield the Island, the storm, the battle or a calm night, and the ship's deck."""
    name = "island" if turn.island else _SCENES.get(turn.card.kind, "calm")
    yield Sprite(f"fortune/scene-{name}", _AREA, may_overlap=True)
    yield Sprite("fortune/planks", _PLANKS, may_overlap=True)
