"""The best roll of a seat at the end of Magpie, with the magpie on the dice that scored."""

from typing import Final

from bot.games.magpie.facts import find_scoring_places
from bot.games.magpie.pieces import DICE_COUNT, Rolled, State
from bot.rules.components import die_marks
from bot.rules.game import Seat, find_newest
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.picture import ColourRole, Mark, Rect, Sprite
from bot.words import format_signed

_TILTS: Final = (-9, 6, -3, 8, -6)
"""Degrees by which the dice are turned."""
_DIE: Final = 156
_WINGS: Final = (584, 96)
_GRIP: Final = (71, 42)
_DICE: Final = Rect(HERO_AREA.x, HERO_AREA.y + 108, HERO_AREA.width, _DIE).center(DICE_COUNT * (_DIE + 24), _DIE)
_MIDDLE: Final = (DICE_COUNT + 1) // 2


def build_hero(_view: State, _seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the best roll of a seat."""
    rolled = None if best_turn is None else find_newest(Rolled, best_turn.events)
    if rolled is None:
        return None
    counted = find_scoring_places(rolled)
    dice = [column.center(_DIE, _DIE) for column in _DICE.split_columns(DICE_COUNT)]
    marks: list[Mark] = []
    for place, (face, die) in enumerate(zip(rolled.faces, dice, strict=True), 1):
        ink = ColourRole.GOLD if place in counted else ColourRole.PAPER_SHADE
        marks += die_marks(face, die, ink, _TILTS[place - 1])
    perch = dice[min(counted, key=lambda place: abs(place - _MIDDLE), default=_MIDDLE) - 1]
    wings = Rect(perch.x, HERO_AREA.y, perch.width, _WINGS[1]).center(*_WINGS)
    wings = wings._replace(x=max(HERO_AREA.x, min(wings.x, HERO_AREA.right - wings.width)))
    marks.append(Sprite("magpie/magpie-wings", wings))
    claws = wings._replace(y=wings.bottom - 8, height=_GRIP[1])
    marks.append(Sprite("magpie/magpie-grip", claws.center(*_GRIP), may_overlap=True))
    return Hero(tuple(marks), format_signed(rolled.points))
