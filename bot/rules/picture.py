"""The layout of a picture, independent of how it is drawn.

Coordinates are pixels from the top left, and later marks cover earlier ones. A theme maps colour roles to colours. No
information is in a colour alone: a shape, a pattern or a number says the same.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from math import ceil, cos, radians, sin
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from bot.rules.game import Seat

if TYPE_CHECKING:
    from bot.rules.motion import Motion

PICTURE_WIDTH = 1000
"""The width of a table's picture in pixels; a phone scales it down to 300."""

MIN_TEXT_SIZE = 37
"""The smallest text size in the picture of a table: 11 pixels on a phone."""

MIN_SHEET_TEXT_SIZE = 26
"""The smallest text size in pictures that people look at for longer, such as profiles and guides."""

COVER_SIZE: Final = (1000, 440)
"""The width and height of a cover in pixels."""

NAME_START, NAME_END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_NAME: Final = re.compile(f"{NAME_START}([^{NAME_END}]*){NAME_END}")
SYMBOL_NAME: Final = re.compile("[a-z][a-z0-9_]{1,16}")
"""Names of symbols. They are short because names of emoji, which contain them, are limited to 32 characters."""


class Theme(StrEnum):
    """The names of themes."""

    STANDARD = "standard"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"


class ColourRole(StrEnum):
    """The use of a colour."""

    SURFACE = "surface"
    """What everything lies on."""
    SURFACE_SHADE = "surface-shade"
    """Areas on the surface."""
    SURFACE_LINE = "surface-line"
    """Decorative lines and frames on the surface."""
    SURFACE_TEXT = "surface-text"
    """Text on the surface."""
    SURFACE_TEXT_FAINT = "surface-text-faint"
    """Less important text on the surface."""
    PAPER = "paper"
    """Cards, dice, sheets."""
    PAPER_SHADE = "paper-shade"
    """Parts of paper that are set apart or used up."""
    TEXT = "text"
    """Text on paper and on the colours of seats."""
    TEXT_FAINT = "text-faint"
    """Less important text on paper."""
    MARK = "mark"
    """Possible actions."""
    NEW = "new"
    """Changes."""
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

    # Enums hash their name in Python. Caches hash marks, and with them this and alignments.
    __hash__ = object.__hash__


class SurfaceColours(NamedTuple):
    """The colours of a surface in a theme, in hexadecimal such as `#17413b`; see the roles of the same names."""

    base: str
    shade: str
    line: str
    text: str
    text_faint: str


_ON_BLACK: Final = SurfaceColours("#000000", "#1c242e", "#8b98a8", "#ffffff", "#dfe6ee")


class Surface(NamedTuple):
    """What a game is played on: its colours in each theme, and the plate of its banners."""

    standard: SurfaceColours
    dark: SurfaceColours
    high_contrast: SurfaceColours = _ON_BLACK
    banner: str | None = None
    """The art of the plate of banners, in a colour that says whether it's good; None is a plain plate."""


FELT: Final = Surface(
    standard=SurfaceColours("#17413b", "#0e2e2a", "#5f968b", "#f6f3e8", "#b4cbc4"),
    dark=SurfaceColours("#141d1c", "#0b1110", "#6b8f87", "#dcdacf", "#a3b3af"),
)
"""The surface of games that have none of their own."""


