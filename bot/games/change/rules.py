"""The rules of Change."""

from collections.abc import Callable, Sequence
from typing import Any

from bot.games.change.audit import faults_in
from bot.games.change.board import START, Board
from bot.games.change.corners import choose_space, do_it, let_others, next_turn, swap
from bot.games.change.legality import moves_in, why_not
from bot.games.change.moves import (
    Add,
    Challenge,
    Done,
    Keep,
    Let,
    Move,
    Myself,
    Notation,
    Option,
    Replace,
    Roll,
    Swap,
    To,
    Travel,
)
from bot.games.change.pieces import TRACK_DICE, ChangeEnd, ChangeOptions, Public, Stage, State, View
from bot.games.change.series import fewest_first
from bot.games.change.turn_builder import Course
from bot.games.change.turns import add, challenge, keep, play_space_card, replace_cards, roll_track, take_option
from bot.rules.chance import Chance, shuffle
from bot.rules.game import GameInfo, Seat, Step
from bot.rules.outcome import Outcome
from bot.rules.refusals import KernelReason, Refusal
from bot.rules.roll_off import roll_off


class Change:
    """Change, for two to six seats. Rule CH-1."""

    info = GameInfo(
        key="change",
        title="Change",
        credits="Pocket Ragz: Change, by Richard C. Winter, TableCloth Games, 2008.",
        least_seats=2,
        most_seats=6,
        options=ChangeOptions,
        version=1,
        longest=20_000,
        minutes_per_seat=11,
    )

    def __init__(self, board: Board) -> None:
        self._board = board
        self._notation = Notation(tuple(board.space_by_key), tuple(board.card_by_key))

    def start(self, options: ChangeOptions, seats: int, dice: Chance) -> State:
        """Roll off for the start, and shuffle the message cards. Rules CH-1 and CH-2."""
        rounds = roll_off(seats, TRACK_DICE, dice)
        starter = rounds[-1].leaders[0]
        public = Public(
            board=self._board,
            options=options,
            roll_off=rounds,
            credits=(options.credits,) * seats,
            markers=(0,) * seats,
            squares=(START,) * seats,
            held=(0,) * seats,
            turn=starter,
            stage=Stage.ROLL,
            asked=(starter,),
            draws=0,
            may_challenge=False,
            missing=0,
            may_travel=True,
        )
        return State(public, ((),) * seats, shuffle(dice, self._board.deck))

    def to_move(self, state: State) -> Seat | None:
        """Return the seat that has to decide: the one whose turn it is, or one that was chosen. Rule CH-C0."""
        asked = state.public.asked
        return asked[0] if asked else None

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Refuse what the stage of the turn, the board or the hand does not allow."""
        asked = state.public.asked
        if not asked:
            return Refusal(KernelReason.GAME_OVER)
        return why_not(state, move) if seat == asked[0] else Refusal(KernelReason.NOT_TO_MOVE)

    def moves(self, state: State) -> Sequence[Move]:
        """Return what the seat to move may do."""
        return moves_in(state)

    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step[State]:
        """Make a move."""
        if refusal := self.check(state, seat, move):
            raise refusal
        course = Course(state)
        _MADE[type(move)](course, seat, move, dice)
        return course.step()

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by the credits they still have, fewest first. Rule CH-12."""
        public = state.public
        if public.stage is not Stage.OVER:
            return None
        return Outcome(fewest_first(public.credits), public.credits, ChangeEnd.NO_CREDITS)

    def view(self, state: State, seat: Seat | None) -> View:
        """Return what everybody sees, and the seat's own hand. Rule CH-M1."""
        return View(state.public, seat, () if seat is None else state.hands[seat])

    def audit(self, state: State) -> tuple[str, ...]:
        """Return the faults in credits, markers, cards and the turn."""
        return faults_in(state)

    def position(self, state: State) -> str:
        """Return the seats, the turn, the hands and the deck.

        As in `120@5:desires/110@0:- 1 free 1 d0 c1 m0 t1 add-1+greed/- any+add-3+...`: the credits of each seat, where
        its Ragz stands and the spaces with its markers; whose turn it is, the stage and who is asked; the draws that
        are owed, whether the challenge is open, the points that are missing, and whether an option move is open.
        """
        public, faces = state.public, self._board.cards
        markers = map(self._written, public.markers)
        seats = zip(public.credits, public.squares, markers, strict=True)
        stand = "/".join([f"{left}@{square}:{written}" for left, square, written in seats])
        asked = "".join(map(str, public.asked)) or "-"
        flags = f"d{public.draws} c{public.may_challenge:d} m{public.missing} t{public.may_travel:d}"
        hands = "/".join(["+".join([faces[card].key for card in hand]) or "-" for hand in state.hands])
        deck = "+".join([faces[card].key for card in state.deck])
        return f"{stand} {public.turn} {public.stage} {asked} {flags} {hands} {deck}"

    def _written(self, markers: int) -> str:
        return "+".join([self._board.keys[space] for space in self._board.challenges if markers >> space & 1]) or "-"

    def parse(self, text: str) -> Move:
        """Read a move such as `roll`, `option greed`, `card any greed place` or `choose 1 3`."""
        return self._notation.parse(text)


_MADE: dict[type[Move], Callable[[Course, Seat, Any, Chance], None]] = {
    Roll: lambda course, _seat, _move, dice: roll_track(course, dice),
    Challenge: lambda course, _seat, _move, dice: challenge(course, dice),
    Option: lambda course, _seat, move, dice: take_option(course, move, dice),
    Add: lambda course, _seat, move, _dice: add(course, move),
    Replace: lambda course, _seat, move, _dice: replace_cards(course, move),
    Travel: lambda course, _seat, move, _dice: play_space_card(course, move),
    Done: lambda course, _seat, _move, _dice: next_turn(course),
    Myself: lambda course, _seat, _move, dice: do_it(course, dice),
    Let: lambda course, _seat, move, dice: let_others(course, move, dice),
    To: lambda course, seat, move, _dice: choose_space(course, seat, move),
    Swap: lambda course, seat, move, _dice: swap(course, seat, move),
    Keep: lambda course, _seat, move, _dice: keep(course, move),
}
"""What each kind of move does."""
