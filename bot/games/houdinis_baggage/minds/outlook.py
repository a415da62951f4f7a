"""The chances of winning that Strong plans its turns by.

How far a seat is from the target is measured in points: what it has for later turns counts as well. The figures come
from games of this player against itself: they are what each feature of a position saves of the turns until the seat
has 25 points, divided by what a point saves.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp, fsum, log, prod, sqrt
from typing import Final, NamedTuple, TypeAlias, assert_never

from bot.games.houdinis_baggage.bonuses import AspectBonuses, BonusSupply, Conversion
from bot.games.houdinis_baggage.cards import (
    CARD_COLOURS,
    CARD_SHAPES,
    CARDS,
    Assignment,
    BonusKind,
    Card,
    Item,
    Pile,
    Trait,
)
from bot.games.houdinis_baggage.minds.plans import (
    PlanContext,
    matched_numbers,
)
from bot.games.houdinis_baggage.pieces import (
    MAX_TASKS,
    Bank,
    Done,
    Keep,
    Move,
    Open,
    Place,
    Player,
    Shift,
    Spot,
    State,
    Stop,
    Take,
)
from bot.rules.evaluation import Evaluation, Unit
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
        completes = _COMPLETION_CHANCES[task.cards.count(None)]
        found = {points: chance * (1 - completes) for points, chance in chances.items()}
        for points, chance in chances.items():
            better = points + task.assignment.points
            found[better] = found.get(better, 0.0) + chance * completes
        chances = found
    return chances


_DIGITS: Final = 9
"""Decimals of chances: the others depend on the machine, and in lost positions early ones tell moves apart."""

_CACHE_SIZE = 4096
_WIDTH = 2
"""The number of continuations followed; with three or five the player wins no more games, and takes longer."""

_USE_COST = 0.02
"""The cost of using a bonus, which is available again next turn."""

_FREE = -1
"""No card on an item."""


CardSet: TypeAlias = int
"""A bit for each card."""

_CARDS_WITH: tuple[CardSet, ...] = tuple(
    sum(1 << card for card in CARDS if trait in (CARD_COLOURS[card], CARD_SHAPES[card])) for trait in Trait
)


class Moment(NamedTuple):
    """What changes during phase 2."""

    opened: CardSet
    bank: CardSet
    filled: int
    """A bit for each item, in the order of the assignments."""
    baggage: tuple[int, ...]
    """The cards on the items, or `_FREE`; empty if none can be moved, as it does not matter then which they are."""
    spent: tuple[int, ...]


class _Fit(NamedTuple):
    """Bonuses with which cards fit an item."""

    counted: CardSet
    """All cards that count."""
    changes: int
    """The number of changes needed."""
    spent: tuple[tuple[int, ...], ...]
    """The spent bonuses after a placement, by the number of +1s."""


Fits: TypeAlias = tuple[tuple[_Fit, ...], ...]
"""The ways to fit items of each trait."""


@lru_cache(_CACHE_SIZE)
def cards_in(some: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set."""
    return tuple([card for card in CARDS if some >> card & 1])


