"""The ring of spaces in the picture, and the markers and Ragz on it.

The spaces run clockwise from the upper left: eight across, eight down the right side, eight back, and eight up the
left side. Each shows its sign and what it costs; dots in the colour of a set tell the sets apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from bot.games.change.board import Board, CornerAction, Space, SpaceEntry, SpaceKind, spaces_in
from bot.games.change.facts import doubling_landing
from bot.games.change.pieces import (
    HUMILITY_CREDITS,
    Challenged,
    GameEvent,
    Landed,
    MarkerPlaced,
    Moved,
    PublicState,
    Released,
    Stage,
    TrackRolled,
    View,
)
from bot.rules.components import FRAME_WIDTH, die_marks
from bot.rules.game import Seat
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Mark, Rect, Sprite, text_colour_on
from bot.words import format_signed

HEIGHT = 990
_MARGIN, _GAP = 5, 2
_ACROSS, _DOWN = 8, 10
_CELL = Rect(0, 0, 122, 96)
_HALF = _ACROSS + _DOWN - 2
"""The spaces of a half of the ring."""

_BESIDE = 60
"""How much room Ragz have inside the ring."""

MIDDLE = Rect(
    _MARGIN + _CELL.width + _BESIDE,
    _MARGIN + _CELL.height + _BESIDE,
    PICTURE_WIDTH - 2 * (_MARGIN + _CELL.width + _BESIDE),
    HEIGHT - 2 * (_MARGIN + _CELL.height + _BESIDE),
)
"""The area inside the ring of spaces and of the Ragz beside them."""

_BAND, _DOT, _MOST_DOTS = 20, 12, 6
"""The height of the band of a set, the size of its dots where there is room, and how many there are at most."""
_LEFT = 52
"""The width of a space's sign and cost; the rest belongs to markers."""
_SIGN, _COST = 36, 40
_PLACE = (64, 48)
"""The size of what stands at a corner."""
_EFFECT = 44

_MARKER_SIZES: Final = {1: 60, 2: 44, 3: 34, 4: 34, 5: 34, 6: 34}
"""The side of a marker by how many are on a space."""

_WIDTH, _WIDTH_OF_SEVERAL = 42, 36
"""The largest widths of a single Ragz and of several on a space."""

_SEEN_ACROSS, _SEEN_DOWN = 0.44, 0.25
"""The shares of a Ragz's width and height that no other one covers, so that its head is seen."""

_NEW_SIGN = 18
"""The side of the sign in a marker's corner."""

_TABLE: Final = Sprite("change/middle", Rect(0, 0, PICTURE_WIDTH, HEIGHT).center(742, 782), may_overlap=True)
"""What is seen inside the ring."""


def space_area(space: Space) -> Rect:
    """Return the area of a space."""
    half, along = divmod(space, _HALF)
    column, line = min(along, _ACROSS - 1), max(0, along - _ACROSS + 1)
    if half:
        column, line = _ACROSS - 1 - column, _DOWN - 1 - line
    return _CELL.shift(_MARGIN + column * (_CELL.width + _GAP), _MARGIN + line * (_CELL.height + _GAP))


def is_at_side(space: Space) -> bool:
    """Return whether a space is at the left or the right, between the picture's corners."""
    return space % _HALF >= _ACROSS


def ragz_area(space: Space) -> Rect:
    """Return the area of the Ragz on a space: inside the ring, or on the space if no marker is ever placed there.

    A challenge in a corner of the picture shares the room inside the ring with the next space.
    """
    at, along = space_area(space), space % _HALF
    if along in (_ACROSS - 1, _ACROSS):
        upper, lower = _room_beside(space - along + _ACROSS).split_rows(2, 2)
        return upper if (along < _ACROSS) is (space < _HALF) else lower
    if is_at_side(space):
        return _room_beside(space)
    if along == 0:
        return Rect(at.x + 58, at.y + 24, at.width - 62, at.height - 28)
    # The rooms of the first spaces at the sides begin beyond the middle.
    left, right = max(at.x + 4, MIDDLE.x), min(at.right - 4, MIDDLE.right)
    y = at.bottom + 3 if at.y == _MARGIN else at.y - _BESIDE + 3
    return Rect(left, y, right - left, _BESIDE - 6)


def _room_beside(space: Space) -> Rect:
    """Return the area beside a space at the left or the right, inside the ring."""
    at = space_area(space)
    x = at.right + 3 if at.x == _MARGIN else at.x - _BESIDE + 3
    return Rect(x, at.y + 2, _BESIDE - 6, at.height - 4)


