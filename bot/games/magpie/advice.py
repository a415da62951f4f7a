"""Which roll of Magpie stands out on the screen."""

from functools import lru_cache
from itertools import combinations_with_replacement

from bot.games.magpie.moves import ROLLS
from bot.games.magpie.pieces import DICE_COUNT, Faces, MagpieOptions, State
from bot.games.magpie.roll_values import expected_points, kept_dice
from bot.games.magpie.scoring import SCORE_STEP
from bot.rules.advice import find_clear_best

_SIDES = 6


def is_clearly_best(view: State, kept: Faces) -> bool:
    """Return whether keeping these dice, in rising order, is clearly the best; equal dice are interchangeable.

    In the last round only the score to beat counts, so that nothing is. Rule MP-9.
    """
    return view.trigger is None and kept == _clear_kept_dice(view.options, tuple(sorted(view.faces)))


# 0.2 ms of a click, whose buttons recommend a roll.
@lru_cache(maxsize=4096)
def _clear_kept_dice(options: MagpieOptions, faces: Faces) -> Faces | None:
    """Return the dice that the best roll keeps, in rising order; None if the choice is close."""
    choices = {kept_dice(faces, move) for move in ROLLS}
    return find_clear_best(((expected_points(options, kept), kept) for kept in choices), SCORE_STEP / 2)


def prepare_advice() -> None:
    """Look at every roll with the default options: the first screens of a process would take their time otherwise."""
    for faces in combinations_with_replacement(range(1, _SIDES + 1), DICE_COUNT):
        _clear_kept_dice(MagpieOptions(), faces)
