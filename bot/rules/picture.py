"""A neutral picture: what a table looks like, before anything draws it.

Pixels are counted from the top left; what comes later lies on what came before. Colours are named by what they stand
for, and a theme says what they are. A colour never stands alone: a shape, a pattern or a number says the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from bot.rules.game import Event, Seat

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)

PICTURE_WIDTH = 1000
"""How wide the picture of a table is; a phone shows 400 pixels of it."""

MIN_TEXT_SIZE = 26
"""The smallest size of a label that can still be read on a phone."""


class Theme(StrEnum):
    """What the inks look like."""

    STANDARD = "standard"
    HIGH_CONTRAST = "high_contrast"


class ColourRole(StrEnum):
    """What a colour stands for."""

    FELT = "felt"
    FELT_SHADE = "felt-shade"
    """A hollow in the felt, or a shadow on it."""
    FELT_LINE = "felt-line"
    """Lines and frames on the felt that say nothing by themselves."""
    CHALK = "chalk"
    """Text on the felt."""
    CHALK_FAINT = "chalk-faint"
    """Text on the felt that matters less."""
    PAPER = "paper"
    """Cards, dice, sheets."""
    PAPER_SHADE = "paper-shade"
    """Parts of paper that are set off, or used up."""
    TEXT = "text"
    """Text on paper, and on every colour of a seat."""
    TEXT_FAINT = "text-faint"
    """Text on paper that matters less."""
    MARK = "mark"
    """Can be done now."""
    NEW = "new"
    """Has just changed."""
    GOLD = "gold"
    GOOD = "good"
    BAD = "bad"
    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SEAT_3 = "seat-3"
    SEAT_4 = "seat-4"
    SEAT_5 = "seat-5"
    SEAT_6 = "seat-6"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    YELLOW = "yellow"
    VIOLET = "violet"
    BLACK = "black"
    WHITE = "white"
    GREY = "grey"

    # Whoever looks a mark up looks up its inks, too; that an ink is itself need not be told by its name. The same goes
    # for how a label is aligned and for patterns.
    __hash__ = object.__hash__


class Align(Enum):
    """Where in its room a label stands; it is always half-way down."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"

    __hash__ = object.__hash__


class Pattern(Enum):
    """What tells boxes apart besides their colour."""

    STRIPES = "stripes"
    DOTS = "dots"
    CHECKS = "checks"
    CROSSES = "crosses"
    BARS = "bars"
    WAVES = "waves"

    __hash__ = object.__hash__


class Rect(NamedTuple):
    """A part of the picture."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first line below it."""
        return self.y + self.height

    def inset(self, by: int) -> "Rect":
        """Return the part of it that is so far from its edges; a number below zero makes it larger."""
        return Rect(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def center(self, width: int, height: int) -> "Rect":
        """Return a rectangle of this size in its middle."""
        return Rect(self.x + (self.width - width) // 2, self.y + (self.height - height) // 2, width, height)

    def shift(self, right: int = 0, down: int = 0) -> "Rect":
        """Return it elsewhere."""
        return Rect(self.x + right, self.y + down, self.width, self.height)

    def contains(self, other: "Rect") -> bool:
        """Tell whether the other lies wholly within it."""
        x, y, width, height = other
        across = self.x <= x and x + width <= self.x + self.width
        return across and self.y <= y and y + height <= self.y + self.height

    def overlaps(self, other: "Rect") -> bool:
        """Tell whether they have a pixel in common."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom

    def split_columns(self, count: int, gap: int = 0) -> tuple["Rect", ...]:
        """Divide it into so many parts of the same width, side by side."""
        width = (self.width - gap * (count - 1)) // count
        return tuple(Rect(self.x + at * (width + gap), self.y, width, self.height) for at in range(count))

    def split_rows(self, count: int, gap: int = 0) -> tuple["Rect", ...]:
        """Divide it into so many parts of the same height, one below the other."""
        height = (self.height - gap * (count - 1)) // count
        return tuple(Rect(self.x, self.y + at * (height + gap), self.width, height) for at in range(count))


class Sprite(NamedTuple):
    """A piece of art by its name: `die-5` is `data/art/die-5.svg`, `change/ragz` is `data/change/art/ragz.svg`."""

    name: str
    at: Rect
    """As large as its file says at most, and in the same proportions."""
    colour: ColourRole | None = None
    """What it is drawn in where its file says `currentColor`."""
    rotation: int = 0
    """Degrees clockwise about its middle."""
    may_overlap: bool = False
    """Whether it lies on something else on purpose, though not wholly within it."""


class Box(NamedTuple):
    """A rectangle, perhaps with round corners."""

    at: Rect
    fill: ColourRole | None
    """None shows what lies below it."""
    border: ColourRole | None = None
    radius: int = 0
    border_width: int = 0
    """How wide the edge is; it lies within the rectangle."""
    pattern: Pattern | None = None
    """Lies on the fill, a little darker or lighter."""
    may_overlap: bool = False


class Label(NamedTuple):
    """Fixed words and numbers of ours in one line; never a word that somebody typed."""

    text: str
    at: Rect
    colour: ColourRole
    size: int = 32
    align: Align = Align.CENTRE
    bold: bool = False
    may_overlap: bool = False


Mark: TypeAlias = Sprite | Box | Label


@dataclass(frozen=True, slots=True)
class Picture:
    """What everybody at the table sees, or in a hand what one of them does."""

    size: tuple[int, int]
    backdrop: tuple[Mark, ...]
    """What is the same all game long: it is drawn once."""
    marks: tuple[Mark, ...]
    description: str
    """The same in one or two sentences, for whoever can't see it."""

    def iter_marks(self) -> Iterator[Mark]:
        """Yield what lies on the felt, lowest first."""
        yield from self.backdrop
        yield from self.marks


class PictureBuilder(Protocol[ViewT_contra]):
    """Makes a picture of a view; names and drafts are no part of it."""

    def __call__(self, view: ViewT_contra, news: Sequence[Event]) -> Picture:
        """Make the picture; news are the events of the newest moves, as a screen is given them."""
        ...


class ReadingBuilder(Protocol[ViewT_contra]):
    """Tells the whole table in plain words, in the order in which one would explain it."""

    def __call__(self, view: ViewT_contra, names: Sequence[str]) -> str:
        """Tell whose turn it is, what they can do, and how everything stands; names are safe to show."""
        ...


_DARK_COLOURS = frozenset(
    {
        ColourRole.FELT,
        ColourRole.FELT_SHADE,
        ColourRole.RED,
        ColourRole.BLUE,
        ColourRole.VIOLET,
        ColourRole.BLACK,
        ColourRole.TEXT,
        ColourRole.TEXT_FAINT,
    }
)


def text_colour_on(ink: ColourRole) -> ColourRole:
    """Return the ink of text that can be read on another."""
    return ColourRole.WHITE if ink in _DARK_COLOURS else ColourRole.TEXT


_SEAT_COLOURS = (
    ColourRole.SEAT_1,
    ColourRole.SEAT_2,
    ColourRole.SEAT_3,
    ColourRole.SEAT_4,
    ColourRole.SEAT_5,
    ColourRole.SEAT_6,
)


def seat_colour(seat: Seat) -> ColourRole:
    """Return the ink of a seat; the coloured squares in texts have the same order."""
    return _SEAT_COLOURS[seat]
