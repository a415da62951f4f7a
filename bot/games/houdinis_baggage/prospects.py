"""How far a seat is from the target, in points: what it has for later turns counts as well.

The figures come from games of this player against itself: they are what each feature of a position saves of the turns
until the seat has 25 points, divided by what a point saves.
"""

from functools import lru_cache
from math import fsum
from typing import NamedTuple

from bot.games.houdinis_baggage.assignments import Assignment, BonusKind
from bot.games.houdinis_baggage.cards import Card, has_trait
from bot.games.houdinis_baggage.pieces import MAX_TASKS, Player, State
from bot.rules.game import Seat

_HELD_SHARE = 0.7
"""The share of its points that an unfinished assignment is worth, less the costs of its free items."""

_ITEM_COSTS = {1: 0.05, 2: 0.5, 3: 1.4, 4: 2.8}
"""The cost of a free item, by its number."""

_BONUS_VALUES = {
    BonusKind.COLOUR_CHANGE: 0.37,
    BonusKind.SHAPE_CHANGE: 0.64,
    BonusKind.PLUS_COLOUR: 1.02,
    BonusKind.PLUS_SHAPE: 1.55,
    BonusKind.MOVE: 1.3,
    BonusKind.COPY: 1.7,
}
"""The value of a bonus if it can be used until 12 more points are won."""

_BONUS_SPAN = 12

_EXPECTED_BONUS_SHARE = 0.3
"""The share of a bonus's value that counts when its assignment is taken."""

_RIVAL_MARGIN = 4
"""The game may be expected to go on for as many points as the leading rival lacks, and this many more."""

_BANK_VALUE, _BANK_VALUE_PER_POINT = 0.25, 0.045
"""The value of a card in the bank: at the end, and for each point until then."""

_FULL_VALUE_BANK_SIZE = 2
_FURTHER_CARD_SHARE = 0.6
"""The value of a card in a larger bank, relative to the first ones."""

_MOST_HELP = 0.8
"""Bonuses and the bank together save no more than this share of what is left of the way."""

_FIT_VALUE = 0.1
"""The value of a card in the bank for each number of an item it matches."""


class Result(NamedTuple):
    """What a seat has at the end of its turn, except for its bank."""

    score: int
    away: float
    """The points that are lacking, less the value of unfinished and new assignments."""
    bonuses: float
    """The value of all bonuses."""
    card_value: float
    """The value of a card in the bank."""

    def distance(self, bank: float) -> float:
        """Return how far from the target the seat is, with so many cards of full value in its bank."""
        # Without a limit, a player with much of both would rather keep it than come nearer.
        return self.away - min(self.bonuses + bank * self.card_value, _MOST_HELP * max(0.0, self.away))


class Prospects:
    """The results of a seat's turn; the filled items are bits, in the order of its assignments."""

    def __init__(self, view: State, seat: Seat) -> None:
        self._view, self._player = view, view.players[seat]
        self._lacking = view.options.target - self._player.score
        rival = max([each.score for other, each in enumerate(view.players) if other != seat])
        self._span = view.options.target - rival + _RIVAL_MARGIN
        self._results: dict[int, Result] = {}

    def result_of(self, filled: int) -> Result:
        """Return the result of having filled some items."""
        result = self._results.get(filled)
        if result is None:
            result = self._results[filled] = self._find_result(filled)
        return result

    def _find_result(self, filled: int) -> Result:
        completed = list(self._player.completed)
        held: list[tuple[Assignment, int]] = []
        left = filled
        for task in self._player.tasks:
            count = len(task.cards)
            on_task, left = left & ((1 << count) - 1), left >> count
            if on_task.bit_count() == count:
                completed.append(task.assignment)
            else:
                held.append((task.assignment, on_task))
        score = sum([each.points for each in completed])
        lacking = self._view.options.target - score
        unfinished = fsum([_held_value(each, on_it, lacking) for each, on_it in held])
        away = lacking - unfinished - self._value_of_new_assignments(MAX_TASKS - len(held), lacking)
        bonuses = fsum([self._bonus_value(each, away) for each in completed])
        return Result(score, away, bonuses, _BANK_VALUE + _BANK_VALUE_PER_POINT * self._span_of(away))

    def _value_of_new_assignments(self, count: int, lacking: int) -> float:
        """Return the value of the best open assignments."""
        values = sorted([_held_value(each, 0, lacking) for each in self._view.row], reverse=True)
        return fsum(values[:count])

    def _bonus_value(self, assignment: Assignment, away: float) -> float:
        """Return the value of a bonus for the points until someone reaches the target."""
        return _BONUS_VALUES[assignment.bonus.kind] * self._span_of(away) / _BONUS_SPAN

    def _span_of(self, away: float) -> float:
        """Return the points until someone reaches the target."""
        return max(0.0, min(away, self._span))

    def value_of_taking(self, assignment: Assignment) -> float:
        """Return the value of an open assignment."""
        bonus = _EXPECTED_BONUS_SHARE * self._bonus_value(assignment, self._lacking)
        return _held_value(assignment, 0, self._lacking) + bonus

    def fit_of(self, card: Card) -> float:
        """Return what a card in the bank is worth more because of the free items it matches."""
        return _FIT_VALUE * sum(_matched_numbers(self._player, card))


def bank_share(size: int) -> float:
    """Return how many cards are worth as much as those in a bank: in a large one each further card is worth less."""
    further = max(0, size - _FULL_VALUE_BANK_SIZE)
    return size - further + _FURTHER_CARD_SHARE * further


@lru_cache(4096)
def _held_value(assignment: Assignment, filled: int, lacking: int) -> float:
    """Return the value of an unfinished assignment, of whose points only those that are lacking count."""
    free = [item for at, item in enumerate(assignment.items) if not filled >> at & 1]
    cost = fsum([_ITEM_COSTS[item.number] for item in free])
    return max(0.0, _HELD_SHARE * min(assignment.points, lacking) - cost)


def _matched_numbers(player: Player, card: Card) -> list[int]:
    """Return the numbers of the free items that a card matches."""
    return [
        item.number
        for task in player.tasks
        for item, lying in zip(task.assignment.items, task.cards, strict=True)
        if lying is None and has_trait(card, item.trait)
    ]
