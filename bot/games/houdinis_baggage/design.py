"""How the assignments were designed: numbers chosen by hand, colours, shapes and bonuses dealt as evenly as can be.

`python -m bot.commands.design` writes what comes of it to `data/`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import TypeAlias

from bot.games.houdinis_baggage.assignments import (
    BONUS_COUNTS,
    CHANGE_BY_ASPECT,
    RARE_BONUS_KINDS,
    AssignmentEntry,
    Bonus,
    BonusKind,
    Item,
)
from bot.games.houdinis_baggage.cards import TRAITS_BY_ASPECT, Aspect, Trait
from bot.rules.chance import Chance, FastChance, draw, shuffle

SEED = 64
_DEAL_COUNT = 4000
"""So many deals are tried; the most even one is taken."""

ITEM_NUMBERS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1, 1), (1, 1), (1, 1), (1, 2), (1, 2), (1, 2)),
    2: ((1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 2, 2), (1, 2, 2)),
    3: ((1, 2, 2), (1, 2, 2), (1, 1, 3), (1, 2, 3), (1, 2, 3), (2, 2, 2)),
    4: ((1, 1, 2, 2), (1, 1, 2, 2), (1, 1, 1, 3), (1, 2, 2, 2), (1, 1, 2, 3), (1, 1, 2, 3)),
    5: ((1, 2, 2, 3), (1, 2, 2, 3), (1, 2, 2, 3), (2, 2, 2, 2), (1, 1, 3, 3), (1, 1, 2, 4)),
    6: ((2, 2, 2, 2, 2), (1, 2, 2, 2, 3), (1, 2, 2, 2, 3), (1, 2, 2, 2, 3), (1, 2, 2, 2, 3), (1, 1, 2, 2, 4)),
}
"""The numbers of the items of each assignment, by its points."""

_RARE_BONUS_POINTS = (3, 4, 4, 5, 5, 6)
"""The points of the assignments that carry the moves and another player's bonuses."""

Deal: TypeAlias = tuple[tuple[Item, ...], ...]


def design_assignments(seed: int = SEED, deals: int = _DEAL_COUNT) -> tuple[AssignmentEntry, ...]:
    """Return the assignments, those with few points first, from the most even of so many deals."""
    chance = FastChance(Random(seed))  # noqa: S311 - the design is to be repeatable, not secret
    worths = [worth for worth, hands in ITEM_NUMBERS.items() for _ in hands]
    items = min(_generate_deals(chance, deals), key=_unevenness)
    bonuses = _deal_bonuses(chance, worths, items)
    return tuple(
        AssignmentEntry.model_validate(
            {"points": worth, "items": [str(item) for item in hand], "bonus": str(bonus)},
        )
        for worth, hand, bonus in zip(worths, items, bonuses, strict=True)
    )


def _generate_deals(chance: Chance, count: int) -> Iterator[Deal]:
    """Deal colours and shapes to the items, as often as can be; no assignment asks for the same twice."""
    hands = [numbers for rows in ITEM_NUMBERS.values() for numbers in rows]
    for _ in range(count):
        deal = _try_deal(chance, hands)
        if deal is not None:
            yield deal


def _try_deal(chance: Chance, hands: Sequence[tuple[int, ...]]) -> Deal | None:
    left = Counter(_even_traits(chance, sum(map(len, hands))))
    dealt = []
    for numbers in sorted(hands, key=len, reverse=True):
        there = [trait for trait in Trait if left[trait]]
        if len(there) < len(numbers):
            return None
        # Those of which most are left go first, so that the last assignments find different ones too.
        fullest = sorted(shuffle(chance, there), key=lambda trait: -left[trait])
        chosen = shuffle(chance, fullest[: len(numbers)])
        left.subtract(chosen)
        dealt.append((numbers, tuple(sorted(map(Item, chosen, numbers)))))
    return tuple(_restore_order(dealt, hands))


def _restore_order(
    dealt: Sequence[tuple[tuple[int, ...], tuple[Item, ...]]], hands: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Item, ...]]:
    """Put what was dealt to the longest assignments first back into the order of the assignments."""
    left = list(dealt)
    for numbers in hands:
        at = next(at for at, (others, _items) in enumerate(left) if others == numbers)
        yield left.pop(at)[1]


def _even_traits(chance: Chance, count: int) -> list[Trait]:
    """Return half colours and half shapes, each as often as the others to within one."""
    traits = []
    for aspect in Aspect:
        rest = count // 2
        each, more = divmod(rest, len(TRAITS_BY_ASPECT[aspect]))
        traits += [trait for trait in TRAITS_BY_ASPECT[aspect] for _ in range(each)]
        traits += shuffle(chance, TRAITS_BY_ASPECT[aspect])[:more]
    return traits


def _unevenness(deal: Deal) -> int:
    """Say how much the colours and shapes differ in the numbers that are asked of them."""
    spread = 0
    for number in (1, 2, 3):
        counts = Counter(item.trait for hand in deal for item in hand if item.number >= number)
        mean = sum(counts.values()) / len(Trait)
        spread += round(100 * sum((counts[trait] - mean) ** 2 for trait in Trait))
    return spread


def _deal_bonuses(chance: Chance, worths: Sequence[int], items: Deal) -> list[Bonus]:
    """Deal the bonuses: another player's and moves to the dear assignments, changes and +1s to all of them.

    A change never turns what its own assignment asks for into something else: it helps with what comes later.
    """
    plain = [*shuffle(chance, _plain_bonuses(chance))]
    dear = shuffle(chance, [Bonus(kind) for kind in RARE_BONUS_KINDS for _ in range(BONUS_COUNTS[kind])])
    carriers = _choose_carriers(chance, worths)
    bonuses = []
    for at, hand in enumerate(items):
        if at in carriers:
            bonuses.append(dear[carriers.index(at)])
            continue
        wanted = {item.trait for item in hand}
        fitting = next((each for each in plain if each.before not in wanted), plain[0])
        plain.remove(fitting)
        bonuses.append(fitting)
    return bonuses


def _choose_carriers(chance: Chance, worths: Sequence[int]) -> list[int]:
    """Choose the assignments that carry the dear bonuses."""
    carriers: list[int] = []
    for worth in _RARE_BONUS_POINTS:
        carriers.append(draw(chance, [at for at, each in enumerate(worths) if each == worth and at not in carriers])[0])
    return carriers


def _plain_bonuses(chance: Chance) -> Iterator[Bonus]:
    for aspect, kind in CHANGE_BY_ASPECT.items():
        pairs = shuffle(chance, permutations(TRAITS_BY_ASPECT[aspect], 2))[: BONUS_COUNTS[kind]]
        yield from (Bonus(kind, before, after) for before, after in pairs)
    for kind in (BonusKind.PLUS_COLOUR, BonusKind.PLUS_SHAPE):
        yield from [Bonus(kind)] * BONUS_COUNTS[kind]


def format_toml(cards: Sequence[AssignmentEntry]) -> str:
    """Write the assignments as they stand in the file."""
    entries = []
    for number, card in enumerate(cards, 1):
        items = ", ".join(f'"{item}"' for item in card.items)
        entries.append(f'[[cards]] # {number}\npoints = {card.points}\nitems = [{items}]\nbonus = "{card.bonus}"\n')
    return "\n".join((_FILE_HEADER, *entries))


_FILE_HEADER = """\
# The assignments of Mr. Houdini's Baggage. The original cards are lost; these were designed by
# bot/games/houdinis_baggage/design.py and are written by `python -m bot.commands.design`.
# docs/houdinis-baggage.md tells how, and shows how they play.
"""
