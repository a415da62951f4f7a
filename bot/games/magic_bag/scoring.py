"""Scores positions, and matches dice with rows."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, compress, permutations, product

from bot.games.magic_bag.pieces import (
    ROW_SIZES,
    VALUES,
    Faces,
    Grid,
    MagicBagEnd,
    Piece,
    ReferenceSheet,
    Row,
    State,
    Suit,
    find_groups,
)

GROUP_POINTS = (0, 10, 30, 60, 100, 150, 210)
"""Points of a group by its size. Rule MB-11."""

TILE_BONUS = 10
"""Points per value of the tiles left when the bag is empty. Rule MB-12."""

_CACHE_SIZE = 4096
"""How many chances are remembered, half a kB each."""


@dataclass(frozen=True, slots=True)
class ArtifactScore:
    """The score of an artifact."""

    suit: Suit
    groups: tuple[tuple[int, ...], ...]

    @property
    def points(self) -> int:
        """The points of all groups. Rule MB-11."""
        return sum(GROUP_POINTS[len(group)] for group in self.groups)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a position."""

    gold: int
    artifacts: tuple[ArtifactScore, ...]
    bonus: int

    @property
    def total(self) -> int:
        """The total points."""
        return self.gold + sum(artifact.points for artifact in self.artifacts) + self.bonus


def score_of(state: State) -> Score:
    """Return the score of a position. Rules MB-10, MB-11 and MB-12."""
    coins = state.layout.collected
    return Score(
        gold=sum(values_of(Suit.CROWN, coins)),
        artifacts=tuple(
            ArtifactScore(suit, find_groups(grid, values_of(suit, coins)))
            for suit, grid in artifact_grids(state.layout.sheet)
        ),
        bonus=_bonus_points(state),
    )


def points_of(state: State) -> int:
    """Return the total score without its parts, which is faster."""
    return treasure_points(state.layout.sheet, state.layout.collected) + _bonus_points(state)


def _bonus_points(state: State) -> int:
    return tile_bonus(state.layout.rows) if state.end is MagicBagEnd.LAST_COIN else 0


def treasure_points(sheet: ReferenceSheet, coins: Collection[Piece]) -> int:
    """Return the points for coins. Rules MB-10 and MB-11."""
    gold = sum(values_of(Suit.CROWN, coins))
    return gold + sum(_artifact_points(grid, values_of(suit, coins)) for suit, grid in artifact_grids(sheet))


# 15 us of a click.
@lru_cache(maxsize=1_024)
def _artifact_points(grid: Grid, values: frozenset[int]) -> int:
    return sum(GROUP_POINTS[len(group)] for group in find_groups(grid, values))


def tile_bonus(rows: Iterable[Row]) -> int:
    """Return the points for tiles left when the bag is empty. Rule MB-12."""
    return TILE_BONUS * sum(tile.value for row in rows for tile in row)


def values_of(suit: Suit, coins: Iterable[Piece]) -> frozenset[int]:
    """Return the values of the coins of one suit."""
    return frozenset([coin.value for coin in coins if coin.suit is suit])


def artifact_grids(sheet: ReferenceSheet) -> tuple[tuple[Suit, Grid], ...]:
    """Return the layout of each artifact with its suit."""
    return (Suit.SUN, sheet.suns), (Suit.MOON, sheet.moons), (Suit.ARMS, sheet.arms)


def _matchable_needs(faces: Faces) -> frozenset[tuple[int, ...]]:
    """Return the values, in any order, of every row that the dice match. Rule MB-4."""
    return frozenset(chosen for count in (1, 2, 3, 4) for chosen in permutations(faces, count))


# Dice in another order match the same rows.
_SORTED_NEEDS = {faces: _matchable_needs(faces) for faces in combinations_with_replacement(VALUES, len(Suit))}
_MATCHABLE_NEEDS = {faces: _SORTED_NEEDS[tuple(sorted(faces))] for faces in product(VALUES, repeat=len(Suit))}


# 38 us of a click.
@lru_cache(_CACHE_SIZE)
def matching_chance(kept: tuple[int, ...], rows: frozenset[tuple[int, ...]]) -> float:
    """Return the chance (0 to 1) that kept dice and a roll of the others match at least one row.

    Args:
        kept: The values of the kept dice, in rising order.
        rows: The values of each row.
    """
    count = len(Suit) - len(kept)
    landings = product(VALUES, repeat=count)
    matching = sum(not rows.isdisjoint(_MATCHABLE_NEEDS[*kept, *landed]) for landed in landings)
    return matching / float(len(VALUES)) ** count


_ROW_NUMBERS = range(1, len(ROW_SIZES) + 1)


def dice_match(faces: Faces, needs: tuple[int, ...]) -> bool:
    """Return whether the dice match a row with these values: one die for each tile. Rule MB-4."""
    return needs in _MATCHABLE_NEEDS[faces]


def find_matching_rows(needs: Iterable[tuple[int, ...]], faces: Faces) -> tuple[int, ...]:
    """Return the numbers of the rows that the dice match, given the values of each row. Rule MB-4."""
    return tuple(compress(_ROW_NUMBERS, map(_MATCHABLE_NEEDS[faces].__contains__, needs)))


def find_exact_tiles(row: Row, faces: Faces) -> tuple[Piece, ...]:
    """Return the tiles of a row that equal a die in suit and value. Rule MB-6."""
    return tuple([tile for tile in row if faces[tile.suit] == tile.value])
