"""How good a score of a solo game is, compared with a computer player's games."""

from bisect import bisect_right
from typing import Annotated

from pydantic import AfterValidator, PositiveInt

from bot.rules.content import ContentModel

PERCENTS = range(1, 100)


def _validate_rising(scores: tuple[int, ...]) -> tuple[int, ...]:
    if len(scores) != len(PERCENTS) or list(scores) != sorted(scores):
        raise ValueError(f"must be {len(PERCENTS)} scores, lowest first")
    return scores


class Grades(ContentModel):
    """The scores of a computer player in many games with the default options; higher is better."""

    level: str
    """The level of the computer player."""
    games: PositiveInt
    version: PositiveInt
    """The version of the rules; other rules may bring other scores."""
    better_than: Annotated[tuple[int, ...], AfterValidator(_validate_rising)]
    """The lowest score that is better than 1 % of the games, than 2 %, and so on to 99 %."""

    def percent_beaten(self, score: int) -> int:
        """Return than how many games in a hundred a score is better, from 0 to 99."""
        return bisect_right(self.better_than, score)


def grade_scores(scores: list[int], level: str, version: int) -> Grades:
    """Return the grades from the scores of games."""
    ordered = sorted(scores)
    # A score is better than a share of the games if so many are below it, and not equal.
    thresholds = (ordered[-(-len(ordered) * percent // 100) - 1] + 1 for percent in PERCENTS)
    return Grades(level=level, games=len(ordered), version=version, better_than=tuple(thresholds))
