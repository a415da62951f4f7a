"""The toy game with faults planted in it: at least one for each check of the contract."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from pydantic import Field as Bounds, field_serializer

from bot.rules.chance import Chance
from bot.rules.game import Event, GameInfo, Seat
from bot.rules.options import OptionWords
from bot.rules.outcome import Outcome
from bot.rules.package import GamePackage
from bot.rules.picture import Box, Ink, Picture, Rect
from bot.rules.refusals import Reason, Refusal
from bot.rules.screen import Control, Draft, Menu, News, Play, Screen, Toggle, Tone
from tests.rules.toy import PACKAGE, Heap, HeapOptions, HeapReason, Move, State, Take, Toss, Tossed, show
from tests.support.contract import Check

Step = tuple[State, tuple[Event, ...]]


class ForgetsLargeHeaps(HeapOptions):
    @field_serializer("stones")
    def serialize_stones(self, value: int) -> int:
        return min(value, 6)


class LosesOptions(Heap):
    info = GameInfo("heap", "Heap", "Nobody.", 2, 3, ForgetsLargeHeaps, version=1, longest=12, minutes_per_seat=1)


class AnyStones(HeapOptions):
    stones: int = Bounds(default=6, ge=3, le=12)


class OffersNoNumbers(Heap):
    info = replace(Heap.info, options=AnyStones)


class KeepsLists(Heap):
    def start(self, options: HeapOptions, seats: int, dice: Chance) -> State:
        return replace(super().start(options, seats, dice), scores=[0] * seats)  # type: ignore[arg-type]


class SeatsNobody(Heap):
    def next(self, state: State, seat: Seat) -> Seat:
        return seat + 1


class OffersNothing(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        return ()


class OffersLists(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        return [Take([1])] if super().moves(state) else ()  # type: ignore[arg-type]


class TurnsMovesRound(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def moves(self, state: State) -> Sequence[Move]:
        return super().moves(state)[:: 1 if next(self.calls) % 2 else -1]


class OffersTwice(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        moves = super().moves(state)
        return (*moves, *moves[-1:])


class MixesKinds(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        moves = super().moves(state)
        return (*moves[:1], *moves[-1:], *moves[1:-1])


class OffersTooMuch(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        return (*(Take(number) for number in (1, 2, 3)), Toss()) if super().moves(state) else ()


class HidesMove(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        return [move for move in super().moves(state) if move != Take(2)]


class LetsNegativesThrough(Heap):
    """A fault that no text leads to, as such a move can't be read."""

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        refusal = super().check(state, seat, move)
        return None if refusal and isinstance(move, Take) and move.count < 0 else refusal


class StumblesOverMuch(Heap):
    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        if isinstance(move, Take) and seat == state.mover:
            move = Take(range(10)[max(move.count, 0)])
        return super().check(state, seat, move)


class SaysTrue(Heap):
    def check(self, state: State, seat: Seat, move: Move) -> Any:
        return (isinstance(move, Take) and move.count > 10) or super().check(state, seat, move)


class LetsAnybodyMove(Heap):
    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        return super().check(state, state.mover if state.mover is not None else seat, move)


