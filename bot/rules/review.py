"""What a finished game owed to luck and what to skill, from what the moves of its decisions were worth.

Luck is how much more a seat's position was worth after chance had its say than the move that was made. Skill is how
much less its moves were worth than the best ones. What a seat began with, plus its luck, less what it gave away, is its
result. With two seats and chances of winning, what one seat loses the other one gains: the luck of one is the other's
bad luck, and what one gives away the other gets.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import fsum
from typing import Final, NamedTuple, TypeAlias

from bot.rules.evaluation import Unit
from bot.rules.game import Seat

_RACERS: Final = 2
MAX_TURNING_POINTS: Final = 3

SMALL_LOSSES: Final = {Unit.WINS: 0.01, Unit.POINTS: 0.5, Unit.FINAL_POINTS: 1.0}
"""Smaller losses are not worth mentioning."""

_POINTS_BY_UNIT: Final = {Unit.WINS: 100.0}
"""Losses and changes of different units are compared as if a point were a hundredth of a win."""

_NOTABLE_LOSS: Final = 1.0
"""A decision that gave away so many points, or hundredths of a win, is a turning point rather than the least luck."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a move was worth, beside the best one."""

    chosen: float
    best: float
    best_move: str
    """In the game's notation."""
    unit: Unit
    is_exact: bool

    @property
    def loss(self) -> float:
        """What the move gave away."""
        return self.best - self.chosen


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision between several moves."""

    step: int
    """The number of the move's entry, from 1."""
    seat: Seat
    turn: int
    gained: float
    """The points that the seat made in this turn."""
    is_followed_by_chance: bool
    """Whether the move rolled or drew something. Otherwise a change of values is only that of estimates."""
    move: str
    """In the game's notation."""
    assessment: Assessment
    is_vacated: bool = False
    """Whether a computer player made it for a person who had resigned or was absent: it says nothing about them."""
    is_own_chance: bool = True
    """Whether chance decided what happened to the seat, and not only what the next player gets, such as a card."""


class Cause(Enum):
    """Why a seat's value changed."""

    LUCK = "luck"
    SKILL = "skill"
    OTHERS = "others"
    """Others moved before the seat's next decision, so that chance can't be told from what they did."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A step that changed much."""

    decision: Decision
    cause: Cause
    change: float
    """To the seat that decided."""


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The account of a seat, in the unit of the review."""

    start: float
    """What it could expect: at the start, or in units of a turn at the start of each of its turns."""
    luck: float
    """What chance did after its own moves."""
    net_luck: float
    """The same, less the luck of its only opponent if chances of winning are counted."""
    given_away: float
    """What its own player gave away."""
    decisions: int
    """How many its own player made."""
    chosen_well: int
    """How many of those gave away hardly anything."""
    vacated_given_away: float
    """What a computer player gave away that made moves for a person who had resigned or was absent."""
    vacated_decisions: int
    """How many it made."""
    received: float
    """What its only opponent gave away if chances of winning are counted, otherwise nothing."""
    result: float

    @property
    def end(self) -> float:
        """What the account comes to: the result, unless the game was given up, which is neither luck nor a move."""
        return fsum((self.start, self.net_luck, self.received, -self.given_away, -self.vacated_given_away))


@dataclass(frozen=True, slots=True)
class BestMoments:
    """What a seat's own player likes to remember."""

    best: Decision | None
    """The last decision of the turn that brought the most points; None if no turn brought any."""
    luckiest: TurningPoint | None
    """The greatest luck, in another turn if there was any; None without luck."""


@dataclass(frozen=True, slots=True)
class Review:
    """The accounts of all seats, and how the game went."""

    unit: Unit
    is_exact: bool
    others: int
    """How many decisions were valued in another unit, and are in no account."""
    seats: tuple[SeatReview, ...]
    moments: tuple[BestMoments, ...]
    """Those of each seat."""
    turning_points: tuple[TurningPoint, ...]
    """In their order; each in a turn of its own."""
    curve: tuple[tuple[float, ...], ...]
    """What each seat could expect before each decision, and the results; empty in units of a turn."""
    costly: tuple[Decision, ...]
    """The decisions by which a seat's own player gave something away, of any unit, the most expensive ones first."""


