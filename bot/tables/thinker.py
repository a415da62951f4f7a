"""Runs the thinking of computer players in workers or threads."""

import asyncio
import logging
import random
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeAlias, TypeVar

from bot.languages import current_language, speaking
from bot.platform.catalogues import Catalogues
from bot.rules.chance import FastChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Evaluation
from bot.rules.review import Assessment
from bot.rules.study import Explanation, Hint, RankedMove, rank_moves
from bot.tables.registry import (
    AnyEvaluator,
    AnyPackage,
    GameRegistry,
    evaluators_of,
    find_strategy,
    levels_of,
    usual_level,
)
from bot.workers import Urgency, WorkerFailed, WorkerLost, WorkerPool

SEEDS: Final = 2**53
"""The number of seeds of a computer player's own random numbers."""

Games: TypeAlias = GameRegistry

T = TypeVar("T")
ThoughtT = TypeVar("ThoughtT")


@dataclass(frozen=True, slots=True)
class Question:
    """A position for a computer player: the view of the seat to move, and its legal moves."""

    game: str
    view: Any
    moves: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Thought(Generic[ThoughtT]):
    """The result of thinking, and the reasons if the first candidate did not give it."""

    result: ThoughtT | None
    broken: str = ""
    """A sentence about unusable stored arrays, because of which a weaker candidate took over; empty otherwise."""
    faults: tuple[str, ...] = ()
    """The tracebacks of candidates that failed."""

    @property
    def is_first_choice(self) -> bool:
        """Whether the first candidate gave the result."""
        return self.result is not None and not self.broken and not self.faults


def choose_move(question: Question, level: str, seed: int, games: Mapping[str, AnyPackage]) -> Thought[int]:
    """Return the index of the move that a level, or else the usual level, chooses; None if both fail."""
    package, moves = games[question.game], question.moves
    chance = FastChance(random.Random(seed))  # noqa: S311 - a computer player's random choices are no secret
    usual = levels_of(package)[usual_level(package)]
    strategies = dict.fromkeys((find_strategy(package, level) or usual, usual))
    return _first_success(strategies, lambda strategy: moves.index(strategy(question.view, moves, chance)))


def evaluate_moves(question: Question, games: Mapping[str, AnyPackage]) -> Thought[Evaluation]:
    """Return the values of the moves from the strongest evaluator that works; None if there is none."""
    evaluators = evaluators_of(games[question.game])
    return _first_success(evaluators, lambda evaluate: evaluate(question.view, question.moves))


def make_hint(question: Question, games: Mapping[str, AnyPackage]) -> Thought[Hint[Any]]:
    """Return a hint based on the strongest evaluator that works; None if the game offers no hints."""
    package, view, moves = games[question.game], question.view, question.moves
    describe, hints = package.study.describe_move, package.study.hints
    if describe is None or hints is None:
        return Thought(None)

    def think(evaluate: AnyEvaluator) -> Hint[Any]:
        evaluation = evaluate(view, moves)
        best = rank_moves(view, moves, evaluation, package.mind.key_of, describe)
        return Hint(best, evaluation, hints.explain(view, best, evaluation))

    return _first_success(evaluators_of(package), think)


def explain_moves(
    question: Question, best: Sequence[RankedMove[Any]], evaluation: Evaluation, games: Mapping[str, AnyPackage]
) -> Thought[Explanation]:
    """Return the explanation of a hint's best moves, whose values are known; None if the game offers no hints."""
    hints = games[question.game].study.hints
    explainers = () if hints is None else (hints.explain,)
    return _first_success(explainers, lambda explain: explain(question.view, best, evaluation))


def _advise_in(code: str, thinking: Callable[[Games], Thought[ThoughtT]], games: Games) -> Thought[ThoughtT]:
    """Think in the language of the person who asks; threads speak it already, and processes load it."""
    if current_language().code == code:
        return thinking(games)
    with speaking(Catalogues().find(code)):
        return thinking(games)


