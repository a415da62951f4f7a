"""Recommends a move if it is clearly better than all others."""

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.game import MoveT
from bot.rules.screen import Control, Play, Tone


def find_clear_best(worths: Iterable[tuple[float, MoveT]], least_lead: float) -> MoveT | None:
    """Return the move worth most, or None if the choice is close.

    Args:
        worths: What each move is worth to the Normal computer player.
        least_lead: A choice is close if the best move leads by less. Half of the smallest step of the game's score is
            the least that makes sense; more where the values are rough, so that hints rarely contradict.

    """
    ranked = sorted(worths, key=lambda pair: pair[0], reverse=True)[:2]
    if not ranked or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < least_lead):
        return None
    return ranked[0][1]


def highlight_best(row: Iterable[Control], best: object | None) -> tuple[Control, ...]:
    """Return a row of controls with the one that plays the best move highlighted."""
    effect = Play(str(best))
    return tuple([replace(each, tone=Tone.MAIN) if each.effect == effect else each for each in row])
