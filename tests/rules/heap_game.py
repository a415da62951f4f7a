"""A toy game that keeps the contract: take stones off a heap, or toss a die for one of them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from operator import attrgetter
from typing import Annotated, TypeAlias

from pydantic import Field as Option

from bot.rules.chance import Chance, roll
from bot.rules.game import EndReason, Event, GameInfo, Options, Outcome, Seat, places_by_score
from bot.rules.guide import Guide, GuidePage, caption, stack_rows
from bot.rules.notation import Notation, notation
from bot.rules.options import OfferedValues, ValueNames
from bot.rules.package import GamePackage, Mind, Results, ScoreKind, Study, Words
from bot.rules.refusals import CommonReason, Refusal, RefusalFacts, RefusalReason
from bot.rules.screen import Control, Draft, Field, News, Play, Screen, Toggle

MAX_TAKEN = 3


class Stone(Enum):
    PEBBLE = "pebble"
    MARBLE = "marble"


class HeapOptions(Options):
    stones: Annotated[int, OfferedValues((3, 6, 12))] = Option(
        default=6, ge=3, le=12, title="Stones", description="So many lie there at first."
    )
    kind: Annotated[Stone, ValueNames({Stone.PEBBLE: "pebbles", Stone.MARBLE: "marbles"})] = Option(
        default=Stone.PEBBLE, title="Kind", description="What they are."
    )
    losing: bool = Option(default=False, title="Losing", description="The most stones lose.")


class HeapReason(RefusalReason):
    TOO_MANY = "too_many"
    NONE_TAKEN = "none_taken"


@dataclass(frozen=True)
class LimitFacts(RefusalFacts):
    most: int


class HeapEnd(EndReason):
    HEAP_EMPTY = "heap_empty"


@notation("take {count}")
@dataclass(frozen=True, slots=True)
class Take:
    count: int


@notation("toss")
@dataclass(frozen=True, slots=True)
class Toss:
    pass


Move: TypeAlias = Take | Toss

NOTATION = Notation[Move](Take, Toss)


@dataclass(frozen=True, slots=True)
class Tossed(Event):
    seat: Seat
    face: int


@dataclass(frozen=True, slots=True)
class State:
    options: HeapOptions
    heap: int
    scores: tuple[int, ...]
    mover: Seat | None


class Heap:
    info = GameInfo("heap", "Heap", "Nobody.", 2, 3, HeapOptions, version=1, step_limit=12, minutes_per_seat=1)

    def start(self, options: HeapOptions, seats: int, chance: Chance) -> State:
        return State(options, options.stones, (0,) * seats, chance.randbelow(seats))

    def seat_to_move(self, state: State) -> Seat | None:
        return state.mover

    def turn_of(self, state: State) -> Hashable:
        return state.mover

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        if seat != state.mover:
            return Refusal(CommonReason.GAME_OVER if state.mover is None else CommonReason.NOT_TO_MOVE)
        if isinstance(move, Take) and move.count <= 0:
            return Refusal(HeapReason.NONE_TAKEN)
        if isinstance(move, Take) and move.count > min(MAX_TAKEN, state.heap):
            return Refusal(HeapReason.TOO_MANY, LimitFacts(min(MAX_TAKEN, state.heap)))
        return None

    def legal_moves(self, state: State) -> Sequence[Move]:
        if state.mover is None:
            return ()
        return (*(Take(count) for count in range(1, min(MAX_TAKEN, state.heap) + 1)), Toss())

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        if refusal := self.check(state, seat, move):
            raise refusal
        gained = roll(chance, 1)[0] if isinstance(move, Toss) else 0
        events = (Tossed(seat, gained),) if gained else ()
        heap = state.heap - (move.count if isinstance(move, Take) else 1)
        scores = tuple(score + (gained if at == seat else 0) for at, score in enumerate(state.scores))
        return replace(state, heap=heap, scores=scores, mover=self.next(state, seat) if heap else None), events

    def next(self, state: State, seat: Seat) -> Seat:
        return (seat + 1) % len(state.scores)

    def outcome(self, state: State) -> Outcome | None:
        if state.mover is not None:
            return None
        return Outcome(places_by_score(state.scores), state.scores, HeapEnd.HEAP_EMPTY)

    def view(self, state: State, seat: Seat | None) -> State:
        return state

    def audit(self, state: State) -> tuple[str, ...]:
        return () if state.heap >= 0 else ("a heap below nothing",)

    def encode_position(self, state: State) -> str:
        return f"{state.heap} {state.scores} {state.mover}"

    def parse_move(self, text: str) -> Move:
        return NOTATION.parse(text)


class PatientHeap(Heap):
    """A heap whose players go on for as long as they take one stone."""

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        after, events = super().play(state, seat, move, chance)
        return replace(after, mover=seat) if move == Take(1) and after.heap else after, events


def build_screen(view: State, news: Sequence[News[Event]], names: Sequence[str], draft: Draft) -> Screen:
    if view.mover is None:
        return Screen("Heap", "It is empty.")
    stones = tuple(Control(f"stone{token}", "Stone", Toggle(token)) for token in range(min(MAX_TAKEN, view.heap)))
    move = Take(min(len(draft), view.heap, MAX_TAKEN)) if draft else Toss()
    return Screen(
        title=f"Heap: {names[view.mover]}",
        text=f"{view.heap} stones",
        fields=(Field("Scores", str(view.scores)),),
        controls=(stones, (Control("do", str(move), Play(str(move))),)),
        note=f"{len(news)} tosses",
        accent=view.mover,
    )


class FirstMovePlayer:
    def __call__(self, view: State, moves: Sequence[Move], chance: Chance) -> Move:
        return moves[chance.randbelow(len(moves))]


def describe_options(options: HeapOptions) -> list[str]:
    return [name for name, value in options if value != type(options).model_fields[name].default]


def make_page(title: str, text: str, option: str | None = None) -> GuidePage:
    """Return a page of the guide with a picture of its own."""
    return GuidePage(title, text, lambda: stack_rows(text, caption(title)), option)


def build_pages(options: HeapOptions) -> list[GuidePage]:
    pages = [make_page("Turn", f"Take or toss some of {options.stones}.")]
    if options.losing:
        pages.append(make_page("Losing", "The most stones lose.", "losing"))
    return pages


PACKAGE: GamePackage[HeapOptions, State, Move, Event, State] = GamePackage(
    game=Heap(),
    words=Words(
        build_screen=build_screen,
        error_messages={
            HeapReason.TOO_MANY: "Take at most {most}.",
            HeapReason.NONE_TAKEN: "Take one at least.",
        },
        describe_options=describe_options,
    ),
    study=Study(
        guide=Guide("Stones.", build_pages),
    ),
    mind=Mind(
        strategies={"careless": FirstMovePlayer()},
    ),
    results=Results(
        score_kind=ScoreKind(str),
        scores_of=attrgetter("scores"),
    ),
)

PATIENT_PACKAGE: GamePackage[HeapOptions, State, Move, Event, State] = replace(PACKAGE, game=PatientHeap())