class Align(Enum):
    """The horizontal alignment of a label, which is always centred vertically."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"

    __hash__ = object.__hash__


class Rect(NamedTuple):
    """A rectangle in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The column after the last."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The line after the last."""
        return self.y + self.height

    def inset(self, by: int) -> "Rect":
        """Return the rectangle shrunk on all sides, or grown if negative."""
        return Rect(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def center(self, width: int, height: int) -> "Rect":
        """Return a centred rectangle of a size."""
        return Rect(self.x + (self.width - width) // 2, self.y + (self.height - height) // 2, width, height)

    def shift(self, right: int = 0, down: int = 0) -> "Rect":
        """Return the rectangle moved."""
        return Rect(self.x + right, self.y + down, self.width, self.height)

    def contains(self, other: "Rect") -> bool:
        """Return whether another rectangle is within this one."""
        x, y, width, height = other
        across = self.x <= x and x + width <= self.x + self.width
        return across and self.y <= y and y + height <= self.y + self.height

    def overlaps(self, other: "Rect") -> bool:
        """Return whether the rectangles share a pixel."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom

    def split_columns(self, count: int, gap: int = 0) -> tuple["Rect", ...]:
        """Split the rectangle into columns of equal width."""
        width = (self.width - gap * (count - 1)) // count
        return tuple(Rect(self.x + at * (width + gap), self.y, width, self.height) for at in range(count))

    def split_rows(self, count: int, gap: int = 0) -> tuple["Rect", ...]:
        """Split the rectangle into rows of equal height."""
        height = (self.height - gap * (count - 1)) // count
        return tuple(Rect(self.x, self.y + at * (height + gap), self.width, height) for at in range(count))


class Sprite(NamedTuple):
    """A piece of art by its name: `pip` is `data/art/pip.svg`, `change/ragz` is `data/change/art/ragz.svg`."""

    name: str
    at: Rect
    """At most the size in the file, with the same proportions."""
    colour: ColourRole | None = None
    """Replaces `currentColor` in the file."""
    rotation: int = 0
    """Degrees clockwise around the centre."""
    may_overlap: bool = False
    """Whether it may partly cover other marks."""
    surface: Surface | None = None
    """The surface whose colours it has; None is that of its picture."""

    @property
    def bounds(self) -> Rect:
        """The area that it covers when it is rotated."""
        at, angle = self.at, radians(self.rotation % 180)
        if not angle:
            return at
        across, along = abs(cos(angle)), sin(angle)
        # Rounded first, so that right angles are exact.
        width = ceil(round(at.width * across + at.height * along, 6))
        return at.center(width, ceil(round(at.width * along + at.height * across, 6)))


class Box(NamedTuple):
    """A filled or empty rectangle."""

    at: Rect
    fill: ColourRole | None
    """None is transparent."""
    border: ColourRole | None = None
    radius: int = 0
    border_width: int = 0
    """The border lies within the rectangle."""
    is_striped: bool = False
    """Whether stripes are drawn on the fill, a little darker or lighter."""
    is_raised: bool = False
    """Whether its lower edge is in shade, as that of a piece which lies on something."""
    may_overlap: bool = False
    surface: Surface | None = None
    """The surface whose colours it has; None is that of its picture."""


class Label(NamedTuple):
    """A line of text and numbers."""

    text: str
    at: Rect
    colour: ColourRole
    size: int = 32
    align: Align = Align.CENTRE
    bold: bool = False
    may_overlap: bool = False
    is_name: bool = False
    """Whether a user typed the text: it is shortened to its area, and left out if the font lacks one of its letters.

    A sentence with names isolates each (`isolate_name`): it runs from left to right, and its names are shortened first.
    """


Mark: TypeAlias = Sprite | Box | Label


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a table or a hand."""

    size: tuple[int, int]
    backdrop: tuple[Mark, ...]
    """Marks that stay the same during a game, so they are drawn once.

    Sprites among them that may overlap are scenery: it is cut off at the edges, and everything else may lie on it. In
    high contrast there is none.
    """
    marks: tuple[Mark, ...]
    description: str
    """The alternative text, one or two sentences."""
    surface: Surface = FELT
    more_surfaces: tuple[Surface, ...] = ()
    """Those of marks that lie on others. Such a picture is drawn as a whole, with the colours of all of them."""
    motion: "Motion | None" = field(default=None, compare=False, repr=False)
    """How it comes about, if dice were rolled; it looks the same without."""

    @property
    def scenery(self) -> Collection[Mark]:
        """The scenery of the backdrop."""
        return {mark for mark in self.backdrop if isinstance(mark, Sprite) and mark.may_overlap}

    def iter_marks(self) -> Iterator[Mark]:
        """Yield all marks, lowest first."""
        yield from self.backdrop
        yield from self.marks


_DARK_COLOURS = (
    ColourRole.SURFACE,
    ColourRole.SURFACE_SHADE,
    ColourRole.RED,
    ColourRole.BLUE,
    ColourRole.VIOLET,
    ColourRole.BLACK,
    ColourRole.TEXT,
    ColourRole.TEXT_FAINT,
)


def text_colour_on(colour: ColourRole) -> ColourRole:
    """Return the colour of readable text on another."""
    return ColourRole.WHITE if colour in _DARK_COLOURS else ColourRole.TEXT


_SEAT_COLOURS = (
    ColourRole.SEAT_1,
    ColourRole.SEAT_2,
    ColourRole.SEAT_3,
    ColourRole.SEAT_4,
    ColourRole.SEAT_5,
    ColourRole.SEAT_6,
)


def seat_colour(seat: Seat) -> ColourRole:
    """Return the colour of a seat; the coloured squares in texts have the same order."""
    return _SEAT_COLOURS[seat]


def isolate_name(name: str) -> str:
    """Return a name for a sentence in a label: its direction does not change that of the sentence."""
    return name if name.startswith(NAME_START) else f"{NAME_START}{name}{NAME_END}"


def split_names(text: str) -> list[str]:
    """Return the parts of a sentence: every second one is an isolated name."""
    return _NAME.split(text)


SYMBOL_AREA: Final = Rect(0, 0, 128, 128)
"""The area of a symbol's art."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol and its art."""

    name: str
    """What it shows, by `SYMBOL_NAME`; no two symbols of all games share a name."""
    text: str
    """How texts write it; no two symbols of all games are written the same."""
    marks: tuple[Mark, ...]
    """Its art within `SYMBOL_AREA`: sprites, which keep their proportions, and labels."""
    more_looks: tuple[tuple[Mark, ...], ...] = ()
    """What follows its art, again and again, if it moves."""