class PlaysAnything(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        return super().play(state, seat, Toss() if self.check(state, seat, move) else move, dice)


class RollsBeforeLooking(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        dice.below(6)
        return super().play(state, seat, move, dice)


class ReadsOneMore(Heap):
    def parse(self, text: str) -> Move:
        move = super().parse(text)
        return Take(move.count + 1) if isinstance(move, Take) else move


class Stumbles(Heap):
    def parse(self, text: str) -> Move:
        return Take(int(text.removeprefix("take "))) if text != "toss" else Toss()


class ReadsAnything(Heap):
    def parse(self, text: str) -> Move:
        try:
            return super().parse(text)
        except Refusal:
            return Toss()


class RefusesOtherwise(Heap):
    def parse(self, text: str) -> Move:
        try:
            return super().parse(text)
        except Refusal:
            raise Refusal(HeapReason.NONE_TAKEN) from None


class RollsItsOwn(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        after, events = super().play(state, seat, move, dice)
        return replace(after, scores=(next(self.calls), *after.scores[1:])), events


class StartsAnywhere(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def start(self, options: HeapOptions, seats: int, dice: Chance) -> State:
        return replace(super().start(options, seats, dice), mover=next(self.calls) % seats)


class Scribbles(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        step = super().play(state, seat, move, dice)
        object.__setattr__(state, "heap", state.heap + 1)
        return step


class LosesStones(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        after, events = super().play(state, seat, move, dice)
        return (after if after.heap else replace(after, heap=-1)), events


class WritesLines(Heap):
    def position(self, state: State) -> str:
        return super().position(state) + "\n"


class CountsPositions(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def position(self, state: State) -> str:
        return f"{super().position(state)} {next(self.calls)}"


@dataclass(frozen=True, slots=True)
class Whispered(Tossed):
    @property
    def audience(self) -> Seat | None:
        return 7


class Whispers(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        after, events = super().play(state, seat, move, dice)
        return after, (*events, Whispered(seat, 1))


class NeverEnds(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        after, events = super().play(state, seat, move, dice)
        return replace(after, heap=state.heap, mover=self.next(state, seat)), events


class RanksEarly(Heap):
    def outcome(self, state: State) -> Outcome | None:
        return super().outcome(replace(state, mover=None))


class RanksNobody(Heap):
    def outcome(self, state: State) -> Outcome | None:
        return None


class ForgetsSeat(Heap):
    def outcome(self, state: State) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=outcome.places[:-1])


class OffersAfterwards(Heap):
    def moves(self, state: State) -> Sequence[Move]:
        return super().moves(state) or (Toss(),)


class KeepsSilentAfterwards(Heap):
    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        return None if state.mover is None else super().check(state, seat, move)


class ForgetsTosses(Heap):
    """Remembers what it has dealt: the same chance leads elsewhere after two games."""

    def __init__(self) -> None:
        self.starts = count()
        self.more = 0

    def start(self, options: HeapOptions, seats: int, dice: Chance) -> State:
        self.more = next(self.starts) % 3 // 2
        return super().start(options, seats, dice)

    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        after, events = super().play(state, seat, move, dice)
        return replace(after, scores=tuple(score + self.more for score in after.scores)), events


class SeesDifferently(Heap):
    def view(self, state: State, seat: Seat | None) -> Any:
        return object()


def played_by(game: Heap) -> GamePackage:
    return replace(PACKAGE, game=game)


def drawn_by(change: Callable[[Screen], Screen]) -> GamePackage:
    def draw(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
        return change(show(view, news, names, draft))

    return replace(PACKAGE, screen=draw)


def with_control(*controls: Control) -> Callable[[Screen], Screen]:
    return lambda screen: replace(screen, controls=(*screen.controls, controls))


def with_menus(*menus: Menu) -> Callable[[Screen], Screen]:
    return lambda screen: replace(screen, menus=menus)


def a_menu(key: str = "more", **changes: Any) -> Menu:
    return Menu(key, "More", (replace(Control(f"{key}_toss", "Toss", Play("toss")), **changes),))


def while_playing(change: Callable[[Screen], Screen]) -> Callable[[Screen], Screen]:
    return lambda screen: change(screen) if screen.controls else screen


def without_controls(screen: Screen) -> Screen:
    return replace(screen, controls=())


class Greedy:
    """A computer player that takes more than there is."""

    def __call__(self, view: State, moves: Sequence[Move], chance: Chance) -> Move:
        return Take(4)


def stand_out(screen: Screen) -> Screen:
    rows = (tuple(replace(control, key="same") for control in row) for row in screen.controls)
    return replace(screen, controls=tuple(rows))


UNTOLD = {name: words for name, words in PACKAGE.option_words.items() if name != "losing"}
UNKNOWN_FACT: dict[Reason, str] = {**PACKAGE.sentences, HeapReason.TOO_MANY: "Take at most {limit}."}
UNSAID: dict[Reason, str] = {HeapReason.TOO_MANY: PACKAGE.sentences[HeapReason.TOO_MANY]}


def beyond_the_edge(view: State, news: Sequence[Event]) -> Picture:  # noqa: ARG001 - it is always the same
    return Picture((200, 100), (), (Box(Rect(150, 10, 60, 60), Ink.PAPER),), "a box")


FAULTS = [
    (Check.OPTIONS, played_by(LosesOptions())),
    (
        Check.DESCRIBED,
        replace(PACKAGE, describe_options=lambda options: ["losing"] if options.losing else []),
    ),
    (Check.DESCRIBED, replace(PACKAGE, describe_options=lambda options: [name for name, _ in options])),
    (Check.CHOICES, replace(PACKAGE, option_words=UNTOLD)),
    (Check.CHOICES, replace(PACKAGE, option_words={**PACKAGE.option_words, "kind": OptionWords("Kind", "Of stone.")})),
    (Check.CHOICES, replace(PACKAGE, option_words={**PACKAGE.option_words, "losing": OptionWords("Losing", " ")})),
    (Check.CHOICES, played_by(OffersNoNumbers())),
    (Check.SENTENCES, replace(PACKAGE, sentences=UNSAID)),
    (Check.SENTENCES, replace(PACKAGE, sentences=UNKNOWN_FACT)),
    (Check.VALUES, played_by(KeepsLists())),
    (Check.VALUES, played_by(SeesDifferently())),
    (Check.VALUES, played_by(OffersLists())),
    (Check.SEAT, played_by(SeatsNobody())),
    (Check.MOVES, played_by(OffersNothing())),
    (Check.STABLE, played_by(TurnsMovesRound())),
    (Check.UNIQUE, played_by(OffersTwice())),
    (Check.KINDS, played_by(MixesKinds())),
    (Check.LEGAL, played_by(OffersTooMuch())),
    (Check.ILLEGAL, played_by(HidesMove())),
    (Check.ILLEGAL, played_by(LetsNegativesThrough())),
    (Check.ANSWERED, played_by(StumblesOverMuch())),
    (Check.ANSWERED, played_by(SaysTrue())),
    (Check.OTHERS, played_by(LetsAnybodyMove())),
    (Check.PLAY_REFUSES, played_by(PlaysAnything())),
    (Check.PLAY_REFUSES, played_by(RollsBeforeLooking())),
    (Check.NOTATION, played_by(ReadsOneMore())),
    (Check.UNREADABLE, played_by(Stumbles())),
    (Check.UNREADABLE, played_by(ReadsAnything())),
    (Check.UNREADABLE, played_by(RefusesOtherwise())),
    (Check.DETERMINED, played_by(RollsItsOwn())),
    (Check.DETERMINED, played_by(StartsAnywhere())),
    (Check.UNTOUCHED, played_by(Scribbles())),
    (Check.AUDIT, played_by(LosesStones())),
    (Check.POSITION, played_by(WritesLines())),
    (Check.POSITION, played_by(CountsPositions())),
    (Check.AUDIENCE, played_by(Whispers())),
    (Check.LONGEST, played_by(NeverEnds())),
    (Check.UNFINISHED, played_by(RanksEarly())),
    (Check.OUTCOME, played_by(RanksNobody())),
    (Check.OUTCOME, played_by(ForgetsSeat())),
    (Check.OVER, played_by(OffersAfterwards())),
    (Check.OVER, played_by(KeepsSilentAfterwards())),
    (Check.REPLAY, played_by(ForgetsTosses())),
    (Check.LIMITS, drawn_by(lambda screen: replace(screen, note="-" * 2049))),
    (Check.KEYS, drawn_by(stand_out)),
    (Check.KEYS, drawn_by(with_menus(a_menu("a"), replace(a_menu("b"), key="a")))),
    (Check.KEYS, drawn_by(with_menus(a_menu("a"), replace(a_menu("a"), key="b")))),
    (Check.LIMITS, drawn_by(with_menus(a_menu(description="-" * 101)))),
    (Check.IDS, drawn_by(with_menus(a_menu("More")))),
    (Check.IDS, drawn_by(with_menus(a_menu(effect=Toggle(64))))),
    (Check.PRESSABLE, drawn_by(with_menus(a_menu(effect=Play("take 4"))))),
    (Check.IDS, drawn_by(with_control(Control("One more", "Toss", Play("toss"))))),
    (Check.IDS, drawn_by(with_control(Control("x" * 25, "Toss", Play("toss"))))),
    (Check.IDS, drawn_by(with_control(Control("far", "Far", Toggle(64))))),
    (Check.PRESSABLE, drawn_by(with_control(Control("more", "Four", Play("take 4"), Tone.MAIN)))),
    (Check.PRESSABLE, drawn_by(with_control(Control("shout", "Shout", Play("shout"))))),
    (Check.PICKS, drawn_by(while_playing(with_control(Control("idle", "Idle", Toggle(3)))))),
    (Check.PICKS, drawn_by(while_playing(with_menus(a_menu(effect=Toggle(3)))))),
    (Check.OFFERED, drawn_by(without_controls)),
    (Check.OFFERED, replace(drawn_by(without_controls), hand=drawn_by(without_controls).screen)),
    (Check.PRESSABLE, replace(PACKAGE, hand=drawn_by(with_control(Control("shout", "Shout", Play("shout")))).screen)),
    (Check.PICTURE, replace(PACKAGE, picture=beyond_the_edge)),
    (Check.PICTURE, replace(PACKAGE, hand_picture=beyond_the_edge)),
    (Check.TOLD, replace(PACKAGE, reading=lambda _view, _names: "")),
    (Check.TOLD, replace(PACKAGE, reading=lambda _view, names: f"{names[0]} plays.")),
    (Check.ACCENT, drawn_by(lambda screen: replace(screen, accent=3))),
    (Check.PLAYERS, replace(PACKAGE, players={"greedy": Greedy()})),
]
