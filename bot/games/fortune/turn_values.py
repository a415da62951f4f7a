"""The exact expected values of a turn with best play, for any card."""

from dataclasses import dataclass
from functools import cache, lru_cache
from operator import add, sub

from bot.games.fortune.deck import Card, CardKind
from bot.games.fortune.dice_counts import (
    DiceCounts,
    Values,
    average_over_rolls,
    best_kept_values,
    faces_of,
    get_counts_index,
    without_die,
)
from bot.games.fortune.odds import chance_of_skulls
from bot.games.fortune.pieces import DICE_COUNT, MAX_SKULLS, MIN_ROLLED_DICE, Face
from bot.games.fortune.scoring import is_nine_of_a_kind, score_of

_TOLERANCE = 2.0
"""The iteration stops once no value changes by more points."""

_MAX_ITERATIONS = 30
_CACHE_SIZE = 40
"""Cached cards with a prize; within a turn it is always the same one."""


@dataclass(frozen=True, slots=True)
class Utility:
    """The utility of points: a slope, and a prize for more points than `line`."""

    slope: float = 1.0
    line: int = 0
    prize: float = 0.0
    nine_bonus: float = 0.0
    """The bonus for nine of a kind. Rule FO-8."""

    def __call__(self, points: int) -> float:
        """Return the utility of points."""
        return self.slope * points + (self.prize if points > self.line else 0.0)


class TurnValues:
    """The expected utilities of dice in a turn with a card; `spell` means that a Sorceress can still help."""

    def __init__(self, card: Card, utility: Utility, *, spell: bool) -> None:
        self._card, self._utility = card, utility
        self._revive_values: Values | None = get_turn_values(card, utility, spell=False).roll_values if spell else None
        self._stop_values = [self._final_value(counts) for counts in get_counts_index().full]
        self.roll_values: Values = self._iterate_values()
        """The value of keeping each count and rolling the other dice."""

    def value_of_stopping(self, counts: DiceCounts) -> float:
        """Return the value of stopping with eight dice."""
        return self._stop_values[get_counts_index().position_of[counts] - get_counts_index().offsets[DICE_COUNT]]

    def value_of_rolling(self, kept: DiceCounts) -> float:
        """Return the value of keeping some dice and rolling the others."""
        return self.roll_values[get_counts_index().position_of[kept]]

    def value_of_reviving(self, kept: DiceCounts) -> float:
        """Return the value of rolling if one of the rolled dice is a skull that the Sorceress frees. Rule FO-C3."""
        return (
            self._revive_values[get_counts_index().position_of[kept]]
            if self._revive_values is not None
            else self.value_of_rolling(kept)
        )

    def _count_skulls(self, counts: DiceCounts) -> int:
        return counts[Face.SKULL] + self._card.skulls

    def _final_value(self, counts: DiceCounts) -> float:
        """Return the value of eight dice without further rolls."""
        if self._count_skulls(counts) > MAX_SKULLS:
            # The chest depends on the dice that are kept, so `_average` adds its value.
            return 0.0 if self._card.kind is CardKind.TREASURE_CHEST else self._utility(-self._card.bonus)
        faces = faces_of(counts)
        won = self._utility.nine_bonus if self._utility.nine_bonus and is_nine_of_a_kind(self._card, faces) else 0.0
        return self._utility(score_of(self._card, faces).total) + won

    def _iterate_values(self) -> Values:
        """Iterate over further rolls until the values converge; a Storm has none."""
        saved = self._chest_values() if self._card.kind is CardKind.TREASURE_CHEST else []
        revived = best_kept_values(self._revive_values, DICE_COUNT - 1) if self._revive_values is not None else None
        whole, rolled = self._stop_values, self._average(self._stop_values, saved)
        for _ in range(0 if self._card.kind is CardKind.STORM else _MAX_ITERATIONS):
            better = self._improve(rolled, revived)
            change = max(map(sub, better, whole))
            whole, rolled = better, self._average(better, saved)
            if change < _TOLERANCE:
                break
        return rolled

    def _average(self, whole: Values, saved: Values) -> Values:
        values = average_over_rolls(whole)
        return [*map(add, values, saved), *values[len(saved) :]]

    def _improve(self, rolled: Values, revived: Values | None) -> Values:
        """Return the value of eight dice with the choice between stopping and rolling."""
        kept = best_kept_values(rolled, DICE_COUNT - MIN_ROLLED_DICE)
        better, first = list(self._stop_values), get_counts_index().offsets[DICE_COUNT]
        for at, number in _counts_with_skulls(0, MAX_SKULLS - self._card.skulls):
            better[at] = max(better[at], kept[first + at])
            if revived is not None and number is not None:
                better[at] = max(better[at], revived[number])
        for at, number in _counts_with_skulls(MAX_SKULLS + 1, MAX_SKULLS + 1):
            if revived is not None and number is not None:
                better[at] = max(better[at], revived[number])
        return better

    def _chest_values(self) -> Values:
        """Return the value of each count in the chest if the roll is a bust. Rule FO-C1."""
        return [
            self._chest_value(counts)
            for counts in list(get_counts_index().position_of)[: get_counts_index().offsets[DICE_COUNT]]
        ]

    def _chest_value(self, counts: DiceCounts) -> float:
        bust = chance_of_skulls(DICE_COUNT - sum(counts), MAX_SKULLS + 1 - self._count_skulls(counts))
        chest = (face for face in faces_of(counts) if face is not Face.SKULL)
        return bust * self._utility(score_of(self._card, chest).total)


# 0.4 ms for each new turn value.
@cache
def _counts_with_skulls(least: int, most: int) -> tuple[tuple[int, int | None], ...]:
    """Return the positions of full counts with this many skulls, and of the same counts with one skull less."""
    number = get_counts_index().position_of
    return tuple(
        (at, number[without_die(counts, Face.SKULL)] if counts[Face.SKULL] else None)
        for at, counts in enumerate(get_counts_index().full)
        if least <= counts[Face.SKULL] <= most
    )


def get_turn_values(card: Card, utility: Utility, *, spell: bool) -> TurnValues:
    """Return the turn values of a card from a cache, which is unlimited if there is no prize."""
    return (_cached_with_prize if utility.prize else _cached_without_prize)(card, utility, spell=spell)


# 16 ms of a computer player's move or a click near the end.
@lru_cache(maxsize=_CACHE_SIZE)
def _cached_with_prize(card: Card, utility: Utility, *, spell: bool) -> TurnValues:
    return TurnValues(card, utility, spell=spell)


# 17 ms of a computer player's move or a click; limited by the cards and the option.
@cache
def _cached_without_prize(card: Card, utility: Utility, *, spell: bool) -> TurnValues:
    return TurnValues(card, utility, spell=spell)
