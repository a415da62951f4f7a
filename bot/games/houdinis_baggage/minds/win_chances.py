"""Chances of winning by how far seats are from the target.

The distance is measured in points: what a seat has for later turns counts as well. The figures come from games of this
player against itself: they are what each feature of a position saves of the turns until the seat has 25 points, divided
by what a point saves.
"""

from functools import lru_cache
from math import exp, fsum, log, prod, sqrt
from typing import Final, NamedTuple

from bot.games.houdinis_baggage.cards import (
    Assignment,
    BonusKind,
    Card,
)
from bot.games.houdinis_baggage.minds.plans import (
    matched_numbers,
)
from bot.games.houdinis_baggage.pieces import (
    MAX_TASKS,
    Player,
    State,
)
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

_LEAST_SCALE: Final = 1.8
_SCALE_GROWTH: Final = 0.5
"""A lead of one scale makes a seat 2.7 times as likely to win; it grows with the root of the leader's distance."""

_TURN_VALUE: Final = 2.4
"""The points that a seat comes closer in a turn: seats that still move in this round are so much closer."""

_SEARCH_VALUES: Final = (2.0, 2.0, 1.55, 1.3, 1.1, 0.85, 0.7)
"""The points that cards after the next one are worth if opening is right, by the number of open cards."""

_CLEAR_MARGIN: Final = 0.3
"""Opening is clearly right or wrong if it is better or worse by so many points, even if no other card follows."""

_COMPLETION_CHANCES: Final = (1.0, 0.6, 0.5, 0.4, 0.25, 0.15)
"""A seat's chance of completing an assignment in the last turn, by the number of its free items."""

_TINY: Final = 1e-12
"""The least chance whose odds are calculated."""

_POINT, _ITEM = 1e-5, 1e-6
"""In the last turn, the values of a point and of a filled item, which decide nothing, but may lead to more."""


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
        new = sorted([_held_value(each, 0, lacking) for each in self._view.row], reverse=True)
        away = lacking - unfinished - fsum(new[: MAX_TASKS - len(held)])
        bonuses = fsum([self._bonus_value(each, away) for each in completed])
        return Result(score, away, bonuses, _BANK_VALUE + _BANK_VALUE_PER_POINT * self._span_of(away))

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
        return _FIT_VALUE * matched_numbers(self._player.tasks, card)


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


class WinChances:
    """The chances of winning of the seat to move, at the end of its turn."""

    def __init__(self, view: State, seat: Seat) -> None:
        self._target, self._is_last_round = view.options.target, view.end is not None
        seats = len(view.players)
        self._players = view.players
        turns = [(each - view.starter) % seats for each in range(seats)]
        self._rivals = {each: turns[each] > turns[seat] for each in range(seats) if each != seat}
        self._distances: list[float] = []
        self._nearest = self._scale = self._hope = 0.0
        if self._is_last_round:  # only points count, and how likely the last turn brings more
            scores = _scores_of(view.players[seat], will_move=True)
            self._hope = fsum([chance * self._chance_of_score(score) for score, chance in scores.items()])
        else:
            self._distances = [
                _distance_of(view, each) - _TURN_VALUE * will_move for each, will_move in self._rivals.items()
            ]
            self._nearest = min(self._distances)
            self._scale = self._scale_of(_distance_of(view, seat))

    def after(self, result: Result, filled: int, bank: float, saved: float) -> float:
        """Return the chance after a turn.

        Args:
            result: What it led to.
            filled: The number of filled items.
            bank: The cards of full value in the bank.
            saved: Points for what else it saves.
        """
        if self._is_last_round or result.score >= self._target:
            return self._chance_of_score(result.score) + _POINT * result.score + _ITEM * filled
        distance = result.distance(bank) - saved
        scale, odds = self._scale_of(distance), 1.0
        for each in self._distances:
            odds += exp((distance - each) / scale)
        return 1 / odds

    def _scale_of(self, distance: float) -> float:
        lead = min(distance, self._nearest)
        return _LEAST_SCALE + _SCALE_GROWTH * sqrt(lead) if lead > 0 else _LEAST_SCALE

    def after_opening(self, chance: float, stopping: float, opened: int, twin: float) -> float:
        """Return the chance after opening a card, since more may follow.

        Args:
            chance: The chance if only one follows.
            stopping: The chance after stopping now.
            opened: The number of open cards.
            twin: The chance of a twin.
        """
        if self._is_last_round:
            return max(chance, (1 - twin) * self._hope)
        margin = self._scale * (_logit(chance) - _logit(stopping))
        share = min(1.0, max(0.0, 0.5 + 0.5 * margin / _CLEAR_MARGIN))
        points = share * _SEARCH_VALUES[min(opened, len(_SEARCH_VALUES) - 1)]
        return 1 / (1 + exp(-_logit(chance) - points / self._scale))

    def _chance_of_score(self, score: int) -> float:
        """Return the chance of ending the last round with the most points; a tie counts half."""
        chances = []
        for rival, will_move in self._rivals.items():
            scores = _scores_of(self._players[rival], will_move=will_move)
            chances.append(
                fsum([share * (1.0 if each < score else 0.5) for each, share in scores.items() if each <= score])
            )
        return prod(chances)


def _distance_of(view: State, seat: Seat) -> float:
    """Return a seat's distance from the target with what it has now."""
    prospects, player = Prospects(view, seat), view.players[seat]
    cards = [card for task in player.tasks for card in task.cards]
    filled = sum([1 << at for at, card in enumerate(cards) if card is not None])
    return prospects.result_of(filled).distance(bank_share(len(player.bank)))


def _logit(chance: float) -> float:
    """Return the logarithm of the odds."""
    bounded = min(1 - _TINY, max(_TINY, chance))
    return log(bounded / (1 - bounded))


def _scores_of(player: Player, *, will_move: bool) -> dict[int, float]:
    """Return the chances of a player's final scores, before its last turn or after it."""
    chances = {player.score: 1.0}
    for task in player.tasks if will_move else ():
        completes = _COMPLETION_CHANCES[task.cards.count(None)]
        found = {points: chance * (1 - completes) for points, chance in chances.items()}
        for points, chance in chances.items():
            better = points + task.assignment.points
            found[better] = found.get(better, 0.0) + chance * completes
        chances = found
    return chances
