"""The best turn of a seat at the end of Fortune: the dice that scored."""

from typing import Final

from bot.games.fortune.dice_picture import die_marks
from bot.games.fortune.pieces import DICE_COUNT, Face, State, Turn, TurnEnded
from bot.games.fortune.scoring import score_of
from bot.rules.game import Seat, find_newest
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.picture import Mark
from bot.words import format_signed

_TILTS: Final = (-5, 4, -2, 5, -4, 6, -3, 4)
"""Degrees by which the dice are turned."""
_LARGEST, _GAP = 144, 18


def build_hero(_view: State, _seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the dice that scored in the best turn of a seat, those of a set side by side."""
    ended = None if best_turn is None else find_newest(TurnEnded, best_turn.events)
    if best_turn is None or ended is None or not (faces := _scoring_faces(ended.turn)):
        return None
    size = min(_LARGEST, HERO_AREA.width // len(faces) - _GAP)
    row = HERO_AREA._replace(y=HERO_AREA.y + 8, height=size).center(len(faces) * (size + _GAP), size)
    marks: list[Mark] = []
    for face, column, tilt in zip(faces, row.split_columns(len(faces)), _TILTS, strict=False):
        marks += die_marks(face, column.center(size, size), tilt)
    return Hero(tuple(marks), format_signed(best_turn.change))


def _scoring_faces(turn: Turn) -> list[Face]:
    """Return the faces that brought points, the most frequent first; in a Sea Battle the swords."""
    score = score_of(turn.card, turn.faces)
    kept: list[Face] = [face for face in turn.faces if face is not Face.SKULL]
    scoring = {face for each in score.sets for face in each.faces} | {Face.GOLD, Face.DIAMOND}
    if score.battle:
        scoring.add(Face.SWORD)
    counted = [face for face in kept if face in scoring]
    return sorted(counted or kept, key=lambda face: (-kept.count(face), face))[:DICE_COUNT]
