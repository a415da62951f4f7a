"""What the dice of a turn are worth with the best play to its end: exact, whatever the card."""

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
"""Looking further ahead stops where it changes nothing by more than these points."""

_MAX_ITERATIONS = 30
_CACHE_SIZE = 40
"""So many cards with a prize are remembered: within a turn it is always the same."""


@dataclass(frozen=True, slots=True)
class Utility:
    """What points are worth to somebody: a slope, and a prize for more than a number of them."""

    slope: float = 1.0
    line: int = 0
    prize: float = 0.0
    nine_bonus: float = 0.0
    """What nine of a kind are worth on top. Rule FO-8."""

    def __call__(self, points: int) -> float:
        """Return what points are worth."""
        return self.slope * points + (self.prize if points > self.line else 0.0)


class TurnValues:
    """What can be expected of the dice in a turn with a card, with a Sorceress who can still help or without."""

    def __init__(self, card: Card, aim: Utility, *, spell: bool) -> None:
        self._card, self._utility = card, aim
        self._revive_values: Values | None = get_turn_values(card, aim, spell=False).roll_values if spell else None
        self._stop_values = [self._final_value(hand) for hand in get_counts_index().full]
        self.roll_values: Values = self._iterate_values()
        """What is to be expected of each hand that is kept while the other dice are rolled."""

    def value_of_stopping(self, hand: DiceCounts) -> float:
        """Return what all eight dice are worth if they stay as they are."""
        return self._stop_values[get_counts_index().position_of[hand] - get_counts_index().offsets[DICE_COUNT]]

    def value_of_rolling(self, kept: DiceCounts) -> float:
        """Return what is to be expected if a hand is kept and the other dice are rolled."""
        return self.roll_values[get_counts_index().position_of[kept]]

    def value_of_reviving(self, kept: DiceCounts) -> float:
        """Return the same if the Sorceress brings one of the other dice back. Rule FO-C3."""
        return (
            self._revive_values[get_counts_index().position_of[kept]]
            if self._revive_values is not None
            else self.value_of_rolling(kept)
        )

    def _count_skulls(self, hand: DiceCounts) -> int:
        return hand[Face.SKULL] + self._card.skulls

    def _final_value(self, hand: DiceCounts) -> float:
        """Return what eight dice are worth if no die is rolled any more."""
        if self._count_skulls(hand) > MAX_SKULLS:
            # What a chest saves depends on the dice that are kept, so it is added where those are known.
            return 0.0 if self._card.kind is CardKind.TREASURE_CHEST else self._utility(-self._card.bonus)
        faces = faces_of(hand)
        won = self._utility.nine_bonus if self._utility.nine_bonus and is_nine_of_a_kind(self._card, faces) else 0.0
        return self._utility(score_of(self._card, faces).total) + won

    def _iterate_values(self) -> Values:
        """Look ahead roll by roll until that changes nothing any more; a Storm has no roll to look ahead to."""
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
        """Return what eight dice are worth if the player chooses between stopping and rolling."""
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
        """Return what the chest adds for each hand that lies in it, if the roll is a bust. Rule FO-C1."""
        return [
            self._chest_value(hand)
            for hand in list(get_counts_index().position_of)[: get_counts_index().offsets[DICE_COUNT]]
        ]

    def _chest_value(self, hand: DiceCounts) -> float:
        bust = chance_of_skulls(DICE_COUNT - sum(hand), MAX_SKULLS + 1 - self._count_skulls(hand))
        chest = (face for face in faces_of(hand) if face is not Face.SKULL)
        return bust * self._utility(score_of(self._card, chest).total)


@cache
def _counts_with_skulls(least: int, most: int) -> tuple[tuple[int, int | None], ...]:
    """Return where hands with so many skulls stand among those of eight dice, and the hand with a skull less."""
    number = get_counts_index().position_of
    return tuple(
        (at, number[without_die(hand, Face.SKULL)] if hand[Face.SKULL] else None)
        for at, hand in enumerate(get_counts_index().full)
        if least <= hand[Face.SKULL] <= most
    )


def get_turn_values(card: Card, aim: Utility, *, spell: bool) -> TurnValues:
    """Return what can be expected of a card; it is worked out once and remembered: for good where there is no prize."""
    return (_cached_with_prize if aim.prize else _cached_without_prize)(card, aim, spell=spell)


@lru_cache(maxsize=_CACHE_SIZE)
def _cached_with_prize(card: Card, aim: Utility, *, spell: bool) -> TurnValues:
    return TurnValues(card, aim, spell=spell)


@cache
def _cached_without_prize(card: Card, aim: Utility, *, spell: bool) -> TurnValues:
    return TurnValues(card, aim, spell=spell)
