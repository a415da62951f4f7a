"""What stands and lies on the board of Change: markers, those who wear them, and where one can go."""

from collections.abc import Iterator, Sequence
from math import ceil

from bot.games.change.board import Space, spaces_in
from bot.games.change.events import Landed, MarkerPlaced, Moved, TrackRolled
from bot.games.change.picture.board import figures_area, marker_area, space_area
from bot.games.change.pieces import PublicState, Stage
from bot.rules.components import FRAME_WIDTH
from bot.rules.game import Event, Seat
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite

_MIN_NUMBERED_WIDTH = 38
"""From this width on there is room for a number on somebody."""


def piece_marks(public: PublicState, turn: Sequence[Event]) -> Iterator[Mark]:
    """Yield where one can go, then the markers, then who stands where."""
    for space in open_spaces(public):
        # Neighbours share what lies between them.
        yield Box(space_area(space).inset(-3), None, ColourRole.MARK, 11, FRAME_WIDTH, may_overlap=True)
    yield from _marker_marks(public, turn)
    moved = {event.seat for event in turn if isinstance(event, TrackRolled | Landed | Moved)}
    for space in sorted(set(public.squares)):
        seats = [seat for seat, square in enumerate(public.squares) if square == space]
        room = figures_area(public.board, space)
        if moved.intersection(seats):
            yield Box(room, ColourRole.NEW, radius=12)
        yield from _figures(seats, room)


def open_spaces(public: PublicState) -> tuple[Space, ...]:
    """Return the spaces that whoever is to move can go to, or whose challenge is open, without a message card."""
    if public.mover is None:
        return ()
    markers, here = public.markers[public.mover], public.squares[public.mover]
    free = [space for space in public.board.challenge_spaces if not markers >> space & 1]
    match public.stage:
        case Stage.FREE:
            can_travel = public.may_travel and public.markers_left(public.mover) > 0
            return tuple(space for space in free if (public.may_challenge if space == here else can_travel))
        case Stage.RETURN:
            return spaces_in(markers)
        case Stage.PLACE:
            return tuple(free)
        case _:
            return ()


def _marker_marks(public: PublicState, turn: Sequence[Event]) -> Iterator[Mark]:
    new = {(event.seat, event.space) for event in turn if isinstance(event, MarkerPlaced)}
    for seat, markers in enumerate(public.markers):
        for space in spaces_in(markers):
            at = marker_area(space, seat)
            if (seat, space) in new:
                yield Box(at, ColourRole.NEW, radius=4)
            elif public.released_credits_for(seat, space) > public.board.credits[space]:
                yield Box(at, ColourRole.GOLD, radius=4)
            yield Sprite(f"token-{seat + 1}", at.inset(2))


def _figures(seats: Sequence[Seat], room: Rect) -> Iterator[Mark]:
    """Let those who stand on one space be as large as there is room for all of them."""
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
    """Return how wide each of so many may be in so many columns."""
    return min(room.width // columns, room.height // ceil(count / columns) * 3 // 4)
