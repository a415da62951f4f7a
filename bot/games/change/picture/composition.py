"""The pictures of Change: the table with its markers, and a hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from bot.games.change.board import Card, CardKind
from bot.games.change.facts import can_play, latest_drawn_cards, latest_turn
from bot.games.change.picture.board import (
    HEIGHT,
    board_marks,
    fan_out,
    free_habit_area,
    habit_area,
    marker_areas,
    ragz_area,
    set_colour,
    space_area,
    space_sprite,
)
from bot.games.change.picture.middle import middle_marks
from bot.games.change.pieces import (
    MAX_HAND_SIZE,
    GameEvent,
    Landed,
    MarkerPlaced,
    Moved,
    PublicState,
    TrackRolled,
    View,
)
from bot.games.change.reading import describe_picture
from bot.games.change.words import card_name
from bot.rules.components import FRAME_WIDTH, action_frame, tag_marks
from bot.rules.game import Seat
from bot.rules.picture import (
    PICTURE_WIDTH,
    SYMBOL_AREA,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
    SurfaceColours,
    Symbol,
    text_colour_on,
)
from bot.words import gettext as _, join_items

_WIDTH, _WIDTH_OF_SEVERAL = 45, 36
"""The largest widths of a single Ragz and of several on a space: 18 and 14 pixels on a phone that is 390 wide."""

_SEEN_ACROSS, _SEEN_DOWN = 0.44, 0.25
"""The shares of a Ragz's width and height that no other one covers, so that its head is seen."""

_MIN_NUMBERED_WIDTH, _MIN_SEEN_WIDTH = 36, 22
"""Narrower Ragz have no number, nor have those of which less is seen."""

_SIGN = 20
"""The side of the sign in a marker's corner, which no other marker covers: 6 pixels where a picture is 284 wide."""

_CARDS = Rect(24, 24, PICTURE_WIDTH - 48, 252)
_GAP = 22
_ON_PAPER: Final = SYMBOL_AREA.center(88, 88).shift(down=-4)


def build_picture(view: View, events: Sequence[GameEvent], names: Sequence[str] = ()) -> Picture:
    """Return the public picture. Nothing in it depends on a hand."""
    public, turn = view.public, latest_turn(events)
    return Picture(
        size=(PICTURE_WIDTH, HEIGHT),
        backdrop=board_marks(public.board),
        marks=(*piece_marks(public, turn), *middle_marks(public, turn, names)),
        description=describe_picture(public),
    )


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


def build_hand_picture(view: View, events: Sequence[GameEvent], _names: Sequence[str] = ()) -> Picture:
    """Return the picture of a seat's hand: its cards and its empty places."""
    places = _CARDS.split_columns(MAX_HAND_SIZE, _GAP)
    marks: list[Mark] = [
        Box(place, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 3) for place in places[len(view.hand) :]
    ]
    new = Counter(latest_drawn_cards(events, view.seat))
    for card, place in zip(view.hand, places, strict=False):
        marks += _card_marks(view, card, place, is_new=new[card] > 0)
        new[card] -= 1
        if can_play(view, card):
            marks.append(action_frame(place, 16))
    return Picture((PICTURE_WIDTH, _CARDS.bottom + 24), (), tuple(marks), _describe_hand_picture(view))


def _card_marks(view: View, card: Card, at: Rect, *, is_new: bool) -> Iterator[Mark]:
    board = view.public.board
    face = board.cards[card]
    yield Box(at, ColourRole.PAPER, ColourRole.TEXT, 16, 3)
    name = Rect(at.x + 7, at.y + 10, at.width - 14, 50)
    if is_new:
        yield Box(name, ColourRole.NEW, ColourRole.TEXT, 12, 2)
    yield Label(card_name(board, card), name, ColourRole.TEXT, 28, bold=True)
    art = Rect(at.x + (at.width - 120) // 2, at.y + 92, 120, 120)
    match face.kind:
        case CardKind.ADD:
            yield Label(f"+{face.amount}", art, ColourRole.TEXT, 84, bold=True)
        case CardKind.REPLACE:
            yield Sprite("change/replace", art)
        case CardKind.ANY:
            yield Sprite("change/any", art)
        case CardKind.SPACE:
            yield from _space_marks(view, face.space or 0, at)


def _space_marks(view: View, space: int, at: Rect) -> Iterator[Mark]:
    """Yield set and picture of a space, and the credits that landing there releases (with a marker) or receives."""
    public, entry = view.public, view.public.board.spaces[space]
    colour, letter = set_colour(public.board, entry), Rect(at.x + 14, at.y + 84, 54, 60)
    yield Box(letter, colour, ColourRole.TEXT, 8, 2)
    yield Label(entry.set or "", letter, text_colour_on(colour), 40, bold=True)
    yield space_sprite(entry, Rect(at.right - 90, at.y + 76, 76, 76), ColourRole.TEXT)
    released = public.released_credits_for(view.seat, space) if view.seat is not None else 0
    text, fill = (f"−{released}", ColourRole.GOOD) if released else (f"+{entry.credits}", ColourRole.BAD)
    yield from tag_marks(text, Rect(at.x + 40, at.y + 168, at.width - 80, 54), fill, size=38)


def _describe_hand_picture(view: View) -> str:
    if not view.hand:
        return _("A hand without message cards.")
    cards = [card_name(view.public.board, card) for card in view.hand]
    return _("The message cards {cards}.").format(cards=join_items(cards))


SURFACE: Final = Surface(
    standard=SurfaceColours("#2b3158", "#1b1f3d", "#858cbd", "#f4f2ea", "#c3c7e0"),
    dark=SurfaceColours("#171a2b", "#0e101c", "#7b82ab", "#dadad4", "#a9adc4"),
    high_contrast=SurfaceColours("#06061c", "#1a1c42", "#9aa0d4", "#ffffff", "#e2e4f4"),
    banner="change/banner",
)


SYMBOLS: Final = (
    Symbol("marker", "☑️", (Sprite("change/marker", SYMBOL_AREA),)),
    Symbol("message_card", "🎴", (Sprite("change/card", SYMBOL_AREA),)),
    Symbol("replaced", "🔄", (Sprite("die", SYMBOL_AREA), Sprite("change/replace", _ON_PAPER))),
)
