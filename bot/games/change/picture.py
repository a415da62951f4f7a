"""The pictures of Change: the table with the turn, the dice and the seats inside the ring of spaces, and a hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from bot.games.change.board import Board, Card, CardKind, Space
from bot.games.change.board_picture import (
    HEIGHT,
    MIDDLE,
    board_marks,
    piece_marks,
    set_band_marks,
    space_colours,
    space_sprite,
)
from bot.games.change.facts import (
    added_points,
    can_play,
    changes_in_own_turns,
    changes_of,
    doubling_landing,
    latest_drawn_cards,
    latest_space_roll,
    played_cards,
)
from bot.games.change.pieces import (
    CHALLENGE_TARGET,
    MAX_HAND_SIZE,
    CardPlayed,
    Challenged,
    GameEvent,
    Landed,
    Moved,
    PublicState,
    Received,
    Released,
    Stage,
    TrackRolled,
    View,
)
from bot.games.change.reading import describe_picture
from bot.games.change.rules import winners_of
from bot.games.change.words import card_name
from bot.reading_order import in_reading_order
from bot.rules.components import (
    FRAME_WIDTH,
    Nameplate,
    action_frame,
    change_brackets,
    die_marks,
    name_labels,
    tag_marks,
    token_marks,
)
from bot.rules.game import Seat, find_newest
from bot.rules.motion import Motion, MovingPiece, Played, tumble
from bot.rules.picture import (
    MIN_TEXT_SIZE,
    PICTURE_WIDTH,
    SYMBOL_AREA,
    Align,
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
)
from bot.rules.seat_rows import SeatRow, score_bar_marks
from bot.rules.story import newest_turn
from bot.words import format_signed, gettext as _, join_items

_CARDS = Rect(24, 24, PICTURE_WIDTH - 48, 252)
_GAP = 22
_ON_PAPER: Final = SYMBOL_AREA.center(88, 88).shift(down=-4)


def build_picture(view: View, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Return the public picture. Nothing in it depends on a hand."""
    return _build(view.public, events, nameplates, None)


def _build(
    public: PublicState, events: Sequence[GameEvent], nameplates: Sequence[Nameplate], rolling: "_Rolling | None"
) -> Picture:
    """Build the public picture, perhaps without dice that roll."""
    turn = newest_turn(events, TrackRolled)
    return Picture(
        size=(PICTURE_WIDTH, HEIGHT),
        backdrop=board_marks(public.board),
        marks=(
            *piece_marks(public, turn),
            *_middle_marks(public, turn, changes_in_own_turns(events, len(public.credits)), nameplates, rolling),
        ),
        description=describe_picture(public),
    )


def find_motion(played: Played[View, GameEvent], nameplates: Sequence[Nameplate] = ()) -> Motion | None:
    """Return the dice of a turn, of a challenge or for credits, which tumble while everything else is as it was.

    A challenge is a moment: its last die lands alone. Its dice lie where cards played since then leave room for them.
    """
    public, rolled = played.before.public, find_newest(TrackRolled, played.events)
    above, _rows = _middle_areas(len(public.credits))
    upper, lower = _turn_areas(above)
    event = latest_space_roll(played.events)
    if rolled is not None:
        rolling = _Rolling(None)
        dice = zip(rolled.dice, _beside_card(upper).split_columns(2, _DIE_GAP), strict=True)
    elif event is not None:
        rolling = _Rolling(event, len(_cards_beside(event, played.events)))
        dice = zip(_faces_of(event), _space_dice(event, lower, rolling.card_count), strict=False)
    else:
        return None
    pieces = tuple(_moving_die(place, face, at) for place, (face, at) in enumerate(dice))
    return Motion(
        _build(public, played.earlier, nameplates, rolling), pieces, is_moment=isinstance(rolling.event, Challenged)
    )


class _Rolling(NamedTuple):
    """Dice that are not in a picture because they move in it."""

    event: Challenged | Released | Received | None
    """The challenge or the roll for credits that they belong to; None for those of the track."""
    card_count: int = 0
    """The cards that lie beside them once they rest."""


