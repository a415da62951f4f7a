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
        return Aspect.COLOUR if self < KINDS else Aspect.SHAPE


KINDS = 4
"""So many colours there are, and so many shapes."""

COLOURS = tuple(Trait)[:KINDS]
SHAPES = tuple(Trait)[KINDS:]

TRAITS_OF = {Aspect.COLOUR: COLOURS, Aspect.SHAPE: SHAPES}

TRAITS_BY_NAME = {str(trait): trait for trait in Trait}

Card: TypeAlias = int
"""A look: the number of the colour times four, and that of the shape among the shapes."""

CARDS: tuple[Card, ...] = tuple(range(KINDS * KINDS))

COPIES = 4
"""So many cards look the same."""

COLOUR_OF = tuple(COLOURS[card // KINDS] for card in CARDS)
SHAPE_OF = tuple(SHAPES[card % KINDS] for card in CARDS)

NAMES = tuple(f"{colour}-{shape}" for colour in COLOURS for shape in SHAPES)
"""The notation of each card, such as `green-square`."""

CARDS_BY_NAME = {name: card for card, name in enumerate(NAMES)}

Heap: TypeAlias = tuple[int, ...]
"""How many cards of each look lie somewhere, in the order of the cards."""

NO_CARDS: Heap = (0,) * len(CARDS)
ALL_CARDS: Heap = (COPIES,) * len(CARDS)


def has_trait(card: Card, trait: Trait) -> bool:
    """Tell whether a card has a colour or a shape."""
    return COLOUR_OF[card] is trait or SHAPE_OF[card] is trait


def counts_of(cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return how many of the cards have each trait: the values of colours and shapes. Rule HB-2."""
    counts = [0] * len(Trait)
    for card in cards:
        counts[card // KINDS] += 1
        counts[KINDS + card % KINDS] += 1
    return tuple(counts)


def heap_with(heap: Heap, cards: tuple[Card, ...]) -> Heap:
    """Return a heap after cards were put on it."""
    counts = list(heap)
    for card in cards:
        counts[card] += 1
    return tuple(counts)


def heap_without(heap: Heap, card: Card) -> Heap:
    """Return a heap after a card was taken from it."""
    return (*heap[:card], heap[card] - 1, *heap[card + 1 :])


def pick(heap: Heap, at: int) -> Card:
    """Return the card in a place of a heap, whose cards lie in order."""
    card = 0
    while at >= heap[card]:
        at -= heap[card]
        card += 1
    return card
