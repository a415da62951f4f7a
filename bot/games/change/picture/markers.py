"""Draws the pieces on the board: markers, Ragz, and frames of open spaces."""

from collections.abc import Iterator, Sequence
from math import ceil

from bot.games.change.events import GameEvent, Landed, MarkerPlaced, Moved, TrackRolled
from bot.games.change.picture.board import habit_area, is_habit_covered, marker_areas, ragz_area, space_area
from bot.games.change.pieces import PublicState
from bot.rules.components import FRAME_WIDTH
from bot.rules.game import Seat
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite

_MIN_NUMBERED_WIDTH = 38
"""Narrower Ragz have no number."""

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
            yield Box(room, ColourRole.NEW, radius=12)
        yield from _ragz_marks(seats, room)


def _marker_marks(public: PublicState, turn: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the markers of each space, with a sign if they are new or release double."""
    new = {(event.seat, event.space) for event in turn if isinstance(event, MarkerPlaced)}
    for space, usual in enumerate(public.board.credits):
        seats = [seat for seat, markers in enumerate(public.markers) if markers >> space & 1]
        if is_habit_covered(space, len(seats)):
            yield Box(habit_area(space_area(space)), ColourRole.PAPER, may_overlap=True)
        for seat, at in zip(seats, marker_areas(space, len(seats)), strict=True):
            yield Sprite(f"change/marker-{seat + 1}", at, may_overlap=True)
            sign = Rect(at.x, at.y, _SIGN, _SIGN)
            if (seat, space) in new:
                yield _sign(sign, ColourRole.NEW, _SIGN // 2)
            elif public.released_credits_for(seat, space) > usual:
                yield _sign(sign, ColourRole.GOLD, 4)


def _sign(at: Rect, fill: ColourRole, radius: int) -> Box:
    """Return a sign with an outline, as its colour may be nearly that of the marker."""
    return Box(at, fill, ColourRole.TEXT, radius, 4, may_overlap=True)


def _ragz_marks(seats: Sequence[Seat], room: Rect) -> Iterator[Mark]:
    """Yield the Ragz on a space, as large as the area allows."""
    columns, width = max(
        ((columns, _fitting_width(len(seats), columns, room)) for columns in range(1, len(seats) + 1)),
        key=lambda each: each[1],
    )
    height = width * 4 // 3
    rows = ceil(len(seats) / columns)
    left, top = room.x + (room.width - columns * width) // 2, room.y + (room.height - rows * height) // 2
    for at, seat in enumerate(seats):
        row, column = divmod(at, columns)
        place = Rect(left + column * width, top + row * height, width, height)
        yield Sprite(f"change/ragz-{seat + 1}", place)
        if width >= _MIN_NUMBERED_WIDTH:
            yield Label(str(seat + 1), Rect(place.x, place.bottom - 32, width, 32), ColourRole.TEXT, 26, bold=True)


def _fitting_width(count: int, columns: int, room: Rect) -> int:
    """Return the largest width of `count` Ragz in some columns."""
    return min(room.width // columns, room.height // ceil(count / columns) * 3 // 4)
