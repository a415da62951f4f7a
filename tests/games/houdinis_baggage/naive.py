"""A second account of phase 2, written from the rules page alone and as plainly as can be: it tries everything.

Every order of every choice of bonuses is announced, the open cards are changed one by one, and what fits is noted.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.cards import CARD_KEYS, Assignment, Bonus, BonusKind
from bot.games.houdinis_baggage.pieces import State

CardLook: TypeAlias = tuple[str, str]
"""A card's colour and shape."""


class AnnouncedBonus(NamedTuple):
    """A bonus as it is announced."""

    number: int
    copied: int | None
    bonus: Bonus


def look_of(card: int) -> CardLook:
    colour, shape = CARD_KEYS[card].split("-")
    return colour, shape


def announcements(state: State) -> Iterator[tuple[AnnouncedBonus, ...]]:
    """Yield every order of every choice of unspent bonuses, with each copy of an opponent's bonus (HB-B5)."""
    mover = state.mover or 0
    mine = [each for each in state.players[mover].completed if each.number not in state.spent]
    theirs = [each for seat, one in enumerate(state.players) if seat != mover for each in one.completed]
    for count in range(len(mine) + 1):
        for chosen in permutations(mine, count):
            yield from product(*(list(meanings(each, theirs)) for each in chosen))


def meanings(assignment: Assignment, theirs: list[Assignment]) -> Iterator[AnnouncedBonus]:
    if assignment.bonus.kind is not BonusKind.COPY:
        yield AnnouncedBonus(assignment.number, None, assignment.bonus)
        return
    for other in theirs:
        if other.bonus.kind is not BonusKind.COPY:
            yield AnnouncedBonus(assignment.number, other.number, other.bonus)


def change_looks(looks: tuple[CardLook, ...], announced: tuple[AnnouncedBonus, ...]) -> tuple[CardLook, ...]:
    """What the open cards count as after the announced changes, in their order (HB-B1 and HB-B2)."""
    cards = list(looks)
    for each in announced:
        before, after = str(each.bonus.before), str(each.bonus.after)
        if each.bonus.kind is BonusKind.COLOUR_CHANGE:
            cards = [(after if colour == before else colour, shape) for colour, shape in cards]
        if each.bonus.kind is BonusKind.SHAPE_CHANGE:
            cards = [(colour, after if shape == before else shape) for colour, shape in cards]
    return tuple(cards)


def placements(state: State) -> dict[tuple[int, int, int], list[tuple[AnnouncedBonus, ...]]]:
    """Return all announcements with which a card can go on an item: (card, assignment, place) -> announcements."""
    looks = tuple(map(look_of, state.open))
    table = [(announced, change_looks(looks, announced)) for announced in announcements(state)]
    found: dict[tuple[int, int, int], list[tuple[AnnouncedBonus, ...]]] = {}
    for task in state.players[state.mover or 0].tasks:
        for place, (item, lying) in enumerate(zip(task.assignment.items, task.cards, strict=True)):
            if lying is None:
                for announced, cards in table:
                    value = sum(str(item.trait) in card for card in cards) + apply_pluses(announced, item.trait < 4)
                    for card, now in zip(state.open, cards, strict=True):
                        if str(item.trait) in now and value == item.number:
                            found.setdefault((card, task.assignment.number, place), []).append(announced)
    return found


def apply_pluses(announced: tuple[AnnouncedBonus, ...], is_colour: bool) -> int:
    """Each +1 goes to the colour, or the shape, that the item asks for (HB-B3)."""
    kind = BonusKind.PLUS_COLOUR if is_colour else BonusKind.PLUS_SHAPE
    return sum(each.bonus.kind is kind for each in announced)


def effects(announced: tuple[AnnouncedBonus, ...]) -> Counter[Bonus]:
    return Counter(each.bonus for each in announced)


def drop_unneeded(all_of_them: list[tuple[AnnouncedBonus, ...]]) -> list[tuple[AnnouncedBonus, ...]]:
    """Leave out those with a bonus that is not needed, because fewer do as well (HB-12)."""
    sets = {frozenset(effects(each).items()): effects(each) for each in all_of_them}
    minimal = [one for one in sets.values() if not any(other != one and not other - one for other in sets.values())]
    return [each for each in all_of_them if effects(each) in minimal]


def shifts(state: State) -> set[tuple[int, int, int, int]]:
    """Where baggage can move to, if it can (HB-B4): assignment and place, both of where it lies and where it goes."""
    tasks = state.players[state.mover or 0].tasks
    if not any(each.bonus.kind is BonusKind.MOVE for announced in announcements(state) for each in announced):
        return set()
    spots = [(task, place) for task in tasks for place in range(len(task.cards))]
    return {
        (here.assignment.number, start, there.assignment.number, end)
        for (here, start), (there, end) in product(spots, repeat=2)
        if (card := here.cards[start]) is not None
        and there.cards[end] is None
        and str(there.assignment.items[end].trait) in look_of(card)
    }
