"""What computer players think: pure calculations that can run in a thread or in another process."""

import random
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from bot.rules.chance import FastChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hint, RankedMove, rank_moves
from bot.rules.review import Assessment
from bot.tables.levels import evaluators_of, find_strategy, levels_of, usual_level
from bot.tables.registry import AnyEvaluator, AnyPackage

SEEDS: Final = 2**53
"""The number of seeds of a computer player's own random numbers."""

T = TypeVar("T")
ThoughtT = TypeVar("ThoughtT")


@dataclass(frozen=True, slots=True)
class Question:
    """What a computer player is asked: it gets the view of the seat to move, and the legal moves."""

    game: str
    view: Any
    moves: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Thought(Generic[ThoughtT]):
    """What came of thinking, and why it was not the first choice."""

    result: ThoughtT | None
    broken: str = ""
    """A sentence about stored arrays that can't be used, so that something weaker took over; or empty."""
    faults: tuple[str, ...] = ()
    """The tracebacks of what failed."""

    @property
    def is_first_choice(self) -> bool:
        """Whether the result is that of the first candidate."""
        return self.result is not None and not self.broken and not self.faults


def choose_move(question: Question, level: str, seed: int, games: Mapping[str, AnyPackage]) -> Thought[int]:
    """Return the place of the move that a level chooses, or else the usual level; None if both fail."""
    package, moves = games[question.game], question.moves
    chance = FastChance(random.Random(seed))  # noqa: S311 - what a computer player leaves to chance is no secret
    usual = levels_of(package)[usual_level(package)]
    strategies = dict.fromkeys((find_strategy(package, level) or usual, usual))
    return _first_success(strategies, lambda strategy: moves.index(strategy(question.view, moves, chance)))


def evaluate_moves(question: Question, games: Mapping[str, AnyPackage]) -> Thought[Evaluation]:
    """Return the values of the moves by the strongest evaluator that does not fail; None if there is none."""
    evaluators = evaluators_of(games[question.game])
    return _first_success(evaluators, lambda evaluate: evaluate(question.view, question.moves))


def make_hint(question: Question, games: Mapping[str, AnyPackage]) -> Thought[Hint[Any]]:
    """Return a hint by the values of the strongest evaluator that does not fail; None if the game offers no hints."""
    package, view, moves = games[question.game], question.view, question.moves
    describe, hints = package.describe_move, package.hints
    if describe is None or hints is None:
        return Thought(None)

    def think(evaluate: AnyEvaluator) -> Hint[Any]:
        evaluation = evaluate(view, moves)
        best = rank_moves(view, moves, evaluation, describe)
        return Hint(best, evaluation, hints.explain(view, best, evaluation))

    return _first_success(evaluators_of(package), think)


def explain_moves(
    question: Question, best: Sequence[RankedMove[Any]], evaluation: Evaluation, games: Mapping[str, AnyPackage]
) -> Thought[Explanation]:
    """Return what a hint says beside the best moves, whose values are known; None if the game offers no hints."""
    hints = games[question.game].hints
    explainers = () if hints is None else (hints.explain,)
    return _first_success(explainers, lambda explain: explain(question.view, best, evaluation))


def assess_move(question: Question, chosen: int, games: Mapping[str, AnyPackage]) -> Thought[Assessment]:
    """Return what a chosen move was worth beside the best one, as `evaluate_moves` values them.

    Args:
        question: The position.
        chosen: The place of the move.
        games: The games by key.
    """
    thought = evaluate_moves(question, games)
    if thought.result is None:
        return Thought(None, thought.broken, thought.faults)
    evaluation, moves = thought.result, question.moves
    best = max(range(len(moves)), key=evaluation.values.__getitem__)
    assessment = Assessment(
        evaluation.values[chosen],
        evaluation.values[best],
        str(moves[best]),
        evaluation.unit,
        evaluation.is_exact,
    )
    return Thought(assessment, thought.broken, thought.faults)


def _first_success(candidates: Iterable[T], think: Callable[[T], ThoughtT]) -> Thought[ThoughtT]:
    """Return what comes of the first candidate that does not fail, and why others did."""
    broken, faults = "", list[str]()
    for candidate in candidates:
        try:
            return Thought(think(candidate), broken, tuple(faults))
        except BrokenTables as fault:
            broken = str(fault)
        except Exception:  # noqa: BLE001 - a faulty strategy must not block the table, and its traceback is logged
            faults.append(traceback.format_exc())
    return Thought(None, broken, tuple(faults))
