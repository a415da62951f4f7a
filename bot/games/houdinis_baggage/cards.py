"""The cards of Mr. Houdini's Baggage: baggage, and the assignments that it is packed into."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from bot.rules.content import ContentModel
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

Card: TypeAlias = int
"""A kind of card: the colour's index times four plus the shape's index."""

CARDS: tuple[Card, ...] = tuple(range(TRAITS_PER_ASPECT * TRAITS_PER_ASPECT))


CARD_COLOURS = tuple(COLOURS[card // TRAITS_PER_ASPECT] for card in CARDS)
CARD_SHAPES = tuple(SHAPES[card % TRAITS_PER_ASPECT] for card in CARDS)

CARD_KEYS = tuple(f"{colour}-{shape}" for colour in COLOURS for shape in SHAPES)
"""The notation of each card, such as `green-square`."""

CARD_BY_KEY = {name: card for card, name in enumerate(CARD_KEYS)}

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
