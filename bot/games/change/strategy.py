"""A computer player for Change: what this turn's choices are worth in credits, by expectation.

What comes after the turn is only guessed at: a marker is worth what it should release in the time the game still seems
to take, and a message card what it should bring one day.
"""

from collections.abc import Callable, Iterable, Sequence
from math import fsum
from typing import Any

from bot.games.change.board import Card, CardKind, CornerAction, Markers, Others, Space, SpaceEntry, spaces_in
from bot.games.change.corners import corner_here
from bot.games.change.legality import moves_in
from bot.games.change.moves import (
    Add,
    Challenge,
    Done,
    Keep,
    Let,
    Move,
    Myself,
    Option,
    Replace,
    Roll,
    Swap,
    To,
    Travel,
)
from bot.games.change.pieces import (
    CHALLENGE_ODDS,
    MARKERS,
    SMALLEST_STEP,
    Public,
    Stage,
    State,
    View,
    released_at,
)
from bot.rules.advice import clear_best
from bot.rules.chance import Chance
from bot.rules.game import Seat

_WIN = 1000.0
_THREE_DICE = 10.5

# Found by playing.
_VISITS = 0.06
"""How often, in a round, each player comes to each challenge space."""
_IDLE = 4.0
"""The credits that somebody releases in a round without a single marker."""
_ROUNDS = (1.5, 25.0)
"""The game is never taken to last shorter or longer than so many rounds."""
_CARD = 5.0
"""What a message card brings one day that nobody has seen yet."""
_SPARE = 0.25
"""The part of a new marker's worth that the last of twelve keeps, for it could go to a better space."""


