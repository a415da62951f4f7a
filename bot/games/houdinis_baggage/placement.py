"""The moves of phase 2: placements with the bonuses they need, bank cards, and moved baggage."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from bot.games.houdinis_baggage.assignments import CHANGE_BY_ASPECT, PLUS_BY_ASPECT, Item
from bot.games.houdinis_baggage.bonuses import (
    NO_SUPPLY,
    AspectBonuses,
    BonusSupply,
    Conversion,
    traits_counting_as,
)
from bot.games.houdinis_baggage.cards import CARD_COLOURS, CARD_SHAPES, Aspect, Card, Trait, has_trait, trait_values
from bot.games.houdinis_baggage.moves import Bank, Place, Shift, Spot, Use
from bot.games.houdinis_baggage.pieces import Task

_CACHE_SIZE = 1024

_MIN_ORDERED_USES = 2
"""A single bonus has no order."""

Tasks: TypeAlias = tuple[Task, ...]

_CARD_TRAITS = {Aspect.COLOUR: CARD_COLOURS, Aspect.SHAPE: CARD_SHAPES}

_TRAIT_ASPECTS = tuple(trait.aspect for trait in Trait)


# 4 us of a move at random, most of which fill no item.
@lru_cache(_CACHE_SIZE)
def free_items(tasks: Tasks) -> tuple[tuple[Spot, Item], ...]:
    """Return the items without a card."""
    return tuple(
        [
            (Spot(task.assignment.number, index), item)
            for task in tasks
            for index, (item, card) in enumerate(zip(task.assignment.items, task.cards, strict=True))
            if card is None
        ]
    )


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
        bonuses = supply.by_trait[item.trait]
        if conversions := _fitting_conversions(bonuses, counts, item):
            found += _bonus_place_moves(opened, spot, item, bonuses, conversions)
    return tuple(found)


def _bonus_place_moves(
    opened: tuple[Card, ...],
    spot: Spot,
    item: Item,
    bonuses: AspectBonuses,
    conversions: list[tuple[Conversion, int]],
) -> Iterator[Place]:
    trait_of = _CARD_TRAITS[_TRAIT_ASPECTS[item.trait]]
    for card in opened:
        own = [each for each in conversions if trait_of[card] in each[0].counted]
        for conversion, pluses in own if len(own) < 2 else _drop_redundant(own):
            yield Place(card, spot, bonuses.build_uses(conversion, pluses))


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


def find_offered_placement(move: Place, opened: tuple[Card, ...], tasks: Tasks, supply: BonusSupply) -> Place | None:
    """Return the offered placement with a move's bonuses, which may be announced in any order that works, or None.

    Rules HB-12, HB-B1 and HB-B3.
    """
    offered = place_moves(opened, tasks, supply)
    if move in offered:
        return move
    same = (each for each in offered if (each.card, each.spot) == (move.card, move.spot))
    found = next(
        (each for each in same if _order_independent_key(each.uses) == _order_independent_key(move.uses)), None
    )
    if found is None or len(move.uses) < _MIN_ORDERED_USES:
        return found
    item = dict(free_items(tasks))[move.spot]
    return found if _is_valid_order(move, trait_values(opened), item, supply) else None


def _order_independent_key(uses: tuple[Use, ...]) -> tuple[list[int], list[int], list[int]]:
    """Return the bonuses regardless of order: own ones, copying ones, and copied ones."""
    own = sorted(use.number for use in uses if use.copied is None)
    copying = [(use.number, use.copied) for use in uses if use.copied is not None]
    return own, sorted(number for number, _copied in copying), sorted(copied for _number, copied in copying)


def _is_valid_order(move: Place, counts: tuple[int, ...], item: Item, supply: BonusSupply) -> bool:
    """Return whether a card fits an item after the changes in the announced order, and then the +1s."""
    aspect = _TRAIT_ASPECTS[item.trait]
    bonuses = {each.number: each.bonus for each in (*supply.own, *supply.others)}
    used = [bonuses[use.number if use.copied is None else use.copied] for use in move.uses]
    counted = traits_counting_as(item.trait, [bonus for bonus in used if bonus.kind is CHANGE_BY_ASPECT[aspect]])
    pluses = sum(bonus.kind is PLUS_BY_ASPECT[aspect] for bonus in used)
    return _CARD_TRAITS[aspect][move.card] in counted and sum(counts[each] for each in counted) + pluses == item.number


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
        Shift(Spot(task.assignment.number, index), end, use)
        for task in tasks
        for index, card in enumerate(task.cards)
        if card is not None
        for end, item in free
        if has_trait(card, item.trait)
    )
