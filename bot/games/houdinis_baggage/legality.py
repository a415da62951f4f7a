"""Which moves of Mr. Houdini's Baggage are possible, and why others are refused."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias, assert_never

from bot.games.houdinis_baggage.cards import (
    CARD_COLOURS,
    CARD_KEYS,
    CARD_SHAPES,
    CHANGE_BY_ASPECT,
    NO_SUPPLY,
    PLUS_BY_ASPECT,
    Aspect,
    AspectBonuses,
    Assignment,
    BonusSupply,
    Card,
    Conversion,
    Item,
    Trait,
    Use,
    build_supply,
    has_trait,
    trait_values,
    traits_counting_as,
)
from bot.games.houdinis_baggage.pieces import (
    ITEM_LETTERS,
    BaggageReason,
    Bank,
    Done,
    Keep,
    Move,
    Open,
    Phase,
    Place,
    Shift,
    Spot,
    State,
    Stop,
    Take,
    Task,
)
from bot.rules.game import Seat
from bot.rules.refusals import Refusal, RefusalFacts, unreadable

_MOVES_BY_PHASE = {
    Phase.SEARCH: (Open, Stop),
    Phase.TWIN: (Keep,),
    Phase.PLACE: (Place, Bank, Shift, Done),
    Phase.CHOOSE: (Take,),
}

_WRONG_PHASE_REASONS = {
    Phase.SEARCH: BaggageReason.SEARCH_FIRST,
    Phase.TWIN: BaggageReason.TWIN,
    Phase.PLACE: BaggageReason.SEARCH_OVER,
    Phase.CHOOSE: BaggageReason.CHOOSE_NOW,
}

_CACHE_SIZE = 1024
_CARD_TRAITS = {Aspect.COLOUR: CARD_COLOURS, Aspect.SHAPE: CARD_SHAPES}
_TRAIT_ASPECTS = tuple(trait.aspect for trait in Trait)


@dataclass(frozen=True)
class CardFacts(RefusalFacts):
    """The name of a card."""

    card: str


@dataclass(frozen=True)
class ItemFacts(CardFacts):
    """A card and the item it does not match."""

    item: Item


@dataclass(frozen=True)
class SpotFacts(RefusalFacts):
    """The spot of an item."""

    spot: Spot


@dataclass(frozen=True)
class BonusFacts(RefusalFacts):
    """A bonus that can't be used."""

    use: Use


@dataclass(frozen=True)
class AssignmentFacts(RefusalFacts):
    """The number of an assignment."""

    number: int


def supply_of(state: State) -> BonusSupply:
    """Return the bonuses that the mover can still use."""
    mover = state.mover or 0
    own = state.players[mover].completed
    return build_supply(own, completed_by_others(state, mover), state.spent) if own else NO_SUPPLY


def completed_by_others(state: State, seat: Seat) -> tuple[tuple[Assignment, ...], ...]:
    """Return the completed assignments of each other seat."""
    return tuple([player.completed for other, player in enumerate(state.players) if other != seat])


def why_not(state: State, move: Move) -> Refusal | None:
    """Return why a move of the seat to move is illegal, or None. Rules HB-3 to HB-12."""
    if not _is_readable(move):
        return unreadable(repr(move))
    if not isinstance(move, _MOVES_BY_PHASE[state.phase]):
        return _wrong_phase_refusal(state, move)
    refusal: Refusal | None = None
    match move:
        case Open() | Done():
            pass
        case Stop():
            refusal = None if state.open else Refusal(BaggageReason.OPEN_FIRST)
        case Keep():
            refusal = None if move.card in state.open else _not_open_refusal(move.card)
        case Place():
            refusal = _why_not_place(state, move)
        case Bank():
            refusal = _why_not_bank(state, move)
        case Shift():
            refusal = _why_not_shift(state, move)
        case Take():
            is_open = any(each.number == move.number for each in state.row)
            refusal = None if is_open else Refusal(BaggageReason.NOT_IN_ROW, AssignmentFacts(move.number))
        case _:
            assert_never(move)
    return refusal


def _is_readable(move: Move) -> bool:
    """Return whether the move's cards and items can exist."""
    match move:
        case Keep(card) | Bank(card):
            return _is_card(card)
        case Place(card, spot):
            return _is_card(card) and _is_item(spot)
        case Shift(start, end):
            return _is_item(start) and _is_item(end)
        case _:
            return True


def _is_card(card: Card) -> bool:
    return 0 <= card < len(CARD_KEYS)


def _is_item(spot: Spot) -> bool:
    return 0 <= spot.at < len(ITEM_LETTERS)


def _wrong_phase_refusal(state: State, move: Move) -> Refusal:
    """Return the refusal of a move of another phase; moves that are rarely possible have their own reasons."""
    if state.phase in (Phase.SEARCH, Phase.PLACE):
        if isinstance(move, Keep):
            return Refusal(BaggageReason.NO_TWIN)
        if isinstance(move, Take):
            return Refusal(BaggageReason.NOTHING_TO_CHOOSE)
    return Refusal(_WRONG_PHASE_REASONS[state.phase])


