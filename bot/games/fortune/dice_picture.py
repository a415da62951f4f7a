"""Draws the dice, and the places for skulls."""

from collections.abc import Iterable, Iterator
from typing import Final

from bot.games.fortune.pieces import ALL_PLACES, DICE_COUNT, FACES, MAX_SKULLS, Face, Turn
from bot.rules.motion import MovingPiece, tumble
from bot.rules.picture import Box, ColourRole, Mark, Rect, Sprite

FACE_ART: Final = {face: f"fortune/{face.name.lower()}" for face in Face}

DICE_AREA: Final = Rect(290, 11, 688, 344)

_TILTS = (-4, 3, 5, -3, 4, -5, 3, -4)
"""Degrees by which the dice in their places are turned, but not in the chest."""
_DIE_SHARE = 0.87
"""The width of a die as a share of its cell."""


def die_cell(place: int, at: Rect = DICE_AREA) -> Rect:
    """Return the square cell of a die in two rows of four: in it one a fifth smaller may be turned as one likes."""
    row, column = divmod(place - 1, DICE_COUNT // 2)
    side = at.height // 2
    return Rect(at.x + column * side, at.y + row * side, side, side)


def dice_marks(turn: Turn, gold: frozenset[Face] = frozenset(), places: Iterable[int] = ALL_PLACES) -> tuple[Mark, ...]:
    """Return the dice in two rows of four, like their buttons: blank before the first roll, some gold, others not."""
    marks: list[Mark] = []
    for place in places:
        face = turn.faces[place - 1] if turn.faces else None
        paper = ColourRole.GOLD if face in gold else ColourRole.PAPER
        marks += placed_die_marks(turn, place, die_cell(place), paper)
    return tuple(marks)


def moving_die(place: int, face: Face) -> MovingPiece:
    """Return a die that was rolled; while it tumbles it never shows a skull."""
    cell = die_cell(place)
    side = round(cell.width * _DIE_SHARE)
    looks = tumble(cell, place, FACES[Face.SKULL + 1 :], die_marks)
    return MovingPiece(cell, looks, die_marks(face, cell.center(side, side), _TILTS[place - 1]))


def placed_die_marks(turn: Turn, place: int, cell: Rect, paper: ColourRole = ColourRole.PAPER) -> Iterator[Mark]:
    """Yield a die in its cell, with a frame if it lies in the chest."""
    side = round(cell.width * _DIE_SHARE)
    die = cell.center(side, side)
    if place in turn.chest:
        yield Box(die.inset(-side // 18), ColourRole.VIOLET, ColourRole.WHITE, side // 5, 3)
    tilt = 0 if place in turn.chest else _TILTS[place - 1]
    if turn.faces:
        yield from die_marks(turn.faces[place - 1], die, tilt, paper)
    else:
        yield blank_die(die, rotation=tilt)


_SKULLS_IN_ROW = 5


def skull_marks(turn: Turn, at: Rect) -> Iterator[Mark]:
    """Yield the skulls of card and dice in their places: three, the third one red, or as many as there are.

    Those of the card are on paper.
    """
    count = max(turn.skulls, MAX_SKULLS + 1)
    is_usual = count == MAX_SKULLS + 1
    for nth, place in enumerate(_skull_places(count, at)):
        if nth < turn.card.skulls:
            yield Box(place, ColourRole.PAPER, ColourRole.GOLD, 12, 5)
        elif nth == MAX_SKULLS and is_usual:
            is_there = nth < turn.skulls
            yield Box(place, ColourRole.BAD if is_there else ColourRole.SURFACE_SHADE, ColourRole.BAD, 14, 6)
        else:
            yield Box(place, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 14, 5)
        if nth < turn.skulls:
            side = place.width * 3 // 4
            yield Sprite(FACE_ART[Face.SKULL], place.center(side, side))


def _skull_places(count: int, at: Rect) -> Iterator[Rect]:
    if count == MAX_SKULLS + 1:
        yield from (room.center(room.width, room.width) for room in at.split_columns(count, 8))
        return
    pitch = at.width // _SKULLS_IN_ROW
    rows = -(-count // _SKULLS_IN_ROW)
    top = at.y + (at.height - rows * pitch) // 2
    for nth in range(count):
        row, column = divmod(nth, _SKULLS_IN_ROW)
        yield Rect(at.x + column * pitch, top + row * pitch, pitch - 4, pitch - 4)


def die_marks(face: Face, at: Rect, rotation: int = 0, paper: ColourRole = ColourRole.PAPER) -> tuple[Mark, ...]:
    """Return a die with a face; skulls are white on black to stand out."""
    # The object lies above the middle because of the die's shadow.
    side = at.width * 2 // 3
    edge = (at.width - side) // 2
    object_area = Rect(at.x + edge, at.y + edge - at.width // 26, side, side)
    body = Sprite("fortune/die-skull", at, rotation=rotation) if face is Face.SKULL else blank_die(at, paper, rotation)
    return (body, Sprite(FACE_ART[face], object_area, rotation=rotation))


def blank_die(at: Rect, paper: ColourRole = ColourRole.PAPER, rotation: int = 0) -> Sprite:
    """Return the body of a die."""
    return Sprite("fortune/die", at, paper, rotation)
