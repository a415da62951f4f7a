"""Draws the pieces on the board: markers, Ragz, and frames of open spaces."""

from collections.abc import Iterator, Sequence
from math import ceil

from bot.games.change.board import Board, Space
from bot.games.change.events import GameEvent, Landed, MarkerPlaced, Moved, TrackRolled
from bot.games.change.picture.board import (
    free_habit_area,
    habit_area,
    marker_areas,
    ragz_area,
    space_area,
    space_sprite,
)
from bot.games.change.picture.fan import fan_out
from bot.games.change.pieces import PublicState
from bot.rules.components import FRAME_WIDTH
from bot.rules.game import Seat
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite

_WIDTH, _WIDTH_OF_SEVERAL = 45, 36
"""The largest widths of a single Ragz and of several on a space: 18 and 14 pixels on a phone that is 390 wide."""
_SEEN_ACROSS, _SEEN_DOWN = 0.44, 0.25
"""The shares of a Ragz's width and height that no other one covers, so that its head is seen."""
_MIN_NUMBERED_WIDTH, _MIN_SEEN_WIDTH = 36, 22
"""Narrower Ragz have no number, nor have those of which less is seen."""

_SIGN = 20
"""The side of the sign in a marker's corner, which no other marker covers: 6 pixels where a picture is 284 wide."""


def piece_marks(public: PublicState, turn: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the frames of open spaces, the markers and the Ragz."""
    for space in public.open_spaces:
        # The frames of neighbours overlap in the gap between them.
        yield Box(space_area(space).inset(-4), None, ColourRole.MARK, 11, FRAME_WIDTH, may_overlap=True)
    yield from _marker_marks(public, turn)
    moved = {event.seat for event in turn if isinstance(event, TrackRolled | Landed | Moved)}
    for space in sorted(set(public.ragz_spaces)):
        seats = [seat for seat, own in enumerate(public.ragz_spaces) if own == space]
        room = ragz_area(public.board, space)
        if moved.intersection(seats):
            yield Box(room, ColourRole.NEW, radius=12, may_overlap=True)
        yield from _ragz_marks(seats, room)


def _marker_marks(public: PublicState, turn: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the markers of each space, with a sign if they are new or release double."""
    new = {(event.seat, event.space) for event in turn if isinstance(event, MarkerPlaced)}
    for space, usual in enumerate(public.board.credits):
        seats = [seat for seat, markers in enumerate(public.markers) if markers >> space & 1]
        yield from _small_habit_marks(public.board, space, len(seats))
        for seat, at in zip(seats, marker_areas(space, len(seats)), strict=True):
            yield Sprite(f"change/marker-{seat + 1}", at, may_overlap=True)
            sign = Rect(at.x, at.y, _SIGN, _SIGN)
            if (seat, space) in new:
                yield _sign(sign, ColourRole.NEW, _SIGN // 2)
            elif public.released_credits_for(seat, space) > usual:
                yield _sign(sign, ColourRole.GOLD, 4)


def _small_habit_marks(board: Board, space: Space, count: int) -> Iterator[Mark]:
    """Yield what replaces the picture of a habit where markers need its room: a smaller one, or nothing."""
    whole, free = habit_area(space_area(space)), free_habit_area(space, count)
    if free != whole:
        yield Box(whole, ColourRole.PAPER, may_overlap=True)
        if free:
            yield space_sprite(board.spaces[space], free, ColourRole.TEXT)


def _sign(at: Rect, fill: ColourRole, radius: int) -> Box:
    """Return a sign with an outline, as its colour may be nearly that of the marker."""
    return Box(at, fill, ColourRole.TEXT, radius, 4, may_overlap=True)


def _ragz_marks(seats: Sequence[Seat], room: Rect) -> Iterator[Mark]:
    """Yield the Ragz on a space, fanned out in as few rows as their size allows, with the numbers that are seen."""
    count = len(seats)
    columns = max(range(1, count + 1), key=lambda each: (_ragz_width(count, each, room), each))
    places = _ragz_places(count, columns, room)
    for seat, place in zip(seats, places, strict=True):
        yield Sprite(f"change/ragz-{seat + 1}", place, may_overlap=True)
    for seat, place, after in zip(seats, places, (*places[1:], None), strict=True):
        if place.bottom == places[-1].bottom and place.width >= _MIN_NUMBERED_WIDTH:
            yield from _number_marks(seat, place, after)


def _number_marks(seat: Seat, at: Rect, after: Rect | None) -> Iterator[Mark]:
    """Yield the number of a Ragz on its cloak, if the one after it leaves room."""
    room = Rect(at.x, at.bottom - 32, at.width, 32)
    if after and after.x < at.right:
        seen = after.x - at.x
        if seen < _MIN_SEEN_WIDTH:
            return
        room = Rect(at.x + 7, room.y, seen - 5, room.height)
    yield Label(str(seat + 1), room, ColourRole.TEXT, 26, bold=True, may_overlap=True)


def _ragz_places(count: int, columns: int, room: Rect) -> tuple[Rect, ...]:
    """Return the areas of Ragz in the middle of a room."""
    width = _ragz_width(count, columns, room)
    places = fan_out(count, columns, (width, width * 4 // 3), room)
    right, down = room.right - max(each.right for each in places), room.bottom - places[-1].bottom
    return tuple(each.shift(right // 2, down // 2) for each in places)


def _ragz_width(count: int, columns: int, room: Rect) -> int:
    """Return the largest width of Ragz in some columns."""
    across, down = 1 + (columns - 1) * _SEEN_ACROSS, 1 + (ceil(count / columns) - 1) * _SEEN_DOWN
    widest = _WIDTH if count == 1 else _WIDTH_OF_SEVERAL
    return min(widest, int(room.width / across), int(room.height / down) * 3 // 4)
