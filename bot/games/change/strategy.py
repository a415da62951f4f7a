"""A computer player for Change: what this turn's choices are worth in credits, by expectation.

What comes after the turn is only guessed at: a marker is worth what it should release in the time the game still seems
to take, and a message card what it should bring one day.
"""

from collections.abc import Callable, Iterable, Sequence
from math import fsum
from typing import Any

from bot.games.change.board import Card, CardKind, CornerAction, Markers, Others, Space, SpaceEntry, spaces_in
from bot.games.change.corners import current_corner
from bot.games.change.legality import legal_moves
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
from bot.games.change.pieces import (
    CHALLENGE_ODDS,
    MARKERS_PER_SEAT,
    SCORE_STEP,
    PublicState,
    Stage,
    State,
    View,
    released_credits,
)
from bot.rules.advice import find_clear_best
from bot.rules.chance import Chance
from bot.rules.game import Seat

_WIN_WORTH = 1000.0
_THREE_DICE_MEAN = 10.5

# Found by playing.
_VISITS_PER_ROUND = 0.06
"""How often, in a round, each player comes to each challenge space."""
_IDLE_CREDITS_PER_ROUND = 4.0
"""The credits that somebody releases in a round without a single marker."""
_ROUND_LIMITS = (1.5, 25.0)
"""The game is never taken to last shorter or longer than so many rounds."""
_UNSEEN_CARD_WORTH = 5.0
"""What a message card brings one day that nobody has seen yet."""
_LAST_MARKER_SHARE = 0.25
"""The part of a new marker's worth that the last of twelve keeps, for it could go to a better space."""


