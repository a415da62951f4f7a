"""Checks what a seat is told of its moves: their values and the hint."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from bot.rules.study import rank_moves
from bot.tools.contract.contract import AnyPackage, Check, require


def value_moves(package: AnyPackage, view: Any, moves: Sequence[Any]) -> tuple[object, ...]:
    """Return the values of legal moves and the hint, which has the best of them; nothing if there is no choice.

    Raises:
        BrokenContract: There is not one value for each legal move.
    """
    evaluate, describe = package.evaluate, package.describe_move
    if evaluate is None or describe is None or len(moves) < 2:
        return ()
    evaluation = evaluate(view, moves)
    values = tuple(map(float, evaluation.values))
    require(Check.VALUED, len(values) == len(moves) and all(map(isfinite, values)), values)
    best = rank_moves(view, moves, evaluation, describe)
    explanation = None if package.hints is None else package.hints.explain(view, best, evaluation)
    return values, evaluation.unit, evaluation.is_exact, best, explanation