def marker_areas(space: Space, count: int) -> tuple[Rect, ...]:
    """Return the areas of so many markers on a space: side by side, overlapping only where there is no more room."""
    at = space_area(space)
    room = Rect(at.x + _LEFT, at.y + _BAND + 2, at.width - _LEFT - 2, at.height - _BAND - 4)
    side = _MARKER_SIZES[max(1, count)]
    if count <= 2:
        # The second one lies in the opposite corner.
        places = (
            (room.center(side, side),)
            if count == 1
            else (
                Rect(room.x, room.y, side, side),
                Rect(room.right - side, room.bottom - side, side, side),
            )
        )
        return places[:count]
    return fan_out(count, 2, (side, side), room)


_SET_COLOURS = (
    ColourRole.RED,
    ColourRole.GREEN,
    ColourRole.BLUE,
    ColourRole.YELLOW,
    ColourRole.VIOLET,
    ColourRole.BLACK,
)


def set_number(board: Board, entry: SpaceEntry) -> int:
    """Return the number of a space's set, from 0 on."""
    return sorted({space.set for space in board.spaces if space.set}).index(entry.set or "")


def set_colour(board: Board, entry: SpaceEntry) -> ColourRole:
    """Return the colour of a space's set."""
    return _SET_COLOURS[set_number(board, entry) % len(_SET_COLOURS)]


# 0.7 ms of a picture, and as much of a roll.
@lru_cache(maxsize=8)
def board_marks(board: Board) -> tuple[Mark, ...]:
    """Return the ring of spaces without pieces."""
    spaces = (mark for space in range(len(board.spaces)) for mark in _space_marks(board, space))
    return (_TABLE, *spaces)


def _space_marks(board: Board, space: Space) -> Iterator[Mark]:
    entry, at = board.spaces[space], space_area(space)
    fill, ink = space_colours(entry)
    yield Box(at, fill, ColourRole.SURFACE_LINE, 8, 2)
    if entry.kind is SpaceKind.CHALLENGE:
        yield from set_band_marks(board, entry, Rect(at.x + 3, at.y + 3, at.width - 6, _BAND))
        left = Rect(at.x + 4, at.y + _BAND + 3, _LEFT - 4, at.height - _BAND - 3)
        yield space_sprite(entry, left._replace(height=_SIGN).center(_SIGN, _SIGN), ink)
        cost = Rect(left.x, left.y + _SIGN, left.width, left.height - _SIGN - 2)
        yield Label(str(entry.credits), cost, ColourRole.TEXT, _COST, bold=True)
    else:
        yield from _other_space_marks(entry, at, ink)


