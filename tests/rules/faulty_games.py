"""The toy game with faults planted in it: at least one for each check of the contract."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from pydantic import Field as Option, create_model, field_serializer

from bot.rules.chance import Chance
from bot.rules.game import Event, GameInfo, Seat
from bot.rules.outcome import Outcome
from bot.rules.package import Guide
from bot.rules.picture import Box, ColourRole, Picture, Rect
from bot.rules.refusals import Refusal, RefusalReason
from bot.rules.screen import Control, Draft, Menu, News, Play, Screen, Toggle, Tone
from bot.rules.testing.contract import Check
from bot.tables.registry import AnyPackage
from tests.rules.heap_game import (
    PACKAGE,
    Heap,
    HeapOptions,
    HeapReason,
    Move,
    State,
    Stone,
    Take,
    Toss,
    Tossed,
    build_screen,
)

Step = tuple[State, tuple[Event, ...]]


class ForgetsLargeHeaps(HeapOptions):
    @field_serializer("stones")
    def serialize_stones(self, value: int) -> int:
        return min(value, 6)


class HasNoVersion(Heap):
    info = replace(Heap.info, version=0)


class SeatsTooMany(Heap):
    info = replace(Heap.info, most_seats=7)


class LosesOptions(Heap):
    info = GameInfo("heap", "Heap", "Nobody.", 2, 3, ForgetsLargeHeaps, version=1, step_limit=12, minutes_per_seat=1)


class AnyStones(HeapOptions):
    stones: int = Option(default=6, ge=3, le=12, title="Stones", description="So many lie there at first.")


class UntitledOption(HeapOptions):
    losing: bool = Option(default=False, description="The most stones lose.")


class BlankDescription(HeapOptions):
    losing: bool = Option(default=False, title="Losing", description=" ")


class LongDescription(HeapOptions):
    losing: bool = Option(default=False, title="Losing", description="x" * 101)


TooManyOptions = create_model(
    "TooManyOptions",
    __base__=HeapOptions,
    **{f"option_{n}": (bool, Option(default=False, title="Option", description="x" * 100)) for n in range(9)},
)  # type: ignore[call-overload]
"""More text than fits into a field of the guide."""


class LongName(HeapOptions):
    a_name_that_no_command_could_have: bool = Option(default=False, title="Long", description="Too long.")


class ReservedName(HeapOptions):
    computers: bool = Option(default=False, title="Computers", description="Only computers play.")


class UnnamedValues(HeapOptions):
    kind: Stone = Option(default=Stone.PEBBLE, title="Kind", description="Of stone.")


class KeepsLists(Heap):
    def start(self, options: HeapOptions, seats: int, dice: Chance) -> State:
        return replace(super().start(options, seats, dice), scores=[0] * seats)  # type: ignore[arg-type]


class SeatsNobody(Heap):
    def next(self, state: State, seat: Seat) -> Seat:
        return seat + 1


class OffersNothing(Heap):
    def legal_moves(self, state: State) -> Sequence[Move]:
        return ()


class OffersLists(Heap):
    def legal_moves(self, state: State) -> Sequence[Move]:
        return [Take([1])] if super().legal_moves(state) else ()  # type: ignore[arg-type]


class TurnsMovesRound(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def legal_moves(self, state: State) -> Sequence[Move]:
        return super().legal_moves(state)[:: 1 if next(self.calls) % 2 else -1]


class OffersTwice(Heap):
    def legal_moves(self, state: State) -> Sequence[Move]:
        moves = super().legal_moves(state)
        return (*moves, *moves[-1:])


class MixesKinds(Heap):
    def legal_moves(self, state: State) -> Sequence[Move]:
        moves = super().legal_moves(state)
        return (*moves[:1], *moves[-1:], *moves[1:-1])


class OffersTooMuch(Heap):
    def legal_moves(self, state: State) -> Sequence[Move]:
        return (*(Take(number) for number in (1, 2, 3)), Toss()) if super().legal_moves(state) else ()


class HidesMove(Heap):
    def legal_moves(self, state: State) -> Sequence[Move]:
        return [move for move in super().legal_moves(state) if move != Take(2)]


class LetsNegativesThrough(Heap):
    """A fault that no text leads to, as such a move can't be read."""

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        refusal = super().check(state, seat, move)
        return None if refusal and isinstance(move, Take) and move.count < 0 else refusal


class FailsOnNegatives(LetsNegativesThrough):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        if isinstance(move, Take) and move.count < 0:
            raise ValueError(move)
        return super().play(state, seat, move, dice)


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
        dice.randbelow(6)
        return super().play(state, seat, move, dice)


class ReadsOneMore(Heap):
    def parse_move(self, text: str) -> Move:
        move = super().parse_move(text)
        return Take(move.count + 1) if isinstance(move, Take) else move


