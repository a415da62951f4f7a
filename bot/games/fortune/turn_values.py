"""What the dice of a turn are worth with the best play to its end: exact, whatever the card."""

from dataclasses import dataclass
from functools import cache, lru_cache
from operator import add, sub

from bot.games.fortune.deck import Card, CardKind
from bot.games.fortune.dice_counts import Hand, Values, averaged, best_kept, faces_of, hands, without
from bot.games.fortune.odds import chance_of_skulls
from bot.games.fortune.pieces import DICE, LEAST_ROLLED, MOST_SKULLS, Face
from bot.games.fortune.scoring import is_nine, score_of

_CLOSE_ENOUGH = 2.0
"""Looking further ahead stops where it changes nothing by more than these points."""

_FURTHEST = 30
_REMEMBERED = 40
"""So many cards with a prize are remembered: within a turn it is always the same."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What points are worth to somebody: a slope, and a prize for more than a number of them."""

    slope: float = 1.0
    line: int = 0
    prize: float = 0.0
    nine: float = 0.0
    """What nine of a kind are worth on top. Rule FO-8."""

    def __call__(self, points: int) -> float:
        """Return what points are worth."""
        return self.slope * points + (self.prize if points > self.line else 0.0)


class Prospects:
    """What can be expected of the dice in a turn with a card, with a Sorceress who can still help or without."""

    def __init__(self, card: Card, aim: Aim, *, spell: bool) -> None:
        self._card, self._aim = card, aim
        self._revived: Values | None = prospects(card, aim, spell=False).rolled if spell else None
        self._stopped = [self._end(hand) for hand in hands().whole]
        self.rolled: Values = self._settled()
        """What is to be expected of each hand that is kept while the other dice are rolled."""

    def of_stopping(self, hand: Hand) -> float:
        """Return what all eight dice are worth if they stay as they are."""
        return self._stopped[hands().number[hand] - hands().first[DICE]]

    def of_rolling(self, kept: Hand) -> float:
        """Return what is to be expected if a hand is kept and the other dice are rolled."""
        return self.rolled[hands().number[kept]]

    def of_reviving(self, kept: Hand) -> float:
        """Return the same if the Sorceress brings one of the other dice back. Rule FO-C3."""
        return self._revived[hands().number[kept]] if self._revived is not None else self.of_rolling(kept)

    def _skulls(self, hand: Hand) -> int:
        return hand[Face.SKULL] + self._card.skulls

    def _end(self, hand: Hand) -> float:
        """Return what eight dice are worth if no die is rolled any more."""
        if self._skulls(hand) > MOST_SKULLS:
            # What a chest saves depends on the dice that are kept, so it is added where those are known.
            return 0.0 if self._card.kind is CardKind.TREASURE_CHEST else self._aim(-self._card.bonus)
        faces = faces_of(hand)
        won = self._aim.nine if self._aim.nine and is_nine(self._card, faces) else 0.0
        return self._aim(score_of(self._card, faces).total) + won

    def _settled(self) -> Values:
        """Look ahead roll by roll until that changes nothing any more; a Storm has no roll to look ahead to."""
        saved = self._saved() if self._card.kind is CardKind.TREASURE_CHEST else []
        revived = best_kept(self._revived, DICE - 1) if self._revived is not None else None
        whole, rolled = self._stopped, self._averaged(self._stopped, saved)
        for _ in range(0 if self._card.kind is CardKind.STORM else _FURTHEST):
            better = self._better(rolled, revived)
            change = max(map(sub, better, whole))
            whole, rolled = better, self._averaged(better, saved)
            if change < _CLOSE_ENOUGH:
                break
        return rolled

    def _averaged(self, whole: Values, saved: Values) -> Values:
        values = averaged(whole)
        return [*map(add, values, saved), *values[len(saved) :]]

    def _better(self, rolled: Values, revived: Values | None) -> Values:
        """Return what eight dice are worth if the player chooses between stopping and rolling."""
        kept = best_kept(rolled, DICE - LEAST_ROLLED)
        better, first = list(self._stopped), hands().first[DICE]
        for at, number in _with_skulls(0, MOST_SKULLS - self._card.skulls):
            better[at] = max(better[at], kept[first + at])
            if revived is not None and number is not None:
                better[at] = max(better[at], revived[number])
        for at, number in _with_skulls(MOST_SKULLS + 1, MOST_SKULLS + 1):
            if revived is not None and number is not None:
                better[at] = max(better[at], revived[number])
        return better

    def _saved(self) -> Values:
        """Return what the chest adds for each hand that lies in it, if the roll is a bust. Rule FO-C1."""
        return [self._chest(hand) for hand in list(hands().number)[: hands().first[DICE]]]

    def _chest(self, hand: Hand) -> float:
        bust = chance_of_skulls(DICE - sum(hand), MOST_SKULLS + 1 - self._skulls(hand))
        chest = (face for face in faces_of(hand) if face is not Face.SKULL)
        return bust * self._aim(score_of(self._card, chest).total)


@cache
def _with_skulls(least: int, most: int) -> tuple[tuple[int, int | None], ...]:
    """Return where hands with so many skulls stand among those of eight dice, and the hand with a skull less."""
    number = hands().number
    return tuple(
        (at, number[without(hand, Face.SKULL)] if hand[Face.SKULL] else None)
        for at, hand in enumerate(hands().whole)
        if least <= hand[Face.SKULL] <= most
    )


def prospects(card: Card, aim: Aim, *, spell: bool) -> Prospects:
    """Return what can be expected of a card; it is worked out once and remembered: for good where there is no prize."""
    return (_with_prize if aim.prize else _without_prize)(card, aim, spell=spell)


@lru_cache(maxsize=_REMEMBERED)
def _with_prize(card: Card, aim: Aim, *, spell: bool) -> Prospects:
    return Prospects(card, aim, spell=spell)


@cache
def _without_prize(card: Card, aim: Aim, *, spell: bool) -> Prospects:
    return Prospects(card, aim, spell=spell)
