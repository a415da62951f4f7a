"""The baggage: 64 cards of four colours and four shapes. Cards that look alike are the same to the rules."""

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
"""So many colours there are, and so many shapes."""

COLOURS = tuple(Trait)[:TRAITS_PER_ASPECT]
SHAPES = tuple(Trait)[TRAITS_PER_ASPECT:]

TRAITS_BY_ASPECT = {Aspect.COLOUR: COLOURS, Aspect.SHAPE: SHAPES}

TRAIT_BY_NAME = {str(trait): trait for trait in Trait}

Card: TypeAlias = int
"""A look: the number of the colour times four, and that of the shape among the shapes."""

CARDS: tuple[Card, ...] = tuple(range(TRAITS_PER_ASPECT * TRAITS_PER_ASPECT))

COPIES_PER_CARD = 4
"""So many cards look the same."""

CARD_COLOURS = tuple(COLOURS[card // TRAITS_PER_ASPECT] for card in CARDS)
CARD_SHAPES = tuple(SHAPES[card % TRAITS_PER_ASPECT] for card in CARDS)

CARD_KEYS = tuple(f"{colour}-{shape}" for colour in COLOURS for shape in SHAPES)
"""The notation of each card, such as `green-square`."""

CARD_BY_KEY = {name: card for card, name in enumerate(CARD_KEYS)}

Pile: TypeAlias = tuple[int, ...]
"""How many cards of each look lie somewhere, in the order of the cards."""

EMPTY_PILE: Pile = (0,) * len(CARDS)
FULL_PILE: Pile = (COPIES_PER_CARD,) * len(CARDS)


def has_trait(card: Card, trait: Trait) -> bool:
    """Tell whether a card has a colour or a shape."""
    return CARD_COLOURS[card] is trait or CARD_SHAPES[card] is trait


def counts_of(cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return how many of the cards have each trait: the values of colours and shapes. Rule HB-2."""
    counts = [0] * len(Trait)
    for card in cards:
        counts[card // TRAITS_PER_ASPECT] += 1
        counts[TRAITS_PER_ASPECT + card % TRAITS_PER_ASPECT] += 1
    return tuple(counts)


def add_to_pile(heap: Pile, cards: tuple[Card, ...]) -> Pile:
    """Return a heap after cards were put on it."""
    counts = list(heap)
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def remove_from_pile(heap: Pile, card: Card) -> Pile:
    """Return a heap after a card was taken from it."""
    return (*heap[:card], heap[card] - 1, *heap[card + 1 :])


def card_at(heap: Pile, at: int) -> Card:
    """Return the card in a place of a heap, whose cards lie in order."""
    card = 0
    while at >= heap[card]:
        at -= heap[card]
        card += 1
    return card
