"""Finds faults in a position of Fortune, independently of play."""

from bot.games.fortune import pieces
from bot.games.fortune.pieces import Card, CardKind
from bot.games.fortune.rules import Fortune
from bot.games.fortune.scoring import is_nine_of_a_kind


def find_faults(game: Fortune, state: pieces.State) -> tuple[str, ...]:
    """Return the faults of a position; empty if it is sound."""
    checks = _check_table(state, game.cards) | _check_dice(state.turn) | _check_card(state.turn)
    checks |= _check_end(state) if state.mover is None else _check_turn(state)
    return tuple(fault for fault, sound in checks.items() if not sound)


def _check_table(state: pieces.State, deck: tuple[Card, ...]) -> dict[str, bool]:
    """Check seats, scores and cards. Rule FO-1."""
    seats = range(len(state.scores))
    cards = (*state.unseen, *state.returned, state.turn.card)
    return {
        "not two to four seats": 2 <= len(seats) <= 4,
        "the seat to move is not at the table": state.mover is None or state.mover in seats,
        "the seat that crossed the line is not at the table": state.crosser is None or state.crosser in seats,
        "a score is no multiple of a hundred": all(score % 100 == 0 for score in state.scores),
        "the cards are not those of the deck": sorted(cards) == sorted(deck),
    }


def _check_dice(turn: pieces.Turn) -> dict[str, bool]:
    """Check the dice. Rules FO-2 and FO-3."""
    has_rolled = turn.faces != ()
    return {
        "not eight dice, or none before the first roll": len(turn.faces) == (pieces.DICE_COUNT if has_rolled else 0),
        "a die has no such face": all(face in pieces.FACES for face in turn.faces),
        "other dice show skulls": turn.free == (pieces.free_places(turn.faces) if has_rolled else pieces.ALL_PLACES),
        "there are dice, but no roll": has_rolled == (turn.rolls > 0),
    }


def _check_card(turn: pieces.Turn) -> dict[str, bool]:
    """Check what the card allows. Rules FO-C1, FO-C3, FO-C4 and FO-C8."""
    kind = turn.card.kind
    return {
        "a chest without its card": turn.chest == () or kind is CardKind.TREASURE_CHEST,
        "the chest holds no dice of the table": set(turn.chest) <= set(pieces.ALL_PLACES),
        "a spell without a Sorceress": not turn.spell or kind is CardKind.SORCERESS,
        "a voyage in the middle of a battle": not turn.island or kind is not CardKind.SEA_BATTLE,
        "too many rolls in a Storm": kind is not CardKind.STORM or turn.rolls <= pieces.MAX_STORM_ROLLS,
        "too few skulls for the Island": not turn.island or turn.skulls > pieces.MAX_SKULLS + 1,
    }


def _check_turn(state: pieces.State) -> dict[str, bool]:
    """Check that a turn under way can go on. Rules FO-3, FO-9, FO-E1 and FO-E2."""
    turn, target = state.turn, state.options.target
    return {
        "the turn goes on with three skulls": turn.skulls <= pieces.MAX_SKULLS
        or turn.island
        or (turn.is_in_doubt and turn.skulls == pieces.MAX_SKULLS + 1),
        "the voyage goes on without dice to roll": not turn.island
        or (len(turn.free) >= pieces.MIN_ROLLED_DICE and turn.may_roll),
        "the seat that crossed the line has another turn": state.mover != state.crosser,
        "a seat is above the line, but none crossed it": state.crosser is not None or max(state.scores) <= target,
        "the game is won, but goes on": state.nine is None,
    }


def _check_end(state: pieces.State) -> dict[str, bool]:
    """Check the reason for the end. Rules FO-8 and FO-E2."""
    if state.nine is not None:
        has_nine = state.options.nine_wins and is_nine_of_a_kind(state.turn.card, state.turn.faces)
        return {"the winner has no nine of a kind": has_nine and state.nine in range(len(state.scores))}
    return {
        "no seat crossed the line, but the game is over": state.crosser is not None,
        "no seat is above the line, but the game is over": max(state.scores) > state.options.target,
    }