def shows_step(_turn: Sequence[Sequence[GameEvent]], following: Sequence[GameEvent]) -> bool:
    """Return whether people see a position of a computer player's turn: the next dice or space would hide it.

    A turn has at most two: a challenge or a corner may follow the roll, and then an option move or a space card.
    """
    return any(isinstance(event, Challenged | Landed | Moved | Released | Received) for event in following)


# 0.2 ms of a roll.
@lru_cache(maxsize=256)
def _moving_die(place: int, face: int, at: Rect) -> MovingPiece:
    area = at.inset(-_AROUND_DIE)

    def draw(shown: int, room: Rect, degrees: int) -> tuple[Mark, ...]:
        return die_marks(shown, room, None, degrees)

    return MovingPiece(area, tumble(area, place, range(1, 7), draw), die_marks(face, at))


def build_hand_picture(view: View, events: Sequence[GameEvent], _nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Return the picture of a seat's hand: its cards and its empty places."""
    places = _CARDS.split_columns(MAX_HAND_SIZE, _GAP)
    marks: list[Mark] = [
        Box(place, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 3) for place in places[len(view.hand) :]
    ]
    new = Counter(latest_drawn_cards(events, view.seat))
    for card, place in zip(view.hand, places, strict=False):
        marks += _hand_card_marks(view, card, place, is_new=new[card] > 0)
        new[card] -= 1
        if can_play(view, card):
            marks.append(action_frame(place, 16))
    held = join_items([card_name(view.public.board, card) for card in view.hand])
    words = _("The message cards {cards}.").format(cards=held) if held else _("A hand without message cards.")
    return Picture((PICTURE_WIDTH, _CARDS.bottom + 24), (), tuple(marks), words)


def _hand_card_marks(view: View, card: Card, at: Rect, *, is_new: bool) -> Iterator[Mark]:
    """Yield a card: its sign, and for a space the credits that landing there releases (with a marker) or receives."""
    board = view.public.board
    face = board.cards[card]
    yield Box(at, ColourRole.PAPER, ColourRole.TEXT, 16, 3)
    if is_new:
        yield from change_brackets(at)
    if face.space is None:
        yield from card_face_marks(board, card, at.center(120, 120))
        return
    entry = board.spaces[face.space]
    yield from set_band_marks(board, entry, Rect(at.x + 24, at.y + 14, at.width - 48, 36))
    yield from card_face_marks(board, card, Rect(at.x, at.y + 56, at.width, 104).center(96, 96))
    change = view.public.change_for_lander(view.seat or 0, face.space)
    tag = Rect(at.x + 26, at.y + 178, at.width - 52, 58)
    yield from _change_marks(change, tag, 44, ColourRole.TEXT)


SURFACE: Final = Surface(
    standard=SurfaceColours("#2b3158", "#1b1f3d", "#858cbd", "#f4f2ea", "#c3c7e0"),
    dark=SurfaceColours("#171a2b", "#0e101c", "#7b82ab", "#dadad4", "#a9adc4"),
    high_contrast=SurfaceColours("#000000", "#1a1c42", "#9aa0d4", "#ffffff", "#e2e4f4"),
)


SYMBOLS: Final = (
    Symbol("marker", "☑️", (Sprite("change/marker", SYMBOL_AREA),)),
    Symbol("message_card", "🎴", (Sprite("change/card", SYMBOL_AREA),)),
    Symbol("replaced", "🔄", (Sprite("die", SYMBOL_AREA), Sprite("change/replace", _ON_PAPER))),
)


_DIE, _CARD, _DIE_GAP, _KEPT = 170, 170, 22, 84
"""The sides of track dice and of the sign of a space, and of the dice that a challenge sets aside."""
_LEAST_GAP = 10
"""The gap between the dice that a challenge sets aside."""
_AROUND_DIE = 3
"""How far around its place a die tumbles: not into the room of Ragz, so that its steps look the same at all tables."""
_MIN_ROW, _MAX_ROW, _LETTER_WIDTH = 60, 84, 22
_CHANGE_SIZE: Final = 38
_TOKEN, _HAND_HEIGHT = 56, 50
"""The sides of a seat's token, and the height of the card with the number of cards in its hand."""
_TOTAL_WIDTH, _PLAYED_WIDTH, _RELEASED_WIDTH, _ROOM_FOR_ROWS = 150, 96, 170, 360


def _middle_areas(seats: int) -> tuple[Rect, tuple[Rect, ...]]:
    """Return the area inside the ring above the rows of seats, and those rows."""
    pitch = max(_MIN_ROW, min(_MAX_ROW, _ROOM_FOR_ROWS // seats))
    top = MIDDLE.bottom - pitch * seats
    rows = tuple(Rect(MIDDLE.x, top + pitch * seat, MIDDLE.width, pitch - 2) for seat in range(seats))
    return Rect(MIDDLE.x, MIDDLE.y, MIDDLE.width, top - 8 - MIDDLE.y), rows


def _middle_marks(
    public: PublicState,
    turn: Sequence[GameEvent],
    changes: Sequence[int],
    nameplates: Sequence[Nameplate],
    rolling: _Rolling | None,
) -> Iterator[Mark]:
    """Yield everything inside the ring: what the newest turn did, and how each seat's own turn changed its credits.

    Credits are in a frame that the newest turn has changed, which is another seat's.
    """
    above, rows = _middle_areas(len(public.credits))
    if public.mover is None:
        yield from _end_marks(public, nameplates, above)
    else:
        yield from _turn_marks(public, turn, nameplates, above, rolling)
    roller = next((event.seat for event in turn if isinstance(event, TrackRolled)), None)
    latest = changes_of(turn, len(rows)) if roller is not None else changes
    for seat, (change, at) in enumerate(zip(changes, rows, strict=True)):
        row = [*_seat_row(public, seat, change, at, nameplates)]
        if latest[seat] and seat != roller:
            room = _lay_out_row(at, nameplates)[1]
            frame = Rect(room.x, room.y - 2, room.width + 8, room.height + 4)
            row.append(Box(frame, None, ColourRole.NEW, 12, 4, may_overlap=True))
        yield from in_reading_order(row, at)


def _end_marks(public: PublicState, nameplates: Sequence[Nameplate], at: Rect) -> Iterator[Mark]:
    """Yield the butterfly that has opened its wings, and below it who has no credits left."""
    width = min(at.width, (at.height - 10) * 3 // 2)
    yield Sprite("change/butterfly", at.center(width, width * 2 // 3))
    winners = winners_of(public.credits)
    tokens = Rect(at.x, at.bottom - 84, at.width, 80).center(84 * len(winners), 80)
    for seat, place in zip(winners, tokens.split_columns(len(winners)), strict=True):
        yield from _over(token_marks(nameplates, seat, place.center(72, 72), MIN_TEXT_SIZE))


def _over(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yield marks that may lie on others."""
    for mark in marks:
        yield mark._replace(may_overlap=True)


def _turn_areas(at: Rect) -> tuple[Rect, Rect]:
    """Return the areas of a space with the track dice, and of what was rolled there."""
    upper = Rect(at.x, at.y, at.width, _DIE).center(_CARD + 2 * (_DIE + _DIE_GAP), _DIE)._replace(y=at.y)
    return upper, Rect(at.x, upper.bottom + 14, at.width, at.bottom - upper.bottom - 14)


def _beside_card(upper: Rect) -> Rect:
    """Return the area of the track dice beside a space."""
    return Rect(upper.x + _CARD + _DIE_GAP, upper.y, 2 * _DIE + _DIE_GAP, _DIE)


def _turn_marks(
    public: PublicState,
    turn: Sequence[GameEvent],
    nameplates: Sequence[Nameplate],
    at: Rect,
    rolling: _Rolling | None,
) -> Iterator[Mark]:
    """Yield the space that the turn has led to beside the track dice, and below them what was rolled there."""
    upper, lower = _turn_areas(at)
    moves = [event for event in turn if isinstance(event, TrackRolled | Landed | Moved)]
    if moves:
        yield from _space_card_marks(public, moves[-1].space, upper._replace(width=_CARD))
    if rolling is None or rolling.event is not None:
        dice = _beside_card(upper) if moves else upper.center(2 * _DIE + _DIE_GAP, _DIE)
        yield from _track_dice_marks(public, turn, dice)
    event, played = latest_space_roll(turn), played_cards(turn)
    if rolling is not None and rolling.event is not None:
        yield from _rolling_marks(rolling.event, rolling.card_count, nameplates, lower)
    elif event is not None:
        yield from _space_roll_marks(public, turn, event, nameplates, lower)
    elif played:
        yield from _played_card_marks(public, played, lower.center(len(played) * _PLAYED_WIDTH, _KEPT))
    else:
        beside = lower
        if (landed := find_newest(Landed, turn)) and doubling_landing(public, landed):
            # A whole set has just released. Rule CH-11.
            tag = lower._replace(width=_RELEASED_WIDTH) if public.may_challenge else lower
            plate = tag.center(_RELEASED_WIDTH, _KEPT)
            yield from tag_marks(format_signed(min(landed.changes)), plate, ColourRole.GOOD, size=60)
            beside = lower._replace(x=tag.right, width=lower.right - tag.right)
        if public.may_challenge:
            yield from _open_challenge_marks(beside)


def _space_card_marks(public: PublicState, space: Space, at: Rect) -> Iterator[Mark]:
    """Yield the space that the turn has led to: its sign, and what it costs."""
    entry = public.board.spaces[space]
    fill, ink = space_colours(entry)
    yield Box(at, fill, ColourRole.SURFACE_LINE, 14, 3)
    if entry.set:
        yield from set_band_marks(public.board, entry, Rect(at.x + 6, at.y + 6, at.width - 12, 30))
    upper = Rect(at.x, at.y + 42, at.width, 72) if entry.credits else at
    size = (128, 96) if entry.action else (96, 96)
    if entry.credits:
        size = (92, 69) if entry.action else (70, 70)
        amount = Rect(at.x, upper.bottom, at.width, at.bottom - upper.bottom - 6)
        yield Label(f"−{entry.credits}" if entry.action else str(entry.credits), amount, ink, 46, bold=True)
    yield space_sprite(entry, upper.center(*size), ink)


def _track_dice_marks(public: PublicState, turn: Sequence[GameEvent], at: Rect) -> Iterator[Mark]:
    """Yield the track dice; doubles are gold. Before the first roll, the dice lie there that won the roll-off."""
    rolled, can_roll = find_newest(TrackRolled, turn), public.stage is Stage.ROLL
    faces = rolled.dice if rolled else max((dice for _seat, dice in public.roll_off[-1].rolls), key=sum)
    ink = ColourRole.GOLD if rolled and rolled.is_double else None
    for face, place in zip(faces, at.split_columns(2, _DIE_GAP), strict=True):
        yield from die_marks(face, place, ink)
        if rolled and not can_roll:
            yield from change_brackets(place)
    if can_roll:
        yield action_frame(at, 16)


def _open_challenge_marks(at: Rect) -> Iterator[Mark]:
    """Yield three places for dice, and what they have to reach together. Rule CH-6."""
    line = at.center(3 * (_KEPT + 12) + _TOTAL_WIDTH, _KEPT)
    for nth in range(3):
        place = Rect(line.x + nth * (_KEPT + 12), line.y, _KEPT, _KEPT)
        yield Box(place, None, ColourRole.SURFACE_LINE, 14, 4)
    yield from tag_marks(
        f"{CHALLENGE_TARGET}+", Rect(line.right - _TOTAL_WIDTH, line.y, _TOTAL_WIDTH, _KEPT), ColourRole.GOLD, size=52
    )


def _space_roll_marks(
    public: PublicState,
    turn: Sequence[GameEvent],
    event: Challenged | Released | Received,
    nameplates: Sequence[Nameplate],
    at: Rect,
) -> Iterator[Mark]:
    """Yield the dice that a challenge set aside, or those of a roll for credits, the cards added, and the total."""
    since, played = turn[list(turn).index(event) :], _cards_beside(event, turn)
    line, places = _space_roll_line(event, at, len(played)), _space_dice(event, at, len(played))
    yield from _roller_marks(event, nameplates, line)
    for face, place in zip(_faces_of(event), places, strict=False):
        yield from die_marks(face, place, ColourRole.GOLD)
    width = len(played) * _PLAYED_WIDTH
    cards = Rect(line.right - _TOTAL_WIDTH - width, line.y, width, line.height)
    yield from _played_card_marks(public, played, cards)
    tag = line._replace(x=line.right - _TOTAL_WIDTH, width=_TOTAL_WIDTH)
    if isinstance(event, Challenged):
        total = event.total + sum(added_points(public.board, since[1:]))
        fill = ColourRole.GOOD if total >= CHALLENGE_TARGET else ColourRole.BAD
        yield from tag_marks(f"{total}/{CHALLENGE_TARGET}", tag, fill, size=48)
    else:
        yield from _change_marks(sum(event.dice) if isinstance(event, Received) else -event.count, tag, 48)


def _cards_beside(event: Challenged | Released | Received, turn: Sequence[GameEvent]) -> tuple[CardPlayed, ...]:
    """Return the cards that lie beside the dice of a challenge: those played after it."""
    return played_cards(turn[list(turn).index(event) :]) if isinstance(event, Challenged) else ()


def _rolling_marks(
    event: Challenged | Released | Received, card_count: int, nameplates: Sequence[Nameplate], at: Rect
) -> Iterator[Mark]:
    """Yield the same while the dice roll: who rolls for credits, or what the dice of a challenge have to reach."""
    line = _space_roll_line(event, at, card_count)
    yield from _roller_marks(event, nameplates, line)
    if isinstance(event, Challenged):
        total = line._replace(x=line.right - _TOTAL_WIDTH, width=_TOTAL_WIDTH)
        yield from tag_marks(f"{CHALLENGE_TARGET}+", total, ColourRole.GOLD, size=52)


def _space_roll_line(event: Challenged | Released | Received, at: Rect, played_count: int) -> Rect:
    """Return the area of a roll on a space with its total."""
    side = min(_KEPT, at.height)
    width = _token_width(event) + 3 * (side + _LEAST_GAP) + played_count * _PLAYED_WIDTH + _TOTAL_WIDTH
    return at.center(width, side)


def _space_dice(event: Challenged | Released | Received, at: Rect, played_count: int) -> Iterator[Rect]:
    """Yield the places of its dice."""
    line = _space_roll_line(event, at, played_count)
    left = line.x + _token_width(event)
    for nth in range(3):
        yield Rect(left + nth * (line.height + _LEAST_GAP), line.y, line.height, line.height)


def _token_width(event: Challenged | Released | Received) -> int:
    return 0 if isinstance(event, Challenged) else _KEPT


def _faces_of(event: Challenged | Released | Received) -> Sequence[int]:
    """Return the dice that a challenge set aside, or those of a roll for credits."""
    return [max(dice) for dice in event.rolls] if isinstance(event, Challenged) else event.dice


def _roller_marks(
    event: Challenged | Released | Received, nameplates: Sequence[Nameplate], line: Rect
) -> Sequence[Mark]:
    """Return the token of the seat that rolled for credits; who takes a challenge is known."""
    if isinstance(event, Challenged):
        return ()
    return token_marks(nameplates, event.seat, line._replace(width=line.height).center(68, 68), MIN_TEXT_SIZE)


def _played_card_marks(public: PublicState, played: Sequence[CardPlayed], at: Rect) -> Iterator[Mark]:
    """Yield the played cards side by side."""
    for nth, event in enumerate(played):
        place = Rect(at.x + nth * _PLAYED_WIDTH, at.y, _PLAYED_WIDTH - 12, at.height)
        yield Box(place, ColourRole.PAPER, ColourRole.NEW, 12, 5)
        yield from card_face_marks(public.board, event.card, place.inset(8))


def card_face_marks(board: Board, card: Card, at: Rect) -> Iterator[Mark]:
    """Yield the sign of a message card."""
    face, side = board.cards[card], min(at.width, at.height)
    match face.kind:
        case CardKind.ADD:
            yield Label(f"+{face.amount}", at, ColourRole.TEXT, max(MIN_TEXT_SIZE, side * 2 // 3), bold=True)
        case CardKind.REPLACE:
            yield Sprite("change/replace", at.center(side, side))
        case CardKind.ANY:
            yield Sprite("change/any", at.center(side, side))
        case CardKind.SPACE:
            yield space_sprite(board.spaces[face.space or 0], at.center(side, side), ColourRole.TEXT)


def _seat_row(
    public: PublicState, seat: Seat, change: int, at: Rect, nameplates: Sequence[Nameplate]
) -> Iterator[Mark]:
    """Yield the name and the credits of a seat, their change, and its message cards; its markers lie on the spaces."""
    has_won = public.mover is None and seat in winners_of(public.credits)
    ink, width = (ColourRole.GOLD if has_won else ColourRole.MARK, FRAME_WIDTH)
    if not has_won and seat != public.mover:
        ink, width = ColourRole.SURFACE_LINE, 2
    yield Box(at, ColourRole.SURFACE_SHADE, ink, 14, width)
    token = at._replace(x=at.x + 4, width=_TOKEN).center(_TOKEN, _TOKEN)
    yield from token_marks(nameplates, seat, token, MIN_TEXT_SIZE)
    name, left, tag, cards = _lay_out_row(at, nameplates)
    yield from name_labels(nameplates, seat, name, size=MIN_TEXT_SIZE + 3)
    size = left.width * 50 // 96
    yield Label(str(public.credits[seat]), left, ColourRole.SURFACE_TEXT, size, Align.RIGHT, bold=True)
    if change:
        yield from _change_marks(change, tag.center(tag.width, 42), min(_CHANGE_SIZE, tag.width * 5 // 12))
    if count := public.hand_sizes[seat]:
        yield from hand_size_marks(count, cards.center(cards.width, min(_HAND_HEIGHT, cards.height)))
    bar = Rect(name.x, at.bottom - 14, at.right - 14 - name.x, 9)
    full = max(public.options.credits, *public.credits)
    yield from score_bar_marks(SeatRow(seat, public.credits[seat]), full, bar)


def hand_size_marks(count: int, at: Rect) -> tuple[Mark, ...]:
    """Return a card with the number of message cards in a hand."""
    return (Box(at, ColourRole.PAPER, radius=8), Label(str(count), at, ColourRole.TEXT, MIN_TEXT_SIZE, bold=True))


def _lay_out_row(row: Rect, nameplates: Sequence[Nameplate]) -> tuple[Rect, ...]:
    """Return the areas of a name, credits, change and cards; the others give room to a name that is long."""
    longest = max((len(each.name) for each in nameplates), default=0)
    given, right, areas = min(44, max(0, longest * _LETTER_WIDTH - 292)), row.x + 64, list[Rect]()
    for gap, width, most in ((0, 292, -44), (0, 96, 22), (6, 104, 14), (6, 50, 8)):
        areas.append(Rect(right + gap, row.y + 3, width - most * given // 44, row.height - 17))
        right = areas[-1].right
    return tuple(areas)


def _change_marks(change: int, at: Rect, size: int, ink: ColourRole = ColourRole.SURFACE_TEXT) -> tuple[Mark, ...]:
    """Return a change of credits: released ones on a happy plate, received ones in an angular frame without a fill.

    Args:
        change: The change.
        at: The area.
        size: The size of the number.
        ink: The colour of a number on the ground, and on paper of its frame.
    """
    if change < 0:
        return tag_marks(format_signed(change), at, ColourRole.NEW, size=size)
    frame = Box(at.inset(2), None, ink if ink is ColourRole.TEXT else ColourRole.BAD, 8, 4)
    return (frame, Label(format_signed(change), at.inset(6), ink, size, bold=True))
