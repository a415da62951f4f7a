"""Plays whole games between computer players, and sums up how each did."""

import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.rules.evaluation import Evaluation
    from bot.rules.game import Options, Outcome
    from bot.tables.registry import AnyPackage, AnyStrategy

_NORMAL_QUANTILE = 1.959964
"""Standard deviations on both sides of the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """How a computer player did."""

    level: str
    win_rate: float
    """The share of games won; a win shared by two counts half."""
    interval: tuple[float, float]
    """The 95 % confidence interval of the win rate."""
    score_mean: float
    decision_ms_p50: float
    """CPU time of choosing between several moves, in milliseconds."""
    decision_ms_p99: float
    losses: dict[str, float] | None = None
    """What a decision gave away on average, by unit; None unless that was asked for."""


@dataclass(slots=True)
class _Player:
    level: str
    strategy: "AnyStrategy"
    wins: float = 0.0
    scores: int = 0
    decisions: list[float] = field(default_factory=list)
    """Seconds of CPU time."""
    losses: dict[str, list[float]] = field(default_factory=dict)

    def note_loss(self, evaluation: "Evaluation", chosen: int) -> None:
        """Note what a move gave away, by the best evaluation that the game has."""
        values = evaluation.values
        self.losses.setdefault(evaluation.unit.name.lower(), []).append(max(values) - values[chosen])

    def report(self, games: int) -> PlayerReport:
        ordered = sorted(self.decisions) or [0.0]
        return PlayerReport(
            level=self.level,
            win_rate=round(self.wins / games, 4),
            interval=wilson_interval(self.wins, games),
            score_mean=round(self.scores / games, 2),
            decision_ms_p50=round(1000 * statistics.median(ordered), 3),
            decision_ms_p99=round(1000 * ordered[len(ordered) * 99 // 100], 3),
            losses={unit: round(statistics.fmean(losses), 4) for unit, losses in sorted(self.losses.items())} or None,
        )


class ComputerGames:
    """Games between computer players, who move on by one seat after each game.

    Each batch of games has a seed of its own; the same one gives the same games.
    """

    def __init__(
        self,
        package: "AnyPackage",
        levels: Sequence[str],
        options: "Options",
        seed: int,
        *,
        weighs_losses: bool = False,
    ) -> None:
        from bot.rules.chance import FastChance
        from bot.tables.registry import RandomStrategy, find_strategy

        self._package, self._options = package, options
        self._chance = FastChance(random.Random(seed))  # noqa: S311 - a simulation must be repeatable, not secret
        self._thoughts = FastChance(random.Random(f"players {seed}"))  # noqa: S311 - as above
        self._players = [_Player(level, find_strategy(package, level) or RandomStrategy()) for level in levels]
        self._evaluate = package.evaluate if weighs_losses else None
        self._games = 0
        self.moves = 0
        self.tally = Counter[str]()

    def play(self) -> "Outcome | None":
        """Play another game and return its outcome, by seat."""
        rules, seats = self._package.game, len(self._players)
        seated = [self._players[(seat + self._games) % seats] for seat in range(seats)]
        state = rules.start(self._options, seats, self._chance)
        while (seat := rules.seat_to_move(state)) is not None:
            move = self._choose(seated[seat], rules.view(state, seat), rules.legal_moves(state))
            state, events = rules.play(state, seat, move, self._chance)
            self.tally.update(self._package.tally(state, events))
            self.moves += 1
        self._games += 1
        outcome = rules.outcome(state)
        if outcome is not None:
            for seat, player in enumerate(seated):
                player.scores += outcome.scores[seat]
                player.wins += (seat in outcome.winners) / len(outcome.winners)
        return outcome

    def reports(self) -> list[PlayerReport]:
        """Return how each player did, in the order of the levels."""
        return [player.report(self._games) for player in self._players]

    def _choose(self, player: _Player, view: Any, moves: Sequence[Any]) -> Any:
        began = time.thread_time()
        move = player.strategy(view, moves, self._thoughts)
        if len(moves) > 1:
            player.decisions.append(time.thread_time() - began)
            if self._evaluate is not None:
                player.note_loss(self._evaluate(view, moves), moves.index(move))
        return move


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a win rate."""
    rate, z = wins / games, _NORMAL_QUANTILE
    centre = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return round((centre - spread) / whole, 4), round((centre + spread) / whole, 4)
