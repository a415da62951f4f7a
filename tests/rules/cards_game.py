"""A toy game with hidden cards that keeps the contract: draw a card, or play one of the hand for its points."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.rules.chance import Chance, shuffle
from bot.rules.game import EndReason, Event, GameInfo, Options, Outcome, Seat, places_by_score
from bot.rules.guide import Guide, GuidePage, caption, stack_rows
from bot.rules.notation import Notation, notation
from bot.rules.package import GamePackage, Mind, Results, ScoreKind, Study, Words
from bot.rules.refusals import CommonReason, Refusal, RefusalFacts, RefusalReason
from bot.rules.screen import Control, Draft, Field, News, Play, Screen, Toggle, Tone, events_of

CARDS = range(8)
HAND = 2


class CardsOptions(Options):
    pass


class CardsReason(RefusalReason):
    NOT_HELD = "not_held"
    NO_DECK = "no_deck"


@dataclass(frozen=True)
class CardFacts(RefusalFacts):
    card: int


class CardsEnd(EndReason):
    ALL_PLAYED = "all_played"


@notation("draw")
@dataclass(frozen=True, slots=True)
class Draw:
    pass


@notation("play {card}")
@dataclass(frozen=True, slots=True)
class PlayCard:
    card: int


Move: TypeAlias = Draw | PlayCard

NOTATION = Notation[Move](Draw, PlayCard)


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A seat drew a card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardSeen(Event):
    """The seat that drew a card sees it."""

    seat: Seat
    card: int

    @property
    def audience(self) -> Seat | None:
        return self.seat


@dataclass(frozen=True, slots=True)
class Played(Event):
    seat: Seat
    card: int


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    """The top card is the last one."""
    played: tuple[tuple[int, ...], ...]
    mover: Seat | None


@dataclass(frozen=True, slots=True)
class View:
    hand: tuple[int, ...]
    """The hand of the viewer; a spectator has none."""
    counts: tuple[int, ...]
    left: int
    played: tuple[tuple[int, ...], ...]
    mover: Seat | None


class Cards:
    info = GameInfo("cards", "Cards", "Nobody.", 2, 3, CardsOptions, version=1, step_limit=16, minutes_per_seat=1)

    def start(self, options: CardsOptions, seats: int, chance: Chance) -> State:
        deck = shuffle(chance, CARDS)
        hands = tuple(tuple(sorted(deck[at * HAND : (at + 1) * HAND])) for at in range(seats))
        return State(hands, deck[seats * HAND :], ((),) * seats, 0)

    def seat_to_move(self, state: State) -> Seat | None:
        return state.mover

    def turn_of(self, state: State) -> Hashable:
        return state.mover

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        if seat != state.mover:
            return Refusal(CommonReason.GAME_OVER if state.mover is None else CommonReason.NOT_TO_MOVE)
        if isinstance(move, PlayCard):
            return None if move.card in state.hands[seat] else Refusal(CardsReason.NOT_HELD, CardFacts(move.card))
        return None if state.deck else Refusal(CardsReason.NO_DECK)

    def legal_moves(self, state: State) -> Sequence[Move]:
        if state.mover is None:
            return ()
        cards = [PlayCard(card) for card in state.hands[state.mover]]
        return (*cards, Draw()) if state.deck else cards

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        if refusal := self.check(state, seat, move):
            raise refusal
        if isinstance(move, Draw):
            *deck, card = state.deck
            hands = replace_pile(state.hands, seat, tuple(sorted((*state.hands[seat], card))))
            after = replace(state, hands=hands, deck=tuple(deck))
            return self.turned(after, seat), (Drawn(seat), CardSeen(seat, card))
        left = tuple(card for card in state.hands[seat] if card != move.card)
        played = replace_pile(state.played, seat, (*state.played[seat], move.card))
        after = replace(state, hands=replace_pile(state.hands, seat, left), played=played)
        return self.turned(after, seat), (Played(seat, move.card),)

    def turned(self, state: State, seat: Seat) -> State:
        """Pass the turn on to the next seat that has something to do."""
        seats = len(state.hands)
        following = ((seat + step) % seats for step in range(1, seats + 1))
        return replace(state, mover=next((at for at in following if state.hands[at] or state.deck), None))

    def outcome(self, state: State) -> Outcome | None:
        if state.mover is not None:
            return None
        scores = tuple(map(sum, state.played))
        return Outcome(places_by_score(scores), scores, CardsEnd.ALL_PLAYED)

    def view(self, state: State, seat: Seat | None) -> View:
        hand = () if seat is None else state.hands[seat]
        return View(hand, tuple(map(len, state.hands)), len(state.deck), state.played, state.mover)

    def audit(self, state: State) -> tuple[str, ...]:
        cards = sorted(card for cards in (*state.hands, state.deck, *state.played) for card in cards)
        return () if cards == list(CARDS) else ("cards are lost or doubled",)

    def encode_position(self, state: State) -> str:
        return f"{state.hands} {state.deck} {state.played} {state.mover}"

    def parse_move(self, text: str) -> Move:
        return NOTATION.parse(text)


def replace_pile(piles: tuple[tuple[int, ...], ...], seat: Seat, pile: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*piles[:seat], pile, *piles[seat + 1 :])


def redeal_hidden(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Redeal the deck and all hands except the viewer's own."""
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    cards = list(shuffle(chance, (*(card for seat in others for card in state.hands[seat]), *state.deck)))
    hands = state.hands
    for seat in others:
        size = len(hands[seat])
        hands = replace_pile(hands, seat, tuple(sorted(cards[:size])))
        cards = cards[size:]
    return replace(state, hands=hands, deck=tuple(cards))


def build_screen(view: View, news: Sequence[News[Event]], names: Sequence[str], draft: Draft) -> Screen:
    if view.mover is None:
        return Screen("Cards", "All are played.")
    hand = tuple(Control(f"play{card}", f"{card}", Play(f"play {card}")) for card in view.hand[:5])
    none = (Control("none", "No cards", Play("draw"), is_disabled=True),)
    draw = (Control("draw", "Draw", Play("draw"), is_disabled=not view.left),)
    smile = (Control("smile", "Smile", Toggle(0), Tone.CHOSEN if 0 in draft else Tone.QUIET),)
    return Screen(
        title=f"Cards: {names[view.mover]}",
        text=" ".join(map(repr, events_of(news))) or "Nothing happened.",
        fields=(Field("Played", str(view.played)), Field("Hands", str(view.counts))),
        controls=(hand or none, draw, smile),
        waits_for_hand=not view.left,
        accent=view.mover,
    )


class FirstMovePlayer:
    def __call__(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        return moves[chance.randbelow(len(moves))]


_TURN_PAGE = GuidePage("Turn", "Draw or play.", lambda: stack_rows("A turn.", caption("draw or play")))

PACKAGE: GamePackage[CardsOptions, State, Move, Event, View] = GamePackage(
    game=Cards(),
    words=Words(
        build_screen=build_screen,
        error_messages={CardsReason.NOT_HELD: "You do not hold {card}.", CardsReason.NO_DECK: "The deck is empty."},
    ),
    study=Study(
        guide=Guide("Cards.", lambda _options: (_TURN_PAGE,)),
    ),
    mind=Mind(
        strategies={"careless": FirstMovePlayer()},
    ),
    results=Results(
        score_kind=ScoreKind(str),
    ),
)
