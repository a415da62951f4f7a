"""The odds of making enough points in a turn: to pass the finish line, or in the last round to take the lead."""

from dataclasses import dataclass

from bot.games.fortune.dice_counts import Values
from bot.games.fortune.evaluation import expected_utility
from bot.games.fortune.moves import Move
from bot.games.fortune.pieces import State
from bot.games.fortune.turn_values import Points


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
    """Return the chance (0 to 1) to make these points in a turn off the Island that goes on for nothing else."""
    chance = expected_utility(view.turn, move, _Goal(find_goal(view), view.options.nine_wins))
    # Sums of probabilities are rounded.
    return min(1.0, max(0.0, chance))