def assess_move(question: Question, chosen: int, games: Mapping[str, AnyPackage]) -> Thought[Assessment]:
    """Compare the value of a chosen move with that of the best one, as `evaluate_moves` values them.

    Args:
        question: The position.
        chosen: The index of the move.
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
    """Return the thought of the first candidate that does not fail, with the reasons of earlier failures."""
    broken, faults = "", list[str]()
    for candidate in candidates:
        try:
            return Thought(think(candidate), broken, tuple(faults))
        except BrokenTables as fault:
            broken = str(fault)
        except Exception:  # noqa: BLE001 - a faulty strategy must not hold up the table, and its traceback is logged
            faults.append(traceback.format_exc())
    return Thought(None, broken, tuple(faults))


log = logging.getLogger(__name__)

THINKING_SECONDS: Final = 30.0
"""The most seconds for a decision. The longest, the first one in a game of Magpie to 500 points, takes five."""

WORKERS: Final = 2
"""Two, so that one worker moves at other tables while the other is busy for seconds."""

_ATTEMPTS: Final = 2
"""Attempts per question, because a worker may be lost for reasons unrelated to the question."""

_MAX_REPORTED: Final = 32
"""The most different reasons for thinking in a thread that are logged; each one may quote a traceback."""


class StrategyFailed(Exception):
    """A strategy failed, perhaps in another process; the message is its traceback."""


class Thinker:
    """Chooses and values moves with the strategies of games, and logs their failures."""

    def __init__(self, games: GameRegistry, workers: WorkerPool[Games] | None = None) -> None:
        """Initialize.

        Args:
            games: The games of this process.
            workers: Workers that have loaded the same games. Without them, or if they fail, threads do the thinking.
        """
        self._games = games
        self._workers = workers
        self._reported: set[str] = set()

    async def choose(self, question: Question, level: str, seed: int) -> int | None:
        """Return the index of the move that a level chooses; None if the level and the usual level both fail.

        Args:
            question: The view and the moves.
            level: The level; if its worker is lost, the usual level takes over.
            seed: The seed of the level's random choices, below `SEEDS`.
        """
        for name in (level, usual_level(self._games[question.game])):
            player = f"the {name} player of {question.game}"
            try:
                thought = await self._think(partial(choose_move, question, name, seed), Urgency.HIGH)
            except WorkerLost as loss:
                log.warning("%s while %s was thinking", loss, player)
            else:
                self._report(thought, question.game, player)
                return thought.result
        return None

    async def hint(self, question: Question) -> Thought[Hint[Any]]:
        """Return a hint, and whether its values come from the strongest level.

        Moves of computer players have priority.
        """
        return await self._advise(question.game, partial(make_hint, question))

    async def explain(
        self, question: Question, best: Sequence[RankedMove[Any]], evaluation: Evaluation
    ) -> Explanation | None:
        """Return the explanation of a hint's best moves; None if the game offers no hints or failed."""
        return (await self._advise(question.game, partial(explain_moves, question, best, evaluation))).result

    async def assess(self, question: Question, chosen: int) -> Thought[Assessment]:
        """Compare a move's value with the best one's; the thought tells whether the strongest level valued them."""
        return await self._advise(question.game, partial(assess_move, question, chosen))

    async def _advise(self, game: str, thinking: Callable[[Games], Thought[ThoughtT]]) -> Thought[ThoughtT]:
        player = f"the strongest player of {game}"
        advising = partial(_advise_in, current_language().code, thinking)
        for _ in range(_ATTEMPTS):
            try:
                thought = await self._think(advising, Urgency.LOW)
            except WorkerLost as loss:
                log.warning("%s while %s was thinking", loss, player)
            else:
                self._report(thought, game, player)
                return thought
        return Thought(None)

    async def _think(self, thinking: Callable[[Games], Thought[ThoughtT]], urgency: Urgency) -> Thought[ThoughtT]:
        if self._workers is not None:
            try:
                return await self._workers.call(thinking, seconds=THINKING_SECONDS, urgency=urgency)
            except WorkerFailed as fault:
                sentence = f"computer players think in a thread: {fault}"
                if sentence not in self._reported and len(self._reported) < _MAX_REPORTED:
                    self._reported.add(sentence)
                    log.warning(sentence)
        return await asyncio.to_thread(thinking, self._games)

    def _report(self, thought: Thought[ThoughtT], game: str, player: str) -> None:
        """Log failures. If stored arrays can't be used any more, the usual level plays from now on."""
        if thought.broken and thought.broken != self._games[game].mind.broken:
            log.warning("computer players of %s only play Normal: %s", game, thought.broken)
            self._games.note_broken(game, thought.broken)
        for fault in thought.faults:
            log.error("%s failed", player, exc_info=StrategyFailed(fault))