def _not_open_refusal(card: Card) -> Refusal:
    return Refusal(BaggageReason.NOT_OPEN, CardFacts(_format_card(card)))


def _format_card(card: Card) -> str:
    return CARD_KEYS[card].replace("-", " ")


def _find_task(tasks: tuple[Task, ...], spot: Spot) -> Task | None:
    """Return the unfinished assignment that has an item, or None."""
    return next((t for t in tasks if t.assignment.number == spot.number and spot.at < len(t.cards)), None)


def _why_not_place(state: State, move: Place) -> Refusal | None:
    """An open card goes on a free item that it matches, with exactly the bonuses it needs. Rule HB-6."""
    if find_legal_placement(state, move) is not None:
        return None
    if move.card not in state.open:
        return _not_open_refusal(move.card)
    tasks, supply = state.acting.tasks, supply_of(state)
    if refusal := _why_not_free(tasks, move.spot) or _refuse_bonuses(supply, move.uses):
        return refusal
    if any((each.card, each.spot) == (move.card, move.spot) for each in place_moves(state.open, tasks, supply)):
        return Refusal(BaggageReason.OTHER_BONUSES, SpotFacts(move.spot))
    item = state.item_at(move.spot)
    reason = BaggageReason.WRONG_VALUE if has_trait(move.card, item.trait) else BaggageReason.NO_MATCH
    return Refusal(reason, ItemFacts(_format_card(move.card), item))


def _why_not_free(tasks: tuple[Task, ...], spot: Spot) -> Refusal | None:
    """Cards go on free items of the mover's own assignments only."""
    task = _find_task(tasks, spot)
    if task is None:
        return Refusal(BaggageReason.NOT_YOUR_ITEM, SpotFacts(spot))
    return Refusal(BaggageReason.ITEM_FILLED, SpotFacts(spot)) if task.cards[spot.at] is not None else None


def _refuse_bonuses(supply: BonusSupply, uses: tuple[Use, ...]) -> Refusal | None:
    """Refuse bonuses that the mover does not have or has used this turn. Rules HB-12 and HB-B5."""
    own, others = ({each.number for each in bonuses} for bonuses in (supply.own, supply.others))
    for use in uses:
        is_usable = use.number in own if use.copied is None else use.number in supply.copies and use.copied in others
        if not is_usable:
            return Refusal(BaggageReason.NO_SUCH_BONUS, BonusFacts(use))
    return None


def _why_not_bank(state: State, move: Bank) -> Refusal | None:
    """A bank card can be added unless its twin is open. Rule HB-7."""
    if move.card not in state.acting.bank:
        return Refusal(BaggageReason.NOT_IN_BANK, CardFacts(_format_card(move.card)))
    return Refusal(BaggageReason.LOOKS_ALIKE, CardFacts(_format_card(move.card))) if move.card in state.open else None


def _why_not_shift(state: State, move: Shift) -> Refusal | None:
    """Baggage moves to a free item of its colour or shape. Rule HB-B4."""
    tasks = state.acting.tasks
    start, end = _find_task(tasks, move.start), _find_task(tasks, move.end)
    if start is None or end is None:
        return Refusal(BaggageReason.NOT_YOUR_ITEM, SpotFacts(move.end if start else move.start))
    card = start.cards[move.start.at]
    if card is None:
        return Refusal(BaggageReason.ITEM_EMPTY, SpotFacts(move.start))
    if refusal := _why_not_free(tasks, move.end):
        return refusal
    supply = supply_of(state)
    if supply.move_use != move.use:
        return Refusal(BaggageReason.NO_SUCH_BONUS, BonusFacts(move.use))
    item = end.assignment.items[move.end.at]
    return (
        None
        if has_trait(card, item.trait)
        else Refusal(BaggageReason.MOVE_NO_MATCH, ItemFacts(_format_card(card), item))
    )


Tasks: TypeAlias = tuple[Task, ...]


# 4 us of a move at random, most of which fill no item.
@lru_cache(_CACHE_SIZE)
def free_items(tasks: Tasks) -> tuple[tuple[Spot, Item], ...]:
    """Return the items without a card."""
    return tuple([(spot, item) for task in tasks for spot, item, card in task.cells() if card is None])


