"""The ring of spaces in the picture, and the markers and Ragz on it.

The spaces run clockwise from the upper left: six across, ten down the right side, six back, and ten up the left side.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from bot.games.change.board import Board, CornerAction, Space, SpaceEntry, SpaceKind
from bot.games.change.pieces import GameEvent, Landed, MarkerPlaced, Moved, PublicState, TrackRolled
from bot.rules.components import FRAME_WIDTH, die_marks
from bot.rules.game import Seat
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Rect, Sprite, text_colour_on
from bot.words import N_, gettext as _

_MARGIN, _GAP = 4, 2
_ACROSS, _DOWN = 6, 10
_WIDE, _NARROW = 207, 142
_TALL, _HIGH, _LOW, _LOWEST = 107, 106, 82, 64
"""The heights of spaces: between the picture's corners, in them, and at the sides with and without markers."""
_LAST = _ACROSS + _DOWN
_WITHOUT_MARKERS = (8, 11, 12, 14, 22, 24, 27, 28)
"""The spaces at the sides that are no challenges, four on each."""

HEIGHT = 2 * (_MARGIN + _HIGH + _GAP) + 6 * (_LOW + _GAP) + 4 * (_LOWEST + _GAP) - _GAP
_MIDDLE_TOP = _MARGIN + _TALL + 56
MIDDLE = Rect(272, _MIDDLE_TOP, 456, HEIGHT - 2 * _MIDDLE_TOP)
"""The area inside the ring of spaces and of the Ragz beside them."""

MARKER_SIZE = 50
"""The side of a marker's square: 14 pixels where a phone shows the picture 284 wide."""
_MARKERS_LEFT, _MARKERS_LEFT_ABOVE = 45, 40
"""Where markers begin at the sides, beside the credits, and in the other spaces."""
_MARKERS_IN_ROW = 3
"""How many markers lie in each of two rows, where there are two and more than four markers."""

SMALL = 26
_NAME, _RULE, _CREDITS = 30, 28, 34
"""The sizes of the names of spaces, of their rules, and of what those at the sides are worth."""
_LINE = 34
"""The offset of a space's second line, which is the height of the band with its name."""
_HABIT, _HABIT_ABOVE = 46, 38
"""The sizes of the pictures of habits at the sides, and in the other spaces."""
_LEAST_ON_HABIT = 3
"""At the sides so many markers leave less room to the picture of the habit, and more leave none."""
_ICON, _SMALL_ICON = 44, 28
"""The sizes of the pictures of the spaces that are neither challenges nor corners."""
_PLACE, _SMALL_PLACE = (52, 39), (36, 27)
"""The sizes of what stands at a corner."""
_REWARD = 110
"""The offset of the reward from the action in a low corner."""

_WIDTH, _WIDTH_OF_SEVERAL = 45, 36
"""The largest widths of a single Ragz and of several on a space: 18 and 14 pixels on a phone that is 390 wide."""

_SEEN_ACROSS, _SEEN_DOWN = 0.44, 0.25
"""The shares of a Ragz's width and height that no other one covers, so that its head is seen."""

_MIN_NUMBERED_WIDTH, _MIN_SEEN_WIDTH = 36, 22
"""Narrower Ragz have no number, nor have those of which less is seen."""

_SIGN = 20
"""The side of the sign in a marker's corner, which no other marker covers: 6 pixels where a picture is 284 wide."""

_TABLE: Final = Sprite("change/middle", Rect(0, 0, PICTURE_WIDTH, HEIGHT).center(600, HEIGHT - 200), may_overlap=True)
"""What is seen inside the ring."""


