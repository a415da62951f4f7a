"""What moves are worth, in expected points of this turn or in chances of winning, and what the screen advises."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log2
from operator import itemgetter
from typing import Final, NamedTuple

from bot.games.fortune.facts import chance_of_skulls
from bot.games.fortune.minds.race import RaceUtility, last_turn_utility, load_race
from bot.games.fortune.minds.turn_values import (
    DiceCounts,
    Points,
    PointsUtility,
    Utility,
    Values,
    dice_counts_of,
    get_turn_values,
)
from bot.games.fortune.pieces import (
    DICE_COUNT,
    FACES,
    MAX_SKULLS,
    Card,
    CardKind,
    Move,
    Places,
    Revive,
    Roll,
    State,
    Turn,
)
from bot.games.fortune.rules import distinct_moves, subsets
from bot.games.fortune.scoring import can_make_nine, score_of, skull_price_of
from bot.rules.content import BrokenTables, Tables
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.screen import find_clear_best

_LINE_REACH = 2500
"""Farther from the line the bonus is ignored: few turns score more."""

_CROSSING_BONUS = 1500.0
"""The bonus for crossing the line, which leaves each opponent one turn."""

_LEAD_BONUS = 1000.0
"""The bonus for being ahead in the last round, which outweighs points."""

_LAST_ROUND_SLOPE = 0.05
NINE_BONUS = 20_000.0
"""The bonus for winning with nine of a kind."""

_CLEAR_LEAD: Final = 0.005
"""The chance of winning by which a move must lead to be recommended: half a percent, which hints round away."""

_MOST_ADVISED: Final = 3
"""The moves that a screen may advise."""

_RACERS: Final = 2
_RIVAL_WEIGHT: Final = 0.85
"""How much rivals count besides the leading one: so the chances of all seats add up to 1 at the start of games."""


def evaluate_points(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the expected points of this turn with the best play, and with a bonus for crossing the line."""
    turn = view.turn
    if not turn.faces:
        return Evaluation([0.0] * len(moves), Unit.POINTS)
    if turn.island:
        return Evaluation([_island_value(turn, move) for move in moves], Unit.POINTS)
    evaluate = _TurnEvaluator(turn, utility_of(view)).evaluate
    return Evaluation([evaluate(move) for move in moves], Unit.POINTS)


def utility_of(view: State) -> PointsUtility:
    """Return the utility of points to the seat to move. Rules FO-E1 and FO-E2."""
    seat = view.mover or 0
    own, target = view.scores[seat], view.options.target
    # Cards that can't make nine of a kind share a utility.
    nine = NINE_BONUS if view.options.nine_wins and can_make_nine(view.turn.card) else 0.0
    if view.crosser is not None:
        others = max(score for other, score in enumerate(view.scores) if other != seat)
        return PointsUtility(_LAST_ROUND_SLOPE, max(others, target) - own, _LEAD_BONUS, nine)
    gap = target - own
    return (
        PointsUtility(line=gap, prize=_CROSSING_BONUS, nine_bonus=nine)
        if gap <= _LINE_REACH
        else PointsUtility(nine_bonus=nine)
    )


def expected_points(turn: Turn, move: Move) -> float:
    """Return the expected points of a move off the Island, if the rest of the turn maximises them."""
    return _TurnEvaluator(turn, PointsUtility()).evaluate(move)


def _island_value(turn: Turn, move: Move) -> float:
    """Return the points that the opponents are expected to lose by one more roll. Rule FO-9."""
    rolled = len(move.dice) if isinstance(move, Roll) else 0
    return rolled / len(FACES) * skull_price_of(turn.card)


class _TurnEvaluator:
    """Evaluates the moves of a turn. With a Treasure Chest there may be thousands, so their common parts are kept."""

    def __init__(self, turn: Turn, utility: Utility) -> None:
        self._turn, self._counts = turn, dice_counts_of(turn.faces)
        self._values = get_turn_values(turn.card, utility, spell=turn.spell)
        self._has_chest = turn.card.kind is CardKind.TREASURE_CHEST
        self._chest_rolls: dict[Places, _ChestRoll] = {}
        self._chest_values: dict[Places, float] = {}

    def evaluate(self, move: Move) -> float:
        """Return the value of a move off the Island."""
        match move:
            case Roll(dice, chest):
                return self._value_with_chest(dice, chest) if self._has_chest else self._value_of_rolling(dice)
            case Revive(skull, dice):
                return self._values.value_of_reviving(self._kept_counts((skull, *dice)))
            case _:
                return self._values.value_of_stopping(self._counts)

    def _value_of_rolling(self, dice: Places) -> float:
        return self._values.value_of_rolling(self._kept_counts(dice))

    def _kept_counts(self, rolled: Places) -> DiceCounts:
        counts = list(self._counts)
        for place in rolled:
            counts[self._turn.faces[place - 1]] -= 1
        return tuple(counts)

    def _value_with_chest(self, dice: Places, chest: Places) -> float:
        """Return the value of a roll: kept dice that are left out of the chest are lost with a bust. Rule FO-C1."""
        roll = self._chest_rolls.get(dice)
        if roll is None:
            free = self._turn.free
            kept = tuple([place for place in free if place not in dice])
            bust = chance_of_skulls(len(dice), MAX_SKULLS + 1 - (DICE_COUNT - len(free)))
            roll = self._chest_rolls[dice] = _ChestRoll(
                self._value_of_rolling(dice), bust, len(kept), self._chest_value(kept)
            )
        if len(chest) == roll.kept:
            return roll.worth
        return roll.worth - roll.bust * (roll.saved - self._chest_value(chest))

    def _chest_value(self, places: Places) -> float:
        if places not in self._chest_values:
            points = score_of(self._turn.card, (self._turn.faces[place - 1] for place in places)).total
            self._chest_values[places] = self._values.value_of_points(points)
        return self._chest_values[places]


