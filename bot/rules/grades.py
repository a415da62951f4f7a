"""How good a score of a solo game is, compared with games of the computer players."""

from bisect import bisect_right
from typing import Annotated, Final, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, PositiveInt

from bot.rules.content import ContentModel

PERCENTS = range(1, 100)

LEAST_PERCENT: Final = 50
"""The share of games that a score must beat for this to be told."""


def _validate_rising(scores: tuple[int, ...]) -> tuple[int, ...]:
    if len(scores) != len(PERCENTS) or list(scores) != sorted(scores):
        raise ValueError(f"must be {len(PERCENTS)} scores, lowest first")
    return scores


Scale: TypeAlias = Annotated[tuple[int, ...], AfterValidator(_validate_rising)]
"""The lowest score that is better than 1 % of a computer player's games, than 2 %, and so on to 99 %."""


class Grade(NamedTuple):
    """How good a score is."""

    level: str
    """The level of the computer player that it is compared with."""
    percent: int
    """Than how many games in a hundred it is better, from 50 to 99."""


class Grades(ContentModel):
    """The scores of computer players in many games with the default options; higher is better."""

    games: PositiveInt
    """The number of games of each level."""
    version: PositiveInt
    """The version of the rules; other rules may bring other scores."""
    better_than: Annotated[dict[str, Scale], Field(min_length=1)]
    """The scale of each level, weakest first."""

    def grade(self, score: int) -> Grade | None:
        """Compare a score with the strongest level of which it beats half of the games; None if there is none."""
        grades = [Grade(level, bisect_right(scale, score)) for level, scale in self.better_than.items()]
        return next((grade for grade in reversed(grades) if grade.percent >= LEAST_PERCENT), None)


def make_scale(scores: list[int]) -> Scale:
    """Return the scale from the scores of games."""
    ordered = sorted(scores)
    # A score is better than a share of the games if so many are below it, and not equal.
    return tuple(ordered[-(-len(ordered) * percent // 100) - 1] + 1 for percent in PERCENTS)