def space_area(space: Space) -> Rect:
    """Return the area of a space."""
    half, along = divmod(space, _LAST)
    column = min(along, _ACROSS - 1)
    x, width = _column_span(_ACROSS - 1 - column if half else column)
    if is_at_side(space):
        corner = half * _LAST
        y = _MARGIN + _HIGH + _GAP + sum(_side_height(each) + _GAP for each in range(corner + _ACROSS, space))
        height = _side_height(space)
        return Rect(x, HEIGHT - y - height if half else y, width, height)
    height = _TALL if width == _NARROW else _HIGH
    return Rect(x, HEIGHT - _MARGIN - height if half else _MARGIN, width, height)


def is_at_side(space: Space) -> bool:
    """Return whether a space is at the left or the right, between the picture's corners."""
    return space % _LAST >= _ACROSS


def _side_height(space: Space) -> int:
    return _LOWEST if space in _WITHOUT_MARKERS else _LOW


def _column_span(column: int) -> tuple[int, int]:
    if column == 0:
        return _MARGIN, _WIDE
    if column == _ACROSS - 1:
        return PICTURE_WIDTH - _MARGIN - _WIDE, _WIDE
    return _MARGIN + _WIDE + _GAP + (column - 1) * (_NARROW + _GAP), _NARROW


