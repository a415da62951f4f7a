"""What the buttons of Change advise, by the values of hints."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from bot.games.change.minds.credit_values import evaluate_turn
from bot.games.change.minds.win_chances import WinEvaluator
from bot.games.change.moves import Move
from bot.games.change.pieces import View
from bot.rules.content import BrokenTables, Tables

_CACHE_SIZE = 64

MoveRanking: TypeAlias = Callable[[View, tuple[Move, ...]], Mapping[Move, float]]
"""Returns moves with their values, the best first."""


@lru_cache(_CACHE_SIZE)
def rank_moves(network: Tables, view: View, moves: tuple[Move, ...]) -> Mapping[Move, float]:
    """Return moves with their chances of winning, the best first; without the stored network, with credits instead."""
    try:
        values = WinEvaluator(network)(view, moves).values
    except BrokenTables:
        values = evaluate_turn(view, moves).values
    return dict(sorted(zip(moves, values, strict=True), key=lambda pair: -pair[1]))
