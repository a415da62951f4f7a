"""Reviews of stored games: their accounts are those of what was decided and rolled at the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.review import Assessment, Review
from bot.tables.registry import AnyPackage
from bot.tables.thinking import Question, Thought, assess_move
from bot.tables.time_slices import TimeSlices
from bot.ui.features.reviews import Reviewer
from tests.support.fake_store import FakeStore
from tests.support.games import load_games_once
from tests.support.stored_games import play_stored, replay_of

GAMES = 500
_CARELESS = 1
"""The seat that does not always make the best move."""


def evaluate_each_once(package: AnyPackage) -> AnyPackage:
    """Return a game whose positions are evaluated once, when they are played: the review asks for them again."""
    assert package.evaluate is not None
    return replace(package, evaluate=lru_cache(maxsize=None)(package.evaluate))


class DirectAssessor:
    """Says what moves were worth as workers do, at once."""

    def __init__(self, games: Mapping[str, AnyPackage]) -> None:
        self._games = games

    async def assess(self, question: Question, chosen: int) -> Thought[Assessment]:
        return assess_move(question, chosen, self._games)


@dataclass
class Accounts:
    """Plays both seats of a game of chances of winning, and keeps the accounts while it does."""

    package: AnyPackage
    source: Random
    start: float = 0.5
    """What the first seat could expect."""
    luck: list[float] = field(default_factory=lambda: [0.0, 0.0])
    given_away: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _latest: tuple[int, float] | None = None
    """Who moved last, and what the move was worth."""

    def choose(self, seat: int, view: Any, moves: Sequence[Any]) -> Any:
        values = self._evaluate(view, moves).values
        best = max(values)
        if self._latest is None:
            self.start = best if seat == 0 else 1 - best
        self._note_luck(seat, best)
        move = moves[values.index(best)]
        if seat == _CARELESS and self.source.random() < 0.2:
            move = self.source.choice(moves)
        worth = values[moves.index(move)]
        self.given_away[seat] += best - worth
        self._latest = seat, worth
        return move

    def end(self, results: Sequence[float]) -> None:
        """Note what the last move came to."""
        self._note_luck(0, results[0])

    def _evaluate(self, view: Any, moves: Sequence[Any]) -> Evaluation:
        assert self.package.evaluate is not None
        return self.package.evaluate(view, moves)

    def _note_luck(self, seat: int, chance: float) -> None:
        """Note how the latest move turned out, now that a seat has this chance of winning."""
        if self._latest is not None:
            mover, worth = self._latest
            self.luck[mover] += (chance if seat == mover else 1 - chance) - worth


async def test_start_luck_and_skill_make_the_result_and_luck_averages_zero() -> None:
    """Exact values of 500 games of Magpie, between a strong and a careless player."""
    package = evaluate_each_once(load_games_once()["magpie"])
    reviewer = Reviewer(DirectAssessor({"magpie": package}), FakeStore(), TimeSlices(), str)
    lucks = list[float]()
    for number in range(GAMES):
        played = Accounts(package, Random(number))
        stored = play_stored(package, 2, played.choose, options=MagpieOptions(target=50), seed=number)
        replay = replay_of(stored, package)
        outcome = replay.stages[-1].outcome
        assert outcome is not None
        results = [(seat in outcome.winners) / len(outcome.winners) for seat in range(2)]
        played.end(results)
        require_accounts(await reviewer.start(replay).task, played, results)
        lucks.append(played.luck[0] - played.luck[1])
    assert abs(fmean(lucks)) < 3 * stdev(lucks) / sqrt(GAMES)


def require_accounts(review: Review, played: Accounts, results: Sequence[float]) -> None:
    assert (review.unit, review.is_exact) == (Unit.WINS, True)
    first, second = review.seats
    assert (first.start, second.start) == pytest.approx((played.start, 1 - played.start), abs=1e-9)
    assert [each.luck for each in review.seats] == pytest.approx(played.luck, abs=1e-9)
    assert [each.given_away for each in review.seats] == pytest.approx(played.given_away, abs=1e-9)
    net = (first.luck - first.given_away) - (second.luck - second.given_away)
    assert [first.start + net, second.start - net] == pytest.approx(results, abs=1e-9)
    assert [each.result for each in review.seats] == results
