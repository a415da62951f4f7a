"""A mutable copy of a position to which a move is applied."""

from collections.abc import Iterable

from bot.games.change import events
from bot.games.change.board import Card, Space
from bot.games.change.events import GameEvent
from bot.games.change.pieces import MARKERS_PER_SEAT, MAX_HAND_SIZE, Dice, PublicState, Stage, State, released_credits
from bot.rules.game import Seat, Transition


class TurnBuilder:
    """A position while a move is applied, and the events so far."""

    def __init__(self, state: State) -> None:
        public = state.public
        self.before = public
        self.board = public.board
        self.sets = public.options.sets
        self.credits, self.markers = list(public.credits), list(public.markers)
        self.ragz_spaces, self.hands, self.deck = list(public.ragz_spaces), list(state.hands), state.deck
        self.turn, self.stage, self.asked, self.draws = public.turn, public.stage, public.asked, public.draws
        self.may_challenge, self.missing, self.may_travel = public.may_challenge, public.missing, public.may_travel
        self.events: list[GameEvent] = []

    def build_transition(self) -> Transition[State, GameEvent]:
        """Return the position and the events."""
        before = self.before
        public = PublicState(
            self.board,
            before.options,
            before.roll_off,
            tuple(self.credits),
            tuple(self.markers),
            tuple(self.ragz_spaces),
            tuple(map(len, self.hands)),
            self.turn,
            self.stage,
            self.asked,
            self.draws,
            self.may_challenge,
            self.missing,
            self.may_travel,
        )
        return State(public, tuple(self.hands), self.deck), tuple(self.events)

    @property
    def is_over(self) -> bool:
        """Whether a seat has won."""
        return self.stage is Stage.OVER

    @property
    def ragz_space(self) -> Space:
        """The space of the Ragz whose turn it is."""
        return self.ragz_spaces[self.turn]

    def seats_in_turn_order(self) -> list[Seat]:
        """Return all seats, starting with the turn's."""
        seats = range(len(self.credits))
        return [*seats[self.turn :], *seats[: self.turn]]

    def markers_left(self, seat: Seat) -> int:
        """Return the number of unplaced challenge markers of a seat."""
        return MARKERS_PER_SEAT - self.markers[seat].bit_count()

    def land(self, space: Space) -> None:
        """Land on a challenge space: seats with a marker release, a lander without one receives, at once. Rule CH-5."""
        turn, left = self.turn, self.credits
        self.ragz_spaces[turn] = space
        changes = [0] * len(left)
        for seat, markers in enumerate(self.markers):
            if markers >> space & 1:
                changes[seat] = -min(left[seat], released_credits(self.board, markers, space, sets=self.sets))
            elif seat == turn:
                changes[seat] = self.board.credits[space]
            left[seat] += changes[seat]
        self.events.append(events.Landed(turn, space, tuple(changes)))
        self.end_if_won()

    def release(self, seat: Seat, count: int, dice: Dice = ()) -> None:
        """Release credits because of a space, but not below zero. Rule CH-10."""
        count = min(count, self.credits[seat])
        self.credits[seat] -= count
        self.events.append(events.Released(seat, count, self.ragz_space, dice))

    def end_if_won(self) -> None:
        """End the game if a seat has no credits left. Rule CH-12."""
        if 0 in self.credits:
            self.stage, self.asked, self.draws = Stage.OVER, (), 0
            self.may_challenge, self.missing, self.may_travel = False, 0, False

    def place_marker(self, seat: Seat, space: Space) -> None:
        """Place a marker. Rule CH-9."""
        markers = self.markers[seat] | 1 << space
        self.markers[seat] = markers
        whole = self.board.set_of[space]
        self.events.append(events.MarkerPlaced(seat, space, self.sets and markers & whole == whole))

    def move_to(self, seat: Seat, space: Space) -> None:
        """Move a Ragz to a space without landing there. Rules CH-C9 and CH-S2."""
        self.ragz_spaces[seat] = space
        self.events.append(events.Moved(seat, space))

    def put_under_deck(self, seat: Seat, cards: Iterable[Card]) -> None:
        """Put cards of a hand under the deck, in order. Rule CH-M1."""
        hand, deck = list(self.hands[seat]), list(self.deck)
        for card in cards:
            hand.remove(card)
            deck.append(card)
        self.hands[seat], self.deck = tuple(hand), tuple(deck)

    def play_card(self, seat: Seat, card: Card) -> None:
        """Play a card and put it under the deck. Rule CH-M2."""
        self.put_under_deck(seat, (card,))
        self.events.append(events.CardPlayed(seat, card))

    def draw_cards(self, seat: Seat, count: int) -> None:
        """Draw cards up to the hand limit. Rule CH-M1."""
        count = min(count, MAX_HAND_SIZE - len(self.hands[seat]))
        self.events.append(events.CardsDrawn(seat, count))
        if count:
            self._take_from_deck(seat, count)

    def draw_replacements(self, seat: Seat, count: int) -> None:
        """Draw cards for those that were replaced. Rules CH-C2 and CH-M3."""
        self.events.append(events.CardsReplaced(seat, count))
        self._take_from_deck(seat, count)

    def _take_from_deck(self, seat: Seat, count: int) -> None:
        drawn, self.deck = self.deck[:count], self.deck[count:]
        self.hands[seat] = tuple(sorted(self.hands[seat] + drawn))
        self.events.append(events.CardsSeen(seat, tuple(sorted(drawn))))