class Stumbles(Heap):
    def parse_move(self, text: str) -> Move:
        return Take(int(text.removeprefix("take "))) if text != "toss" else Toss()


class ReadsAnything(Heap):
    def parse_move(self, text: str) -> Move:
        try:
            return super().parse_move(text)
        except Refusal:
            return Toss()


class RefusesOtherwise(Heap):
    def parse_move(self, text: str) -> Move:
        try:
            return super().parse_move(text)
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
    def encode_position(self, state: State) -> str:
        return super().encode_position(state) + "\n"


class CountsPositions(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def encode_position(self, state: State) -> str:
        return f"{super().encode_position(state)} {next(self.calls)}"


@dataclass(frozen=True, slots=True)
class PrivatelyTossed(Tossed):
    @property
    def audience(self) -> Seat | None:
        return 7


class TellsOneSeat(Heap):
    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step:
        after, events = super().play(state, seat, move, dice)
        return after, (*events, PrivatelyTossed(seat, 1))


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
    def legal_moves(self, state: State) -> Sequence[Move]:
        return super().legal_moves(state) or (Toss(),)


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


def with_game(game: Heap) -> AnyPackage:
    return replace(PACKAGE, game=game)


def with_options(model: type[HeapOptions]) -> AnyPackage:
    game = Heap()
    game.info = replace(Heap.info, options=model)
    return with_game(game)


def with_screen_change(change: Callable[[Screen], Screen]) -> AnyPackage:
    def draw(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
        return change(build_screen(view, news, names, draft))

    return replace(PACKAGE, build_screen=draw)


def with_control(*controls: Control) -> Callable[[Screen], Screen]:
    return lambda screen: replace(screen, controls=(*screen.controls, controls))


def with_menus(*menus: Menu) -> Callable[[Screen], Screen]:
    return lambda screen: replace(screen, menus=menus)


def make_menu(key: str = "more", **changes: Any) -> Menu:
    return Menu(key, "More", (replace(Control(f"{key}_toss", "Toss", Play("toss")), **changes),))


def change_while_playing(change: Callable[[Screen], Screen]) -> Callable[[Screen], Screen]:
    return lambda screen: change(screen) if screen.controls else screen


def without_controls(screen: Screen) -> Screen:
    return replace(screen, controls=())


class Greedy:
    """A computer player that takes more than there is."""

    def __call__(self, view: State, moves: Sequence[Move], chance: Chance) -> Move:
        return Take(4)


def highlight_all(screen: Screen) -> Screen:
    rows = (tuple(replace(control, key="same") for control in row) for row in screen.controls)
    return replace(screen, controls=tuple(rows))


UNKNOWN_FACT: dict[RefusalReason, str] = {**PACKAGE.error_messages, HeapReason.TOO_MANY: "Take at most {limit}."}
MISSING_SENTENCES: dict[RefusalReason, str] = {HeapReason.TOO_MANY: PACKAGE.error_messages[HeapReason.TOO_MANY]}


def draw_outside_picture(view: State, news: Sequence[Event]) -> Picture:  # noqa: ARG001 - it is always the same
    return Picture((200, 100), (), (Box(Rect(150, 10, 60, 60), ColourRole.PAPER),), "a box")


FAULTS = [
    (Check.INFO, with_game(HasNoVersion())),
    (Check.INFO, with_game(SeatsTooMany())),
    (Check.GUIDE, replace(PACKAGE, guide=Guide(" ", PACKAGE.guide.sections))),
    (Check.GUIDE, replace(PACKAGE, guide=Guide("Heap.", ()))),
    (Check.OPTIONS, with_game(LosesOptions())),
    (
        Check.DESCRIBED,
        replace(PACKAGE, describe_options=lambda options: ["losing"] if options.losing else []),
    ),
    (Check.DESCRIBED, replace(PACKAGE, describe_options=lambda options: [name for name, _ in options])),
    (Check.CHOICES, with_options(UntitledOption)),
    (Check.CHOICES, with_options(BlankDescription)),
    (Check.CHOICES, with_options(LongDescription)),
    (Check.CHOICES, with_options(TooManyOptions)),
    (
        Check.CHOICES,
        replace(with_options(LongName), describe_options=lambda options: ["long"] * (options != LongName())),
    ),
    (
        Check.CHOICES,
        replace(with_options(ReservedName), describe_options=lambda options: ["them"] * (options != ReservedName())),
    ),
    (Check.CHOICES, with_options(UnnamedValues)),
    (Check.CHOICES, with_options(AnyStones)),
    (Check.SENTENCES, replace(PACKAGE, error_messages=MISSING_SENTENCES)),
    (Check.SENTENCES, replace(PACKAGE, error_messages=UNKNOWN_FACT)),
    (Check.VALUES, with_game(KeepsLists())),
    (Check.VALUES, with_game(SeesDifferently())),
    (Check.VALUES, with_game(OffersLists())),
    (Check.SEAT, with_game(SeatsNobody())),
    (Check.MOVES, with_game(OffersNothing())),
    (Check.STABLE, with_game(TurnsMovesRound())),
    (Check.UNIQUE, with_game(OffersTwice())),
    (Check.KINDS, with_game(MixesKinds())),
    (Check.LEGAL, with_game(OffersTooMuch())),
    (Check.ILLEGAL, with_game(HidesMove())),
    (Check.ILLEGAL, with_game(LetsNegativesThrough())),
    (Check.ILLEGAL, with_game(FailsOnNegatives())),
    (Check.ANSWERED, with_game(StumblesOverMuch())),
    (Check.ANSWERED, with_game(SaysTrue())),
    (Check.OTHERS, with_game(LetsAnybodyMove())),
    (Check.PLAY_REFUSES, with_game(PlaysAnything())),
    (Check.PLAY_REFUSES, with_game(RollsBeforeLooking())),
    (Check.NOTATION, with_game(ReadsOneMore())),
    (Check.UNREADABLE, with_game(Stumbles())),
    (Check.UNREADABLE, with_game(ReadsAnything())),
    (Check.UNREADABLE, with_game(RefusesOtherwise())),
    (Check.DETERMINED, with_game(RollsItsOwn())),
    (Check.DETERMINED, with_game(StartsAnywhere())),
    (Check.UNTOUCHED, with_game(Scribbles())),
    (Check.AUDIT, with_game(LosesStones())),
    (Check.POSITION, with_game(WritesLines())),
    (Check.POSITION, with_game(CountsPositions())),
    (Check.AUDIENCE, with_game(TellsOneSeat())),
    (Check.LONGEST, with_game(NeverEnds())),
    (Check.UNFINISHED, with_game(RanksEarly())),
    (Check.OUTCOME, with_game(RanksNobody())),
    (Check.OUTCOME, with_game(ForgetsSeat())),
    (Check.OVER, with_game(OffersAfterwards())),
    (Check.OVER, with_game(KeepsSilentAfterwards())),
    (Check.REPLAY, with_game(ForgetsTosses())),
    (Check.LIMITS, with_screen_change(lambda screen: replace(screen, note="-" * 2049))),
    (Check.KEYS, with_screen_change(highlight_all)),
    (Check.KEYS, with_screen_change(with_menus(make_menu("a"), replace(make_menu("b"), key="a")))),
    (Check.KEYS, with_screen_change(with_menus(make_menu("a"), replace(make_menu("a"), key="b")))),
    (Check.LIMITS, with_screen_change(with_menus(make_menu(description="-" * 101)))),
    (Check.IDS, with_screen_change(with_menus(make_menu("More")))),
    (Check.IDS, with_screen_change(with_menus(make_menu(effect=Toggle(64))))),
    (Check.PRESSABLE, with_screen_change(with_menus(make_menu(effect=Play("take 4"))))),
    (Check.IDS, with_screen_change(with_control(Control("One more", "Toss", Play("toss"))))),
    (Check.IDS, with_screen_change(with_control(Control("x" * 25, "Toss", Play("toss"))))),
    (Check.IDS, with_screen_change(with_control(Control("far", "Far", Toggle(64))))),
    (Check.PRESSABLE, with_screen_change(with_control(Control("more", "Four", Play("take 4"), Tone.MAIN)))),
    (Check.PRESSABLE, with_screen_change(with_control(Control("shout", "Shout", Play("shout"))))),
    (Check.PICKS, with_screen_change(change_while_playing(with_control(Control("idle", "Idle", Toggle(3)))))),
    (Check.PICKS, with_screen_change(change_while_playing(with_menus(make_menu(effect=Toggle(3)))))),
    (Check.OFFERED, with_screen_change(without_controls)),
    (
        Check.OFFERED,
        replace(
            with_screen_change(without_controls), build_hand_screen=with_screen_change(without_controls).build_screen
        ),
    ),
    (
        Check.PRESSABLE,
        replace(
            PACKAGE,
            build_hand_screen=with_screen_change(with_control(Control("shout", "Shout", Play("shout")))).build_screen,
        ),
    ),
    (Check.PICTURE, replace(PACKAGE, build_picture=draw_outside_picture)),
    (Check.PICTURE, replace(PACKAGE, build_hand_picture=draw_outside_picture)),
    (Check.READING_NAMES, replace(PACKAGE, build_reading=lambda _view, _names: "")),
    (Check.READING_NAMES, replace(PACKAGE, build_reading=lambda _view, names: f"{names[0]} plays.")),
    (Check.ACCENT, with_screen_change(lambda screen: replace(screen, accent=3))),
    (Check.PLAYERS, replace(PACKAGE, strategies={"greedy": Greedy()})),
]