# 50 us of a click.
@lru_cache(_CACHE_SIZE)
def place_moves(opened: tuple[Card, ...], tasks: Tasks, supply: BonusSupply) -> tuple[Place, ...]:
    """Return every placement, once for each set of bonuses that makes it fit. Rules HB-6, HB-12 and HB-B3."""
    counts = trait_values(opened)
    found: list[Place] = []
    if supply is NO_SUPPLY:
        for spot, item in free_items(tasks):
            if counts[item.trait] == item.number:
                found += [Place(card, spot, ()) for card in opened if has_trait(card, item.trait)]
        return tuple(found)
    for spot, item in free_items(tasks):
        bonuses, trait_of = supply.by_trait[item.trait], _CARD_TRAITS[_TRAIT_ASPECTS[item.trait]]
        conversions = _fitting_conversions(bonuses, counts, item)
        for card in opened if conversions else ():
            own = [each for each in conversions if trait_of[card] in each[0].counted]
            needed = own if len(own) < 2 else _drop_redundant(own)
            found += [Place(card, spot, bonuses.build_uses(conversion, pluses)) for conversion, pluses in needed]
    return tuple(found)


def _fitting_conversions(bonuses: AspectBonuses, counts: tuple[int, ...], item: Item) -> list[tuple[Conversion, int]]:
    """Return the conversions that give an item its exact value, each with the +1s to add."""
    found = []
    for conversion in bonuses.conversions[item.trait]:
        pluses = item.number - sum([counts[trait] for trait in conversion.counted])
        if not pluses or 0 < pluses <= bonuses.max_pluses(conversion):
            found.append((conversion, pluses))
    return found


def _drop_redundant(conversions: list[tuple[Conversion, int]]) -> Iterator[tuple[Conversion, int]]:
    """Drop the conversions that use an unneeded bonus, and orders with the same effect."""
    for at, (conversion, pluses) in enumerate(conversions):
        for other_at, (other, fewer) in enumerate(conversions):
            if other_at != at and fewer <= pluses and other.is_subset_of(conversion):
                is_same = fewer == pluses and conversion.is_subset_of(other)
                if not is_same or other_at < at:
                    break
        else:
            yield conversion, pluses


def find_legal_placement(state: State, move: Place) -> Place | None:
    """Return the offered placement with a move's bonuses, which may be announced in any order that works, or None.

    Rules HB-12, HB-B1 and HB-B3.
    """
    offered = place_moves(state.open, state.acting.tasks, supply_of(state))
    if move in offered:
        return move
    wanted = _order_independent_key(move.uses)
    same = (each for each in offered if (each.card, each.spot) == (move.card, move.spot))
    found = next((each for each in same if _order_independent_key(each.uses) == wanted), None)
    return found if found is not None and _fits_in_order(state, move) else None


def _order_independent_key(uses: tuple[Use, ...]) -> tuple[list[int], list[int], list[int]]:
    """Return the bonuses regardless of order: own ones, copying ones, and copied ones."""
    own = sorted(use.number for use in uses if use.copied is None)
    copying = [(use.number, use.copied) for use in uses if use.copied is not None]
    return own, sorted(number for number, _copied in copying), sorted(copied for _number, copied in copying)


def _fits_in_order(state: State, move: Place) -> bool:
    """Return whether a card fits an item after the changes in the announced order, and then the +1s."""
    item, values = state.item_at(move.spot), trait_values(state.open)
    aspect, used = _TRAIT_ASPECTS[item.trait], [state.bonus_of(use) for use in move.uses]
    counted = traits_counting_as(item.trait, [bonus for bonus in used if bonus.kind is CHANGE_BY_ASPECT[aspect]])
    pluses = sum(bonus.kind is PLUS_BY_ASPECT[aspect] for bonus in used)
    return _CARD_TRAITS[aspect][move.card] in counted and sum(values[each] for each in counted) + pluses == item.number


def bank_moves(opened: tuple[Card, ...], bank: tuple[Card, ...]) -> tuple[Bank, ...]:
    """Return the cards that can be added from the bank: no twins of open cards. Rule HB-7."""
    return tuple([Bank(card) for card in dict.fromkeys(bank) if card not in opened])


def shift_moves(tasks: Tasks, supply: BonusSupply) -> tuple[Shift, ...]:
    """Return the moves of baggage that a bonus allows. Rule HB-B4."""
    use = supply.move_use
    if use is None:
        return ()
    free = free_items(tasks)
    return tuple(
        Shift(start, end, use)
        for task in tasks
        for start, _item, card in task.cells()
        if card is not None
        for end, item in free
        if has_trait(card, item.trait)
    )


class Ways(NamedTuple):
    """What phase 2 offers besides its end."""

    places: tuple[Place, ...]
    banks: tuple[Bank, ...]
    shifts: tuple[Shift, ...]


def ways_of(state: State) -> Ways:
    """Return what the seat to move can do in phase 2, or could after the search. Rules HB-6, HB-7 and HB-B4."""
    player, supply = state.players[state.mover or 0], supply_of(state)
    return Ways(
        place_moves(state.open, player.tasks, supply),
        bank_moves(state.open, player.bank) if player.bank else (),
        () if supply is NO_SUPPLY else shift_moves(player.tasks, supply),
    )


def can_place(state: State) -> bool:
    """Return whether phase 2 offers, or would offer after the search, more than its end."""
    return any(ways_of(state))
