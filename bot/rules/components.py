"""Picture components that all games share.

The seat to move and the possible actions are framed; what has just changed has brackets at its corners; what counts is
gold. Frames and brackets reach 8 pixels beyond what they surround.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from math import cos, radians, sin
from typing import Final, NamedTuple

from bot.rules.game import Seat
from bot.rules.picture import (
    MIN_SHEET_TEXT_SIZE,
    Align,
    Box,
    ColourRole,
    Label,
    Mark,
    Rect,
    Sprite,
    Surface,
    seat_colour,
    text_colour_on,
)

FRAME_WIDTH = 6
"""How wide the frame is around what can be done."""

FRAME_MARGIN = 8
"""How far frames and brackets reach beyond what they are about."""

TIGHT_MARGIN = 4
"""How far they reach where small things lie side by side."""

_PIP_SIZE: Final = 26 / 144
"""The diameter of a pip as a share of the die's width."""

_FACE_CENTRE: Final = 68 / 144
"""The centre of a die's face as a share of its height: below it is an edge in shade."""

_DIAGONAL: Final = ((-1, -1), (1, 1))
_CORNERS: Final = (*_DIAGONAL, (1, -1), (-1, 1))
_PIPS: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: _DIAGONAL,
    3: (*_DIAGONAL, (0, 0)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}
"""Where the pips of a face are: right of and below its centre."""

_CACHE_SIZE: Final = 1024
"""Most parts stay the same from one picture to the next; each takes half a kB to three."""


_MEDAL_SHAPE: Final = 72 / 84
_LETTER_WIDTH: Final = 0.55
"""The usual width of a letter of a name as a part of its size."""
"""The width of a medal as a share of its height."""


class Species(Enum):
    """What kind of animal a computer player is; each is a piece of art, a face in the colour of the seat."""

    MOUSE = "mouse"
    FOX = "fox"
    OWL = "owl"

    # Nameplates are cache keys, and hashing a member by identity is faster than by its name, which Enum does.
    __hash__ = object.__hash__


class Nameplate(NamedTuple):
    """Who has a seat, as a picture shows them."""

    name: str
    species: Species | None = None
    """None for a person."""
    has_medal: bool = False
    """Whether the player has just earned a badge."""


def cover_marks(cover: str, at: Rect, surface: Surface | None = None) -> tuple[Mark, ...]:
    """Return the cover of a game in a frame, which reaches 4 pixels beyond it."""
    return (
        Sprite(cover, at, surface=surface),
        Box(at.inset(-4), None, ColourRole.GOLD, 12, 4, may_overlap=True, surface=surface),
    )


def die_marks(face: int, at: Rect, ink: ColourRole | None = None, rotation: int = 0) -> tuple[Sprite, ...]:
    """Return an ordinary die and its pips; `data/art` has it 180 pixels wide at most."""
    return (Sprite("die", at, ink, rotation), *(Sprite("pip", pip) for pip in _pip_areas(face, at, rotation)))


def _pip_areas(face: int, at: Rect, rotation: int) -> Iterator[Rect]:
    size, reach, angle = round(at.width * _PIP_SIZE), at.width / 4, radians(rotation)
    x, y = at.x + at.width / 2, at.y + at.height * _FACE_CENTRE
    for right, down in _PIPS[face]:
        turned_right, turned_down = right * cos(angle) - down * sin(angle), right * sin(angle) + down * cos(angle)
        yield Rect(round(x + reach * turned_right - size / 2), round(y + reach * turned_down - size / 2), size, size)


def token_marks(
    nameplates: Sequence[Nameplate], seat: Seat, at: Rect, least_size: int = MIN_SHEET_TEXT_SIZE
) -> tuple[Mark, ...]:
    """Return the marker of a seat, which is square and from 44 to 96 pixels wide.

    A computer player has its face in the colour of the seat, and anyone else the shape of the seat with its number.
    """
    if nameplates and (species := nameplates[seat].species):
        return (Sprite(species.value, at, seat_colour(seat)),)
    size = max(least_size, at.height // 2)
    return (Sprite(f"token-{seat + 1}", at), Label(str(seat + 1), at, ColourRole.TEXT, size, bold=True))


def name_labels(
    nameplates: Sequence[Nameplate],
    seat: Seat,
    at: Rect,
    colour: ColourRole = ColourRole.SURFACE_TEXT,
    *,
    size: int,
    align: Align = Align.LEFT,
) -> tuple[Mark, ...]:
    """Return the name of a seat, with a medal beside it for a new badge, or nothing where nameplates are not known.

    The medal gets smaller before the name does.
    """
    if not nameplates or not nameplates[seat].name:
        return ()
    medal: tuple[Mark, ...] = ()
    if nameplates[seat].has_medal:
        width = round(_MEDAL_SHAPE * at.height)
        spare = at.width - round(len(nameplates[seat].name) * _LETTER_WIDTH * size)
        width = max(width // 2, min(width, spare))
        at = at._replace(width=at.width - width)
        height = round(width / _MEDAL_SHAPE)
        medal = (Sprite("medal", Rect(at.right, at.y, width, at.height).center(width, height), ColourRole.GOLD),)
    return (Label(nameplates[seat].name, at, colour, size, align, is_name=True), *medal)


def action_frame(at: Rect, radius: int = 0, outside: int = FRAME_MARGIN) -> Box:
    """Return the frame around what can be done now."""
    return Box(
        at.inset(-outside), None, ColourRole.MARK, radius + outside if radius else 0, FRAME_WIDTH, may_overlap=True
    )


class BracketSize(Enum):
    """How large brackets are, and how far they reach."""

    USUAL = (30, FRAME_MARGIN)
    SMALL = (20, FRAME_MARGIN)
    """Around what is so small that usual brackets would lie on its text."""
    TIGHT = (16, TIGHT_MARGIN)
    """Where small things lie side by side."""


# 17 us of each picture of Fortune and The Magic Bag, 1 % of a click.
@lru_cache(_CACHE_SIZE)
def change_brackets(at: Rect, brackets: BracketSize = BracketSize.USUAL) -> tuple[Sprite, ...]:
    """Return the brackets at the corners of what has just changed."""
    side, outside = brackets.value
    out = at.inset(-outside)
    left, right, top, bottom = out.x, out.right - side, out.y, out.bottom - side
    corners = ((left, top, 0), (right, top, 90), (right, bottom, 180), (left, bottom, 270))
    return tuple(
        Sprite("bracket", Rect(x, y, side, side), ColourRole.NEW, turn, may_overlap=True) for x, y, turn in corners
    )


def tag_marks(
    text: str, at: Rect, fill: ColourRole = ColourRole.PAPER, ink: ColourRole = ColourRole.TEXT, size: int = 28
) -> tuple[Mark, ...]:
    """Return a few signs on a plate of their own."""
    return (Box(at, fill, radius=at.height // 2), Label(text, at.inset(2), ink, size, bold=True))


def face_down_marks(at: Rect, radius: int = 14) -> tuple[Mark, ...]:
    """Return a card or a die whose face is hidden: a question mark on a violet back, at least 44 pixels high."""
    back = Box(at, ColourRole.VIOLET, ColourRole.PAPER, radius, 4)
    size = max(26, at.height // 2)
    return (back, Label("?", at.inset(6), text_colour_on(ColourRole.VIOLET), size, bold=True))