Results: TypeAlias = Mapping[Unit, Sequence[float]]
"""The results of all seats, for each unit."""


def review_game(decisions: Sequence[Decision], results: Results, *, is_whole: bool = True) -> Review | None:
    """Review a game by its decisions, in the unit that most of them have; None if there were none.

    Args:
        decisions: All decisions between several moves, in order.
        results: What the seats ended with.
        is_whole: Whether the game was played to its end. Otherwise what followed the last decisions was no luck.
    """
    if not decisions:
        return None
    unit = Counter(each.assessment.unit for each in decisions).most_common(1)[0][0]
    return _Game(decisions, unit, results[unit], is_whole=is_whole).review()


class _Sequel(NamedTuple):
    """What followed a decision."""

    value: float
    """What it came to for its seat."""
    is_last: bool = False
    """Whether no decision of the game's unit followed that tells."""
    is_of_others: bool = False
    """Whether others decided in between."""


class _Game:
    """The decisions of a game; those in another unit than the review have no account, but may be turning points."""

    def __init__(self, decisions: Sequence[Decision], unit: Unit, results: Sequence[float], *, is_whole: bool) -> None:
        self._decisions = [each for each in decisions if each.assessment.unit is unit]
        self._aside = [each for each in decisions if each.assessment.unit is not unit]
        self._unit, self._results = unit, results
        self._sequels = [self._sequel_of(index) for index in range(len(self._decisions))]
        self._lucks = [
            sequel.value - each.assessment.chosen if is_whole or not sequel.is_last else 0.0
            for each, sequel in zip(self._decisions, self._sequels, strict=True)
        ]

    def review(self) -> Review:
        return Review(
            self._unit,
            all(each.assessment.is_exact for each in self._decisions),
            len(self._aside),
            tuple(self._account_of(seat) for seat in range(len(self._results))),
            tuple(self._moments_of(seat) for seat in range(len(self._results))),
            tuple(self._turning_points()),
            () if self._is_of_turn else tuple(self._curve()),
            tuple(sorted((each for each in (*self._decisions, *self._aside) if _is_costly(each)), key=_by_loss)),
        )

    @property
    def _is_zero_sum(self) -> bool:
        return self._unit is Unit.WINS and len(self._results) == _RACERS

    @property
    def _is_of_turn(self) -> bool:
        return self._unit is Unit.POINTS

    def _sequel_of(self, index: int) -> _Sequel:
        decision, later = self._decisions[index], self._decisions[index + 1 :]
        if self._is_zero_sum:
            return _Sequel(self._share_in(later[0], decision.seat)) if later else self._end_of(decision)
        own = next((place for place, each in enumerate(later) if each.seat == decision.seat), None)
        if own is None:
            return self._end_of(decision)._replace(is_of_others=bool(later) and not self._is_of_turn)
        if self._is_of_turn and later[own].turn != decision.turn:
            return self._end_of(decision)._replace(is_last=False)
        return _Sequel(later[own].assessment.best, is_of_others=own > 0)

    def _share_in(self, decision: Decision, seat: Seat) -> float:
        """Return a seat's chance before a decision of one of two."""
        best = decision.assessment.best
        return best if decision.seat == seat else 1 - best

    def _end_of(self, decision: Decision) -> _Sequel:
        value_of_end = decision.gained if self._unit is Unit.POINTS else self._results[decision.seat]
        return _Sequel(value_of_end, is_last=True)

    def _account_of(self, seat: Seat) -> SeatReview:
        losses, vacated = (
            [each.assessment.loss for each in self._decisions if each.seat == seat and each.is_vacated is by_computer]
            for by_computer in (False, True)
        )
        luck, opponents = self._luck_of(seat), (1 - seat,) if self._is_zero_sum else ()
        return SeatReview(
            start=self._start_of(seat),
            luck=luck,
            net_luck=luck - fsum(map(self._luck_of, opponents)),
            given_away=fsum(losses),
            decisions=len(losses),
            chosen_well=sum(loss < SMALL_LOSSES[self._unit] for loss in losses),
            vacated_given_away=fsum(vacated),
            vacated_decisions=len(vacated),
            received=fsum(each.assessment.loss for each in self._decisions if each.seat in opponents),
            result=self._results[seat],
        )

    def _moments_of(self, seat: Seat) -> BestMoments:
        own = [each for each in (*self._decisions, *self._aside) if each.seat == seat and not each.is_vacated]
        best = max(own, key=lambda each: (each.gained, each.step), default=None)
        if best is not None and best.gained <= 0:
            best = None
        lucky = [
            point
            for point in self._changes()
            if point.cause is Cause.LUCK and point.change > 0 and point.decision.is_own_chance and point.decision in own
        ]
        luckiest = max(
            lucky,
            key=lambda point: (best is None or point.decision.turn != best.turn, _size_of(point), -point.decision.step),
            default=None,
        )
        return BestMoments(best, luckiest)

    def _luck_of(self, seat: Seat) -> float:
        return fsum(luck for each, luck in zip(self._decisions, self._lucks, strict=True) if each.seat == seat)

    def _start_of(self, seat: Seat) -> float:
        own = [each for each in self._decisions if each.seat == seat]
        if self._is_of_turn:
            earlier = [None, *[each.turn for each in own]]
            starts = (each.assessment.best for each, turn in zip(own, earlier, strict=False) if each.turn != turn)
            return fsum(starts)
        if self._is_zero_sum:
            return self._share_in(self._decisions[0], seat)
        return own[0].assessment.best if own else self._results[seat]

    def _curve(self) -> Iterator[tuple[float, ...]]:
        seats = range(len(self._results))
        latest = [self._start_of(seat) for seat in seats]
        for each in self._decisions:
            latest[each.seat] = each.assessment.best
            if self._is_zero_sum:
                latest[1 - each.seat] = 1 - each.assessment.best
            yield self._shared_out(latest)
        yield tuple(self._results)

    def _shared_out(self, latest: Sequence[float]) -> tuple[float, ...]:
        """Return chances that add up to 1: those of several seats are from different moments, and estimates."""
        whole = fsum(latest)
        return tuple(each / whole for each in latest) if self._unit is Unit.WINS and whole else tuple(latest)

    def _turning_points(self) -> Iterator[TurningPoint]:
        by_turn: dict[int, TurningPoint] = {}
        for point in sorted(self._changes(), key=lambda point: (-_size_of(point), point.decision.step)):
            by_turn.setdefault(point.decision.turn, point)
        ranked = list(by_turn.values())
        found, worst = ranked[:MAX_TURNING_POINTS], next((each for each in ranked if each.cause is Cause.SKILL), None)
        if worst is not None and worst not in found and _size_of(worst) >= _NOTABLE_LOSS:
            found[-1] = worst
        yield from sorted(found, key=lambda point: point.decision.step)

    def _changes(self) -> Iterator[TurningPoint]:
        """Yield what every decision gave away, and what chance or others changed after it."""
        for each in (*self._decisions, *self._aside):
            if each.assessment.loss:
                yield TurningPoint(each, Cause.SKILL, -each.assessment.loss)
        for each, luck, sequel in zip(self._decisions, self._lucks, self._sequels, strict=True):
            if luck and each.is_followed_by_chance:
                yield TurningPoint(each, Cause.OTHERS if sequel.is_of_others else Cause.LUCK, luck)


def _size_of(point: TurningPoint) -> float:
    return _in_points(abs(point.change), point.decision.assessment.unit)


def _in_points(value: float, unit: Unit) -> float:
    return value * _POINTS_BY_UNIT.get(unit, 1.0)


def _is_costly(decision: Decision) -> bool:
    return decision.assessment.loss > 0 and not decision.is_vacated


def _by_loss(decision: Decision) -> tuple[float, int]:
    return -_in_points(decision.assessment.loss, decision.assessment.unit), decision.step
