"""Hints: the best moves of a position with what they are worth, the odds that matter, and why the first is the best."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, Protocol, TypeVar

from bot.rules.evaluation import Evaluation
from bot.rules.game import MoveT, ViewT

MOST_MOVES: Final = 3
"""How many moves a hint shows."""

_DIGITS: Final = 6
"""Decimals that tell values apart: those of equal moves may be rounded differently."""

MoveT_co = TypeVar("MoveT_co", covariant=True)
MoveT_contra = TypeVar("MoveT_contra", contravariant=True)
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class RankedMove(Generic[MoveT_co]):
    """One of the best moves of a position."""

    move: MoveT_co
    text: str
    """The move in words."""
    value: float
    """What it is worth, in the unit of the evaluation."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a hint says beside the moves."""

    odds: tuple[str, ...]
    """The odds that matter, a line for each."""
    reason: str
    """Why the first move is the best, in one sentence."""


@dataclass(frozen=True, slots=True)
class Hint(Generic[MoveT_co]):
    """What a hint says."""

    best: tuple[RankedMove[MoveT_co], ...]
    """The best moves, best first."""
    evaluation: Evaluation
    explanation: Explanation


class MoveExplainer(Protocol[ViewT_contra, MoveT_contra]):
    """Explains the best moves of a view."""

    def __call__(
        self, view: ViewT_contra, best: Sequence[RankedMove[MoveT_contra]], evaluation: Evaluation, /
    ) -> Explanation:
        """Return the odds and the reason, where there is a choice; the best moves come best first."""


@dataclass(frozen=True, slots=True)
class Hints(Generic[ViewT, MoveT]):
    """How a game words hints."""

    explain: MoveExplainer[ViewT, MoveT]
    format_points: Callable[[float], str]
    """Formats a value in points, rounded as it is shown, in the game's own unit."""


def rank_moves(
    view: ViewT, moves: Sequence[MoveT], evaluation: Evaluation, describe: Callable[[ViewT, MoveT], str]
) -> tuple[RankedMove[MoveT], ...]:
    """Return the best moves, best first; those that are described alike are one."""
    return tuple(islice(_different_moves(view, moves, evaluation.values, describe), MOST_MOVES))


def _different_moves(
    view: ViewT, moves: Sequence[MoveT], values: Sequence[float], describe: Callable[[ViewT, MoveT], str]
) -> Iterator[RankedMove[MoveT]]:
    seen = set[str]()
    for at in sorted(range(len(moves)), key=lambda at: -round(values[at], _DIGITS)):
        text = describe(view, moves[at])
        if text not in seen:
            seen.add(text)
            yield RankedMove(moves[at], text, values[at])
