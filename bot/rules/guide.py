"""How to play a game: short pages, and the parts that their pictures are made of."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeAlias

from bot.rules.components import action_frame, change_brackets, die_marks
from bot.rules.game import OptionsT
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect
from bot.rules.seat_rows import ROW_GAP, RowFormat, SeatRow, place_rows, row_height_of, seat_rows_marks

MAX_PAGE_WORDS: Final = 90
"""The most words of a page, title included: as much as a phone shows below the picture."""

SCENE_TEXT_SIZE: Final = 40
_MARGIN, _GAP = 28, 22
_DIE = 128
_PLATE_GAP = 16


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of a guide."""

    title: str
    text: str
    """Markdown."""
    build_picture: Callable[[], Picture]
    option: str | None = None
    """The option that the page explains; the page is left out if a table does not use it."""


@dataclass(frozen=True, slots=True)
class Guide(Generic[OptionsT]):
    """The explanation of a game."""

    summary: str
    """One sentence for people who do not know the game."""
    build_pages: Callable[[OptionsT], Sequence[GuidePage]]
    """Returns the pages for a table with these options, in the order they are read."""


Drawing: TypeAlias = Callable[[Rect], Iterable[Mark]]
"""Returns the marks of something within an area."""


class SceneRow(NamedTuple):
    """A row of a scene."""

    height: int
    build: Drawing
    """Returns the marks within an area of that height."""


def stack_rows(description: str, *rows: SceneRow) -> Picture:
    """Return a picture of rows below each other.

    Args:
        description: The alternative text.
        rows: From top to bottom.
    """
    marks: list[Mark] = []
    top = _MARGIN
    for row in rows:
        marks += row.build(Rect(_MARGIN, top, PICTURE_WIDTH - 2 * _MARGIN, row.height))
        top += row.height + _GAP
    return Picture((PICTURE_WIDTH, top - _GAP + _MARGIN), (), tuple(marks), description)


def caption(text: str, size: int = SCENE_TEXT_SIZE, colour: ColourRole = ColourRole.SURFACE_TEXT) -> SceneRow:
    """Return a line of text."""
    return SceneRow(size + 16, lambda at: [Label(text, at, colour, size)])


class Die(NamedTuple):
    """An ordinary die of a scene."""

    face: int
    is_framed: bool = False
    """Whether it is picked."""
    is_new: bool = False
    """Whether it was just rolled."""
    is_faint: bool = False
    """Whether it does not count."""


def make_dice(
    faces: Iterable[int],
    *,
    framed: Collection[int] = (),
    new: Collection[int] = (),
    faint: Collection[int] = (),
) -> tuple[Die, ...]:
    """Return dice; the other arguments are places, counted from 1."""
    return tuple(Die(face, at in framed, at in new, at in faint) for at, face in enumerate(faces, 1))


def dice_row(dice: Sequence[Die], side: int = _DIE, note: str = "") -> SceneRow:
    """Return dice side by side, centred, with a note to their right if there is one."""

    def build(at: Rect) -> Iterable[Mark]:
        pitch = side + 36
        width = pitch * len(dice) - 36
        left = at.x + 12 if note else at.x + (at.width - width) // 2
        for number, die in enumerate(dice):
            place = Rect(left + pitch * number, at.y + 12, side, side)
            yield from die_marks(die.face, place, ColourRole.PAPER_SHADE if die.is_faint else ColourRole.PAPER)
            if die.is_framed:
                yield action_frame(place, side // 6)
            if die.is_new:
                yield from change_brackets(place)
        if note:
            start = left + width + 32
            yield Label(
                note,
                Rect(start, at.y, at.right - start, at.height),
                ColourRole.SURFACE_TEXT,
                SCENE_TEXT_SIZE,
                Align.LEFT,
            )

    return SceneRow(side + 24, build)


class Plate(NamedTuple):
    """A large figure above a few words."""

    figure: str
    words: str
    fill: ColourRole = ColourRole.PAPER


def plates_row(plates: Sequence[Plate], size: int = 52, columns: int = 0) -> SceneRow:
    """Return plates of equal width side by side, with room for at least a number of them."""

    def build(at: Rect) -> Iterable[Mark]:
        rooms = at.split_columns(max(len(plates), columns), _PLATE_GAP)
        for plate, room in zip(plates, rooms, strict=False):
            upper, lower = room.inset(8)._replace(height=size + 12), room.inset(8)
            yield Box(room, plate.fill, radius=16, is_raised=True)
            yield Label(plate.figure, upper, ColourRole.TEXT, size, bold=True)
            yield Label(
                plate.words, lower._replace(y=upper.bottom, height=room.bottom - upper.bottom - 8), ColourRole.TEXT, 30
            )

    return SceneRow(size + 70, build)


def side_by_side(*rows: SceneRow, gap: int = 32) -> SceneRow:
    """Return rows side by side in columns of equal width."""

    def build(at: Rect) -> Iterable[Mark]:
        for row, room in zip(rows, at.split_columns(len(rows), gap), strict=True):
            yield from row.build(Rect(room.x, at.y + (at.height - row.height) // 2, room.width, row.height))

    return SceneRow(max(row.height for row in rows), build)


def seats_row(rows: Sequence[SeatRow], shape: RowFormat) -> SceneRow:
    """Return the rows of seats, without names."""
    height = row_height_of(len(rows))
    return SceneRow(
        len(rows) * (height + ROW_GAP) - ROW_GAP,
        lambda at: seat_rows_marks(rows, (), shape, place_rows(len(rows), at)),
    )


class ListLine(NamedTuple):
    """A line of a list: a picture of its subject, and what it means."""

    draw: Drawing
    text: str


def list_row(lines: Sequence[ListLine], *, width: int, height: int = 84, size: int = 36) -> SceneRow:
    """Return a list.

    Args:
        lines: Its lines.
        width: The width of the pictures on the left.
        height: The height of a line.
        size: The size of the text.
    """

    def build(at: Rect) -> Iterable[Mark]:
        for line, area in zip(lines, at.split_rows(len(lines), 10), strict=True):
            yield from line.draw(Rect(area.x, area.y, width, area.height))
            words = Rect(area.x + width + 28, area.y, area.width - width - 28, area.height)
            yield Label(line.text, words, ColourRole.SURFACE_TEXT, size, Align.LEFT)

    return SceneRow(len(lines) * (height + 10) - 10, build)