def set_of(cards: tuple[Card, ...]) -> CardSet:
    """Return the set of some cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


class TurnPlanner:
    """Finds the chance of winning if a turn goes on well, for the seat to move."""

    def __init__(self, view: State, seat: Seat) -> None:
        self.prospects = Prospects(view, seat)
        self._chances = WinChances(view, seat)
        self._context = PlanContext.from_state(view, seat)
        self._row = view.row
        tasks, bank = view.players[seat].tasks, view.players[seat].bank
        self._items: list[Item] = [item for task in tasks for item in task.assignment.items]
        spots = [Spot(task.assignment.number, at) for task in tasks for at in range(len(task.cards))]
        self._index = {spot: at for at, spot in enumerate(spots)}
        baggage = tuple([_FREE if card is None else card for task in tasks for card in task.cards])
        spent = tuple(sorted(view.spent))
        self.start = Moment(
            opened=set_of(view.open),
            bank=set_of(bank),
            filled=sum([1 << at for at, card in enumerate(baggage) if card != _FREE]),
            baggage=baggage if self._context.remaining_supply(spent).move_use else (),
            spent=spent,
        )
        self._bank_shares = [bank_share(len(bank) - used) for used in range(len(bank) + 1)]
        self._bank_share_after_twin = bank_share(len(bank) + 1)
        self._fits: dict[tuple[int, ...], Fits] = {}
        self._endings: dict[tuple[int, int, int, float], float] = {}
        self._values: dict[Moment, float] = {}

    def value_of_ending(self, moment: Moment, more: float = 0.0) -> float:
        """Return the chance of winning if the turn ends now, with points for something else that it leaves."""
        used = (self.start.bank & ~moment.bank).bit_count()
        key = moment.filled, used, len(moment.spent), more
        chance = self._endings.get(key)
        if chance is None:
            saved = more - _USE_COST * len(moment.spent)
            chance = self._endings[key] = self._chance_with(moment.filled, self._bank_shares[used], saved)
        return chance

    def _chance_with(self, filled: int, bank: float, saved: float) -> float:
        return self._chances.after(self.prospects.result_of(filled), filled.bit_count(), bank, saved)

    def value_of(self, moment: Moment) -> float:
        """Return the chance of winning if the turn goes on well."""
        known = self._values.get(moment)
        if known is not None:
            return known
        best = self.value_of_ending(moment)
        ranked = sorted([(-self.value_of_ending(each), each) for each in set(self._following(moment))])
        for _value, each in ranked[:_WIDTH]:
            best = max(best, self.value_of(each))
        self._values[moment] = best
        return best

    def value_of_opening(self, pile: Pile) -> float:
        """Return the chance of winning if another card is opened."""
        opened = self.start.opened
        total, twin = 0.0, self._value_after_twin()
        for card in CARDS:
            if pile[card]:
                more = self.start._replace(opened=opened | 1 << card)
                total += pile[card] * (twin if more == self.start else self.value_of(more))
        one_more, twins = total / sum(pile), sum([pile[card] for card in cards_in(opened)])
        return self._chances.after_opening(one_more, self.value_of(self.start), opened.bit_count(), twins / sum(pile))

    def value_of_keeping(self, card: Card) -> float:
        """Return the chance of winning after keeping a card. A twin was expected to bring the best one."""
        best = max(map(self.prospects.fit_of, cards_in(self.start.opened)))
        return self._value_after_twin(self.prospects.fit_of(card) - best)

    def _value_after_twin(self, more: float = 0.0) -> float:
        return self._chance_with(self.start.filled, self._bank_share_after_twin, more)

    def value_of_taking(self, assignment: Assignment) -> float:
        """Return the value of taking an open assignment. The turn was expected to end with the best one."""
        best = max(map(self.prospects.value_of_taking, self._row))
        return self.value_of_ending(self.start, self.prospects.value_of_taking(assignment) - best)

    def after(self, move: Place | Bank | Shift) -> Moment:
        """Return the moment after a move of phase 2 that does not end it."""
        start = self.start
        match move:
            case Place(card, spot, uses):
                return _fill(start, self._index[spot], card, 0, _spend(start.spent, *[use.number for use in uses]))
            case Bank(card):
                return start._replace(opened=start.opened | 1 << card, bank=start.bank & ~(1 << card))
            case Shift(origin, end, use):
                return _shift(start, self._index[origin], self._index[end], use.number)
            case _:
                assert_never(move)

    def _following(self, moment: Moment) -> Iterator[Moment]:
        """Yield the moments after a placement, also with bank cards that make it possible, or after a move."""
        fits = self._fits_of(moment.spent)
        for at, item in enumerate(self._items):
            if not moment.filled >> at & 1:
                yield from self._placements(moment, at, fits[item.trait])
        if moment.baggage:
            yield from self._shifts(moment)

    def _placements(self, moment: Moment, at: int, fits: tuple[_Fit, ...]) -> Iterator[Moment]:
        """Yield the moments after filling an item, with as few bonuses as possible."""
        fewest = len(CARDS)
        for counted, changes, spent in fits:
            lacking = self._items[at].number - (moment.opened & counted).bit_count()
            for pluses in range(min(lacking + 1, len(spent))):
                if changes + pluses > fewest:
                    break
                for added in _additions(moment, counted, lacking - pluses):
                    for card in cards_in((moment.opened | added) & counted):
                        yield _fill(moment, at, card, added, spent[pluses])
                        if not added:
                            fewest = changes + pluses

    def _shifts(self, moment: Moment) -> Iterator[Moment]:
        """Yield the moments after moving baggage. Rule HB-B4."""
        use = self._context.remaining_supply(moment.spent).move_use
        if use is None:
            return
        for end, item in enumerate(self._items):
            if not moment.filled >> end & 1:
                for start, card in enumerate(moment.baggage):
                    if card != _FREE and _CARDS_WITH[item.trait] >> card & 1:
                        yield _shift(moment, start, end, use.number)

    def _fits_of(self, spent: tuple[int, ...]) -> Fits:
        fits = self._fits.get(spent)
        if fits is None:
            fits = self._fits[spent] = _find_fits(self._context.remaining_supply(spent), spent)
        return fits


def _fill(moment: Moment, at: int, card: Card, added: CardSet, spent: tuple[int, ...]) -> Moment:
    """Return the moment after a placement with cards added from the bank."""
    baggage = moment.baggage
    return Moment(
        (moment.opened | added) & ~(1 << card),
        moment.bank & ~added,
        moment.filled | 1 << at,
        (*baggage[:at], card, *baggage[at + 1 :]) if baggage else (),
        spent,
    )


def _shift(moment: Moment, start: int, end: int, use: int) -> Moment:
    baggage = list(moment.baggage)
    baggage[start], baggage[end] = _FREE, baggage[start]
    filled = moment.filled & ~(1 << start) | 1 << end
    return moment._replace(filled=filled, baggage=tuple(baggage), spent=_spend(moment.spent, use))


def _spend(spent: tuple[int, ...], *numbers: int) -> tuple[int, ...]:
    return tuple(sorted((*spent, *numbers)))


def _additions(moment: Moment, counted: CardSet, count: int) -> Iterable[CardSet]:
    """Return the sets of bank cards that make the value of an item higher by a number. Rule HB-7."""
    if not count:
        return (0,)
    available = moment.bank & counted & ~moment.opened
    return map(set_of, combinations(cards_in(available), count)) if available else ()


@lru_cache(_CACHE_SIZE)
def _find_fits(supply: BonusSupply, spent: tuple[int, ...]) -> Fits:
    """Return the unspent bonuses with which cards fit, for items of each trait."""
    return tuple(
        [
            tuple([_find_fit(bonuses, conversion, spent) for conversion in bonuses.conversions[trait]])
            for trait, bonuses in zip(Trait, supply.by_trait, strict=True)
        ]
    )


def _find_fit(bonuses: AspectBonuses, conversion: Conversion, spent: tuple[int, ...]) -> _Fit:
    counted = 0
    for trait in conversion.counted:
        counted |= _CARDS_WITH[trait]
    used = [bonuses.build_uses(conversion, pluses) for pluses in range(bonuses.max_pluses(conversion) + 1)]
    return _Fit(
        counted, len(conversion.changes), tuple([_spend(spent, *[use.number for use in uses]) for uses in used])
    )


def evaluate_outlook(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the chance of winning after each move if the turn goes on in the best way found."""
    planner = TurnPlanner(view, view.mover or 0)
    return Evaluation([round(min(1.0, _value_of(planner, view, move)), _DIGITS) for move in moves], Unit.WINS)


def _value_of(planner: TurnPlanner, view: State, move: Move) -> float:
    match move:
        case Open():
            return planner.value_of_opening(view.draw_pile)
        case Stop():
            return planner.value_of(planner.start)
        case Keep(card):
            return planner.value_of_keeping(card)
        case Take(number):
            return planner.value_of_taking(view.find_assignment(number))
        case Done():
            return planner.value_of_ending(planner.start)
        case Place() | Bank() | Shift():
            return planner.value_of(planner.after(move))
