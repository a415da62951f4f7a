"""What a turn's result is worth to a seat for the rest of the game, in points.

The figures come from games of this player against itself: they are what each feature of a position saves of the turns
until the seat has 25 points, divided by what a point saves.
"""

from functools import lru_cache
from math import fsum, prod

from bot.games.houdinis_baggage.assignments import Assignment, BonusKind
from bot.games.houdinis_baggage.cards import Card, has_trait
from bot.games.houdinis_baggage.pieces import MAX_TASKS, Player, State, Task
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

_FIT_VALUE = 0.1
"""The value of a card in the bank for each number of an item it matches."""

_FINISH_VALUE, _EXTRA_POINT_VALUE = 1.5, 0.25
"""The value of reaching the target, besides the points that are needed for it, and of each point beyond."""

_WIN_VALUE, _LAST_POINT_VALUE, _LAST_ITEM_VALUE = 6.0, 0.3, 0.01
"""In the last turn, the values of winning, of a point, and of a filled item, which decides nothing."""

_COMPLETION_CHANCES = (1.0, 0.55, 0.25, 0.1, 0.03, 0.01)
"""A rival's chance of completing an assignment in the last turn, by the number of its free items."""


class Prospects:
    """The values of a seat's results of a turn; the filled items are bits, in the order of its assignments."""

    def __init__(self, view: State, seat: Seat) -> None:
        self._view, self._seat, self._player = view, seat, view.players[seat]
        self._is_last_turn = view.end is not None
        self._lacking = view.options.target - self._player.score
        rival = max([each.score for other, each in enumerate(view.players) if other != seat])
        self._span = view.options.target - rival + _RIVAL_MARGIN
        self._values: dict[int, float] = {}

    def value_of(self, filled: int) -> float:
        """Return the value of having filled some items."""
        value = self._values.get(filled)
        if value is None:
            value = self._values[filled] = self._evaluate(filled)
        return value

    def _evaluate(self, filled: int) -> float:
        completed: list[Assignment] = []
        held: list[tuple[Assignment, int]] = []
        left = filled
        for task in self._player.tasks:
            count = len(task.cards)
            on_task, left = left & ((1 << count) - 1), left >> count
            if on_task.bit_count() == count:
                completed.append(task.assignment)
            else:
                held.append((task.assignment, on_task))
        won = sum([each.points for each in completed])
        if self._is_last_turn:
            chance = _win_chance(self._view, self._seat, self._player.score + won)
            return _WIN_VALUE * chance + _LAST_POINT_VALUE * won + _LAST_ITEM_VALUE * filled.bit_count()
        lacking = self._lacking - won
        if lacking <= 0:
            return self._lacking + _FINISH_VALUE - _EXTRA_POINT_VALUE * lacking
        return (
            won
            + fsum([self._bonus_value(each, lacking) for each in completed])
            + fsum([_held_value(each, on_it, lacking) for each, on_it in held])
            + self._value_of_new_assignments(MAX_TASKS - len(held), lacking)
        )

    def _value_of_new_assignments(self, count: int, lacking: int) -> float:
        """Return the value of the best open assignments."""
        values = sorted([_held_value(each, 0, lacking) for each in self._view.row], reverse=True)
        return fsum(values[:count])

    def _bonus_value(self, assignment: Assignment, lacking: int) -> float:
        """Return the value of a bonus for the points until someone reaches the target."""
        return _BONUS_VALUES[assignment.bonus.kind] * min(lacking, self._span) / _BONUS_SPAN

    def value_of_taking(self, assignment: Assignment) -> float:
        """Return the value of an open assignment."""
        bonus = _EXPECTED_BONUS_SHARE * self._bonus_value(assignment, self._lacking)
        return _held_value(assignment, 0, self._lacking) + bonus

    def value_of_bank(self, size: int) -> float:
        """Return the value of as many cards in the bank."""
        if self._is_last_turn:
            return 0.0
        value = _BANK_VALUE + _BANK_VALUE_PER_POINT * min(self._lacking, self._span)
        further = max(0, size - _FULL_VALUE_BANK_SIZE)
        return value * (size - further + _FURTHER_CARD_SHARE * further)

    def value_of_keeping(self, card: Card) -> float:
        """Return the value of a card added to the bank, which depends on the free items it matches."""
        size = len(self._player.bank)
        more = self.value_of_bank(size + 1) - self.value_of_bank(size)
        return more + _FIT_VALUE * sum(_matched_numbers(self._player, card))


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


def _win_chance(view: State, seat: Seat, score: int) -> float:
    """Return the chance of ending the last round with the most points; a tie counts half."""
    seats = len(view.players)
    rivals = [other for other in range(seats) if other != seat]
    turn = (seat - view.starter) % seats
    return prod(
        [_beat_chance(view.players[each], score, will_move=(each - view.starter) % seats > turn) for each in rivals]
    )


def _beat_chance(rival: Player, score: int, *, will_move: bool) -> float:
    chances = {rival.score: 1.0}
    for task in rival.tasks if will_move else ():
        chances = _add_task(chances, task)
    return fsum([chance * (1.0 if points < score else 0.5) for points, chance in chances.items() if points <= score])


def _add_task(chances: dict[int, float], task: Task) -> dict[int, float]:
    """Return the chances of scores with an assignment that may still be completed."""
    completes = _COMPLETION_CHANCES[task.cards.count(None)]
    found = {points: chance * (1 - completes) for points, chance in chances.items()}
    for points, chance in chances.items():
        better = points + task.assignment.points
        found[better] = found.get(better, 0.0) + chance * completes
    return found