def ragz_area(board: Board, space: Space) -> Rect:
    """Return the area of the Ragz on a space: inside the ring, or on the space if it is a corner of the picture."""
    at = space_area(space)
    if is_at_side(space):
        return Rect(at.right + 4 if at.x == _MARGIN else at.x - 57, at.y + 2, 53, at.height - 4)
    if at.width == _NARROW:
        y = at.bottom + 4 if at.y == _MARGIN else at.y - 4 - 51
        x = min(max(at.x + (_NARROW - 86) // 2, MIDDLE.x - 4), MIDDLE.right + 4 - 86)
        return Rect(x, y, 86, 51)
    if board.spaces[space].kind is SpaceKind.CHALLENGE:
        return Rect(at.x + _NARROW + 1, at.y + _LINE + 2, at.width - _NARROW - 5, at.height - _LINE - 5)
    return Rect(at.x + 8, at.y + _LINE + 4, at.width - _ICON - 16, at.height - _LINE - 12)


def marker_areas(space: Space, count: int) -> tuple[Rect, ...]:
    """Return the areas of so many markers on a space: side by side, overlapping only where there is no more room."""
    at = space_area(space)
    if is_at_side(space):
        # They reach over the edge, into the gap below.
        columns, habit = count, free_habit_area(space, count)
        right = habit.x if habit else at.right - 2
        room = Rect(at.x + _MARKERS_LEFT, at.y + _LINE, right - at.x - _MARKERS_LEFT, MARKER_SIZE)
    else:
        columns = 2 if count <= 2 * 2 else _MARKERS_IN_ROW
        left = _MARKERS_LEFT_ABOVE
        room = Rect(at.x + left, at.y + _LINE, _NARROW - left - 2, at.height - _LINE)
    return fan_out(count, columns, (MARKER_SIZE, MARKER_SIZE), room)


_SET_COLOURS = (
    ColourRole.RED,
    ColourRole.GREEN,
    ColourRole.BLUE,
    ColourRole.YELLOW,
    ColourRole.VIOLET,
    ColourRole.BLACK,
)


def set_colour(board: Board, entry: SpaceEntry) -> ColourRole:
    """Return the colour of a space's set."""
    sets = sorted({space.set for space in board.spaces if space.set})
    return _SET_COLOURS[sets.index(entry.set or "") % len(_SET_COLOURS)]


def board_marks(board: Board) -> tuple[Mark, ...]:
    """Return the ring of spaces without pieces."""
    spaces = (mark for space in range(len(board.spaces)) for mark in _space_marks(board, space))
    return (_TABLE, *spaces)


def _space_marks(board: Board, space: Space) -> Iterator[Mark]:
    entry, at = board.spaces[space], space_area(space)
    fill, ink = space_colours(entry)
    yield Box(at, fill, ColourRole.SURFACE_LINE, 8, 2)
    if entry.kind is SpaceKind.CHALLENGE:
        yield from _challenge_marks(entry, at, set_colour(board, entry))
        return
    yield space_sprite(entry, _picture_area(entry, at), ink)
    yield Label(entry.name, Rect(at.x + 8, at.y, at.width - 10, _LINE), ink, _RULE, Align.LEFT, bold=True)
    yield from _rule_marks(entry, at, ink)


def _picture_area(entry: SpaceEntry, at: Rect) -> Rect:
    """Return the area of the picture of a space that is no challenge: below right, or at the right of a low space."""
    width, height = _PLACE if entry.kind is SpaceKind.CORNER else (_ICON, _ICON)
    if at.height > _LOW:
        return Rect(at.right - width - 4, at.bottom - height - 4, width, height)
    if entry.kind is SpaceKind.CORNER:
        width, height = _SMALL_PLACE
    elif entry.kind is SpaceKind.ARROGANCE:
        # The dice that follow its words need the whole width below.
        width = height = _SMALL_ICON
    return Rect(at.right - width - 4, at.y + 3, width, height)


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
    return Sprite(f"change/{name}", at, ink if is_tinted else None, may_overlap=True)


def _challenge_marks(entry: SpaceEntry, at: Rect, colour: ColourRole) -> Iterator[Mark]:
    """Yield a band with set and name, and below it the credits and the picture."""
    ink = text_colour_on(colour)
    yield Box(Rect(at.x + 2, at.y + 2, at.width - 4, _LINE - 2), colour, radius=6)
    yield from letter_marks(entry, Rect(at.x + 4, at.y + 5, 22, _LINE - 8))
    name = Rect(at.x + 29, at.y, at.width - 31, _LINE)
    yield Label(entry.name, name, ink, _NAME, Align.LEFT, bold=True)
    size = _CREDITS if at.height == _LOW else _NAME
    yield Label(str(entry.credits), _credits_area(at), ColourRole.TEXT, size, bold=True)
    yield space_sprite(entry, habit_area(at), ink)


def letter_marks(entry: SpaceEntry, at: Rect, size: int = SMALL) -> tuple[Mark, ...]:
    """Return the letter of a space's set on paper."""
    return (Box(at, ColourRole.PAPER, radius=6), Label(entry.set or "", at, ColourRole.TEXT, size, bold=True))


def _credits_area(at: Rect) -> Rect:
    """Return the area of what a challenge space is worth: the left of the second line."""
    if at.height == _LOW:
        return Rect(at.x + 2, at.y + _LINE, _MARKERS_LEFT - 4, at.height - _LINE)
    return Rect(at.x + 2, at.y + _LINE, _MARKERS_LEFT_ABOVE - 3, at.height - _LINE - _HABIT_ABOVE - 2)


def habit_area(at: Rect) -> Rect:
    """Return the area of a habit's picture on its space: at the right, or below the credits."""
    if at.height == _LOW:
        return Rect(at.right - _HABIT - 3, at.y + _LINE + 1, _HABIT, _HABIT)
    return Rect(at.x + 2, at.bottom - _HABIT_ABOVE - 2, _HABIT_ABOVE, _HABIT_ABOVE)


def free_habit_area(space: Space, count: int) -> Rect | None:
    """Return the area that so many markers leave to the habit's picture."""
    at = habit_area(space_area(space))
    if not is_at_side(space) or count < _LEAST_ON_HABIT:
        return at
    if count > _LEAST_ON_HABIT:
        return None
    return Rect(at.right - _HABIT_ABOVE, at.bottom - _HABIT_ABOVE - 4, _HABIT_ABOVE, _HABIT_ABOVE)


def space_colours(entry: SpaceEntry) -> tuple[ColourRole, ColourRole]:
    """Return the colours of a space and of the words on it."""
    return _SPACE_COLOURS.get(entry.kind, (ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT))


_SPACE_COLOURS = {
    SpaceKind.CHALLENGE: (ColourRole.PAPER, ColourRole.TEXT),
    SpaceKind.CORNER: (ColourRole.PAPER_SHADE, ColourRole.TEXT),
}


_Sign = tuple[str, int]
"""A word or the name of a sprite, and its width."""

_DICE: list[_Sign] = [("die", 24)] * 3
_CARD: _Sign = ("change/card", 20)
_MARKER: _Sign = ("change/marker", 26)

_CORNER_SIGNS: Final[Mapping[CornerAction, Sequence[_Sign]]] = {
    CornerAction.RELEASE: [(N_("−{credits}"), 54)],
    CornerAction.REPLACE: [("change/replace", 26)],
    CornerAction.ROLL: [(N_("−"), 16), *_DICE],
    CornerAction.RETURN: [(N_("to"), 30), _MARKER],
    CornerAction.PLACE: [(N_("+"), 18), _MARKER],
}
_SPACE_SIGNS: Final[Mapping[SpaceKind, Sequence[_Sign]]] = {
    SpaceKind.EMOTIONAL: [*_DICE[:2], (N_("again"), 86)],
    SpaceKind.HUMILITY: [(N_("most: −10"), 150)],
    SpaceKind.ARROGANCE: [(N_("fewest: +"), 113), *_DICE],
    SpaceKind.BACKSLIDE: [(N_("keep 1"), 86), _CARD],
}


def _rule_marks(entry: SpaceEntry, at: Rect, ink: ColourRole) -> Iterator[Mark]:
    """Yield the effect of a space that is no challenge, in words and sprites."""
    line = Rect(at.x + 8, at.y + _LINE - 2, at.width - 12, 30)
    match entry.kind:
        case SpaceKind.CORNER if entry.action:
            yield from _lay_out(_CORNER_SIGNS[entry.action], line, ink, entry.credits)
            reward: list[_Sign] = [(N_("or"), 32), _CARD, (str(entry.draws), 20)]
            yield from _lay_out(reward, line.shift(right=_REWARD) if at.height <= _LOW else line.shift(down=38), ink)
        case SpaceKind.START:
            yield from _lay_out([_CARD], Rect(at.right - 32, at.y + 3, 20, 30), ink)
        case SpaceKind.TAKE_A_REST:
            yield from _lay_out([("change/start", 26)], Rect(at.right - 38, at.y + 2, 26, 30), ink)
        case kind:
            yield from _lay_out(_SPACE_SIGNS[kind], line, ink)


def _lay_out(signs: Sequence[_Sign], at: Rect, ink: ColourRole, count: int | None = None) -> Iterator[Mark]:
    """Yield words and sprites side by side."""
    x = at.x
    for name, width in signs:
        if name == "die":
            yield from die_marks(5, Rect(x, at.y + (at.height - width) // 2, width, width))
        elif "/" in name:
            height = 28 if (name, width) == _CARD else width
            yield Sprite(name, Rect(x, at.y + (at.height - height) // 2, width, height))
        else:
            yield Label(_(name).format(credits=count), Rect(x, at.y - 1, width, at.height + 2), ink, _RULE, Align.LEFT)
        x += width + 4


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
        whole, free = habit_area(space_area(space)), free_habit_area(space, len(seats))
        if free != whole:
            yield Box(whole, ColourRole.PAPER, may_overlap=True)
            if free:
                yield space_sprite(public.board.spaces[space], free, ColourRole.TEXT)
        for seat, at in zip(seats, marker_areas(space, len(seats)), strict=True):
            yield Sprite(f"change/marker-{seat + 1}", at, may_overlap=True)
            sign = Rect(at.x, at.y, _SIGN, _SIGN)
            if (seat, space) in new:
                yield _sign(sign, ColourRole.NEW, _SIGN // 2)
            elif public.released_credits_for(seat, space) > usual:
                yield _sign(sign, ColourRole.GOLD, 4)


def _sign(at: Rect, fill: ColourRole, radius: int) -> Box:
    """Return a sign with an outline, because its colour may hardly differ from that of the marker."""
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
