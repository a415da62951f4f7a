"""What moves of Change are worth in credits, within the turn, and whether to follow a corner oneself.

The time after the turn is estimated: a marker has the value of what it should release in the rounds left, and a message
card an average value.
"""

from collections.abc import Iterable, Sequence
from math import fsum

from bot.games.change.board import Card, CardKind, CornerAction, Markers, Space, SpaceEntry, spaces_in
from bot.games.change.moves import (
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
from bot.games.change.pieces import CHALLENGE_ODDS, MARKERS_PER_SEAT, PublicState, Stage, State, View, released_credits
from bot.games.change.rules import legal_moves
from bot.games.change.turns import current_corner
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.game import Seat
from bot.rules.screen import find_clear_best

_WIN_VALUE = 1000.0
_THREE_DICE_MEAN = 10.5

# Measured in simulations.
_VISITS_PER_ROUND = 0.06
"""How often each player lands on each challenge space in a round."""
_IDLE_CREDITS_PER_ROUND = 4.0
"""The credits that a seat without markers releases in a round."""
_ROUND_LIMITS = (1.5, 25.0)
"""The bounds of the estimated rounds left."""
_UNSEEN_CARD_VALUE = 5.0
"""The value of an unknown message card."""
_LAST_MARKER_SHARE = 0.25
"""The factor for the last of twelve markers, which could go to a better space later."""

_CLEAR_LEAD = 15.0
"""By how many credits it is clearly best to follow a corner oneself, so that hints agree."""


class CreditValues:
    """Values for the seat to move, in credits of its own minus the average of the others'."""

    def __init__(self, view: View) -> None:
        self._public = view.public
        self._hand = view.hand
        self._me: Seat = view.seat if view.seat is not None else view.public.turn
        self._seats = range(len(view.public.credits))
        self._rounds = self._rounds_left()
        self._visits = _VISITS_PER_ROUND * len(self._seats) * self._rounds

    def value_of(self, move: Move) -> float:
        """Return the expected value of a move."""
        match move:
            case Roll() | Done():
                return 0.0
            case Myself() | Choose():
                return self._corner_choice_value(move)
            case PickSpace():
                return self._space_choice_value(move)
            case Swap():
                return -self._card_value(self._card_by_key(move.card))
            case Keep():
                return self._card_value(self._card_by_key(move.card))
            case _:
                return self._turn_value(move)

    def _rounds_left(self) -> float:
        """Return the estimated rounds until the fastest seat has no credits left."""
        public, visits = self._public, _VISITS_PER_ROUND * len(self._seats)
        least, most = _ROUND_LIMITS
        rates = [_IDLE_CREDITS_PER_ROUND + visits * self._income(public.markers[seat]) for seat in self._seats]
        quickest = min(left / rate for left, rate in zip(public.credits, rates, strict=True))
        return min(max(quickest, least), most)

    def _income(self, markers: Markers) -> int:
        """Return the credits that markers release if each of their spaces is landed on once."""
        public = self._public
        sets = public.options.sets
        return sum(released_credits(public.board, markers, space, sets=sets) for space in spaces_in(markers))

    def _release_value(self, seat: Seat, count: float) -> float:
        """Return the value of a seat's release of credits."""
        left = self._public.credits[seat]
        gain = min(count, left) + (_WIN_VALUE if count >= left else 0.0)
        return gain if seat == self._me else -gain / (len(self._seats) - 1)

    def _marker_value(self, seat: Seat, space: Space) -> float:
        """Return the value of a new marker of a seat, including its part in a set."""
        before = self._public.markers[seat]
        income: float = self._income(before | 1 << space) - self._income(before)
        whole = self._public.board.set_of[space]
        if self._public.options.sets:
            # A set may be completed later, with the odds of a challenge for each marker that is still lacking.
            lacking = (whole & ~before).bit_count() - 1
            income += self._public.board.credits[space] * (CHALLENGE_ODDS**lacking if lacking else 0.0)
        last = before.bit_count() / MARKERS_PER_SEAT
        return income * self._visits * (1 - (1 - _LAST_MARKER_SHARE) * last**4)

    def _landing_value(self, space: Space) -> float:
        """Return the immediate value of landing on a space. Rule CH-5."""
        public = self._public
        released = (
            self._release_value(seat, public.released_credits_for(seat, space))
            for seat in self._seats
            if public.released_credits_for(seat, space)
        )
        received = 0 if public.markers[self._me] >> space & 1 else public.board.credits[space]
        return sum(released) - received

    def _card_value(self, card: Card) -> float:
        """Return the value of keeping a message card."""
        public, face = self._public, self._public.board.cards[card]
        match face.kind:
            case CardKind.ADD:
                return 1.5 * face.amount if public.markers_left(self._me) else 0.0
            case CardKind.REPLACE:
                return 1.0
            case CardKind.SPACE:
                return max(1.0, public.released_credits_for(self._me, face.space or 0) * 0.8)
            case CardKind.ANY:
                return max(
                    4.0,
                    0.9 * max(public.released_credits_for(self._me, space) for space in public.board.challenge_spaces),
                )

    def _card_by_key(self, key: str) -> Card:
        return self._public.board.card_by_key[key]

    def _corner_value(self, corner: SpaceEntry, seats: Iterable[Seat]) -> float:
        """Return the value of a corner followed by seats."""
        public, board = self._public, self._public.board
        total = 0.0
        for seat in seats:
            markers = public.markers[seat]
            match corner.action:
                case CornerAction.RELEASE:
                    total += self._release_value(seat, corner.credits or 0)
                case CornerAction.ROLL:
                    total += self._release_value(seat, _THREE_DICE_MEAN)
                case CornerAction.RETURN:
                    total += self._release_value(seat, max(board.credits[space] for space in spaces_in(markers)))
                case CornerAction.PLACE:
                    best = max(
                        self._marker_value(seat, space) for space in board.challenge_spaces if not markers >> space & 1
                    )
                    total += best if seat == self._me else -best / (len(self._seats) - 1)
                case _:
                    total += (
                        max(0.0, _UNSEEN_CARD_VALUE - min(map(self._card_value, self._hand)))
                        if seat == self._me
                        else -1.0
                    )
        return total

    def _turn_value(self, move: Challenge | Option | Travel | Add | Replace) -> float:
        """Return the value of a move after the roll."""
        public, here = self._public, self._public.ragz_spaces[self._me]
        match move:
            case Challenge():
                return CHALLENGE_ODDS * self._marker_value(self._me, here)
            case Option():
                space = public.board.space_by_key[move.space]
                return self._landing_value(space) + CHALLENGE_ODDS * self._marker_value(self._me, space)
            case Travel():
                space = public.board.space_by_key[move.space]
                placed = self._marker_value(self._me, space) if move.places else 0.0
                return self._landing_value(space) + placed - self._card_value(self._card_by_key(move.card))
            case Add():
                return self._add_value(self._card_by_key(move.card), here)
            case Replace():
                # From Python 3.12 on, `sum` rounds differently.
                replaced = fsum(_UNSEEN_CARD_VALUE - self._card_value(self._card_by_key(key)) for key in move.others)
                return replaced - self._card_value(self._card_by_key(move.card)) - 1.0

    def _add_value(self, card: Card, here: Space) -> float:
        """Return the value of an Add card, if all Add cards of the hand suffice. Rule CH-7."""
        cards, missing = self._public.board.cards, self._public.missing
        if sum(cards[each].amount for each in self._hand if cards[each].kind is CardKind.ADD) < missing:
            return -1.0
        # A card that suffices alone is better than several, and a small surplus better than a large one.
        over = abs(cards[card].amount - missing)
        return self._marker_value(self._me, here) - self._card_value(card) - over

    def _corner_choice_value(self, move: Myself | Choose) -> float:
        """Return the value of following a corner, or of what others bring who do; drawn cards need room. Rule CH-M1."""
        corner = current_corner(self._public)
        if isinstance(move, Myself):
            return self._corner_value(corner, [self._me])
        draws = corner.draws_for(len(move.seats))
        drawn = _UNSEEN_CARD_VALUE * min(draws, self._public.room_in_hand(self._me))
        return self._corner_value(corner, move.seats) + drawn

    def _space_choice_value(self, move: PickSpace) -> float:
        space = self._public.board.space_by_key[move.space]
        if self._public.stage is Stage.PLACE:
            return self._marker_value(self._me, space)
        return self._release_value(self._me, self._public.board.credits[space])


def evaluate_turn(view: View, moves: Sequence[Move]) -> Evaluation:
    """Return the value of each move, in credits of one's own minus the average of the others'."""
    value_of = CreditValues(view).value_of
    return Evaluation([value_of(move) for move in moves], Unit.POINTS)


def recommend_corner(public: PublicState) -> Myself | None:
    """Return the move of the lander who follows a corner, if that is clearly best, whatever the hands are."""
    corner, seat = current_corner(public), public.turn
    if corner.action is CornerAction.REPLACE and public.hand_sizes[seat] > 0:
        return None
    moves = legal_moves(State(public, ((),) * len(public.credits), ()))
    best = find_clear_best(zip(evaluate_turn(View(public, seat, ()), moves).values, moves, strict=True), _CLEAR_LEAD)
    return best if isinstance(best, Myself) else None
