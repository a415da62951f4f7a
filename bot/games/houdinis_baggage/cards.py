"""The cards of Mr. Houdini's Baggage: baggage, the assignments that it is packed into, and what their bonuses do.

A conversion is a sequence of changes. Of conversions with the same effect, those that need more bonuses are dropped.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property, lru_cache, reduce
from itertools import islice
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from bot.rules.content import ContentModel
from bot.rules.notation import digits, names, notation
from bot.rules.package import GameContent

TRAITS_PER_ASPECT = 4
"""The number of colours, and of shapes."""

COPIES_PER_CARD = 4
"""The number of identical cards."""

MAX_POINTS = 6
CARDS_PER_POINT_VALUE = 6
"""The number of assignments of each value."""

ITEMS_BY_POINTS = {1: 2, 2: 3, 3: 3, 4: 4, 5: 4, 6: 5}
MAX_NUMBER = 4
MAX_USUAL_NUMBER = 3
FOURS_MIN_POINTS = 5
"""The fewest points of an assignment with a four."""

MAX_FOURS = 3
"""The most fours in the whole deck."""

RARE_BONUS_MIN_POINTS = 3
"""Assignments with fewer points have only changes and +1s."""


class Aspect(Enum):
    """The two sides of a card."""

    COLOUR = "colour"
    SHAPE = "shape"


class Trait(IntEnum):
    """A colour or a shape; the colours come first."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3
    TRIANGLE = 4
    SQUARE = 5
    CIRCLE = 6
    STAR = 7

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def aspect(self) -> Aspect:
        """Whether it is a colour or a shape."""
        return Aspect.COLOUR if self < TRAITS_PER_ASPECT else Aspect.SHAPE


COLOURS = tuple(Trait)[:TRAITS_PER_ASPECT]
SHAPES = tuple(Trait)[TRAITS_PER_ASPECT:]

TRAITS_BY_ASPECT = {Aspect.COLOUR: COLOURS, Aspect.SHAPE: SHAPES}

TRAIT_BY_NAME = {str(trait): trait for trait in Trait}

CARDS = tuple(range(TRAITS_PER_ASPECT * TRAITS_PER_ASPECT))
"""The kinds of cards: the colour's index times four plus the shape's index."""