def set_band_marks(board: Board, entry: SpaceEntry, at: Rect) -> Iterator[Mark]:
    """Yield the band of a set: its colour, and as many dots as its number says."""
    colour, dots = set_colour(board, entry), set_number(board, entry) + 1
    size = min(at.height * _DOT // _BAND, at.width // (_MOST_DOTS * 3 // 2))
    yield Box(at, colour, radius=6)
    pitch = size * 3 // 2
    left = at.center(dots * pitch - (pitch - size), 0).x
    for nth in range(dots):
        dot = Rect(left + nth * pitch, at.y + (at.height - size) // 2, size, size)
        yield Box(dot, text_colour_on(colour), radius=size // 2)


def space_sprite(entry: SpaceEntry, at: Rect, ink: ColourRole) -> Sprite:
    """Return the picture of a space in an area; those of habits have colours of their own, the others take the ink."""
    match entry.kind:
        case SpaceKind.CORNER:
            name = f"corner-{entry.action}"
        case SpaceKind.CHALLENGE:
            name = f"space-{entry.name.lower()}"
        case _:
            name = f"space-{entry.kind}"
    is_tinted = entry.kind is not SpaceKind.CHALLENGE
    return Sprite(f"change/{name}", at, ink if is_tinted else None)


def space_colours(entry: SpaceEntry) -> tuple[ColourRole, ColourRole]:
    """Return the colours of a space and of the words on it."""
    return _SPACE_COLOURS.get(entry.kind, (ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT))


_SPACE_COLOURS = {
    SpaceKind.CHALLENGE: (ColourRole.PAPER, ColourRole.TEXT),
    SpaceKind.CORNER: (ColourRole.PAPER, ColourRole.TEXT),
}

_CORNER_EFFECTS: Final[Mapping[CornerAction, str]] = {
    CornerAction.REPLACE: "change/replace",
    CornerAction.ROLL: "die",
    CornerAction.RETURN: "change/marker",
    CornerAction.PLACE: "change/marker",
}
_SPACE_EFFECTS: Final[Mapping[SpaceKind, str]] = {
    SpaceKind.START: "change/card",
    SpaceKind.TAKE_A_REST: "change/start",
    SpaceKind.EMOTIONAL: "die",
    SpaceKind.ARROGANCE: "die",
    SpaceKind.BACKSLIDE: "change/card",
}


def _other_space_marks(entry: SpaceEntry, at: Rect, ink: ColourRole) -> Iterator[Mark]:
    """Yield the sign of a space that is no challenge above a sign of its effect: credits, dice, cards or a marker."""
    upper = Rect(at.x, at.y + 2, at.width, 50)
    size = _PLACE if entry.kind is SpaceKind.CORNER else (48, 48)
    effect, credits_ = _SPACE_EFFECTS.get(entry.kind, ""), entry.credits
    if entry.action is not None:
        effect = _CORNER_EFFECTS.get(entry.action, "")
    elif entry.kind is SpaceKind.HUMILITY:
        credits_ = HUMILITY_CREDITS
    yield space_sprite(entry, upper.center(*size), ink)
    lower = Rect(at.x, upper.bottom, at.width, at.bottom - upper.bottom - 2)
    if credits_:
        yield Label(f"−{credits_}", lower, ink, _COST, bold=True)
    elif effect == "die":
        sign = "" if entry.kind is SpaceKind.EMOTIONAL else "−" if entry.action else "+"
        yield from die_marks(5, lower.center(38, 38).shift(right=14 if sign else 0))
        if sign:
            yield Label(sign, lower.center(36, 40).shift(right=-22), ink, _COST, bold=True)
    else:
        width, height = (26, 36) if effect == "change/card" else (38, 38)
        yield Sprite(effect, lower.center(width, height))


def fan_out(count: int, columns: int, size: tuple[int, int], room: Rect) -> tuple[Rect, ...]:
    """Return the areas of pieces in rows, which overlap where there is no more room; the last row is centred."""
    columns = min(count, columns) or 1
    (width, height), rows = size, ceil(count / columns)
    across, down = _pitch(columns, width, room.width), _pitch(rows, height, room.height)
    indent = (columns * rows - count) * across // 2
    return tuple(
        Rect(room.x + column * across + indent * (row == rows - 1), room.y + row * down, width, height)
        for row, column in (divmod(number, columns) for number in range(count))
    )


def _pitch(count: int, size: int, length: int) -> int:
    """Return how far apart pieces begin in a row or column."""
    return min(size + 1, (length - size) // max(count - 1, 1))


def piece_marks(public: PublicState, turn: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the frames of what is to be chosen and of a released set, the markers and the Ragz.

    Where a turn may go besides, to nearly every space, is in a menu: frames around all of them would point at none.
    """
    challenges = (public.ragz_spaces[public.turn],) * public.may_challenge
    for space in challenges if public.stage is Stage.FREE else public.open_spaces:
        # The frames of neighbours overlap in the gap between them.
        yield Box(space_area(space).inset(-4), None, ColourRole.MARK, 11, FRAME_WIDTH, may_overlap=True)
    for space in lit_spaces(public, turn):
        yield Box(space_area(space).inset(-4), None, ColourRole.NEW, 11, FRAME_WIDTH + 3, may_overlap=True)
    yield from _marker_marks(public, turn)
    moved = {event.seat for event in turn if isinstance(event, TrackRolled | Landed | Moved)}
    for space in sorted(set(public.ragz_spaces)):
        seats = [seat for seat, own in enumerate(public.ragz_spaces) if own == space]
        room = ragz_area(space)
        if moved.intersection(seats):
            yield Box(room, ColourRole.NEW, ColourRole.TEXT, 12, 3, may_overlap=True)
        yield from _ragz_marks(seats, room)


def lit_spaces(public: PublicState, turn: Sequence[GameEvent]) -> tuple[Space, ...]:
    """Return the spaces of the set that a seat has just completed, or that has just released double. Rule CH-11."""
    board = public.board
    for event in reversed(turn):
        match event:
            case MarkerPlaced(fills_set=True, space=space):
                return spaces_in(board.set_of[space])
            case Landed(space=space) if doubling_landing(public, event):
                return spaces_in(board.set_of[space])
            case _:
                pass
    return ()


def _marker_marks(public: PublicState, turn: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the markers of each space, with a sign if they are new or release double."""
    new = {(event.seat, event.space) for event in turn if isinstance(event, MarkerPlaced)}
    for space, usual in enumerate(public.board.credits):
        seats = [seat for seat, markers in enumerate(public.markers) if markers >> space & 1]
        for seat, at in zip(seats, marker_areas(space, len(seats)), strict=True):
            yield Sprite(f"change/marker-{seat + 1}", at, may_overlap=True)
            sign = Rect(at.x, at.y, _NEW_SIGN, _NEW_SIGN)
            if (seat, space) in new:
                yield _sign(sign, ColourRole.NEW, _NEW_SIGN // 2)
            elif public.released_credits_for(seat, space) > usual:
                yield _sign(sign, ColourRole.GOLD, 4)


def _sign(at: Rect, fill: ColourRole, radius: int) -> Box:
    """Return a sign with an outline, because its colour may hardly differ from that of the marker."""
    return Box(at, fill, ColourRole.TEXT, radius, 4, may_overlap=True)


def _ragz_marks(seats: Sequence[Seat], room: Rect) -> Iterator[Mark]:
    """Yield the Ragz on a space, fanned out in as few rows as their size allows; heads have shapes of seats."""
    count = len(seats)
    columns = max(range(1, count + 1), key=lambda each: (_ragz_width(count, each, room), each))
    for seat, place in zip(seats, _ragz_places(count, columns, room), strict=True):
        yield Sprite(f"change/ragz-{seat + 1}", place, may_overlap=True)


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


_CARD, _DIE, _HERO_GAP = 164, 128, 18
_RAGZ, _ART, _CORNER_ART = (96, 128), (96, 96), (128, 96)
"""The sizes of the art."""
_MOST_SPACES, _MOST_DICE = 2, 3
_TILTS: Final = (-6, 5, -4)
"""Degrees by which the dice are turned."""


def build_hero(view: View, seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the best turn of a seat: its Ragz, the spaces that released credits, and the dice."""
    if best_turn is None:
        return None
    spaces = list(dict.fromkeys(_find_spaces(seat, best_turn)))[:_MOST_SPACES]
    dice = _find_dice(seat, best_turn)[:_MOST_DICE]
    width = _RAGZ[0] + len(spaces) * (_CARD + _HERO_GAP) + len(dice) * (_DIE + _HERO_GAP)
    at = HERO_AREA._replace(height=_CARD + 16).center(width, _CARD)
    marks: list[Mark] = [Sprite(f"change/ragz-{seat + 1}", at._replace(width=_RAGZ[0]).center(*_RAGZ))]
    at = at._replace(x=at.x + _RAGZ[0] + _HERO_GAP, width=_CARD)
    board = view.public.board
    for space in spaces:
        entry = board.spaces[space]
        edge = ColourRole.GOLD if entry.set is None else set_colour(board, entry)
        size = _CORNER_ART if entry.kind is SpaceKind.CORNER else _ART
        marks += (Box(at, ColourRole.PAPER, edge, 28, 12), space_sprite(entry, at.center(*size), ColourRole.TEXT))
        at = at.shift(right=_CARD + _HERO_GAP)
    for face, tilt in zip(dice, _TILTS, strict=False):
        marks += die_marks(face, Rect(at.x, at.y, _DIE, _CARD).center(_DIE, _DIE), ColourRole.GOLD, tilt)
        at = at.shift(right=_DIE + _HERO_GAP)
    return Hero(tuple(marks), format_signed(best_turn.change))


def _find_spaces(seat: Seat, best_turn: BestTurn) -> Iterator[int]:
    """Yield the spaces that released credits of a seat."""
    for event in best_turn.events:
        match event:
            case Landed(space=space, changes=changes) if changes[seat] < 0:
                yield space
            case Released(releasing, _count, space) if releasing == seat:
                yield space
            case _:
                pass


def _find_dice(seat: Seat, best_turn: BestTurn) -> tuple[int, ...]:
    """Return the dice of a challenge or a corner that a seat rolled."""
    for event in best_turn.events:
        match event:
            case Challenged(challenged, _space, rolls) if challenged == seat:
                return tuple(map(max, rolls))
            case Released(releasing, _count, _space, dice) if releasing == seat and dice:
                return dice
            case _:
                pass
    return ()