def best_expected_turn(view: View, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move that promises most; the first of equals."""
    return max(moves, key=Outlook(view).worth)


def recommended(view: View) -> Move | None:
    """Return what this computer player would recommend to whoever sees a view.

    None where the choice is close, or depends on cards that whoever sees the view does not.
    """
    public, seat = view.public, view.public.mover
    if seat is None or (seat != view.seat and _takes_cards(public)):
        return None
    hand = view.hand if seat == view.seat else ()
    hands = tuple([hand if each == seat else () for each in range(len(public.credits))])
    # The order in which cards are replaced makes no difference to whoever replaces them.
    moves = list({_kind(move): move for move in reversed(moves_in(State(public, hands, ())))}.values())
    if len(moves) == 1:
        return moves[0]
    worth = Outlook(View(public, seat, hand)).worth
    return clear_best(((worth(move), move) for move in moves), SMALLEST_STEP)


def _takes_cards(public: Public) -> bool:
    """Tell whether what is best depends on the hand of the seat to move."""
    if public.stage is Stage.CORNER:
        return corner_here(public).action is CornerAction.REPLACE and public.held[public.turn] > 0
    return public.stage in (Stage.SWAP, Stage.KEEP) or (public.stage is Stage.FREE and public.may_play_cards)


def _kind(move: Move) -> object:
    return (move.card, *sorted(move.others)) if isinstance(move, Replace) else move


class Outlook:
    """What things are worth to the seat to move, in credits that it is closer to its end than the others to theirs."""

    def __init__(self, view: View) -> None:
        self._public = view.public
        self._hand = view.hand
        self._me: Seat = view.seat if view.seat is not None else view.public.turn
        self._seats = range(len(view.public.credits))
        self._rounds = self._rounds_left()
        self._visits = _VISITS * len(self._seats) * self._rounds

    def worth(self, move: Move) -> float:
        """Return what a move promises."""
        return self._WORTH[type(move)](self, move)

    def _rounds_left(self) -> float:
        """Guess how long the game still takes: as long as the quickest needs."""
        public, visits = self._public, _VISITS * len(self._seats)
        least, most = _ROUNDS
        rates = [_IDLE + visits * self._income(public.markers[seat]) for seat in self._seats]
        quickest = min(left / rate for left, rate in zip(public.credits, rates, strict=True))
        return min(max(quickest, least), most)

    def _income(self, markers: Markers) -> int:
        """Return what all markers of a seat would release if each space were visited once."""
        public = self._public
        sets = public.options.sets
        return sum(released_at(public.board, markers, space, sets=sets) for space in spaces_in(markers))

    def _released(self, seat: Seat, count: float) -> float:
        """Return what it is worth that a seat releases so many credits."""
        left = self._public.credits[seat]
        gain = min(count, left) + (_WIN if count >= left else 0.0)
        return gain if seat == self._me else -gain / (len(self._seats) - 1)

    def _marker(self, seat: Seat, space: Space) -> float:
        """Return what a new marker of a seat releases one day, with the part it has in a set."""
        before = self._public.markers[seat]
        income: float = self._income(before | 1 << space) - self._income(before)
        whole = self._public.board.set_of[space]
        if self._public.options.sets:
            # A set that is on its way doubles everything in it, with the odds of a challenge for each one lacking.
            lacking = (whole & ~before).bit_count() - 1
            income += self._public.board.credits[space] * (CHALLENGE_ODDS**lacking if lacking else 0.0)
        last = before.bit_count() / MARKERS
        return income * self._visits * (1 - (1 - _SPARE) * last**4)

    def _landing(self, space: Space) -> float:
        """Return what landing on a space brings at once. Rule CH-5."""
        public = self._public
        released = (
            self._released(seat, public.worth(seat, space)) for seat in self._seats if public.worth(seat, space)
        )
        received = 0 if public.markers[self._me] >> space & 1 else public.board.credits[space]
        return sum(released) - received

    def _card(self, card: Card) -> float:
        """Return what a message card brings one day."""
        public, face = self._public, self._public.board.cards[card]
        match face.kind:
            case CardKind.ADD:
                return 1.5 * face.amount if public.markers_left(self._me) else 0.0
            case CardKind.REPLACE:
                return 1.0
            case CardKind.SPACE:
                return max(1.0, public.worth(self._me, face.space or 0) * 0.8)
            case CardKind.ANY:
                return max(4.0, 0.9 * max(public.worth(self._me, space) for space in public.board.challenges))

    def _drawn(self, count: int) -> float:
        """Return what drawing cards brings, as far as there is room for them. Rule CH-M1."""
        return _CARD * min(count, self._public.room_in_hand(self._me))

    def _by_key(self, key: str) -> Card:
        return self._public.board.card_by_key[key]

    def _corner(self, corner: SpaceEntry, seats: Iterable[Seat]) -> float:
        """Return what it is worth that seats do what a corner says."""
        public, board = self._public, self._public.board
        total = 0.0
        for seat in seats:
            markers = public.markers[seat]
            match corner.action:
                case CornerAction.RELEASE:
                    total += self._released(seat, corner.credits or 0)
                case CornerAction.ROLL:
                    total += self._released(seat, _THREE_DICE)
                case CornerAction.RETURN:
                    total += self._released(seat, max(board.credits[space] for space in spaces_in(markers)))
                case CornerAction.PLACE:
                    best = max(self._marker(seat, space) for space in board.challenges if not markers >> space & 1)
                    total += best if seat == self._me else -best / (len(self._seats) - 1)
                case _:
                    total += max(0.0, _CARD - min(map(self._card, self._hand))) if seat == self._me else -1.0
        return total

    def _of_nothing(self, move: Roll | Done) -> float:
        return 0.0

    def _of_challenge(self, move: Challenge) -> float:
        return CHALLENGE_ODDS * self._marker(self._me, self._public.squares[self._me])

    def _of_option(self, move: Option) -> float:
        space = self._public.board.space_by_key[move.space]
        return self._landing(space) + CHALLENGE_ODDS * self._marker(self._me, space)

    def _of_travel(self, move: Travel) -> float:
        space = self._public.board.space_by_key[move.space]
        placed = self._marker(self._me, space) if move.places else 0.0
        return self._landing(space) + placed - self._card(self._by_key(move.card))

    def _of_add(self, move: Add) -> float:
        """Return what an Add card is worth if all that are held suffice. Rule CH-7."""
        cards, missing = self._public.board.cards, self._public.missing
        points = sum(cards[card].amount for card in self._hand if cards[card].kind is CardKind.ADD)
        if points < missing:
            return -1.0
        card = self._by_key(move.card)
        # A card that suffices by itself is better than a first one of several, and a small one better than a large one.
        over = abs(cards[card].amount - missing)
        return self._marker(self._me, self._public.squares[self._me]) - self._card(card) - over

    def _of_replace(self, move: Replace) -> float:
        # `sum` rounds otherwise from Python 3.12 on.
        replaced = fsum(_CARD - self._card(self._by_key(key)) for key in move.others)
        return replaced - self._card(self._by_key(move.card)) - 1.0

    def _of_myself(self, move: Myself) -> float:
        return self._corner(corner_here(self._public), [self._me])

    def _of_let(self, move: Let) -> float:
        corner = corner_here(self._public)
        draws = (corner.draws or 0) * (len(move.seats) if corner.others is Others.SEVERAL else 1)
        return self._corner(corner, move.seats) + self._drawn(draws)

    def _of_to(self, move: To) -> float:
        space = self._public.board.space_by_key[move.space]
        if self._public.stage is Stage.PLACE:
            return self._marker(self._me, space)
        return self._released(self._me, self._public.board.credits[space])

    def _of_swap(self, move: Swap) -> float:
        return -self._card(self._by_key(move.card))

    def _of_keep(self, move: Keep) -> float:
        return self._card(self._by_key(move.card))

    _WORTH: dict[type[Move], Callable[[Any, Any], float]] = {  # noqa: RUF012 - never changed
        Roll: _of_nothing,
        Done: _of_nothing,
        Challenge: _of_challenge,
        Option: _of_option,
        Travel: _of_travel,
        Add: _of_add,
        Replace: _of_replace,
        Myself: _of_myself,
        Let: _of_let,
        To: _of_to,
        Swap: _of_swap,
        Keep: _of_keep,
    }
