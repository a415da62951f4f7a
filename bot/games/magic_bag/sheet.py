"""The reference sheet: the layout of each artifact, and the groups that its pieces form. Rule MB-13."""

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BeforeValidator

from bot.rules.content import ContentModel, Tables
from bot.rules.grades import Grades
from bot.rules.package import GameContent

_GAP = "."
_VALUES = "012345"

Grid: TypeAlias = tuple[tuple[int | None, ...], ...]
"""The rows of an artifact: the values of the pieces from left to right, None for a gap."""


def _read_grid(rows: object) -> object:
    """Split rows such as `0 2 4` into cells; pydantic refuses anything else."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
        raise ValueError('must be a list of rows such as "0 2 4"')
    return tuple(tuple(map(_read_cell, row.split())) for row in rows)


def _read_cell(cell: str) -> int | None:
    if cell not in {*_VALUES, _GAP}:
        raise ValueError(f"{cell!r} is neither a value from 0 to 5 nor a dot for a gap")
    return None if cell == _GAP else int(cell)


def _validate_complete(grid: Grid) -> Grid:
    """Raise ValueError if an artifact does not have each value once."""
    shown = Counter(str(value) for row in grid for value in row if value is not None)
    wrong = [value for value in _VALUES if shown[value] != 1]
    if wrong:
        raise ValueError(f"must show each value from 0 to 5 once; look at {', '.join(wrong)}")
    return grid


ArtifactGrid: TypeAlias = Annotated[Grid, BeforeValidator(_read_grid), AfterValidator(_validate_complete)]


class ReferenceSheet(ContentModel):
    """The layout of the three artifacts."""

    suns: ArtifactGrid
    moons: ArtifactGrid
    arms: ArtifactGrid


class MagicBagContent(GameContent):
    """The content of The Magic Bag."""

    reference_sheet: ReferenceSheet
    grades: Grades
    """The scores of the computer player."""
    outlook: Tables
    """What the strong computer player has learned about the rest of a game."""


def adjacent_pairs(grid: Grid) -> frozenset[tuple[int, int]]:
    """Return the pairs of pieces that share an edge, in both orders."""
    cells = {(down, right): value for down, row in enumerate(grid) for right, value in enumerate(row)}
    pairs = set()
    for (down, right), value in cells.items():
        for other in (cells.get((down + 1, right)), cells.get((down, right + 1))):
            if value is not None and other is not None:
                pairs |= {(value, other), (other, value)}
    return frozenset(pairs)


# 35 us of a click; there are 64 sets of pieces for each of the three artifacts.
@lru_cache(maxsize=1_024)
def find_groups(grid: Grid, values: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of collected pieces, each in rising order. Rule MB-11."""
    left, found = set(values), []
    while left:
        group = _find_group(min(left), left, adjacent_pairs(grid))
        left -= group
        found.append(tuple(sorted(group)))
    return tuple(found)


def _find_group(first: int, values: Collection[int], pairs: frozenset[tuple[int, int]]) -> set[int]:
    """Return the pieces connected with one of them."""
    group, reached = set(), {first}
    while reached:
        group |= reached
        reached = {other for value in reached for other in values if (value, other) in pairs} - group
    return group
