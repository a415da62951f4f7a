"""The toy game with hidden cards, with leaks planted in it: at least one for each way in which a secret gets out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.rules.chance import Chance
from bot.rules.components import Nameplate
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.game import Event, Seat
from bot.rules.picture import ColourRole, Label, Picture, Rect
from bot.rules.refusals import Refusal, RefusalReason
from bot.rules.screen import Control, Draft, News, Play, Screen, Toggle, Tone
from bot.tables.registry import AnyPackage
from bot.tools.contract.contract import Check
from bot.tools.contract.secrecy_checks import RedealHidden
from tests.rules import heap_game as toy
from tests.rules.cards_game import (
    PACKAGE,
    CardFacts,
    Cards,
    CardSeen,
    CardsReason,
    Draw,
    Drawn,
    Move,
    PlayCard,
    State,
    View,
    build_screen,
    redeal_hidden,
)

Transition = tuple[State, tuple[Event, ...]]


class ShowsEverything(Cards):
    def view(self, state: State, seat: Seat | None) -> Any:
        return state


class ShowsOthersToPlayers(Cards):
    def view(self, state: State, seat: Seat | None) -> View:
        seen = super().view(state, seat)
        return seen if seat in (None, state.mover) else replace(seen, hand=tuple(sorted(sum(state.hands, ()))))


class ShowsHandsToSpectators(Cards):
    def view(self, state: State, seat: Seat | None) -> View:
        return super().view(state, state.mover if seat is None else seat)


class CountsPoints(Cards):
    """Shows of each hand no card, but what its cards are worth."""

    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), counts=tuple(map(sum, state.hands)))


@dataclass(frozen=True, slots=True)
class LoadedView(View):
    state: State | None = field(default=None, compare=False, repr=False)


class SmugglesState(Cards):
    """Puts the state where no comparison looks."""

    def view(self, state: State, seat: Seat | None) -> View:
        seen = super().view(state, seat)
        return LoadedView(seen.hand, seen.counts, seen.left, seen.played, seen.mover, state)


class Remembers(Cards):
    """Leaves the state behind for the screen, past the view."""

    state: State | None = None

    def view(self, state: State, seat: Seat | None) -> View:
        self.state = state
        return super().view(state, seat)


def leak_state_into_screen(change: Callable[[Screen, State, Draft], Screen]) -> AnyPackage:
    game = Remembers()

    def draw(view: View, news: Sequence[News[Event]], names: Sequence[str], draft: Draft) -> Screen:
        assert game.state is not None
        return change(build_screen(view, news, names, draft), game.state, draft)

    return replace(PACKAGE, game=game, words=replace(PACKAGE.words, build_screen=draw))


def with_text(screen: Screen, state: State, _draft: Draft) -> Screen:
    return replace(screen, text=f"The next card is {state.deck[-1]}.") if state.deck else screen


def with_key(screen: Screen, state: State, _draft: Draft) -> Screen:
    """Name a hidden card in nothing but the id of a button."""
    if not state.deck or state.mover is None:
        return screen
    return replace(screen, controls=((Control(f"draw{state.deck[-1]}", "Draw too", Play("draw")),), *screen.controls))


def with_token(screen: Screen, state: State, draft: Draft) -> Screen:
    if not state.deck or state.mover is None:
        return screen
    winked = Tone.CHOSEN if state.deck[-1] in draft else Tone.QUIET
    return replace(screen, controls=((Control("wink", "Wink", Toggle(state.deck[-1]), winked),), *screen.controls))


def with_text_of_draft(screen: Screen, state: State, draft: Draft) -> Screen:
    """Leak the next card only if the draft has a pick."""
    return with_text(screen, state, draft) if draft == {0} else screen


def with_leaking_picture(*, for_hands: bool) -> AnyPackage:
    """Make a game whose pictures show the next card."""
    game = Remembers()

    def paint(view: View, events: Sequence[Event], _nameplates: Sequence[Nameplate]) -> Picture:
        assert game.state is not None
        text = f"{len(events)} {view.left} {game.state.deck[-1:]}"
        label = Label(text, Rect(0, 0, 400, 60), ColourRole.SURFACE_TEXT, 37)
        return Picture((400, 60), (), (label,), "the deck")

    game_with_pictures = replace(PACKAGE, game=game)
    if for_hands:
        return replace(game_with_pictures, look=replace(game_with_pictures.look, build_hand_picture=paint))
    return replace(game_with_pictures, look=replace(game_with_pictures.look, build_picture=paint))


def with_leaking_spectator_news() -> AnyPackage:
    """Make a game that tells spectators the next card."""
    game = Remembers()

    def tell(view: View, names: Sequence[str]) -> str:
        assert game.state is not None
        return f"{' '.join(names)} {view.left} {game.state.deck[-1:]}"

    return replace(PACKAGE, game=game, words=replace(PACKAGE.words, build_reading=tell))


def with_leaking_values() -> AnyPackage:
    """Make a game in which a move is worth as much as the next card."""
    game = Remembers()

    def evaluate(_view: View, moves: Sequence[Move]) -> Evaluation:
        assert game.state is not None
        return Evaluation([float(sum(game.state.deck[-1:]))] * len(moves), Unit.POINTS)

    return replace(
        PACKAGE,
        game=game,
        mind=replace(PACKAGE.mind, evaluate=evaluate),
        study=replace(PACKAGE.study, describe_move=lambda _view, move: str(move)),
    )


class GuardsLowCards(Cards):
    """Refuses to draw a card below four, so a refused seat learns something of the deck."""

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        refusal = super().check(state, seat, move)
        low = isinstance(move, Draw) and refusal is None and state.deck[-1] < 4 and bool(state.hands[seat])
        return Refusal(CardsReason.NO_DECK) if low else refusal

    def legal_moves(self, state: State) -> Sequence[Move]:
        moves = super().legal_moves(state)
        return [move for move in moves if state.mover is None or self.check(state, state.mover, move) is None]


@dataclass(frozen=True)
class HolderFacts(CardFacts):
    holders: tuple[Seat, ...]


class TellsWhoHolds(Cards):
    """Refuses with the seat that holds the card."""

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        refusal = super().check(state, seat, move)
        if refusal is None or refusal.reason is not CardsReason.NOT_HELD or not isinstance(move, PlayCard):
            return refusal
        holders = [at for at, hand in enumerate(state.hands) if move.card in hand]
        return Refusal(CardsReason.NOT_HELD, HolderFacts(move.card, tuple(holders)))


class OtherReason(RefusalReason):
    IN_DECK = "in_deck"


class TellsWhatIsInTheDeck(Cards):
    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        refusal = super().check(state, seat, move)
        hidden = isinstance(move, PlayCard) and seat == state.mover and move.card in state.deck
        return Refusal(OtherReason.IN_DECK) if hidden else refusal


@dataclass(frozen=True, slots=True)
class DrawnOpenly(CardSeen):
    @property
    def audience(self) -> Seat | None:
        return None


@dataclass(frozen=True, slots=True)
class SeenByNeighbour(CardSeen):
    @property
    def audience(self) -> Seat | None:
        return 1 - self.seat if self.seat < 2 else 0


@dataclass(frozen=True, slots=True)
class DrawnWithCard(Drawn):
    card: int = field(compare=False, repr=False)


def with_leaking_events(tell: Callable[[Seat, int], tuple[Event, ...]]) -> AnyPackage:
    class Tells(Cards):
        def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
            after, events = super().play(state, seat, move, chance)
            return after, tell(seat, state.deck[-1]) if isinstance(move, Draw) else events

    return replace(PACKAGE, game=Tells())


class StuttersAtHighCards(Cards):
    """Reveals whether the next card is high, only by the number of events."""

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        after, events = super().play(state, seat, move, chance)
        return after, (*events, *events[:1]) if after.deck and after.deck[-1] > 4 else events


class HidesDeck(Cards):
    def encode_position(self, state: State) -> str:
        return f"{state.hands} {state.played} {state.mover}"


class TurnsByTheDeck(Cards):
    """Chooses the seat to move by a card of the hidden deck."""

    def seat_to_move(self, state: State) -> Seat | None:
        if state.mover is None or not state.deck:
            return state.mover
        return state.deck[-1] % len(state.hands)

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        return super().check(replace(state, mover=self.seat_to_move(state)), seat, move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        return super().legal_moves(replace(state, mover=self.seat_to_move(state)))


class TellsOneSeatInOpenGame(toy.Heap):
    """A game without hidden cards that still shows an event to one seat only."""

    def play(self, state: toy.State, seat: Seat, move: toy.Move, chance: Chance) -> tuple[toy.State, tuple[Event, ...]]:
        after, events = super().play(state, seat, move, chance)
        return after, (*events, CardSeen(seat, 1))


def lose_card(state: State, _viewer: Seat | None, _chance: Chance) -> State:
    return replace(state, deck=state.deck[1:])


def keep_everything(state: State, _viewer: Seat | None, _chance: Chance) -> State:
    return state


def pass_turn(state: State, viewer: Seat | None, chance: Chance) -> State:
    mover = None if state.mover is None else (state.mover + 1) % len(state.hands)
    return replace(redeal_hidden(state, viewer, chance), mover=mover)


def with_game(game: Cards) -> AnyPackage:
    return replace(PACKAGE, game=game)


def as_hand_package(package: AnyPackage) -> AnyPackage:
    """Show in hands what a package would show to everybody."""
    return replace(
        package,
        words=replace(
            package.words, build_screen=PACKAGE.words.build_screen, build_hand_screen=package.words.build_screen
        ),
    )


LEAKS: list[tuple[Check, AnyPackage, RedealHidden | None]] = [
    (Check.OPEN, PACKAGE, None),
    (Check.OPEN, replace(toy.PACKAGE, game=TellsOneSeatInOpenGame()), None),
    (Check.HIDDEN, PACKAGE, lose_card),
    (Check.HIDDEN, PACKAGE, keep_everything),
    (Check.HIDDEN, PACKAGE, pass_turn),
    (Check.HIDDEN, with_game(HidesDeck()), redeal_hidden),
    (Check.HIDDEN, with_game(TurnsByTheDeck()), redeal_hidden),
    (Check.VIEW, with_game(ShowsOthersToPlayers()), redeal_hidden),
    (Check.VIEW, with_game(ShowsHandsToSpectators()), redeal_hidden),
    (Check.VIEW, with_game(CountsPoints()), redeal_hidden),
    (Check.VIEW, with_game(SmugglesState()), redeal_hidden),
    (Check.SCREEN, leak_state_into_screen(with_text), redeal_hidden),
    (Check.SCREEN, leak_state_into_screen(with_text_of_draft), redeal_hidden),
    (Check.SCREEN, leak_state_into_screen(with_key), redeal_hidden),
    (Check.SCREEN, leak_state_into_screen(with_token), redeal_hidden),
    (Check.SCREEN, as_hand_package(leak_state_into_screen(with_text)), redeal_hidden),
    (Check.SCREEN, as_hand_package(leak_state_into_screen(with_key)), redeal_hidden),
    (Check.DRAWN, with_leaking_picture(for_hands=False), redeal_hidden),
    (Check.DRAWN, with_leaking_picture(for_hands=True), redeal_hidden),
    (Check.DRAWN, with_leaking_spectator_news(), redeal_hidden),
    (Check.CHOICE, with_game(GuardsLowCards()), redeal_hidden),
    (Check.CHOICE, with_game(TellsWhoHolds()), redeal_hidden),
    (
        Check.CHOICE,
        replace(
            with_game(TellsWhatIsInTheDeck()),
            words=replace(
                with_game(TellsWhatIsInTheDeck()).words,
                error_messages={**PACKAGE.words.error_messages, OtherReason.IN_DECK: "In the deck."},
            ),
        ),
        redeal_hidden,
    ),
    (Check.VALUES_SEEN, with_leaking_values(), redeal_hidden),
    (Check.EVENTS, with_leaking_events(lambda seat, card: (DrawnOpenly(seat, card),)), redeal_hidden),
    (Check.EVENTS, with_leaking_events(lambda seat, card: (Drawn(seat), SeenByNeighbour(seat, card))), redeal_hidden),
    (
        Check.EVENTS,
        with_leaking_events(lambda seat, card: (DrawnWithCard(seat, card), CardSeen(seat, card))),
        redeal_hidden,
    ),
    (Check.EVENTS, with_game(StuttersAtHighCards()), redeal_hidden),
]
