"""What moves are worth in expected points of this turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, log2
from typing import Final

from bot.games.fortune.deck import CardKind
from bot.games.fortune.dice_counts import DiceCounts, dice_counts_of
from bot.games.fortune.moves import Move, Revive, Roll
from bot.games.fortune.odds import chance_of_skulls
from bot.games.fortune.pieces import DICE_COUNT, FACES, MAX_SKULLS, Places, State, Turn
from bot.games.fortune.race import RaceUtility, load_race
from bot.games.fortune.scoring import CAPTAIN_FACTOR, TOLL_PER_SKULL, score_of
from bot.games.fortune.strategy import utility_of
from bot.games.fortune.turn_values import PointsUtility, TurnValues, Utility, get_turn_values
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit

_RACERS: Final = 2
_RIVAL_WEIGHT: Final = 0.85
"""What rivals besides the leader count. Measured: the chances of all seats then add up to 1 at the start of games."""


def evaluate_turn(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the expected points of this turn, with a bonus for crossing the line, if it goes on as well as it can."""
    turn = view.turn
    if not turn.faces:
        return Evaluation([0.0] * len(moves), Unit.POINTS)
    if turn.island:
        return Evaluation([_island_value(turn, move) for move in moves], Unit.POINTS)
    evaluate = _TurnEvaluator(turn, get_turn_values(turn.card, utility_of(view), spell=turn.spell)).evaluate
    return Evaluation([evaluate(move) for move in moves], Unit.POINTS)


def expected_points(turn: Turn, move: Move) -> float:
    """Return the points that a turn off the Island brings on average if it goes on for the most points."""
    return expected_utility(turn, move, PointsUtility())


def expected_utility(turn: Turn, move: Move, utility: Utility) -> float:
    """Return what the points of a turn off the Island are worth on average if it goes on for that."""
    return _TurnEvaluator(turn, get_turn_values(turn.card, utility, spell=turn.spell)).evaluate(move)


def _island_value(turn: Turn, move: Move) -> float:
    """Return the points that the opponents are expected to lose by one more roll. Rule FO-9."""
    rolled = len(move.dice) if isinstance(move, Roll) else 0
    factor = CAPTAIN_FACTOR if turn.card.kind is CardKind.CAPTAIN else 1
    return rolled / len(FACES) * TOLL_PER_SKULL * factor


class _TurnEvaluator:
    """Values of the moves of a turn. There may be thousands with a Treasure Chest, so parts of them are kept."""

    def __init__(self, turn: Turn, values: TurnValues) -> None:
        self._turn, self._values = turn, values
        self._roll_values: dict[Places, float] = {}
        self._chest_values: dict[Places, float] = {}

    def evaluate(self, move: Move) -> float:
        """Return the value of a move off the Island."""
        match move:
            case Roll(dice, chest):
                if dice not in self._roll_values:
                    self._roll_values[dice] = self._values.value_of_rolling(self._kept_counts(dice))
                return self._roll_values[dice] - (self._cost_of_chest(dice, chest) if self._has_chest else 0.0)
            case Revive(skull, dice):
                return self._values.value_of_reviving(self._kept_counts((skull, *dice)))
            case _:
                return self._values.value_of_stopping(dice_counts_of(self._turn.faces))

    @property
    def _has_chest(self) -> bool:
        return self._turn.card.kind is CardKind.TREASURE_CHEST

    def _kept_counts(self, rolled: Places) -> DiceCounts:
        return dice_counts_of(tuple([face for place, face in enumerate(self._turn.faces, 1) if place not in rolled]))

    def _cost_of_chest(self, rolled: Places, chest: Places) -> float:
        """Return what it costs on average to leave kept dice out of the chest. Rule FO-C1."""
        turn = self._turn
        if len(rolled) + len(chest) == len(turn.free):
            return 0.0
        kept = tuple([place for place in turn.free if place not in rolled])
        bust = chance_of_skulls(len(rolled), MAX_SKULLS + 1 - (DICE_COUNT - len(turn.free)))
        return bust * (self._chest_value(kept) - self._chest_value(chest))

    def _chest_value(self, places: Places) -> float:
        if places not in self._chest_values:
            points = score_of(self._turn.card, (self._turn.faces[place - 1] for place in places)).total
            self._chest_values[places] = self._values.value_of_points(points)
        return self._chest_values[places]


@dataclass(frozen=True, slots=True)
class RaceEvaluator:
    """Finds the chance of winning after each move, from that of a race of two against the leader of the others.

    Later turns begin with a full deck in it. With more seats it is raised to a power, so that it is about a fair share
    where all are level; that changes no choice.
    """

    tables: Tables

    def __call__(self, view: State, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored race can't be used.
        """
        turn = view.turn
        if not turn.faces or turn.island:
            return evaluate_turn(view, moves)
        evaluate = _TurnEvaluator(turn, get_turn_values(turn.card, self._utility_of(view), spell=turn.spell)).evaluate
        power = self._power_of(view)
        return Evaluation([min(1.0, max(0.0, evaluate(move))) ** power for move in moves], Unit.WINS)

    def _power_of(self, view: State) -> float:
        """Return the power for the rivals besides the leader, who count by how strong they are beside it."""
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
            return race.last_utility(leader - own, nine_wins=options.nine_wins)
        return race.utility(options.target - own, options.target - leader, nine_wins=options.nine_wins)