CARD_COLOURS = tuple(COLOURS[card // TRAITS_PER_ASPECT] for card in CARDS)
CARD_SHAPES = tuple(SHAPES[card % TRAITS_PER_ASPECT] for card in CARDS)

CARD_KEYS = tuple(f"{colour}-{shape}" for colour in COLOURS for shape in SHAPES)
"""The notation of each card, such as `green-square`."""

CARD_BY_KEY = {name: card for card, name in enumerate(CARD_KEYS)}

Card: TypeAlias = Annotated[int, names(CARD_BY_KEY)]
"""A kind of card."""

Pile: TypeAlias = tuple[int, ...]
"""The number of copies of each card, in the order of `CARDS`."""

EMPTY_PILE: Pile = (0,) * len(CARDS)
FULL_PILE: Pile = (COPIES_PER_CARD,) * len(CARDS)


def has_trait(card: Card, trait: Trait) -> bool:
    """Return whether a card has a colour or shape."""
    return CARD_COLOURS[card] is trait or CARD_SHAPES[card] is trait


def trait_values(cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the value of each colour and shape: the number of cards that have it. Rule HB-2."""
    counts = [0] * len(Trait)
    for card in cards:
        counts[card // TRAITS_PER_ASPECT] += 1
        counts[TRAITS_PER_ASPECT + card % TRAITS_PER_ASPECT] += 1
    return tuple(counts)


def add_to_pile(pile: Pile, cards: tuple[Card, ...]) -> Pile:
    """Return a pile with cards added."""
    counts = list(pile)
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def remove_from_pile(pile: Pile, card: Card) -> Pile:
    """Return a pile with one card removed."""
    return (*pile[:card], pile[card] - 1, *pile[card + 1 :])


def card_at(pile: Pile, at: int) -> Card:
    """Return the card at an index of a pile in sorted order."""
    card = 0
    while at >= pile[card]:
        at -= pile[card]
        card += 1
    return card


class Item(NamedTuple):
    """What a card on it must match: a colour or shape, and its exact value."""

    trait: Trait
    number: int

    def __str__(self) -> str:
        return f"{self.trait} {self.number}"


class BonusKind(Enum):
    """What a bonus does. Rules HB-B1 to HB-B5."""

    COLOUR_CHANGE = "colour change"
    SHAPE_CHANGE = "shape change"
    PLUS_COLOUR = "+1 colour"
    PLUS_SHAPE = "+1 shape"
    MOVE = "move"
    COPY = "another player's"


PLUS_BY_ASPECT = {Aspect.COLOUR: BonusKind.PLUS_COLOUR, Aspect.SHAPE: BonusKind.PLUS_SHAPE}
CHANGE_BY_ASPECT = {Aspect.COLOUR: BonusKind.COLOUR_CHANGE, Aspect.SHAPE: BonusKind.SHAPE_CHANGE}

BONUS_COUNTS = {
    BonusKind.COLOUR_CHANGE: 10,
    BonusKind.SHAPE_CHANGE: 10,
    BonusKind.PLUS_COLOUR: 5,
    BonusKind.PLUS_SHAPE: 5,
    BonusKind.MOVE: 3,
    BonusKind.COPY: 3,
}
RARE_BONUS_KINDS = (BonusKind.MOVE, BonusKind.COPY)


class Bonus(NamedTuple):
    """A bonus; with a change, `before` counts as `after`."""

    kind: BonusKind
    before: Trait | None = None
    after: Trait | None = None

    def __str__(self) -> str:
        return self.kind.value if self.before is None else f"{self.before} to {self.after}"


_PLAIN_BONUSES = {
    kind.value: Bonus(kind) for kind in BonusKind if kind not in (BonusKind.COLOUR_CHANGE, BonusKind.SHAPE_CHANGE)
}


Number: TypeAlias = Annotated[int, digits("[1-9][0-9]?")]
"""The number of an assignment."""


@notation("{number}[:{copied}]")
class Use(NamedTuple):
    """The use of a bonus, by its assignment's number; `copied` is the bonus that "another player's" copies."""

    number: Number
    copied: Number | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment card, identified by its number."""

    number: int
    points: int
    items: tuple[Item, ...]
    bonus: Bonus

    def __hash__(self) -> int:
        return self.number


def _parse_item(text: object) -> object:
    match str(text).split(" "):
        case [name, number] if name in TRAIT_BY_NAME and number in {"1", "2", "3", "4"}:
            return Item(TRAIT_BY_NAME[name], int(number))
        case _:
            raise ValueError(f"{text!r} is no item such as 'green 3'")


def _parse_bonus(text: object) -> object:
    if text in _PLAIN_BONUSES:
        return _PLAIN_BONUSES[str(text)]
    before, _, after = str(text).partition(" to ")
    if before in TRAIT_BY_NAME and after in TRAIT_BY_NAME and before != after:
        first, second = TRAIT_BY_NAME[before], TRAIT_BY_NAME[after]
        if first.aspect is second.aspect:
            return Bonus(CHANGE_BY_ASPECT[first.aspect], first, second)
    raise ValueError(f"{text!r} is no bonus such as 'red to green', '+1 shape', 'move' or 'another player's'")


ItemText: TypeAlias = Annotated[Item, BeforeValidator(_parse_item)]
BonusText: TypeAlias = Annotated[Bonus, BeforeValidator(_parse_bonus)]


class AssignmentEntry(ContentModel):
    """An assignment in the file."""

    points: int = Field(ge=1, le=MAX_POINTS)
    items: tuple[ItemText, ...]
    bonus: BonusText


def find_deck_faults(cards: Iterable[AssignmentEntry]) -> Iterator[str]:
    """Yield the faults of a deck of assignments."""
    deck = tuple(cards)
    for number, card in enumerate(deck, 1):
        yield from (f"assignment {number} {fault}" for fault in _card_faults(card))
    points = Counter(card.points for card in deck)
    for value in ITEMS_BY_POINTS:
        if points[value] != CARDS_PER_POINT_VALUE:
            yield f"there must be {CARDS_PER_POINT_VALUE} assignments of {value} points, not {points[value]}"
    yield from _item_faults([item for card in deck for item in card.items])
    yield from _bonus_faults([card.bonus for card in deck])


def _card_faults(card: AssignmentEntry) -> Iterator[str]:
    if len(card.items) != ITEMS_BY_POINTS[card.points]:
        yield f"must have {ITEMS_BY_POINTS[card.points]} items"
    if card.points < FOURS_MIN_POINTS and any(item.number > MAX_USUAL_NUMBER for item in card.items):
        yield f"has a number above {MAX_USUAL_NUMBER}"
    if card.points < RARE_BONUS_MIN_POINTS and card.bonus.kind in RARE_BONUS_KINDS:
        yield "must carry a change or a +1"


def _item_faults(items: list[Item]) -> Iterator[str]:
    counts = Counter(item.trait for item in items)
    for aspect in Aspect:
        traits = [trait for trait in Trait if trait.aspect is aspect]
        if max(counts[trait] for trait in traits) - min(counts[trait] for trait in traits) > 1:
            yield f"the {aspect.value}s must appear equally often, to within one"
    colours = sum(item.trait.aspect is Aspect.COLOUR for item in items)
    if abs(2 * colours - len(items)) > len(Trait):
        yield "colours and shapes must be about even"
    if sum(item.number == MAX_NUMBER for item in items) > MAX_FOURS:
        yield f"there are more than {MAX_FOURS} fours"


def _bonus_faults(bonuses: list[Bonus]) -> Iterator[str]:
    kinds = Counter(bonus.kind for bonus in bonuses)
    for kind, count in BONUS_COUNTS.items():
        if kinds[kind] != count:
            yield f"there must be {count} bonuses '{kind.value}', not {kinds[kind]}"
    changes = Counter(bonus for bonus in bonuses if bonus.before is not None)
    for bonus, count in changes.items():
        if count > 1:
            yield f"the bonus '{bonus}' is there {count} times"


def _validate_cards(cards: tuple[AssignmentEntry, ...]) -> tuple[AssignmentEntry, ...]:
    if faults := list(find_deck_faults(cards)):
        raise ValueError("; ".join(faults))
    return cards


class AssignmentSheet(ContentModel):
    """The file of all assignments."""

    cards: Annotated[tuple[AssignmentEntry, ...], AfterValidator(_validate_cards)]

    def build_deck(self) -> tuple[Assignment, ...]:
        """Return the assignments, numbered from 1."""
        return tuple(
            Assignment(number, card.points, card.items, card.bonus) for number, card in enumerate(self.cards, 1)
        )


class BaggageContent(GameContent):
    """The content of Mr. Houdini's Baggage."""

    assignments: AssignmentSheet


_CACHE_SIZE = 1024


class OwnedBonus(NamedTuple):
    """A bonus with the number of its completed assignment."""

    number: int
    bonus: Bonus

    def __hash__(self) -> int:
        return self.number


@dataclass(frozen=True, eq=False)
class BonusSupply:
    """The bonuses that the mover can still use this turn. Rule HB-12.

    It is found by identity in caches: its bonuses would take long to compare.
    """

    own: tuple[OwnedBonus, ...]
    """The mover's bonuses except those that copy, by number."""
    copies: tuple[int, ...]
    """The numbers of the mover's bonuses that copy another player's."""
    others: tuple[OwnedBonus, ...]
    """The bonuses that can be copied, each once; empty if `copies` is. Rule HB-B5."""

    @cached_property
    def move_use(self) -> Use | None:
        """The use of a bonus to move baggage, preferably the mover's own, or None. Rule HB-B4."""
        own = next((each.number for each in self.own if each.bonus.kind is BonusKind.MOVE), None)
        if own is not None:
            return Use(own)
        copied = next((each.number for each in self.others if each.bonus.kind is BonusKind.MOVE), None)
        return Use(self.copies[0], copied) if copied is not None else None

    @cached_property
    def by_trait(self) -> "tuple[AspectBonuses, ...]":
        """The use of the bonuses for items of each trait."""
        colours, shapes = AspectBonuses(self, Aspect.COLOUR), AspectBonuses(self, Aspect.SHAPE)
        return (colours,) * TRAITS_PER_ASPECT + (shapes,) * TRAITS_PER_ASPECT


NO_SUPPLY = BonusSupply((), (), ())


# 12 us of a click.
@lru_cache(_CACHE_SIZE)
def build_supply(
    own: tuple[Assignment, ...], others: tuple[tuple[Assignment, ...], ...], spent: tuple[int, ...]
) -> BonusSupply:
    """Return the unspent bonuses of the mover's completed assignments, and of others' if they can be copied."""
    left = sorted(OwnedBonus(each.number, each.bonus) for each in own if each.number not in spent)
    copies = tuple([each.number for each in left if each.bonus.kind is BonusKind.COPY])
    copyable = sorted(OwnedBonus(each.number, each.bonus) for cards in others for each in cards) if copies else []
    once = {each.bonus: each for each in reversed(copyable) if each.bonus.kind is not BonusKind.COPY}
    plain = tuple([each for each in left if each.bonus.kind is not BonusKind.COPY])
    return BonusSupply(plain, copies, tuple(sorted(once.values())))


TraitMapping: TypeAlias = tuple[Trait, ...]
"""The trait that each trait of an aspect counts as."""

ChangeChain: TypeAlias = tuple[tuple[OwnedBonus, ...], TraitMapping]
"""Changes in order, and their result."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """Changes, in order, after which some traits count as the wanted one."""

    changes: tuple[OwnedBonus, ...]
    copied: int
    """How many of the changes are copied from another player."""
    counted: tuple[Trait, ...]
    """The traits that then count as the wanted one."""

    def is_subset_of(self, other: "Conversion") -> bool:
        """Return whether the other one needs the same bonuses, or more."""
        return _is_contained(self.changes, other.changes)


def _is_contained(some: tuple[OwnedBonus, ...], more: tuple[OwnedBonus, ...]) -> bool:
    """Return whether the first bonuses are a sub-multiset of the second."""
    return len(some) <= len(more) and all(some.count(each) <= more.count(each) for each in some)


class AspectBonuses:
    """The use of bonuses for items of one aspect."""

    def __init__(self, supply: BonusSupply, aspect: Aspect) -> None:
        self._copies = supply.copies
        self._own_numbers = {each.number for each in supply.own}
        self._pluses = [each.number for each in supply.own if each.bonus.kind is PLUS_BY_ASPECT[aspect]]
        self._plus_copied = next(
            (each.number for each in supply.others if each.bonus.kind is PLUS_BY_ASPECT[aspect]), None
        )
        own, others = (
            tuple([each for each in bonuses if each.bonus.kind is CHANGE_BY_ASPECT[aspect]])
            for bonuses in (supply.own, supply.others)
        )
        self.conversions = _find_conversions(own, others, len(supply.copies), aspect)
        """The conversions to each trait, shortest first."""

    def max_pluses(self, conversion: Conversion) -> int:
        """Return how many +1s can be added to a conversion."""
        left = len(self._copies) - conversion.copied if self._plus_copied is not None else 0
        return len(self._pluses) + left

    def build_uses(self, conversion: Conversion, pluses: int) -> tuple[Use, ...]:
        """Return the bonuses used for a conversion and some +1s, preferring the mover's own."""
        copies = iter(self._copies)
        own = [Use(number) for number in self._pluses[:pluses]]
        changes = [
            Use(each.number) if each.number in self._own_numbers else Use(next(copies), each.number)
            for each in conversion.changes
        ]
        copied = [Use(copy, self._plus_copied) for copy in islice(copies, pluses - len(own))]
        return (*changes, *own, *copied)


# 34 us of a click.
@lru_cache(_CACHE_SIZE)
def _find_conversions(
    own: tuple[OwnedBonus, ...], others: tuple[OwnedBonus, ...], copies: int, aspect: Aspect
) -> dict[Trait, tuple[Conversion, ...]]:
    """Return the conversions to each trait of an aspect by own changes and copies of others. Rules HB-B1 and HB-B2."""
    traits = TRAITS_BY_ASPECT[aspect]
    found: dict[Trait, list[Conversion]] = {trait: [] for trait in traits}
    for changes, mapping in _find_change_chains(own, others, copies, TRAITS_BY_ASPECT[aspect]):
        copied = sum(each not in own for each in changes)
        for wanted in traits:
            counted = tuple(trait for trait, counts_as in zip(traits, mapping, strict=True) if counts_as is wanted)
            conversion = Conversion(changes, copied, counted)
            if not any(known.counted == counted and known.is_subset_of(conversion) for known in found[wanted]):
                found[wanted].append(conversion)
    return {trait: tuple(conversions) for trait, conversions in found.items()}


def _find_change_chains(
    own: tuple[OwnedBonus, ...], others: tuple[OwnedBonus, ...], copies: int, unchanged: TraitMapping
) -> list[ChangeChain]:
    """Return the useful chains of changes, shortest first.

    A chain is dropped if a change has no effect, or if another chain has the same result with a subset of its bonuses.
    """
    chains: list[ChangeChain] = [((), unchanged)]
    # The list grows during the loop: a breadth-first search.
    for changes, mapping in chains:
        left = [each for each in own if each not in changes]
        if sum(each in others for each in changes) < copies:
            left += others
        for each in left:
            longer = (*changes, each)
            after = _apply_change(mapping, each.bonus)
            if after != mapping and not _is_redundant(longer, after, chains):
                chains.append((longer, after))
    return chains


def _apply_change(mapping: TraitMapping, change: Bonus) -> TraitMapping:
    after = change.after
    if after is None:
        return mapping
    return tuple([after if counts_as is change.before else counts_as for counts_as in mapping])


def traits_counting_as(wanted: Trait, changes: Iterable[Bonus]) -> tuple[Trait, ...]:
    """Return the traits that count as the wanted one after some changes, in order. Rules HB-B1 and HB-B2."""
    traits = TRAITS_BY_ASPECT[wanted.aspect]
    mapping = reduce(_apply_change, changes, traits)
    return tuple(trait for trait, counts_as in zip(traits, mapping, strict=True) if counts_as is wanted)


def _is_redundant(changes: tuple[OwnedBonus, ...], mapping: TraitMapping, chains: Iterable[ChangeChain]) -> bool:
    return any(other == mapping and _is_contained(known, changes) for known, other in chains)
