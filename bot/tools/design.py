"""Designs the assignments of Mr. Houdini's Baggage: `python -m bot.tools.design` writes them to `data/`.

The numbers of each assignment are chosen by hand, by its points; with larger ones, computer players never completed
some. Colours and shapes are dealt many times, and the deal with the most even demand is taken. *Move* and *another
player's* go to assignments of 3 points or more, other bonuses to the rest; no assignment needs one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import TypeAlias

from bot.games.houdinis_baggage.cards import (
    BONUS_COUNTS,
    CHANGE_BY_ASPECT,
    RARE_BONUS_KINDS,
    TRAITS_BY_ASPECT,
    Aspect,
    AssignmentEntry,
    Bonus,
    BonusKind,
    Item,
    Trait,
)
from bot.platform.content import DATA
from bot.rules.chance import Chance, FastChance, draw, shuffle

FILE = DATA / "houdinis_baggage" / "assignments.toml"

SEED = 64
_DEAL_COUNT = 4000
"""The number of random deals to choose the most even one from."""

ITEM_NUMBERS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1, 1), (1, 1), (1, 1), (1, 2), (1, 2), (1, 2)),
    2: ((1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 2, 2), (1, 2, 2)),
    3: ((1, 2, 2), (1, 2, 2), (1, 1, 3), (1, 2, 3), (1, 2, 3), (2, 2, 2)),
    4: ((1, 1, 2, 2), (1, 1, 2, 2), (1, 1, 1, 3), (1, 2, 2, 2), (1, 1, 2, 3), (1, 1, 2, 3)),
    5: ((1, 2, 2, 3), (1, 2, 2, 3), (1, 2, 2, 3), (2, 2, 2, 2), (1, 1, 3, 3), (1, 1, 2, 4)),
    6: ((2, 2, 2, 2, 2), (1, 2, 2, 2, 3), (1, 2, 2, 2, 3), (1, 2, 2, 2, 3), (1, 2, 2, 2, 3), (1, 1, 2, 2, 4)),
}
"""The item numbers of the assignments, by points."""

_RARE_BONUS_POINTS = (3, 4, 4, 5, 5, 6)
"""The points of the assignments with a rare bonus."""

Deal: TypeAlias = tuple[tuple[Item, ...], ...]


def design_assignments(seed: int = SEED, deals: int = _DEAL_COUNT) -> tuple[AssignmentEntry, ...]:
    """Return the assignments of the most even deal, by points."""
    chance = FastChance(Random(seed))  # noqa: S311 - the design is to be repeatable, not secret
    points = [value for value, rows in ITEM_NUMBERS.items() for _ in rows]
    deal = min(_generate_deals(chance, deals), key=_unevenness)
    bonuses = _deal_bonuses(chance, points, deal)
    return tuple(
        AssignmentEntry.model_validate({"points": value, "items": list(map(str, items)), "bonus": str(bonus)})
        for value, items, bonus in zip(points, deal, bonuses, strict=True)
    )


def _generate_deals(chance: Chance, count: int) -> Iterator[Deal]:
    """Yield random deals of colours and shapes in which no assignment has the same one twice."""
    rows = [numbers for rows in ITEM_NUMBERS.values() for numbers in rows]
    for _ in range(count):
        deal = _try_deal(chance, rows)
        if deal is not None:
            yield deal


def _try_deal(chance: Chance, rows: Sequence[tuple[int, ...]]) -> Deal | None:
    left = Counter(_even_traits(chance, sum(map(len, rows))))
    dealt = []
    for numbers in sorted(rows, key=len, reverse=True):
        available = [trait for trait in Trait if left[trait]]
        if len(available) < len(numbers):
            return None
        # The most frequent traits go first, so that enough different ones are left for the last assignments.
        most_left = sorted(shuffle(chance, available), key=lambda trait: -left[trait])
        chosen = shuffle(chance, most_left[: len(numbers)])
        left.subtract(chosen)
        dealt.append((numbers, tuple(sorted(map(Item, chosen, numbers)))))
    return tuple(_restore_order(dealt, rows))


def _restore_order(
    dealt: Sequence[tuple[tuple[int, ...], tuple[Item, ...]]], rows: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Item, ...]]:
    """Yield the items, which were dealt to the longest assignments first, in the order of the assignments."""
    left = list(dealt)
    for numbers in rows:
        at = next(at for at, (others, _items) in enumerate(left) if others == numbers)
        yield left.pop(at)[1]


def _even_traits(chance: Chance, count: int) -> list[Trait]:
    """Return half colours and half shapes, each equally often to within one."""
    traits = []
    for aspect in Aspect:
        rest = count // 2
        each, more = divmod(rest, len(TRAITS_BY_ASPECT[aspect]))
        traits += [trait for trait in TRAITS_BY_ASPECT[aspect] for _ in range(each)]
        traits += shuffle(chance, TRAITS_BY_ASPECT[aspect])[:more]
    return traits


def _unevenness(deal: Deal) -> int:
    """Return how much the colours and shapes differ in the numbers of their items."""
    spread = 0
    for number in (1, 2, 3):
        counts = Counter(item.trait for hand in deal for item in hand if item.number >= number)
        mean = sum(counts.values()) / len(Trait)
        spread += round(100 * sum((counts[trait] - mean) ** 2 for trait in Trait))
    return spread


def _deal_bonuses(chance: Chance, points: Sequence[int], deal: Deal) -> list[Bonus]:
    """Deal the rare bonuses to valuable assignments, and changes and +1s to the others.

    A change never replaces a trait that its own assignment needs.
    """
    plain = [*shuffle(chance, _plain_bonuses(chance))]
    rare = shuffle(chance, [Bonus(kind) for kind in RARE_BONUS_KINDS for _ in range(BONUS_COUNTS[kind])])
    carriers = _choose_carriers(chance, points)
    bonuses = []
    for at, items in enumerate(deal):
        if at in carriers:
            bonuses.append(rare[carriers.index(at)])
            continue
        wanted = {item.trait for item in items}
        fitting = next((each for each in plain if each.before not in wanted), plain[0])
        plain.remove(fitting)
        bonuses.append(fitting)
    return bonuses


def _choose_carriers(chance: Chance, points: Sequence[int]) -> list[int]:
    """Choose the assignments with rare bonuses."""
    carriers: list[int] = []
    for value in _RARE_BONUS_POINTS:
        carriers.append(draw(chance, [at for at, each in enumerate(points) if each == value and at not in carriers])[0])
    return carriers


def _plain_bonuses(chance: Chance) -> Iterator[Bonus]:
    for aspect, kind in CHANGE_BY_ASPECT.items():
        pairs = shuffle(chance, permutations(TRAITS_BY_ASPECT[aspect], 2))[: BONUS_COUNTS[kind]]
        yield from (Bonus(kind, before, after) for before, after in pairs)
    for kind in (BonusKind.PLUS_COLOUR, BonusKind.PLUS_SHAPE):
        yield from [Bonus(kind)] * BONUS_COUNTS[kind]


def format_toml(cards: Sequence[AssignmentEntry]) -> str:
    """Return the content of the assignments' file."""
    entries = []
    for number, card in enumerate(cards, 1):
        items = ", ".join(f'"{item}"' for item in card.items)
        entries.append(f'[[cards]] # {number}\npoints = {card.points}\nitems = [{items}]\nbonus = "{card.bonus}"\n')
    return "\n".join((_FILE_HEADER, *entries))


_FILE_HEADER = """\
# The assignments of Mr. Houdini's Baggage. The original cards are lost; these are designed and written
# by `python -m bot.tools.design`.
"""


def main() -> None:
    """Write the file."""
    FILE.write_text(format_toml(design_assignments()), encoding="utf-8")


if __name__ == "__main__":
    main()
