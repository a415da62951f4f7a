"""The toy game with a fault planted in its rules, in many ways."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from pydantic import field_serializer

from bot.rules.chance import Chance
from bot.rules.game import Event, GameInfo, Outcome, Seat
from bot.rules.refusals import Refusal
from tests.rules.heap_game import Heap, HeapOptions, HeapReason, Move, State, Take, Toss, Tossed

Transition = tuple[State, tuple[Event, ...]]


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


class KeepsLists(Heap):
    def start(self, options: HeapOptions, seats: int, chance: Chance) -> State:
        return replace(super().start(options, seats, chance), scores=[0] * seats)  # type: ignore[arg-type]


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
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        if isinstance(move, Take) and move.count < 0:
            raise ValueError(move)
        return super().play(state, seat, move, chance)


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
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        return super().play(state, seat, Toss() if self.check(state, seat, move) else move, chance)


class RollsBeforeLooking(Heap):
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        chance.randbelow(6)
        return super().play(state, seat, move, chance)


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

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        after, events = super().play(state, seat, move, chance)
        return replace(after, scores=(next(self.calls), *after.scores[1:])), events


class StartsAnywhere(Heap):
    def __init__(self) -> None:
        self.calls = count()

    def start(self, options: HeapOptions, seats: int, chance: Chance) -> State:
        return replace(super().start(options, seats, chance), mover=next(self.calls) % seats)


class Scribbles(Heap):
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        step = super().play(state, seat, move, chance)
        object.__setattr__(state, "heap", state.heap + 1)
        return step


class LosesStones(Heap):
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        after, events = super().play(state, seat, move, chance)
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
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        after, events = super().play(state, seat, move, chance)
        return after, (*events, PrivatelyTossed(seat, 1))


class NeverEnds(Heap):
    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        after, events = super().play(state, seat, move, chance)
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
    """Keeps state between games: after two games, the same chance gives other results."""

    def __init__(self) -> None:
        self.starts = count()
        self.more = 0

    def start(self, options: HeapOptions, seats: int, chance: Chance) -> State:
        self.more = next(self.starts) % 3 // 2
        return super().start(options, seats, chance)

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition:
        after, events = super().play(state, seat, move, chance)
        return replace(after, scores=tuple(score + self.more for score in after.scores)), events


class SeesDifferently(Heap):
    def view(self, state: State, seat: Seat | None) -> Any:
        return object()
