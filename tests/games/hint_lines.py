"""What a hint says about the odds of a position."""

from collections.abc import Sequence
from typing import Any

from bot.rules.study import rank_moves
from bot.tables.registry import AnyPackage


def hint_odds(package: AnyPackage, view: Any, moves: Sequence[Any]) -> Sequence[str]:
    """Return the lines of a hint about odds."""
    assert package.mind.evaluate is not None
    assert package.study.describe_move is not None
    assert package.study.hints is not None
    evaluation = package.mind.evaluate(view, moves)
    best = rank_moves(view, moves, evaluation, package.mind.key_of, package.study.describe_move)
    return package.study.hints.explain(view, best, evaluation).odds
