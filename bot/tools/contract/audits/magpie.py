"""Checks of a position that must always hold."""

from bot.games.magpie.pieces import DICE_COUNT, SIDES, State
from bot.games.magpie.rules import Magpie


def find_faults(game: Magpie, state: State) -> tuple[str, ...]:
    """Return the faults of a position; empty if it is sound."""
    seats = range(len(state.scores))
    target = state.options.target
    reached = [seat for seat in seats if state.scores[seat] >= target]
    checks = {
        "not two to six seats": game.info.least_seats <= len(seats) <= game.info.most_seats,
        "not five dice": len(state.faces) == DICE_COUNT,
        "a die has no such face": all(1 <= face <= SIDES for face in state.faces),
        "a score is below zero": all(score >= 0 for score in state.scores),
        "the seat to move is not at the table": state.mover is None or state.mover in seats,
        "no seat is to move, but the game is not over": state.mover is not None or state.trigger is not None,
        "the seat that reached the target has another turn": state.mover is None or state.mover != state.trigger,
        "the target is reached, but no seat triggered the end": state.trigger is not None or not reached,
        "the seat that triggered the end is below the target": state.trigger is None or state.trigger in reached,
    }
    return tuple(fault for fault, sound in checks.items() if not sound)
