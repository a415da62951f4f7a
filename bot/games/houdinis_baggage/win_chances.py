"""Chances of winning, from how far all seats are from the target."""

from math import exp, fsum, log, prod, sqrt
from typing import Final

from bot.games.houdinis_baggage.pieces import Player, State, Task
from bot.games.houdinis_baggage.prospects import Prospects, Result, bank_share
from bot.rules.game import Seat

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
        return self._chance_of_distance(result.distance(bank) - saved)

    def _chance_of_distance(self, distance: float) -> float:
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
        return prod([_beat_chance(self._players[each], score, will_move=late) for each, late in self._rivals.items()])


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


def _beat_chance(rival: Player, score: int, *, will_move: bool) -> float:
    chances = _scores_of(rival, will_move=will_move)
    return fsum([chance * (1.0 if points < score else 0.5) for points, chance in chances.items() if points <= score])


def _scores_of(player: Player, *, will_move: bool) -> dict[int, float]:
    """Return the chances of a player's final scores, before its last turn or after it."""
    chances = {player.score: 1.0}
    for task in player.tasks if will_move else ():
        chances = _add_task(chances, task)
    return chances


def _add_task(chances: dict[int, float], task: Task) -> dict[int, float]:
    """Return the chances of scores with an assignment that may still be completed."""
    completes = _COMPLETION_CHANCES[task.cards.count(None)]
    found = {points: chance * (1 - completes) for points, chance in chances.items()}
    for points, chance in chances.items():
        better = points + task.assignment.points
        found[better] = found.get(better, 0.0) + chance * completes
    return found
