"""The exact chances of winning for two seats, by how far each is from the target.

Only which dice are equal matters, not what they show: five dice are one of seven patterns, and what a roll keeps is one
of twelve. A turn depends on the pattern and on both distances, whatever the target is, and leads to positions with a
smaller total distance, or to the same one with the seats exchanged. So all positions of a total are found together
from the lower ones: 0.2 s up to a target of 100, 4 s up to 500. Rules MP-4 to MP-10.

What a seat alone expects of its turns is found in the same way, from the last turn on. Rule MP-S1.
"""

from functools import lru_cache
from itertools import combinations, product
from typing import Final, TypeAlias

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from bot.games.magpie.pieces import DICE_COUNT, SIDES, TURNS_ALONE, Faces, MagpieOptions
from bot.games.magpie.rules import clears_table, score_roll

Pattern: TypeAlias = tuple[int, ...]
"""How many dice show the same face, most first: (3, 2) is a full house."""

Chances: TypeAlias = NDArray[np.float64]

_TOLERANCE: Final = 1e-9
"""A turn is found once no chance of winning changes by more."""

_LENGTHS: Final = (100, 250, 500)
"""Distances up to which races are found: tables with similar targets share one."""

_MAX_BYTES: Final = 28_200_000
"""Of the races kept in every process that thinks: two of the longest variations, or all of the usual ones.

One takes 0.6, 4 or 14 MB.
"""


def pattern_of(faces: Faces) -> Pattern:
    """Return the pattern of some dice."""
    # A `Counter` takes three times as long, and every roll that may be made is looked at.
    return tuple(sorted(map(faces.count, set(faces)), reverse=True))


def _partitions(dice: int, most: int = DICE_COUNT) -> tuple[Pattern, ...]:
    """Return the patterns of a number of dice."""
    if not dice:
        return ((),)
    return tuple((first, *rest) for first in range(min(dice, most), 0, -1) for rest in _partitions(dice - first, first))


PATTERNS: Final = _partitions(DICE_COUNT)
KEPT_PATTERNS: Final = tuple(pattern for dice in range(DICE_COUNT) for pattern in _partitions(dice))
_PLACE: Final = {pattern: at for at, pattern in enumerate(PATTERNS)}
KEPT_PLACE: Final = {pattern: at for at, pattern in enumerate(KEPT_PATTERNS)}


def _faces_in(pattern: Pattern) -> Faces:
    """Return dice with a pattern."""
    return tuple(face for face, count in enumerate(pattern, 1) for _ in range(count))


_MAY_KEEP: Final = np.array(
    [
        [kept in {pattern_of(some) for some in combinations(_faces_in(pattern), sum(kept))} for kept in KEPT_PATTERNS]
        for pattern in PATTERNS
    ]
)
"""Whether a roll of a pattern can keep another."""

_NEVER: Final = np.where(_MAY_KEEP, 0.0, -np.inf)


def _landings(options: MagpieOptions) -> dict[int, Chances]:
    """Return the chance of each pattern after keeping some dice, by the points that the roll brings."""
    return _find_landings(options.double_big_rolls, options.reroll_fours, options.five_dice_bonus)


# 0.2 s of a computer player's move. The eight variations take 0.2 MB; the target does not matter.
@lru_cache(maxsize=8)
def _find_landings(*variations: bool) -> dict[int, Chances]:
    names = ("double_big_rolls", "reroll_fours", "five_dice_bonus")
    options = MagpieOptions(**dict(zip(names, variations, strict=True)))
    fresh = np.zeros(len(PATTERNS))
    for faces in product(range(SIDES), repeat=DICE_COUNT):
        fresh[_PLACE[pattern_of(faces)]] += SIDES**-DICE_COUNT
    found: dict[int, Chances] = {}
    for at, kept in enumerate(KEPT_PATTERNS):
        rolled = DICE_COUNT - sum(kept)
        for landed in product(range(1, SIDES + 1), repeat=rolled):
            faces = (*landed, *_faces_in(kept))
            combination, points = score_roll(options, faces, tuple(range(1, rolled + 1)))
            chances = found.setdefault(points, np.zeros((len(KEPT_PATTERNS), len(PATTERNS))))
            if clears_table(options, combination):
                chances[at] += fresh * SIDES**-rolled
            else:
                chances[at, _PLACE[pattern_of(faces)]] += SIDES**-rolled
    return found


