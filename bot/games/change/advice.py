"""Which move of Change stands out on the screen that everyone sees."""

from operator import itemgetter

from bot.games.change.board import CornerAction
from bot.games.change.corners import current_corner
from bot.games.change.evaluation import evaluate_turn
from bot.games.change.legality import legal_moves
from bot.games.change.moves import Challenge, Move, Myself
from bot.games.change.pieces import PublicState, Stage, State, View
from bot.rules.advice import find_clear_best

_CLEAR_LEADS: dict[type[Move], float] = {Challenge: 2.0, Myself: 15.0}
"""By how many credits a move is clearly best. Hints agree with these, but often not with the others' values here."""


def recommend_move(public: PublicState) -> Move | None:
    """Return the move to recommend, or None if there is a choice and the best move depends on cards or is not clear."""
    seat = public.mover
    if seat is None or _depends_on_hand(public):
        return None
    moves = legal_moves(State(public, ((),) * len(public.credits), ()))
    if len(moves) == 1:
        return moves[0]
    worths = [*zip(evaluate_turn(View(public, seat, ()), moves).values, moves, strict=True)]
    best = max(worths, key=itemgetter(0))[1]
    return find_clear_best(worths, _CLEAR_LEADS[type(best)]) if type(best) in _CLEAR_LEADS else None


def _depends_on_hand(public: PublicState) -> bool:
    """Return whether the best move depends on the mover's hand."""
    if public.stage is Stage.CORNER:
        return current_corner(public).action is CornerAction.REPLACE and public.hand_sizes[public.turn] > 0
    return public.stage in (Stage.SWAP, Stage.KEEP) or (public.stage is Stage.FREE and public.may_play_cards)
