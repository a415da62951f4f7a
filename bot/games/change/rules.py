"""The rules of Change."""

from collections.abc import Callable, Sequence
from typing import Any

from bot.games.change import moves, turns
from bot.games.change.audit import find_faults
from bot.games.change.board import START, Board
from bot.games.change.corners import choose_myself, choose_others, choose_space, pass_turn, swap_card
from bot.games.change.events import GameEvent
from bot.games.change.legality import legal_moves, why_not
from bot.games.change.pieces import TRACK_DICE_COUNT, ChangeEnd, ChangeOptions, PublicState, Stage, State, View
from bot.games.change.series import rank_by_fewest_credits
from bot.games.change.turn_builder import TurnBuilder
from bot.rules.chance import Chance, shuffle
from bot.rules.game import GameInfo, Seat, Transition
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal
from bot.rules.roll_off import roll_off
from bot.rules.turn_game import TurnGame
from bot.words import N_


class Change(TurnGame[State, moves.Move, GameEvent]):
    """Change, for two to six seats. Rule CH-1."""

    info = GameInfo(
        key="change",
        title="Change",
        credits=N_("Pocket Ragz: Change, by Richard C. Winter, TableCloth Games, 2008."),
        least_seats=2,
        most_seats=6,
        options=ChangeOptions,
        version=1,
        step_limit=20_000,
        minutes_per_seat=11,
    )

    def __init__(self, board: Board) -> None:
        self._board = board
        self._notation = moves.Notation(tuple(board.space_by_key), tuple(board.card_by_key))

    def start(self, options: ChangeOptions, seats: int, chance: Chance) -> State:
        """Roll off for the start, and shuffle the message cards. Rules CH-1 and CH-2."""
        rounds = roll_off(seats, TRACK_DICE_COUNT, chance)
        starter = rounds[-1].leaders[0]
        public = PublicState(
            board=self._board,
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
        return State(public, ((),) * seats, shuffle(chance, self._board.deck))

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat that must decide: the turn's, or one that was chosen. Rule CH-C0."""
        return state.public.mover

    def why_not(self, state: State, seat: Seat, move: moves.Move) -> Refusal | None:
        """Return why a move is illegal, or None."""
        return why_not(state, move)

    def legal_moves(self, state: State) -> Sequence[moves.Move]:
        """Return the legal moves of the seat to move."""
        return legal_moves(state)

    def apply_move(self, state: State, seat: Seat, move: moves.Move, chance: Chance) -> Transition[State, GameEvent]:
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

    def audit(self, state: State) -> tuple[str, ...]:
        """Return the faults of a position."""
        return find_faults(state)

    def encode_position(self, state: State) -> str:
        """Return the seats, the turn, the hands and the deck.

        As in `120@5:desires/110@0:- 1 free 1 d0 c1 m0 t1 add-1+greed/- any+add-3+...`: each seat's credits, Ragz space
        and markers; the turn, the stage and the seats asked; then `draws`, `may_challenge`, `missing`, `may_travel`.
        """
        public, faces = state.public, self._board.cards
        seats = zip(public.credits, public.ragz_spaces, map(self._encode_markers, public.markers), strict=True)
        table = "/".join([f"{left}@{space}:{markers}" for left, space, markers in seats])
        asked = "".join(map(str, public.asked)) or "-"
        flags = f"d{public.draws} c{public.may_challenge:d} m{public.missing} t{public.may_travel:d}"
        hands = "/".join(["+".join([faces[card].key for card in hand]) or "-" for hand in state.hands])
        deck = "+".join([faces[card].key for card in state.deck])
        return f"{table} {public.turn} {public.stage} {asked} {flags} {hands} {deck}"

    def _encode_markers(self, markers: int) -> str:
        return (
            "+".join([self._board.keys[space] for space in self._board.challenge_spaces if markers >> space & 1]) or "-"
        )

    def parse_move(self, text: str) -> moves.Move:
        """Parse a move such as `roll`, `option greed`, `card any greed place` or `choose 1 3`."""
        return self._notation.parse(text)


_HANDLERS: dict[type[moves.Move], Callable[[TurnBuilder, Seat, Any, Chance], None]] = {
    moves.Roll: lambda builder, _seat, _move, dice: turns.roll_track(builder, dice),
    moves.Challenge: lambda builder, _seat, _move, dice: turns.roll_challenge(builder, dice),
    moves.Option: lambda builder, _seat, move, dice: turns.take_option(builder, move, dice),
    moves.Add: lambda builder, _seat, move, _dice: turns.add_points(builder, move),
    moves.Replace: lambda builder, _seat, move, _dice: turns.replace_cards(builder, move),
    moves.Travel: lambda builder, _seat, move, _dice: turns.play_space_card(builder, move),
    moves.Done: lambda builder, _seat, _move, _dice: pass_turn(builder),
    moves.Myself: lambda builder, _seat, _move, dice: choose_myself(builder, dice),
    moves.Choose: lambda builder, _seat, move, dice: choose_others(builder, move, dice),
    moves.PickSpace: lambda builder, seat, move, _dice: choose_space(builder, seat, move),
    moves.Swap: lambda builder, seat, move, _dice: swap_card(builder, seat, move),
    moves.Keep: lambda builder, _seat, move, _dice: turns.keep_card(builder, move),
}
"""The function that applies each kind of move."""
