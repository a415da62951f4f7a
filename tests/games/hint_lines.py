"""What a hint says about the odds of a position."""

from collections.abc import Sequence
from typing import Any

from bot.rules.study import rank_moves
from bot.tables.registry import AnyPackage


def hint_odds(package: AnyPackage, view: Any, moves: Sequence[Any]) -> Sequence[str]:
    """Return the lines of a hint about odds."""
    assert package.evaluate is not None
    assert package.describe_move is not None
    assert package.hints is not None
    evaluation = package.evaluate(view, moves)
    best = rank_moves(view, moves, evaluation, package.describe_move)
    return package.hints.explain(view, best, evaluation).odds
