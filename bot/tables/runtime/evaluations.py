"""Where the values of moves are calculated: away from the event loop."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.rules.evaluation import Evaluation
from bot.tables.registry import AnyPackage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Position:
    """What the seat to move may know: its view, and its legal moves."""

    game: str
    view: Any
    moves: Sequence[Any]


class MoveEvaluator(Protocol):
    """Says what moves are worth."""

    async def evaluate(self, position: Position) -> Evaluation | None:
        """Return the values of the moves, or None if that fails."""


class ThreadEvaluator:
    """Evaluates moves in threads."""

    def __init__(self, games: Mapping[str, AnyPackage]) -> None:
        self._games = games

    async def evaluate(self, position: Position) -> Evaluation | None:
        """Return the values of the moves, or None if that fails; the failure is logged."""
        evaluate = self._games[position.game].evaluate
        if evaluate is None:
            return None
        try:
            return await asyncio.to_thread(evaluate, position.view, position.moves)
        except Exception:
            log.exception("the evaluator of %s failed", position.game)
            return None
