"""The rules of Change: which moves are legal, how games end, and tournaments."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations
from typing import Any

from bot.games.change.board import START, Board, Card, CardKind, Markers, Others, Space
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
    is_readable,
)
from bot.games.change.pieces import (
    SHORT_CREDITS,
    TRACK_DICE_COUNT,
    CardFacts,
    ChangeEnd,
    ChangeOptions,
    ChangeReason,
    GameEvent,
    Hand,
    PublicState,
    ReplacementFacts,
    SpaceFacts,
    Stage,
    State,
    View,
)
from bot.games.change.turns import (
    TurnBuilder,
    add_points,
    can_act_at_corner,
    choose_myself,
    choose_others,
    choose_space,
    current_corner,
    eligible_others,
    keep_card,
    pass_turn,
    play_space_card,
    replace_cards,
    roll_challenge,
    roll_track,
    swap_card,
    take_option,
)
from bot.rules.chance import Chance, shuffle
from bot.rules.game import GameInfo, Outcome, Seat, Transition, TurnGame, places_by_score, roll_off
from bot.rules.notation import Notation
from bot.rules.package import Series
from bot.rules.refusals import Refusal, unreadable
from bot.words import N_


class Change(TurnGame[State, Move, GameEvent]):
    """Change, for two to six seats. Rule CH-1."""

    notation = Notation[Move](
        Roll, Challenge, Option, Add, Replace, Travel, Done, Myself, Choose, PickSpace, Swap, Keep
    )
    info = GameInfo(
        key="change",
        title=N_("Change"),
        # Translators: `Pocket Ragz: Change`, `Richard C. Winter` and `TableCloth Games` are names.
        credits=N_("Pocket Ragz: Change, by Richard C. Winter, TableCloth Games, 2008."),
        least_seats=2,
        most_seats=6,
        options=ChangeOptions,
        version=1,
        step_limit=20_000,
        minutes_per_seat=11,
    )

    def __init__(self, board: Board) -> None:
        self.board = board

    def start(self, options: ChangeOptions, seats: int, chance: Chance) -> State:
        """Roll off for the start, and shuffle the message cards. Rules CH-1 and CH-2."""
        rounds = roll_off(seats, TRACK_DICE_COUNT, chance)
        starter = rounds[-1].leaders[0]
        public = PublicState(
            board=self.board,
            options=options,
            roll_off=rounds,
            credits=(options.credits,) * seats,
            markers=(0,) * seats,
            ragz_spaces=(START,) * seats,
            hand_sizes=(0,) * seats,
            turn=starter,
            stage=Stage.ROLL,
            asked=(starter,),
            draws=0,
            may_challenge=False,
            missing=0,
            may_travel=True,
        )
        return State(public, ((),) * seats, shuffle(chance, self.board.deck))

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat that must decide: the turn's, or one that was chosen. Rule CH-C0."""
        return state.public.mover

    def turn_of(self, state: State) -> Seat | None:
        """Return the seat whose turn it is, also while another one decides."""
        return state.public.turn

    def why_not(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Return why a move is illegal, or None."""
        return why_not(state, move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the legal moves of the seat to move."""
        return legal_moves(state)

    def apply_move(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition[State, GameEvent]:
        """Apply a move."""
        builder = TurnBuilder(state)
        _HANDLERS[type(move)](builder, seat, move, chance)
        return builder.build_transition()

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by credits left, fewest first. Rule CH-12."""
        public = state.public
        if public.stage is not Stage.OVER:
            return None
        return Outcome(rank_by_fewest_credits(public.credits), public.credits, ChangeEnd.NO_CREDITS)

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the public state and the seat's hand. Rule CH-M1."""
        return View(state.public, seat, () if seat is None else state.hands[seat])

    def encode_position(self, state: State) -> str:
        """Return the seats, the turn, the hands and the deck.

        As in `120@5:desires/110@0:- 1 free 1 d0 c1 m0 t1 add-1+greed/- any+add-3+...`: each seat's credits, Ragz space
        and markers; the turn, the stage and the seats asked; then `draws`, `may_challenge`, `missing`, `may_travel`.
        """
        public, faces = state.public, self.board.cards
        keys = [(1 << space, self.board.keys[space]) for space in self.board.challenge_spaces]
        placed = ("+".join([key for marker, key in keys if marker & markers]) or "-" for markers in public.markers)
        seats = zip(public.credits, public.ragz_spaces, placed, strict=True)
        table = "/".join([f"{left}@{space}:{own}" for left, space, own in seats])
        asked = "".join(map(str, public.asked)) or "-"
        flags = f"d{public.draws} c{public.may_challenge:d} m{public.missing} t{public.may_travel:d}"
        hands = "/".join(["+".join([faces[card].key for card in hand]) or "-" for hand in state.hands])
        deck = "+".join([faces[card].key for card in state.deck])
        return f"{table} {public.turn} {public.stage} {asked} {flags} {hands} {deck}"

    def parse_move(self, text: str) -> Move:
        """Parse a move; the spaces and cards that it names must be on the board."""
        move = super().parse_move(text)
        if not is_readable(self.board, move):
            raise unreadable(text)
        return move


_HANDLERS: dict[type[Move], Callable[[TurnBuilder, Seat, Any, Chance], None]] = {
    Roll: lambda builder, _seat, _move, dice: roll_track(builder, dice),
    Challenge: lambda builder, _seat, _move, dice: roll_challenge(builder, dice),
    Option: lambda builder, _seat, move, dice: take_option(builder, move, dice),
    Add: lambda builder, _seat, move, _dice: add_points(builder, move),
    Replace: lambda builder, _seat, move, _dice: replace_cards(builder, move),
    Travel: lambda builder, _seat, move, _dice: play_space_card(builder, move),
    Done: lambda builder, _seat, _move, _dice: pass_turn(builder),
    Myself: lambda builder, _seat, _move, dice: choose_myself(builder, dice),
    Choose: lambda builder, _seat, move, dice: choose_others(builder, move, dice),
    PickSpace: lambda builder, seat, move, _dice: choose_space(builder, seat, move),
    Swap: lambda builder, seat, move, _dice: swap_card(builder, seat, move),
    Keep: lambda builder, _seat, move, _dice: keep_card(builder, move),
}
"""The function that applies each kind of move."""


# Moves never change, and making them took half of the time of finding the legal ones.
@lru_cache(maxsize=8)
def _options(board: Board) -> tuple[tuple[Markers, Option], ...]:
    """Return all option moves, each with the marker that its space would get."""
    return tuple((1 << space, Option(board.keys[space])) for space in board.challenge_spaces)


@lru_cache(maxsize=256)
def _travels(board: Board, card: Card) -> tuple[tuple[Markers, tuple[Travel, Travel]], ...]:
    """Return the moves to spaces with a card, by the marker that a space would get: with the marker, and without."""
    face, keys = board.cards[card], board.keys
    if face.kind not in (CardKind.SPACE, CardKind.ANY):
        return ()
    by_any = face.kind is CardKind.ANY
    spaces = board.challenge_spaces if face.space is None else (face.space,)
    return tuple(
        (1 << space, (Travel(by_any, keys[space], places=True), Travel(by_any, keys[space], places=False)))
        for space in spaces
    )


def legal_moves(state: State) -> Sequence[Move]:
    """Return the moves of the seat to move, grouped by kind."""
    return _MOVE_GENERATORS[state.public.stage](state)


def _corner_moves(state: State) -> Sequence[Move]:
    """Return the choices of who follows the corner. Rule CH-C0."""
    public = state.public
    corner = current_corner(public)
    able = eligible_others(public)
    sizes = {Others.ONE: (1,), Others.SEVERAL: range(1, len(able) + 1), Others.ALL: (len(able),)}
    chosen = (combinations(able, size) for size in sizes[corner.others or Others.ONE])
    others = tuple(map(Choose, chain.from_iterable(chosen)))
    return (MYSELF, *others) if can_act_at_corner(public, corner, public.turn) else others


def _card_keys(state: State) -> list[str]:
    """Return the keys of the mover's cards, equal ones once."""
    public = state.public
    return [public.board.cards[card].key for card in dict.fromkeys(state.hands[public.asked[0]])]


def _pick_space_moves(board: Board, markers: Markers) -> tuple[PickSpace, ...]:
    return tuple(PickSpace(board.keys[space]) for space in board.challenge_spaces if markers >> space & 1)


def _free_moves(state: State) -> Sequence[Move]:
    """Return the moves of a turn after its roll. Rules CH-6, CH-7, CH-8, CH-M2, CH-M3 and CH-M4."""
    public = state.public
    turn, board, hand = public.turn, public.board, state.hands[public.turn]
    markers = public.markers[turn]
    has_markers = public.markers_left(turn) > 0
    moves: list[Move] = [CHALLENGE] if public.may_challenge else []
    if public.may_travel and has_markers:
        barred = markers | 1 << public.ragz_spaces[turn]
        moves += [option for marker, option in _options(board) if not barred & marker]
    if hand:
        moves += card_moves(board, hand, can_add=public.missing > 0)
        if public.may_travel:
            moves += travel_moves(board, hand, markers if has_markers else -1)
    moves.append(DONE)
    return moves


def card_moves(board: Board, hand: Hand, *, can_add: bool) -> list[Move]:
    """Return the moves with Add and Replace cards. Rules CH-7 and CH-M3."""
    moves: list[Move] = []
    for card in dict.fromkeys(hand):  # sorted, so that Add cards come first
        face = board.cards[card]
        if face.kind is CardKind.ADD and can_add:
            moves.append(Add(face.key))
        elif face.kind is CardKind.REPLACE:
            at = hand.index(card)
            keys = [board.cards[other].key for other in hand[:at] + hand[at + 1 :]]
            sizes = range(1, min(face.amount, len(keys)) + 1)
            # Every choice of cards, in every order that they may go under the deck; equal cards are one choice.
            choices = dict.fromkeys(chosen for size in sizes for chosen in permutations(keys, size))
            moves += [Replace(face.key, others) for others in choices]
    return moves


def travel_moves(board: Board, hand: Hand, taken: Markers) -> list[Travel]:
    """Return the moves with space cards; a marker may be placed on spaces that are not taken. Rule CH-M4."""
    moves: list[Travel] = []
    for card in dict.fromkeys(hand):
        for marker, travels in _travels(board, card):
            moves += travels[1:] if taken & marker else travels
    return moves


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
    """Return why a move of the seat to move is illegal, or None."""
    public = state.public
    if not isinstance(move, _MOVES_BY_STAGE[public.stage]):
        if isinstance(move, Roll) and public.stage is Stage.FREE:
            return Refusal(ChangeReason.ROLLED_ALREADY)
        return Refusal(_WRONG_STAGE_REASONS[public.stage])
    check = _CHECKS.get(type(move))
    if check is None:
        return None
    return check(state, move) if is_readable(public.board, move) else unreadable(repr(move))


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


def _why_not_challenge(state: State, _move: Challenge) -> Refusal | None:
    """The space of the track roll can be challenged once. Rule CH-6."""
    return None if state.public.may_challenge else Refusal(ChangeReason.NO_CHALLENGE)


def _space_refusal(reason: ChangeReason, state: State, space: Space) -> Refusal:
    return Refusal(reason, SpaceFacts(state.public.board.spaces[space].name))


def _why_not_option(state: State, move: Option) -> Refusal | None:
    """An option move leads to another space without the seat's marker. Rules CH-8 and CH-9."""
    public = state.public
    space = public.board.space_by_key[move.space]
    if not public.may_travel:
        return Refusal(ChangeReason.OPTION_USED)
    if not public.markers_left(public.turn):
        return Refusal(ChangeReason.NO_MARKERS_LEFT)
    if public.markers[public.turn] >> space & 1:
        return _space_refusal(ChangeReason.MARKER_THERE, state, space)
    if public.ragz_spaces[public.turn] == space:
        return _space_refusal(ChangeReason.STANDING_THERE, state, space)
    return None


def _why_not_held(state: State, move: Add | Travel | Swap | Keep) -> Refusal | None:
    """The card is in the mover's hand. Rules CH-C2 and CH-S6."""
    public = state.public
    is_held = public.board.card_by_key[move.card] in state.hands[public.asked[0]]
    return None if is_held else Refusal(ChangeReason.NOT_HELD, CardFacts(move.card))


def _why_not_add(state: State, move: Add) -> Refusal | None:
    """Add cards help a failed challenge. Rule CH-7."""
    if refusal := _why_not_held(state, move):
        return refusal
    return None if state.public.missing else Refusal(ChangeReason.NOTHING_TO_ADD_TO)


def _why_not_replace(state: State, move: Replace) -> Refusal | None:
    """A Replace card replaces one to N other cards of the hand. Rule CH-M3."""
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
    """A space card can place a marker only on a space without the seat's own. Rules CH-9 and CH-M4."""
    public = state.public
    if refusal := _why_not_held(state, move):
        return refusal
    if not public.may_travel:
        return Refusal(ChangeReason.OPTION_USED)
    space = public.board.space_by_key[move.space]
    if move.places and public.markers[public.turn] >> space & 1:
        return _space_refusal(ChangeReason.MARKER_THERE, state, space)
    if move.places and not public.markers_left(public.turn):
        return Refusal(ChangeReason.NO_MARKERS_LEFT)
    return None


def _why_not_myself(state: State, _move: Myself) -> Refusal | None:
    """The lander can follow the corner. Rule CH-C0."""
    public = state.public
    is_able = can_act_at_corner(public, current_corner(public), public.turn)
    return None if is_able else Refusal(ChangeReason.YOU_CANNOT)


def _why_not_choose(state: State, move: Choose) -> Refusal | None:
    """The chosen seats can follow the corner, and are as many as it says. Rule CH-C0."""
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


def _why_not_pick_space(state: State, move: PickSpace) -> Refusal | None:
    """The space has a marker to return to, or none to place one. Rules CH-C5, CH-C8 and CH-9."""
    public = state.public
    space = public.board.space_by_key[move.space]
    has_marker = bool(public.markers[public.asked[0]] >> space & 1)
    if has_marker is (public.stage is Stage.RETURN):
        return None
    return _space_refusal(ChangeReason.MARKER_THERE if has_marker else ChangeReason.NO_MARKER_THERE, state, space)


_CHECKS: dict[type[Move], Callable[[State, Any], Refusal | None]] = {
    Challenge: _why_not_challenge,
    Option: _why_not_option,
    Add: _why_not_add,
    Replace: _why_not_replace,
    Travel: _why_not_travel,
    Myself: _why_not_myself,
    Choose: _why_not_choose,
    PickSpace: _why_not_pick_space,
    Swap: _why_not_held,
    Keep: _why_not_held,
}


def games_in_tournament(options: ChangeOptions) -> int:
    """Return the number of games in a tournament. Rule CH-14."""
    return options.games


def rank_by_fewest_credits(credits_left: Sequence[int]) -> tuple[int, ...]:
    """Rank seats by credits left, in a game or summed over a tournament; ties share a place. Rules CH-12 and CH-14."""
    return places_by_score([-count for count in credits_left])


def winners_of(credits_left: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats in first place. Rule CH-12."""
    return tuple(seat for seat, place in enumerate(rank_by_fewest_credits(credits_left)) if place == 1)


def tie_break_options(options: ChangeOptions) -> ChangeOptions:
    """Return the options of a tie-break: the same, from 50 credits. Rule CH-13."""
    return options.model_copy(update={"credits": SHORT_CREDITS})


SERIES = Series(count_games=games_in_tournament, rank_seats=rank_by_fewest_credits, tie_break_options=tie_break_options)


def find_forced_end(view: View) -> Done | None:
    """Return Done if there is no challenge, no option move and no card that could be played.

    Judged by the number of cards alone, so that it tells nothing about a hand.
    """
    public = view.public
    if public.stage is not Stage.FREE or public.may_challenge or public.may_play_cards:
        return None
    return None if public.may_travel and public.markers_left(public.turn) else DONE
