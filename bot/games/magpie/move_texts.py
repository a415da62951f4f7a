"""Magpie's moves in words, before they are made."""

from bot.games.magpie.moves import Roll
from bot.games.magpie.narration import DIE_FACES
from bot.games.magpie.pieces import DICE_COUNT, State
from bot.words import gettext as _


def describe_move(view: State, move: Roll) -> str:
    """Describe a roll by the faces of its dice, in rising order: equal dice are interchangeable."""
    if len(move.dice) == DICE_COUNT:
        return _("re-roll all five")
    faces = sorted(view.faces[place - 1] for place in move.dice)
    return _("re-roll {dice}").format(dice="".join(DIE_FACES[face - 1] for face in faces))
