"""The baggage cards: four copies each of four colours and four shapes. Copies are interchangeable."""

from enum import Enum, IntEnum
from typing import TypeAlias


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


TRAITS_PER_ASPECT = 4
"""The number of colours, and of shapes."""

COLOURS = tuple(Trait)[:TRAITS_PER_ASPECT]
SHAPES = tuple(Trait)[TRAITS_PER_ASPECT:]

TRAITS_BY_ASPECT = {Aspect.COLOUR: COLOURS, Aspect.SHAPE: SHAPES}

TRAIT_BY_NAME = {str(trait): trait for trait in Trait}

Card: TypeAlias = int
"""A kind of card: the colour's index times four plus the shape's index."""

CARDS: tuple[Card, ...] = tuple(range(TRAITS_PER_ASPECT * TRAITS_PER_ASPECT))

COPIES_PER_CARD = 4
"""The number of identical cards."""

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
