"""What can be done in phase 2: the placements that are offered, each with the bonuses that it needs."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TypeAlias

from bot.games.houdinis_baggage.assignments import CHANGE_OF, PLUS_OF, BonusKind, Item
from bot.games.houdinis_baggage.bonuses import NO_SUPPLY, Means, Supply, Way, counted_as, means_of
from bot.games.houdinis_baggage.cards import COLOUR_OF, SHAPE_OF, Aspect, Card, Trait, counts_of, has_trait
from bot.games.houdinis_baggage.moves import Bank, Place, Shift, Spot, Use
from bot.games.houdinis_baggage.pieces import Task

_REMEMBERED = 4096
_MOST_PLACES = 16_384
"""How many placements are made once and named by many of those that are remembered."""

_FEWEST_IN_ORDER = 2
"""A bonus alone has no order."""

Tasks: TypeAlias = tuple[Task, ...]

_TRAIT_OF = {Aspect.COLOUR: COLOUR_OF, Aspect.SHAPE: SHAPE_OF}

_ASPECT_OF = tuple(trait.aspect for trait in Trait)


def free_items(tasks: Tasks) -> list[tuple[Spot, Item]]:
    """Return the items that have no card yet."""
    return [
        (_spot(task.assignment.number, index), item)
        for task in tasks
        for index, (item, card) in enumerate(zip(task.assignment.items, task.cards, strict=True))
        if card is None
    ]


@cache
def _spot(number: int, index: int) -> Spot:
    return Spot(number, index)


@lru_cache(_MOST_PLACES)
def _place(card: Card, spot: Spot, uses: tuple[Use, ...]) -> Place:
    return Place(card, spot, uses)


@lru_cache(_REMEMBERED)
def placements(opened: tuple[Card, ...], tasks: Tasks, supply: Supply) -> tuple[Place, ...]:
    """Return every placement, with each set of bonuses that it needs and no other. Rules HB-6, HB-12 and HB-B3."""
    counts = counts_of(opened)
    found: list[Place] = []
    if supply is NO_SUPPLY:
        for spot, item in free_items(tasks):
            if counts[item.trait] == item.number:
                found += [_place(card, spot, ()) for card in opened if has_trait(card, item.trait)]
        return tuple(found)
    means = {aspect: means_of(supply, aspect) for aspect in Aspect}
    for spot, item in free_items(tasks):
        found += _with_bonuses(opened, counts, spot, item, means[_ASPECT_OF[item.trait]])
    return tuple(found)


def _with_bonuses(
    opened: tuple[Card, ...], counts: tuple[int, ...], spot: Spot, item: Item, means: Means
) -> Iterator[Place]:
    aspect = _ASPECT_OF[item.trait]
    ways = _fitting(means, counts, item)
    if ways:
        trait_of = _TRAIT_OF[aspect]
        for card in opened:
            own = [each for each in ways if trait_of[card] in each[0].counted]
            for way, pluses in own if len(own) < 2 else _needed(own):
                yield _place(card, spot, means.uses(way, pluses))


def _fitting(means: Means, counts: tuple[int, ...], item: Item) -> list[tuple[Way, int]]:
    """Return the ways that make an item's value right, each with the +1s that are used beside it."""
    found = []
    for way in means.ways[item.trait]:
        pluses = item.number - sum([counts[trait] for trait in way.counted])
        if 0 <= pluses <= means.most_pluses(way):
            found.append((way, pluses))
    return found


def _needed(ways: list[tuple[Way, int]]) -> Iterator[tuple[Way, int]]:
    """Leave out the ways with a bonus that the placement does not need, and orders with the same effect."""
    for at, (way, pluses) in enumerate(ways):
        for other_at, (other, fewer) in enumerate(ways):
            if other_at != at and fewer <= pluses and other.is_within(way):
                is_same = fewer == pluses and way.is_within(other)
                if not is_same or other_at < at:
                    break
        else:
            yield way, pluses


def in_offered_order(
    move: Place, opened: tuple[Card, ...], items: Mapping[Spot, Item], supply: Supply, offered: Iterable[Place]
) -> Place | None:
    """Return the placement that is offered for a move's bonuses, which may be announced in any order that works.

    Rules HB-12, HB-B1 and HB-B3.
    """
    same = (each for each in offered if (each.card, each.spot) == (move.card, move.spot))
    found = next((each for each in same if _bonuses_in(each.uses) == _bonuses_in(move.uses)), None)
    if found is None or found == move or len(move.uses) < _FEWEST_IN_ORDER:
        return found
    return found if _works(move, counts_of(opened), items[move.spot], supply) else None


def _bonuses_in(uses: tuple[Use, ...]) -> tuple[list[int], list[int], list[int]]:
    """Return the bonuses that are used whatever their order: one's own, those that copy, and those that are copied."""
    own = sorted(use.number for use in uses if use.copied is None)
    copying = [(use.number, use.copied) for use in uses if use.copied is not None]
    return own, sorted(number for number, _copied in copying), sorted(copied for _number, copied in copying)


def _works(move: Place, counts: tuple[int, ...], item: Item, supply: Supply) -> bool:
    """Tell whether a card fits an item when changes are made in the announced order, and every +1 after them."""
    aspect = _ASPECT_OF[item.trait]
    bonuses = {each.number: each.bonus for each in (*supply.own, *supply.others)}
    used = [bonuses[use.number if use.copied is None else use.copied] for use in move.uses]
    counted = counted_as(item.trait, [bonus for bonus in used if bonus.kind is CHANGE_OF[aspect]])
    pluses = sum(bonus.kind is PLUS_OF[aspect] for bonus in used)
    return _TRAIT_OF[aspect][move.card] in counted and sum(counts[each] for each in counted) + pluses == item.number


def bank_cards(opened: tuple[Card, ...], bank: tuple[Card, ...]) -> tuple[Bank, ...]:
    """Return the cards that can be added from the bank: none that looks like an open one. Rule HB-7."""
    return tuple([Bank(card) for card in dict.fromkeys(bank) if card not in opened])


def shifts(tasks: Tasks, supply: Supply) -> tuple[Shift, ...]:
    """Return the baggage that a bonus can move, and where to. Rule HB-B4."""
    use = supply.use_of(BonusKind.MOVE) if supply is not NO_SUPPLY else None
    if use is None:
        return ()
    free = free_items(tasks)
    return tuple(
        Shift(_spot(task.assignment.number, index), end, use)
        for task in tasks
        for index, card in enumerate(task.cards)
        if card is not None
        for end, item in free
        if has_trait(card, item.trait)
    )