class _ChestRoll(NamedTuple):
    """A roll with a Treasure Chest."""

    worth: float
    """Its value with all kept dice in the chest."""
    bust: float
    """The probability that only the chest counts."""
    kept: int
    """The number of dice that are kept."""
    saved: float
    """The value of all kept dice in the chest if the roll is a bust."""


@dataclass(frozen=True, slots=True)
class RaceEvaluator:
    """Values moves by the chance of winning a race of two against the leading rival.

    In that race later turns begin with a full deck. With more seats the chance is raised to a power, so that equal
    seats have about equal shares; this changes no choice.
    """

    tables: Tables

    def __call__(self, view: State, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored race can't be used.
        """
        turn = view.turn
        if not turn.faces or turn.island:
            return evaluate_points(view, moves)
        evaluate = _TurnEvaluator(turn, self._utility_of(view)).evaluate
        power = self._power_of(view)
        return Evaluation([min(1.0, max(0.0, evaluate(move))) ** power for move in moves], Unit.WINS)

    def _power_of(self, view: State) -> float:
        """Return the power: each rival counts by its chance of winning, compared with that of the leading rival."""
        if len(view.scores) == _RACERS or view.crosser is not None:
            return 1.0
        race, mover, target = load_race(self.tables), view.mover or 0, view.options.target
        rivals = [
            race.chance_of_other(target - view.scores[mover], target - score)
            for seat, score in enumerate(view.scores)
            if seat != mover
        ]
        return 1 + _RIVAL_WEIGHT * (log2(1 + fsum(rivals) / max(rivals)) - 1)

    def _utility_of(self, view: State) -> RaceUtility:
        race, mover, options = load_race(self.tables), view.mover or 0, view.options
        own = view.scores[mover]
        leader = max(score for seat, score in enumerate(view.scores) if seat != mover)
        if view.crosser is not None:
            return last_turn_utility(leader - own, nine_wins=options.nine_wins)
        return race.utility(options.target - own, options.target - leader, nine_wins=options.nine_wins)


@dataclass(frozen=True, slots=True)
class _Goal:
    """A utility that is 1 for so many points or more, and 0 otherwise."""

    points: int
    nine_wins: bool
    tolerance: float = 1e-4

    def evaluate(self, points: Points) -> Values:
        """Return which points are enough."""
        return (points >= self.points).astype(float)

    def evaluate_nine(self, values: Values) -> Values:
        """Return what nine of a kind is worth: it may win whatever its points are. Rule FO-8."""
        return values.clip(min=1.0) if self.nine_wins else values


def find_goal(view: State) -> int:
    """Return the fewest points with which this turn passes the line, or takes the lead. Rules FO-E1 and FO-E2."""
    own = view.scores[view.mover or 0]
    if view.crosser is None:
        return view.options.target - own + 1
    return max(score for seat, score in enumerate(view.scores) if seat != view.mover) - own + 1


def chance_of_goal(view: State, move: Move) -> float:
    """Return the chance (0 to 1) of reaching the goal in a turn off the Island that is played for nothing else."""
    chance = _TurnEvaluator(view.turn, _Goal(find_goal(view), view.options.nine_wins)).evaluate(move)
    # Sums of probabilities are rounded.
    return min(1.0, max(0.0, chance))


class Advice(NamedTuple):
    """Recommendations to the player to move."""

    best: Move | None
    """The move that is clearly best; None if the choice is close."""
    rolls: tuple[Roll | Revive, ...]
    """The ways to roll on among the best three moves, the best first."""


# Saves 0.3 ms when dice are picked, which changes nothing about the advice.
@lru_cache(maxsize=256)
def advice_of(view: State, evaluate: RaceEvaluator) -> Advice:
    """Return recommendations to a player whose dice lie. The first ones of a turn take 2 ms, the others 0.3 ms."""
    turn = view.turn
    if turn.island:
        return Advice(Roll(turn.free), (Roll(turn.free),))
    if not turn.may_roll:
        return Advice(None, ())
    moves = distinct_moves(turn)
    worths = [*zip(_values_of(view, moves, evaluate), moves, strict=True)]
    clear = find_clear_best(worths, _CLEAR_LEAD)
    ranked = sorted(worths, key=itemgetter(0), reverse=True)[:_MOST_ADVISED]
    best, *others = [move for _, move in ranked if isinstance(move, Roll | Revive)]
    if isinstance(best, Revive) or not best.chest:
        return Advice(clear, (best, *others))
    # Just before the line a full chest may be too much: crossing it gives everyone else a last turn.
    chests = [Roll(best.dice, chest) for chest in subsets(best.chest)][::-1]
    fitting = max(zip(_values_of(view, chests, evaluate), chests, strict=True), key=itemgetter(0))[1]
    return Advice(fitting if clear == best else clear, (fitting,))


def _values_of(view: State, moves: Sequence[Move], evaluate: RaceEvaluator) -> Sequence[float]:
    try:
        return evaluate(view, moves).values
    except BrokenTables:
        # Whoever asks for a hint is told of it.
        return evaluate_points(view, moves).values


def prepare_advice(cards: Iterable[Card], tables: Tables) -> None:
    """Load the race, and fill the caches with what does not depend on the scores; this takes about 20 ms per card."""
    with suppress(BrokenTables):
        load_race(tables)
    for card in dict.fromkeys(cards):
        for nine in (0.0, NINE_BONUS) if can_make_nine(card) else (0.0,):
            get_turn_values(card, PointsUtility(nine_bonus=nine), spell=card.kind is CardKind.SORCERESS)
