"""The outlook of Strong: it plans a turn by the chances of winning that positions leave."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias, assert_never

from bot.games.houdinis_baggage.cards import (
    CARD_COLOURS,
    CARD_SHAPES,
    CARDS,
    Assignment,
    BonusSupply,
    Card,
    Item,
    Pile,
    Trait,
)
from bot.games.houdinis_baggage.minds.plans import (
    PlanContext,
)
from bot.games.houdinis_baggage.minds.win_chances import Prospects, WinChances, bank_share
from bot.games.houdinis_baggage.pieces import (
    Bank,
    Done,
    Keep,
    Move,
    Open,
    Place,
    Shift,
    Spot,
    State,
    Stop,
    Take,
)
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.game import Seat

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


class PackingState(NamedTuple):
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
        self.start = PackingState(
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
        self._values: dict[PackingState, float] = {}

    def value_of_ending(self, moment: PackingState, more: float = 0.0) -> float:
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

    def value_of(self, moment: PackingState) -> float:
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

    def after(self, move: Place | Bank | Shift) -> PackingState:
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

    def _following(self, moment: PackingState) -> Iterator[PackingState]:
        """Yield the moments after a placement, also with bank cards that make it possible, or after a move."""
        fits = self._fits.get(moment.spent)
        if fits is None:
            fits = self._fits[moment.spent] = _find_fits(self._context.remaining_supply(moment.spent), moment.spent)
        for at, item in enumerate(self._items):
            if not moment.filled >> at & 1:
                yield from self._placements(moment, at, fits[item.trait])
        if moment.baggage:
            yield from self._shifts(moment)

    def _placements(self, moment: PackingState, at: int, fits: tuple[_Fit, ...]) -> Iterator[PackingState]:
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

    def _shifts(self, moment: PackingState) -> Iterator[PackingState]:
        """Yield the moments after moving baggage. Rule HB-B4."""
        use = self._context.remaining_supply(moment.spent).move_use
        if use is None:
            return
        for end, item in enumerate(self._items):
            if not moment.filled >> end & 1:
                for start, card in enumerate(moment.baggage):
                    if card != _FREE and _CARDS_WITH[item.trait] >> card & 1:
                        yield _shift(moment, start, end, use.number)


def _fill(moment: PackingState, at: int, card: Card, added: CardSet, spent: tuple[int, ...]) -> PackingState:
    """Return the moment after a placement with cards added from the bank."""
    baggage = moment.baggage
    return PackingState(
        (moment.opened | added) & ~(1 << card),
        moment.bank & ~added,
        moment.filled | 1 << at,
        (*baggage[:at], card, *baggage[at + 1 :]) if baggage else (),
        spent,
    )


def _shift(moment: PackingState, start: int, end: int, use: int) -> PackingState:
    baggage = list(moment.baggage)
    baggage[start], baggage[end] = _FREE, baggage[start]
    filled = moment.filled & ~(1 << start) | 1 << end
    return moment._replace(filled=filled, baggage=tuple(baggage), spent=_spend(moment.spent, use))


def _spend(spent: tuple[int, ...], *numbers: int) -> tuple[int, ...]:
    return tuple(sorted((*spent, *numbers)))


def _additions(moment: PackingState, counted: CardSet, count: int) -> Iterable[CardSet]:
    """Return the sets of bank cards that make the value of an item higher by a number. Rule HB-7."""
    if not count:
        return (0,)
    available = moment.bank & counted & ~moment.opened
    return map(set_of, combinations(cards_in(available), count)) if available else ()


@lru_cache(_CACHE_SIZE)
def _find_fits(supply: BonusSupply, spent: tuple[int, ...]) -> Fits:
    """Return the unspent bonuses with which cards fit, for items of each trait."""
    fits: list[tuple[_Fit, ...]] = []
    for trait, bonuses in zip(Trait, supply.by_trait, strict=True):
        found = []
        for conversion in bonuses.conversions[trait]:
            counted = 0
            for each in conversion.counted:
                counted |= _CARDS_WITH[each]
            used = [bonuses.build_uses(conversion, pluses) for pluses in range(bonuses.max_pluses(conversion) + 1)]
            after = tuple([_spend(spent, *[use.number for use in uses]) for uses in used])
            found.append(_Fit(counted, len(conversion.changes), after))
        fits.append(tuple(found))
    return tuple(fits)


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