def maximize_expected_turn_value(view: View, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move that promises most; the first of equals."""
    return max(moves, key=MoveEvaluator(view).evaluate)


def recommend_move(view: View) -> Move | None:
    """Return what this computer player would recommend to whoever sees a view.

    None where the choice is close, or depends on cards that whoever sees the view does not.
    """
    public, seat = view.public, view.public.mover
    if seat is None or (seat != view.seat and _depends_on_hand(public)):
        return None
    hand = view.hand if seat == view.seat else ()
    hands = tuple([hand if each == seat else () for each in range(len(public.credits))])
    # The order in which cards are replaced makes no difference to whoever replaces them.
    moves = list({_equivalence_key(move): move for move in reversed(legal_moves(State(public, hands, ())))}.values())
    if len(moves) == 1:
        return moves[0]
    worth = MoveEvaluator(View(public, seat, hand)).evaluate
    return find_clear_best(((worth(move), move) for move in moves), SCORE_STEP)


def _depends_on_hand(public: PublicState) -> bool:
    """Tell whether what is best depends on the hand of the seat to move."""
    if public.stage is Stage.CORNER:
        return current_corner(public).action is CornerAction.REPLACE and public.held[public.turn] > 0
    return public.stage in (Stage.SWAP, Stage.KEEP) or (public.stage is Stage.FREE and public.may_play_cards)


def _equivalence_key(move: Move) -> object:
    return (move.card, *sorted(move.others)) if isinstance(move, Replace) else move


class MoveEvaluator:
    """What things are worth to the seat to move, in credits that it is closer to its end than the others to theirs."""

    def __init__(self, view: View) -> None:
        self._public = view.public
        self._hand = view.hand
        self._me: Seat = view.seat if view.seat is not None else view.public.turn
        self._seats = range(len(view.public.credits))
        self._rounds = self._rounds_left()
        self._visits = _VISITS_PER_ROUND * len(self._seats) * self._rounds

    def evaluate(self, move: Move) -> float:
        """Return what a move promises."""
        return self._EVALUATORS[type(move)](self, move)

    def _rounds_left(self) -> float:
        """Guess how long the game still takes: as long as the quickest needs."""
        public, visits = self._public, _VISITS_PER_ROUND * len(self._seats)
        least, most = _ROUND_LIMITS
        rates = [_IDLE_CREDITS_PER_ROUND + visits * self._income(public.markers[seat]) for seat in self._seats]
        quickest = min(left / rate for left, rate in zip(public.credits, rates, strict=True))
        return min(max(quickest, least), most)

    def _income(self, markers: Markers) -> int:
        """Return what all markers of a seat would release if each space were visited once."""
        public = self._public
        sets = public.options.sets
        return sum(released_credits(public.board, markers, space, sets=sets) for space in spaces_in(markers))

    def _release_worth(self, seat: Seat, count: float) -> float:
        """Return what it is worth that a seat releases so many credits."""
        left = self._public.credits[seat]
        gain = min(count, left) + (_WIN_WORTH if count >= left else 0.0)
        return gain if seat == self._me else -gain / (len(self._seats) - 1)

    def _marker_worth(self, seat: Seat, space: Space) -> float:
        """Return what a new marker of a seat releases one day, with the part it has in a set."""
        before = self._public.markers[seat]
        income: float = self._income(before | 1 << space) - self._income(before)
        whole = self._public.board.set_of[space]
        if self._public.options.sets:
            # A set that is on its way doubles everything in it, with the odds of a challenge for each one lacking.
            lacking = (whole & ~before).bit_count() - 1
            income += self._public.board.credits[space] * (CHALLENGE_ODDS**lacking if lacking else 0.0)
        last = before.bit_count() / MARKERS_PER_SEAT
        return income * self._visits * (1 - (1 - _LAST_MARKER_SHARE) * last**4)

    def _landing_worth(self, space: Space) -> float:
        """Return what landing on a space brings at once. Rule CH-5."""
        public = self._public
        released = (
            self._release_worth(seat, public.released_credits_for(seat, space))
            for seat in self._seats
            if public.released_credits_for(seat, space)
        )
        received = 0 if public.markers[self._me] >> space & 1 else public.board.credits[space]
        return sum(released) - received

    def _card_worth(self, card: Card) -> float:
        """Return what a message card brings one day."""
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

    def _draw_worth(self, count: int) -> float:
        """Return what drawing cards brings, as far as there is room for them. Rule CH-M1."""
        return _UNSEEN_CARD_WORTH * min(count, self._public.room_in_hand(self._me))

    def _card_by_key(self, key: str) -> Card:
        return self._public.board.card_by_key[key]

    def _corner_worth(self, corner: SpaceEntry, seats: Iterable[Seat]) -> float:
        """Return what it is worth that seats do what a corner says."""
        public, board = self._public, self._public.board
        total = 0.0
        for seat in seats:
            markers = public.markers[seat]
            match corner.action:
                case CornerAction.RELEASE:
                    total += self._release_worth(seat, corner.credits or 0)
                case CornerAction.ROLL:
                    total += self._release_worth(seat, _THREE_DICE_MEAN)
                case CornerAction.RETURN:
                    total += self._release_worth(seat, max(board.credits[space] for space in spaces_in(markers)))
                case CornerAction.PLACE:
                    best = max(
                        self._marker_worth(seat, space) for space in board.challenge_spaces if not markers >> space & 1
                    )
                    total += best if seat == self._me else -best / (len(self._seats) - 1)
                case _:
                    total += (
                        max(0.0, _UNSEEN_CARD_WORTH - min(map(self._card_worth, self._hand)))
                        if seat == self._me
                        else -1.0
                    )
        return total

    def _evaluate_neutral(self, move: Roll | Done) -> float:
        return 0.0

    def _evaluate_challenge(self, move: Challenge) -> float:
        return CHALLENGE_ODDS * self._marker_worth(self._me, self._public.squares[self._me])

    def _evaluate_option(self, move: Option) -> float:
        space = self._public.board.space_by_key[move.space]
        return self._landing_worth(space) + CHALLENGE_ODDS * self._marker_worth(self._me, space)

    def _evaluate_travel(self, move: Travel) -> float:
        space = self._public.board.space_by_key[move.space]
        placed = self._marker_worth(self._me, space) if move.places else 0.0
        return self._landing_worth(space) + placed - self._card_worth(self._card_by_key(move.card))

    def _evaluate_add(self, move: Add) -> float:
        """Return what an Add card is worth if all that are held suffice. Rule CH-7."""
        cards, missing = self._public.board.cards, self._public.missing
        points = sum(cards[card].amount for card in self._hand if cards[card].kind is CardKind.ADD)
        if points < missing:
            return -1.0
        card = self._card_by_key(move.card)
        # A card that suffices by itself is better than a first one of several, and a small one better than a large one.
        over = abs(cards[card].amount - missing)
        return self._marker_worth(self._me, self._public.squares[self._me]) - self._card_worth(card) - over

    def _evaluate_replace(self, move: Replace) -> float:
        # `sum` rounds otherwise from Python 3.12 on.
        replaced = fsum(_UNSEEN_CARD_WORTH - self._card_worth(self._card_by_key(key)) for key in move.others)
        return replaced - self._card_worth(self._card_by_key(move.card)) - 1.0

    def _evaluate_myself(self, move: Myself) -> float:
        return self._corner_worth(current_corner(self._public), [self._me])

    def _evaluate_choose(self, move: Choose) -> float:
        corner = current_corner(self._public)
        draws = (corner.draws or 0) * (len(move.seats) if corner.others is Others.SEVERAL else 1)
        return self._corner_worth(corner, move.seats) + self._draw_worth(draws)

    def _evaluate_pick_space(self, move: PickSpace) -> float:
        space = self._public.board.space_by_key[move.space]
        if self._public.stage is Stage.PLACE:
            return self._marker_worth(self._me, space)
        return self._release_worth(self._me, self._public.board.credits[space])

    def _evaluate_swap(self, move: Swap) -> float:
        return -self._card_worth(self._card_by_key(move.card))

    def _evaluate_keep(self, move: Keep) -> float:
        return self._card_worth(self._card_by_key(move.card))

    _EVALUATORS: dict[type[Move], Callable[[Any, Any], float]] = {  # noqa: RUF012 - never changed
        Roll: _evaluate_neutral,
        Done: _evaluate_neutral,
        Challenge: _evaluate_challenge,
        Option: _evaluate_option,
        Travel: _evaluate_travel,
        Add: _evaluate_add,
        Replace: _evaluate_replace,
        Myself: _evaluate_myself,
        Choose: _evaluate_choose,
        PickSpace: _evaluate_pick_space,
        Swap: _evaluate_swap,
        Keep: _evaluate_keep,
    }