def last_turn_values(options: MagpieOptions, behind: int, *, share: float = 0.5) -> Chances:
    """Return the chance of winning the last turn for each pattern kept. Rule MP-9.

    Args:
        options: The options.
        behind: The points to the best score of the others.
        share: The share of the win if that is just reached.
    """
    chances = np.zeros(len(KEPT_PATTERNS))
    for points, landing in _landings(options).items():
        chances += (1.0 if points > behind else share if points == behind else 0.0) * landing.sum(axis=1)
    return chances


@lru_cache(maxsize=2 * TURNS_ALONE)
def points_alone(options: MagpieOptions, turns: int) -> Chances:
    """Return the points that a seat alone expects of its last turns, for each pattern kept in the first. Rule MP-S1."""
    later = (points_alone(options, turns - 1) + _NEVER).max(axis=1) if turns > 1 else np.zeros(len(PATTERNS))
    found = np.zeros(len(KEPT_PATTERNS))
    for points, landing in _landings(options).items():
        found += landing @ (points + later)
    return found


_MAX_ROWS: Final = 100
"""Positions whose chances are multiplied at once. With more, OpenBLAS starts threads, which wait for each other."""


class Race:
    """The chances of winning of the seat to move, up to a distance from the target."""

    def __init__(self, options: MagpieOptions, longest: int) -> None:
        """Find them for all positions with both distances from 1 to the longest."""
        self._landings = _landings(options)
        scores = sorted(points for points in self._landings if points)
        self._scores = np.array(scores)
        self._scoring = np.concatenate([self._landings[points].T for points in scores])
        longest_behind = longest + scores[-1]
        last_turns = [(last_turn_values(options, behind) + _NEVER).max(axis=1) for behind in range(longest_behind + 1)]
        self._last_turns = np.array(last_turns)
        self._wins = np.full((longest + 1, longest + 1, len(PATTERNS)), np.nan)
        self.size = self._wins.nbytes
        for total in range(2, 2 * longest + 1):
            own = np.arange(max(1, total - longest), min(longest, total - 1) + 1)
            self._wins[own, total - own] = self._solve(own, total - own)

    def values(self, own: int, other: int) -> Chances:
        """Return the chance of winning for each pattern kept, with these distances from the target."""
        distances = np.array([own]), np.array([other])
        after = self._wins[other, own][None]
        return np.asarray((self._decided(*distances) + self._undecided(after))[0], dtype=np.float64)

    def _decided(self, own: NDArray[np.int_], other: NDArray[np.int_]) -> Chances:
        """Return what rolls that score contribute to the chance of winning, for each pattern kept."""
        pieces = range(0, len(own), _MAX_ROWS)
        return np.concatenate(
            [self._decided_rows(own[at : at + _MAX_ROWS], other[at : at + _MAX_ROWS]) for at in pieces]
        )

    def _decided_rows(self, own: NDArray[np.int_], other: NDArray[np.int_]) -> Chances:
        reaches = self._scores >= own[:, None]
        behind = np.where(reaches, other[:, None] + self._scores - own[:, None], 0)
        left = np.where(reaches, 1, own[:, None] - self._scores)
        replies = np.where(reaches[:, :, None], self._last_turns[behind], self._wins[other[:, None], left])
        return np.asarray((1 - replies).reshape(len(own), -1) @ self._scoring, dtype=np.float64)

    def _undecided(self, replies: Chances) -> Chances:
        """Return what rolls without points contribute, given the other seat's chances after them."""
        return (1 - replies) @ self._landings[0].T

    def _solve(self, own: NDArray[np.int_], other: NDArray[np.int_]) -> Chances:
        """Return the chances of all positions with the same total distance; their reverse has the seats exchanged."""
        decided = self._decided(own, other)
        wins = np.full((len(own), len(PATTERNS)), 0.5)
        while True:
            better = (decided + self._undecided(wins[::-1]))[:, None] + _NEVER
            found = better.max(axis=2)
            if np.abs(found - wins).max() < _TOLERANCE:
                return np.asarray(found, dtype=np.float64)
            wins = found


def find_race(options: MagpieOptions) -> Race:
    """Return the race to the target of some options; it may be longer."""
    longest = next(length for length in _LENGTHS if options.target <= length)
    return _find_race(options.model_copy(update={"target": longest}))


# 0.2 s of a computer player's move.
@cached(LRUCache(_MAX_BYTES, getsizeof=lambda race: race.size))
def _find_race(options: MagpieOptions) -> Race:
    return Race(options, options.target)
