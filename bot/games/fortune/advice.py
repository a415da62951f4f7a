"""Which moves of Fortune stand out on the screen: the clearly best one, and the best roll."""

from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

from bot.games.fortune.deck import Card, CardKind
from bot.games.fortune.evaluation import NINE_BONUS, evaluate_turn, utility_of
from bot.games.fortune.move_lists import FIRST_ROLL, distinct_moves
from bot.games.fortune.moves import STOP, Move, Roll
from bot.games.fortune.pieces import State
from bot.games.fortune.scoring import SCORE_STEP, can_make_nine
from bot.games.fortune.turn_values import PointsUtility, get_turn_values
from bot.rules.advice import find_clear_best


class Advice(NamedTuple):
    """Recommendations to the player to move."""

    best: Move | None
    """The move that is clearly best; None if the choice is close, and where not points alone count."""
    roll: Roll | None
    """The roll with the highest expected value, even if stopping is better."""


def advice_of(view: State) -> Advice:
    """Return what is recommended by the values of the Normal computer player."""
    turn = view.turn
    if not turn.faces:
        return Advice(FIRST_ROLL, None)
    if turn.island:
        return Advice(Roll(turn.free), None)
    if not turn.rolls_left:
        return Advice(STOP, None)
    moves = distinct_moves(turn)
    worths = [*zip(evaluate_turn(view, moves).values, moves, strict=True)]
    rolls = [(worth, move) for worth, move in worths if isinstance(move, Roll)]
    roll = max(rolls, key=itemgetter(0))[1] if rolls else None
    # Near the line and in the last round the prize is a rough estimate of a win, which hints know better.
    return Advice(None if utility_of(view).prize else find_clear_best(worths, SCORE_STEP / 2), roll)


def prepare_advice(cards: Iterable[Card]) -> None:
    """Fill the caches with what does not depend on the scores, which takes about 20 ms per card."""
    for card in dict.fromkeys(cards):
        for nine in (0.0, NINE_BONUS) if can_make_nine(card) else (0.0,):
            get_turn_values(card, PointsUtility(nine_bonus=nine), spell=card.kind is CardKind.SORCERESS)
