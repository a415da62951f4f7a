"""Where computer players think: in workers, or in threads."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from bot.platform.workers import Urgency, WorkerFailed, WorkerLost, WorkerPool
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hint, RankedMove
from bot.rules.review import Assessment
from bot.tables.levels import usual_level
from bot.tables.registry import AnyPackage
from bot.tables.thinking import Question, Thought, ThoughtT, assess_move, choose_move, explain_moves, make_hint

log = logging.getLogger(__name__)

THINKING_SECONDS: Final = 30.0
"""How long a decision may take. The longest, the first one of a game of Magpie to 500 points, takes five."""

WORKERS: Final = 2
"""While one is busy for seconds, the other makes the moves of other tables."""

_ATTEMPTS: Final = 2
"""How often values are asked for if workers are lost, which may have nothing to do with the question."""

_MAX_REPORTED: Final = 32
"""How many different reasons for thinking in a thread are logged; each may quote a traceback."""

Games: TypeAlias = Mapping[str, AnyPackage]


class StrategyFailed(Exception):
    """A strategy failed, perhaps in another process; the message is its traceback."""


class Thinker:
    """Chooses moves for computer players, says what moves are worth, and logs what fails."""

    def __init__(self, games: Games, workers: WorkerPool[Games] | None = None) -> None:
        """Set it up.

        Args:
            games: The games of this process.
            workers: Workers that have loaded the same games; without them, and if they fail, threads think.
        """
        self._games = games
        self._workers = workers
        self._reported: set[str] = set()

    async def choose(self, question: Question, level: str, seed: int) -> int | None:
        """Return the place of the move that a level chooses, None if neither it nor the usual level comes to one.

        Args:
            question: The view and the moves.
            level: The level; after the loss of a worker the usual one takes over.
            seed: A number below `SEEDS`, which decides what the level leaves to chance.
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
        """Return a hint, and whether its values are those of the strongest level.

        Moves that computer players are to make come first.
        """
        return await self._advise(question.game, partial(make_hint, question))

    async def explain(
        self, question: Question, best: Sequence[RankedMove[Any]], evaluation: Evaluation
    ) -> Explanation | None:
        """Return what a hint says beside the best moves of a position; None if the game offers no hints, or failed."""
        return (await self._advise(question.game, partial(explain_moves, question, best, evaluation))).result

    async def assess(self, question: Question, chosen: int) -> Thought[Assessment]:
        """Return what the move at a place was worth beside the best one, and whether the strongest level said so."""
        return await self._advise(question.game, partial(assess_move, question, chosen))

    async def _advise(self, game: str, thinking: Callable[[Games], Thought[ThoughtT]]) -> Thought[ThoughtT]:
        player = f"the strongest player of {game}"
        for _ in range(_ATTEMPTS):
            try:
                thought = await self._think(thinking, Urgency.LOW)
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
                self._report_once(f"computer players think in a thread: {fault}")
        return await asyncio.to_thread(thinking, self._games)

    def _report(self, thought: Thought[ThoughtT], game: str, player: str) -> None:
        """Log what failed. From now on the usual level plays if stored arrays can't be used any more."""
        package = self._games[game]
        if thought.broken and thought.broken != package.broken:
            log.warning("computer players of %s only play Normal: %s", game, thought.broken)
            if package.trainer is not None:
                package.trainer.broken = thought.broken
        for fault in thought.faults:
            log.error("%s failed", player, exc_info=StrategyFailed(fault))

    def _report_once(self, sentence: str) -> None:
        if sentence not in self._reported and len(self._reported) < _MAX_REPORTED:
            self._reported.add(sentence)
            log.warning(sentence)
