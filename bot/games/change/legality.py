"""Which moves a position allows, and why not the others."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

from bot.games.change.board import Board, Card, CardKind, Markers, Others, Space
from bot.games.change.corners import can_act_at_corner, current_corner, eligible_others
from bot.games.change.moves import (
    CHALLENGE,
    DONE,
    MYSELF,
    ROLL,
    Add,
    Challenge,
    Choose,
    Done,
    Keep,
    Move,
    Myself,
    Option,
    PickSpace,
    Replace,
    Roll,
    Swap,
    Travel,
)
from bot.games.change.pieces import CardFacts, ChangeReason, Hand, ReplacementFacts, SpaceFacts, Stage, State
from bot.games.change.references import is_readable
from bot.rules.game import Seat
from bot.rules.refusals import Refusal, unreadable

_CACHE_SIZE = 512
"""What can be done with a hand of eight cards takes 12 kB, and hardly any hand comes twice but within one turn."""


def legal_moves(state: State) -> Sequence[Move]:
    """Return what the seat to move may do, moves of a kind side by side."""
    return _MOVE_GENERATORS[state.public.stage](state)


def _corner_moves(state: State) -> Sequence[Move]:
    """Return who may do what the corner says. Rule CH-C0."""
    public = state.public
    corner = current_corner(public)
    lets = _choose_moves(eligible_others(public), corner.others or Others.ONE)
    return (MYSELF, *lets) if can_act_at_corner(public, corner, public.turn) else lets


def _card_keys(state: State) -> list[str]:
    """Return the cards of the seat to move, equal ones once."""
    public = state.public
    return [public.board.cards[card].key for card in dict.fromkeys(state.hands[public.asked[0]])]


@lru_cache(maxsize=_CACHE_SIZE)
def _pick_space_moves(board: Board, markers: Markers) -> tuple[PickSpace, ...]:
    return tuple(PickSpace(board.keys[space]) for space in board.challenge_spaces if markers >> space & 1)


@lru_cache(maxsize=_CACHE_SIZE)
def _choose_moves(able: tuple[Seat, ...], others: Others) -> tuple[Choose, ...]:
    """Return who may be chosen together. Rules CH-C1 to CH-C8."""
    sizes = {Others.ONE: (1,), Others.SEVERAL: range(1, len(able) + 1), Others.ALL: (len(able),)}[others]
    return tuple(Choose(seats) for size in sizes for seats in combinations(able, size))


def _free_moves(state: State) -> Sequence[Move]:
    """Return what a turn allows after its roll. Rules CH-6, CH-7, CH-8, CH-M2, CH-M3 and CH-M4."""
    public = state.public
    turn, board, hand = public.turn, public.board, state.hands[public.turn]
    markers = public.markers[turn]
    has_markers = public.markers_left(turn) > 0
    moves: list[Move] = [CHALLENGE] if public.may_challenge else []
    if public.may_travel and has_markers:
        moves += _option_moves(board, markers, public.squares[turn])
    if hand:
        moves += card_moves(board, hand, public.missing > 0)
        if public.may_travel:
            moves += travel_moves(board, hand, markers if has_markers else -1)
    moves.append(DONE)
    return moves


@lru_cache(maxsize=_CACHE_SIZE)
def _option_moves(board: Board, markers: Markers, square: Space) -> tuple[Option, ...]:
    open_spaces = [space for space in board.challenge_spaces if space != square and not markers >> space & 1]
    return tuple(Option(board.keys[space]) for space in open_spaces)


@lru_cache(maxsize=_CACHE_SIZE)
def card_moves(board: Board, hand: Hand, can_add: bool) -> tuple[Move, ...]:  # noqa: FBT001 - a part of the key
    """Return the ways to play Add and Replace cards. Rules CH-7 and CH-M3."""
    faces = [(card, board.cards[card]) for card in dict.fromkeys(hand)]
    adds = [Add(face.key) for _card, face in faces if face.kind is CardKind.ADD and can_add]
    replaces = [
        Replace(face.key, others)
        for card, face in faces
        if face.kind is CardKind.REPLACE
        for others in _replace_choices(board, _without(hand, card), face.amount)
    ]
    return (*adds, *replaces)


def _without(hand: Hand, card: Card) -> Hand:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _replace_choices(board: Board, others: Hand, most: int) -> list[tuple[str, ...]]:
    """Return every choice of cards to replace, in every order in which they may go under the deck. Rule CH-M3."""
    keys = [board.cards[card].key for card in others]
    sizes = range(1, min(most, len(keys)) + 1)
    return list(dict.fromkeys(chosen for size in sizes for chosen in permutations(keys, size)))


@lru_cache(maxsize=_CACHE_SIZE)
def travel_moves(board: Board, hand: Hand, taken: Markers) -> tuple[Travel, ...]:
    """Return the ways to play space cards; a marker may be placed on a space that is not taken. Rule CH-M4."""
    faces = [board.cards[card] for card in dict.fromkeys(hand)]
    return tuple(
        Travel(face.key, board.keys[space], places)
        for face in faces
        if face.kind in (CardKind.SPACE, CardKind.ANY)
        for space in (board.challenge_spaces if face.space is None else (face.space,))
        for places in ((False,) if taken >> space & 1 else (True, False))
    )


_MOVE_GENERATORS: dict[Stage, Callable[[State], Sequence[Move]]] = {
    Stage.ROLL: lambda _state: (ROLL,),
    Stage.FREE: _free_moves,
    Stage.CORNER: _corner_moves,
    Stage.RETURN: lambda state: _pick_space_moves(state.public.board, state.public.markers[state.public.asked[0]]),
    Stage.PLACE: lambda state: _pick_space_moves(state.public.board, ~state.public.markers[state.public.asked[0]]),
    Stage.SWAP: lambda state: [Swap(key) for key in _card_keys(state)],
    Stage.KEEP: lambda state: [Keep(key) for key in _card_keys(state)],
    Stage.OVER: lambda _state: (),
}


def why_not(state: State, move: Move) -> Refusal | None:
    """Return why the seat to move may not make a move while the game goes on."""
    public = state.public
    fitting = _MOVES_BY_STAGE[public.stage]
    if not isinstance(move, fitting):
        return Refusal(
            _WRONG_STAGE_REASONS[public.stage] if not isinstance(move, Roll) else _wrong_stage_roll_reason(public.stage)
        )
    if not is_readable(public.board, move):
        return unreadable(repr(move))
    check = _CHECKS.get(type(move))
    return check(state, move) if check else None


def _wrong_stage_roll_reason(stage: Stage) -> ChangeReason:
    return ChangeReason.ROLLED_ALREADY if stage is Stage.FREE else _WRONG_STAGE_REASONS[stage]


_MOVES_BY_STAGE: dict[Stage, tuple[type[Move], ...]] = {
    Stage.ROLL: (Roll,),
    Stage.FREE: (Challenge, Option, Add, Replace, Travel, Done),
    Stage.CORNER: (Myself, Choose),
    Stage.RETURN: (PickSpace,),
    Stage.PLACE: (PickSpace,),
    Stage.SWAP: (Swap,),
    Stage.KEEP: (Keep,),
}

_WRONG_STAGE_REASONS = {
    Stage.ROLL: ChangeReason.ROLL_FIRST,
    Stage.FREE: ChangeReason.NOTHING_TO_CHOOSE,
    Stage.CORNER: ChangeReason.CHOOSE_FIRST,
    Stage.RETURN: ChangeReason.SPACE_FIRST,
    Stage.PLACE: ChangeReason.SPACE_FIRST,
    Stage.SWAP: ChangeReason.CARD_FIRST,
    Stage.KEEP: ChangeReason.KEEP_FIRST,
}


def _why_not_challenge(state: State) -> Refusal | None:
    """Let the space of the track roll be challenged, once. Rule CH-6."""
    return None if state.public.may_challenge else Refusal(ChangeReason.NO_CHALLENGE)


def _why_not_option(state: State, move: Option) -> Refusal | None:
    """Let a marker be fetched from another space. Rules CH-8 and CH-9."""
    public = state.public
    space = public.board.space_by_key[move.space]
    if not public.may_travel:
        return Refusal(ChangeReason.OPTION_USED)
    if not public.markers_left(public.turn):
        return Refusal(ChangeReason.NO_MARKERS_LEFT)
    if public.markers[public.turn] >> space & 1:
        return Refusal(ChangeReason.MARKER_THERE, SpaceFacts(public.board.spaces[space].name))
    if public.squares[public.turn] == space:
        return Refusal(ChangeReason.STANDING_THERE, SpaceFacts(public.board.spaces[space].name))
    return None


def _why_not_held(state: State, key: str) -> Refusal | None:
    public = state.public
    held = public.board.card_by_key[key] in state.hands[public.asked[0]]
    return None if held else Refusal(ChangeReason.NOT_HELD, CardFacts(key))


def _why_not_add(state: State, move: Add) -> Refusal | None:
    """Let cards be added to a failed challenge. Rule CH-7."""
    if refusal := _why_not_held(state, move.card):
        return refusal
    return None if state.public.missing else Refusal(ChangeReason.NOTHING_TO_ADD_TO)


def _why_not_replace(state: State, move: Replace) -> Refusal | None:
    """Let one card or more be replaced, as many as the Replace card says at most. Rule CH-M3."""
    board = state.public.board
    left = [board.cards[card].key for card in state.hands[state.public.turn]]
    for key in (move.card, *move.others):
        if key not in left:
            return Refusal(ChangeReason.NOT_HELD, CardFacts(key))
        left.remove(key)
    most = board.cards[board.card_by_key[move.card]].amount
    if not move.others:
        return Refusal(ChangeReason.NOTHING_REPLACED)
    return Refusal(ChangeReason.TOO_MANY_REPLACED, ReplacementFacts(most)) if len(move.others) > most else None


def _why_not_travel(state: State, move: Travel) -> Refusal | None:
    """Let a space card lead anywhere, and place a marker where there is none yet. Rules CH-9 and CH-M4."""
    public = state.public
    if refusal := _why_not_held(state, move.card):
        return refusal
    if not public.may_travel:
        return Refusal(ChangeReason.OPTION_USED)
    space = public.board.space_by_key[move.space]
    if move.places and public.markers[public.turn] >> space & 1:
        return Refusal(ChangeReason.MARKER_THERE, SpaceFacts(public.board.spaces[space].name))
    if move.places and not public.markers_left(public.turn):
        return Refusal(ChangeReason.NO_MARKERS_LEFT)
    return None


def _why_not_myself(state: State) -> Refusal | None:
    """Let the lander do what they are able to. Rule CH-C0."""
    public = state.public
    able = can_act_at_corner(public, current_corner(public), public.turn)
    return None if able else Refusal(ChangeReason.YOU_CANNOT)


def _why_not_let(state: State, move: Choose) -> Refusal | None:
    """Let others be chosen who are able to follow, as many as the corner says. Rule CH-C0."""
    public = state.public
    able, others = eligible_others(public), current_corner(public).others
    faults = {
        ChangeReason.NOBODY_CHOSEN: not move.seats,
        ChangeReason.SEAT_TWICE: len(set(move.seats)) < len(move.seats),
        ChangeReason.NOT_YOURSELF: public.turn in move.seats,
        ChangeReason.NOT_ABLE: not set(move.seats) <= set(able),
        ChangeReason.ONE_ONLY: others is Others.ONE and len(move.seats) > 1,
        ChangeReason.ALL_OF_THEM: others is Others.ALL and len(move.seats) < len(able),
    }
    return next((Refusal(reason) for reason, is_so in faults.items() if is_so), None)


def _why_not_to(state: State, move: PickSpace) -> Refusal | None:
    """Let a Ragz return to a marker, or place one where there is none. Rules CH-C5, CH-C8 and CH-9."""
    public = state.public
    space = public.board.space_by_key[move.space]
    has_marker = bool(public.markers[public.asked[0]] >> space & 1)
    if has_marker is (public.stage is Stage.RETURN):
        return None
    reason = ChangeReason.MARKER_THERE if has_marker else ChangeReason.NO_MARKER_THERE
    return Refusal(reason, SpaceFacts(public.board.spaces[space].name))


def _why_not_card(state: State, move: Swap | Keep) -> Refusal | None:
    """Let a card of the own hand be named. Rules CH-C2 and CH-S6."""
    return _why_not_held(state, move.card)


_CHECKS: dict[type[Move], Callable[[State, Any], Refusal | None]] = {
    Challenge: lambda state, _move: _why_not_challenge(state),
    Option: _why_not_option,
    Add: _why_not_add,
    Replace: _why_not_replace,
    Travel: _why_not_travel,
    Myself: lambda state, _move: _why_not_myself(state),
    Choose: _why_not_let,
    PickSpace: _why_not_to,
    Swap: _why_not_card,
    Keep: _why_not_card,
}
