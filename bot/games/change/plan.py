"""What a seat expects of its turn: positions without what it can't see, and how the parts of a turn change them."""

from typing import NamedTuple, Self, TypeVar

from bot.games.change.board import Board, Card, Markers, Space
from bot.games.change.pieces import MAX_HAND_SIZE, Hand, View, released_credits
from bot.rules.game import Seat

_T = TypeVar("_T")


class Plan(NamedTuple):
    """A position as a seat expects it. A NamedTuple because a decision creates hundreds."""

    credits: tuple[float, ...]
    """Averages, where dice have not been rolled yet."""
    markers: tuple[Markers, ...]
    ragz_spaces: tuple[Space, ...]
    hand: Hand
    """The seat's message cards that it knows."""
    unseen: int
    """The number of its message cards that it has yet to see."""

    @classmethod
    def of(cls, view: View) -> Self:
        """Return the plan of doing nothing."""
        public = view.public
        return cls(public.credits, public.markers, public.ragz_spaces, view.hand, 0)

    @property
    def is_over(self) -> bool:
        """Whether a seat has no credits left. Rule CH-12."""
        return 0 in self.credits

    def land(self, board: Board, seat: Seat, space: Space, *, sets: bool) -> Self:
        """Return the plan after a seat has landed on a challenge space. Rule CH-5."""
        left = list(self.credits)
        for each, markers in enumerate(self.markers):
            if markers >> space & 1:
                left[each] = max(0, left[each] - released_credits(board, markers, space, sets=sets))
            elif each == seat:
                left[each] += board.credits[space]
        return self.move_to(seat, space)._replace(credits=tuple(left))

    def move_to(self, seat: Seat, space: Space) -> Self:
        """Return the plan after a Ragz has moved."""
        return self._replace(ragz_spaces=_put(self.ragz_spaces, seat, space))

    def release(self, seat: Seat, count: float) -> Self:
        """Return the plan after a seat has released credits. Rule CH-10."""
        return self._replace(credits=_put(self.credits, seat, max(0, self.credits[seat] - count)))

    def mark(self, seat: Seat) -> Self:
        """Return the plan with a marker of a seat where its Ragz is."""
        return self._replace(markers=_put(self.markers, seat, self.markers[seat] | 1 << self.ragz_spaces[seat]))

    def drop(self, *cards: Card) -> Self:
        """Return the plan without some cards of the hand."""
        return self._replace(hand=without(self.hand, *cards))

    def draw(self, count: int) -> Self:
        """Return the plan with more cards, up to the hand limit. Rule CH-M1."""
        room = MAX_HAND_SIZE - len(self.hand) - self.unseen
        return self._replace(unseen=self.unseen + min(count, room))


def viewer_of(view: View) -> Seat:
    """Return the seat that plans: a spectator plans for the seat whose turn it is."""
    return view.public.turn if view.seat is None else view.seat


def _put(items: tuple[_T, ...], seat: Seat, item: _T) -> tuple[_T, ...]:
    return (*items[:seat], item, *items[seat + 1 :])


def without(hand: Hand, *cards: Card) -> Hand:
    """Return a hand without some of its cards."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
