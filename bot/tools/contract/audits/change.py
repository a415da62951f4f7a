"""Checks of a position that must always hold."""

from collections import Counter
from itertools import chain

from bot.games.change.board import SPACE_COUNT, SpaceKind
from bot.games.change.pieces import CHALLENGE_TARGET, MARKERS_PER_SEAT, MAX_HAND_SIZE, PublicState, Stage, State
from bot.games.change.rules import Change
from bot.games.change.turns import can_act_at_corner, current_corner, eligible_others

_SEAT_COUNTS = range(2, 7)


def find_faults(_game: Change, state: State) -> tuple[str, ...]:
    """Return the faults of a position; empty if it is sound."""
    checks = _check_seats(state.public) | _check_cards(state) | _check_turn(state.public)
    if all(checks.values()):
        checks = _check_stage(state.public)
    return tuple(fault for fault, holds in checks.items() if not holds)


def _check_seats(public: PublicState) -> dict[str, bool]:
    """Check credits, markers and Ragz. Rules CH-1, CH-9 and CH-10."""
    challenges = sum(1 << space for space in public.board.challenge_spaces)
    counts = {len(part) for part in (public.credits, public.markers, public.ragz_spaces, public.hand_sizes)}
    return {
        "not two to six seats": len(counts) == 1 and counts.issubset(_SEAT_COUNTS),
        "a seat has credits below zero": min(public.credits) >= 0,
        "a seat has placed too many markers": all(m.bit_count() <= MARKERS_PER_SEAT for m in public.markers),
        "a marker is on no challenge space": all(markers & ~challenges == 0 for markers in public.markers),
        "a Ragz is off the track": all(0 <= space < SPACE_COUNT for space in public.ragz_spaces),
    }


def _check_cards(state: State) -> dict[str, bool]:
    """Check the message cards. Rule CH-M1."""
    cards = Counter(chain(state.deck, *state.hands))
    return {
        "cards are missing or too many": cards == Counter(state.public.board.deck),
        "a seat holds too many cards": all(len(hand) <= MAX_HAND_SIZE for hand in state.hands),
        "a hand is not sorted": all(hand == tuple(sorted(hand)) for hand in state.hands),
        "hands are counted wrong": state.public.hand_sizes == tuple(map(len, state.hands)),
    }


def _check_turn(public: PublicState) -> dict[str, bool]:
    """Check the seats that must decide. Rules CH-3, CH-C0 and CH-12."""
    seats, is_over = set(range(len(public.credits))), public.stage is Stage.OVER
    own = public.stage in (Stage.ROLL, Stage.FREE, Stage.CORNER, Stage.KEEP)
    return {
        "the turn belongs to no seat": public.turn in seats,
        "a seat is asked that does not exist": set(public.asked) <= seats,
        "a seat is asked twice": len(set(public.asked)) == len(public.asked),
        "no seat is asked, but the game is not over": bool(public.asked) is not is_over,
        "a seat is asked out of turn": not own or public.asked == (public.turn,),
        "a seat has no credits, but the game goes on": is_over is (0 in public.credits),
        "draws are owed, but no seat was chosen": not public.draws or not (own or is_over),
    }


def _check_stage(public: PublicState) -> dict[str, bool]:
    """Check that the stage is possible. Rules CH-6, CH-7, CH-C0 and CH-S6."""
    seat = public.asked[0] if public.asked else public.turn
    here = public.board.spaces[public.ragz_spaces[public.turn]].kind
    has_marker = bool(public.markers[public.turn] >> public.ragz_spaces[public.turn] & 1)
    challenged = public.may_challenge or public.missing > 0
    corner = public.stage in (Stage.CORNER, Stage.RETURN, Stage.PLACE, Stage.SWAP)
    return {
        "a challenge is open where there can be none": not challenged
        or (here is SpaceKind.CHALLENGE and not has_marker and public.stage is Stage.FREE),
        "a challenge is open and has failed": not (public.may_challenge and public.missing),
        "more is missing than can be": 0 <= public.missing < CHALLENGE_TARGET,
        "a seat chooses at no corner": not corner or here is SpaceKind.CORNER,
        "there is no seat to choose": public.stage is not Stage.CORNER or bool(eligible_others(public)),
        "a seat can't do what it is asked": public.stage not in (Stage.RETURN, Stage.PLACE, Stage.SWAP)
        or here is not SpaceKind.CORNER
        or can_act_at_corner(public, current_corner(public), seat),
        "a seat chooses among fewer than two cards": public.stage not in (Stage.SWAP, Stage.KEEP)
        or public.hand_sizes[seat] > 1,
    }
