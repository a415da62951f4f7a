"""Finds the chances of winning Fortune's race, for all pairs of distances to the finish line.

Every card has its exact best turn, as if each turn began with a full deck.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.games.fortune.minds.race import (
    LEAST_POINTS,
    LONGEST,
    MOST_BEHIND,
    WHOLE,
    Race,
    WinChances,
    last_turn,
    share_of_win,
)
from bot.games.fortune.minds.turn_values import Points, TurnValues, Values
from bot.games.fortune.pieces import DICE_COUNT, MAX_SKULLS, MIN_ROLLED_DICE, SIDES, Card, CardKind
from bot.games.fortune.rules import Fortune
from bot.games.fortune.scoring import CAPTAIN_FACTOR, SCORE_STEP

_TOLERANCE: Final = 0.0003
"""The iteration ends once no chance changes by more in a sweep."""

_BATCH: Final = 256
"""Positions that are evaluated side by side."""

_TOLLS: Final = np.arange(2 * DICE_COUNT * CAPTAIN_FACTOR)[:, None]
"""The tolls of the Island in steps, and more."""


def train(game: Fortune, report: Callable[[float], None]) -> dict[str, NDArray[np.uint16]]:
    """Return the arrays to store; report the share (0 to 1) that is done."""
    return train_race(game.cards, report)


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Utilities of several positions side by side."""

    chances: WinChances
    tolerance: float = 1e-4

    def evaluate(self, points: Points) -> Values:
        return self.chances[points // SCORE_STEP - LEAST_POINTS]

    def evaluate_nine(self, values: Values) -> Values:
        return values


def solve_race(cards: Sequence[Card], report: Callable[[float], None], *, longest: int) -> Race:
    """Find all chances of winning with a deck.

    Args:
        cards: The deck.
        report: Called with the largest change of each sweep, which falls to 0.0003.
        longest: The longest distance that is told apart, in steps.
    """
    own, other = (axis.ravel() for axis in np.indices((longest + 1, longest + 1)))
    order = np.argsort(own + other, kind="stable")
    guess = 1 / (1 + np.exp((own - other - 5) / 15)).reshape(longest + 1, longest + 1)
    race, change = Race(guess, solve_last_turn(cards, longest)), 1.0
    while change > _TOLERANCE:
        change = 0.0
        for first in range(0, len(order), _BATCH):
            at = own[order[first : first + _BATCH]], other[order[first : first + _BATCH]]
            found = improve_race(race, cards, *at)
            change = max(change, float(np.abs(found - race.ahead[at]).max()))
            race.ahead[at] = found
        report(change)
    return race


def solve_last_turn(cards: Sequence[Card], longest: int = LONGEST) -> WinChances:
    """Return the chances of winning the last turn by the steps behind. Rule FO-E1."""
    behind = np.arange(MOST_BEHIND * longest + 1)
    return _mean_over_cards(cards, last_turn(behind), share_of_win(_TOLLS, behind))


def improve_race(race: Race, cards: Sequence[Card], own: NDArray[np.int_], other: NDArray[np.int_]) -> WinChances:
    """Do one sweep of value iteration over these positions, which are pairs of distances in steps."""
    tolled = 1 - race.ahead[np.clip(other + _TOLLS, 0, race.longest), own]
    return _mean_over_cards(cards, race.after_turn(own, other), tolled)


def _mean_over_cards(cards: Sequence[Card], chances: WinChances, tolled: WinChances) -> WinChances:
    """Return the chance of winning before a card is turned up.

    Args:
        cards: The deck.
        chances: By points, with a column for each position.
        tolled: By the steps that the opponents lose on the Island, with the same columns.
    """
    utility, counts, total = _Columns(chances), Counter(cards), np.zeros(chances.shape[1])
    for card, copies in counts.items():
        values = TurnValues(card, utility, spell=card.kind is CardKind.SORCERESS).roll_values[0]
        for toll, chance in _island_tolls(card).items():
            values = values + chance * (tolled[toll] - chances[-LEAST_POINTS])
        total += copies * values
    return total / counts.total()


@lru_cache(maxsize=64)
def _island_tolls(card: Card) -> dict[int, float]:
    """Return the chance of each toll of the Island at the start of a turn. Rule FO-9."""
    if card.kind is CardKind.SEA_BATTLE:
        return {}
    factor = CAPTAIN_FACTOR if card.kind is CardKind.CAPTAIN else 1
    tolls: dict[int, float] = defaultdict(float)
    for skulls in range(MAX_SKULLS + 2 - card.skulls, DICE_COUNT + 1):
        for final, chance in _voyage(skulls, is_short=card.kind is CardKind.STORM):
            tolls[(final + card.skulls) * factor] += _chance_of(DICE_COUNT, skulls) * chance
    return dict(tolls)


def _voyage(skulls: int, *, is_short: bool) -> Iterator[tuple[int, float]]:
    """Yield numbers of skulls at the end of a voyage with their chances; in a Storm it has one roll."""
    free = DICE_COUNT - skulls
    if free < MIN_ROLLED_DICE:
        yield skulls, 1.0
        return
    for more in range(free + 1):
        chance = _chance_of(free, more)
        if more and not is_short:
            yield from ((final, chance * rest) for final, rest in _voyage(skulls + more, is_short=is_short))
        else:
            yield skulls + more, chance


def _chance_of(dice: int, skulls: int) -> float:
    ways: int = comb(dice, skulls) * (SIDES - 1) ** (dice - skulls)
    return float(ways / SIDES**dice)


def pack(race: Race) -> dict[str, NDArray[np.uint16]]:
    """Return the arrays to store."""
    return {"ahead": _pack(race.ahead), "last": _pack(race.last)}


def _pack(chances: WinChances) -> NDArray[np.uint16]:
    return np.round(chances * WHOLE).astype(np.uint16)


def train_race(
    cards: Sequence[Card], report: Callable[[float], None], *, longest: int = LONGEST
) -> dict[str, NDArray[np.uint16]]:
    """Return the arrays to store; report the share (0 to 1) that is done."""

    def report_change(change: float) -> None:
        report(min(1.0, log(change) / log(_TOLERANCE)))

    return pack(solve_race(cards, report_change, longest=longest))
