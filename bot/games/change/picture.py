"""The pictures of Change: the table with the turn, the dice and the seats inside the ring of spaces, and a hand."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.games.change.board import Card, CardKind
from bot.games.change.board_picture import (
    HEIGHT,
    MIDDLE,
    SMALL,
    board_marks,
    piece_marks,
    set_colour,
    space_colours,
    space_sprite,
)
from bot.games.change.facts import (
    can_play,
    changes_of,
    latest_drawn_cards,
    latest_space_roll,
    newest_round,
    open_steps,
    played_cards,
)
from bot.games.change.pieces import (
    CHALLENGE_TARGET,
    MAX_HAND_SIZE,
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
from bot.games.change.words import STEPS, card_name, prompt_of, summarize_space
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
from bot.rules.picture import (
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
    seat_colour,
    text_colour_on,
)
from bot.rules.seat_rows import Badge
from bot.rules.story import newest_turn
from bot.words import N_, format_signed, gettext as _, join_items, ngettext

_CARDS = Rect(24, 24, PICTURE_WIDTH - 48, 252)
_GAP = 22
_ON_PAPER: Final = SYMBOL_AREA.center(88, 88).shift(down=-4)


def build_picture(view: View, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Return the public picture. Nothing in it depends on a hand."""
    public, turn = view.public, newest_turn(events, TrackRolled)
    return Picture(
        size=(PICTURE_WIDTH, HEIGHT),
        backdrop=board_marks(public.board),
        marks=(
            *piece_marks(public, turn),
            *middle_marks(public, turn, newest_round(events, len(public.credits)), nameplates),
        ),
        description=describe_picture(public),
    )


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
            yield from _space_effect_marks(view, face.space or 0, at)


def _space_effect_marks(view: View, space: int, at: Rect) -> Iterator[Mark]:
    """Yield set and picture of a space, and the credits that landing there releases (with a marker) or receives."""
    public, entry = view.public, view.public.board.spaces[space]
    colour, letter = set_colour(public.board, entry), Rect(at.x + 14, at.y + 84, 54, 60)
    yield Box(letter, colour, ColourRole.TEXT, 8, 2)
    yield Label(entry.set or "", letter, text_colour_on(colour), 40, bold=True)
    yield space_sprite(entry, Rect(at.right - 90, at.y + 76, 76, 76), ColourRole.TEXT)
    change = public.change_for_lander(view.seat or 0, space)
    fill = ColourRole.GOOD if change < 0 else ColourRole.BAD
    yield from tag_marks(format_signed(change), Rect(at.x + 40, at.y + 168, at.width - 80, 54), fill, size=38)


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


_PLATE, _LARGEST_DIE, _DIE_BESIDE_CARDS = 58, 132, 108
_MIN_ROOMY_HEIGHT = 180
_MAX_LARGE_DIGITS = 3
_PLAYED_HEIGHT, _PLAYED_GAP = 40, 4
_CAPTION_GAP, _MIN_CAPTION_HEIGHT = 46, 150
"""Six seats leave no room for a caption of the dice."""
_MIN_CROWDED_SEATS = 5
"""With more seats, rows are lower."""

CARD_HEIGHT: Final = 78
_BAND, _PICTURE, _PLACE, _NAME, _WORDS = 38, 62, 64, 34, 30


def middle_marks(
    public: PublicState, turn: Sequence[GameEvent], round_: Sequence[GameEvent], nameplates: Sequence[Nameplate]
) -> Iterator[Mark]:
    """Yield everything inside the ring: what the newest turn did, and how the credits changed in the newest round."""
    seats = len(public.credits)
    pitch = 50 if seats > _MIN_CROWDED_SEATS else 54
    rows = Rect(MIDDLE.x, MIDDLE.bottom - pitch * seats, MIDDLE.width, pitch * seats)
    yield from _turn_marks(public, nameplates, Rect(MIDDLE.x, MIDDLE.y, MIDDLE.width, _PLATE))
    top = MIDDLE.y + _PLATE + 8
    yield from space_card_marks(public, turn, Rect(MIDDLE.x, top, MIDDLE.width, CARD_HEIGHT))
    top += CARD_HEIGHT + 6
    yield from _dice_marks(public, turn, nameplates, Rect(MIDDLE.x, top, MIDDLE.width, rows.y - 6 - top))
    changes = changes_of(round_, seats)
    for seat in range(seats):
        at = Rect(rows.x, rows.y + pitch * seat, rows.width, pitch - 4)
        yield from _seat_row(public, seat, changes[seat], at, nameplates)


def _turn_marks(public: PublicState, nameplates: Sequence[Nameplate], at: Rect) -> Iterator[Mark]:
    """Yield the mover and what they can do, or the winners."""
    seats = winners_of(public.credits) if public.mover is None else (public.mover,)
    yield Box(
        at, ColourRole.SURFACE_SHADE, ColourRole.GOLD if public.mover is None else ColourRole.MARK, 14, FRAME_WIDTH
    )
    for number, seat in enumerate(seats):
        yield from token_marks(nameplates, seat, Rect(at.x + 14 + 48 * number, at.y + 7, 44, 44))
    used = 66 + 48 * (len(seats) - 1)
    if public.mover is None:
        yield Sprite(Badge.CROWN.value, Rect(at.right - 70, at.y + 9, 54, 40))
    words = Rect(at.x + used, at.y + 10, at.width - used - 10, at.height - 20)
    yield Label(_prompt_text(public, len(seats)), words, ColourRole.SURFACE_TEXT, 28, Align.LEFT, bold=True)


def _prompt_text(public: PublicState, count: int) -> str:
    if public.mover is None:
        return ngettext("wins", "win", count)
    steps = (_(STEPS[step].in_picture) for step in open_steps(public))
    words = ", ".join((*steps, _(prompt_of(public).in_picture)))
    return _("{count} short: {words}").format(count=public.missing, words=words) if public.missing else words


def _dice_marks(
    public: PublicState, turn: Sequence[GameEvent], nameplates: Sequence[Nameplate], at: Rect
) -> Iterator[Mark]:
    """Yield the track dice with the played cards beside them, and the dice of a challenge or release below."""
    small = 46 if at.height < _MIN_ROOMY_HEIGHT else 54
    gap = _CAPTION_GAP if at.height > _MIN_CAPTION_HEIGHT else 20
    below = small + gap if latest_space_roll(turn) else 0
    played = [card_name(public.board, event.card) for event in played_cards(turn)]
    large = min(_DIE_BESIDE_CARDS if played else _LARGEST_DIE, at.height - below - 16)
    pair = Rect(at.x + 8, at.y + (at.height - large - below) // 2, 2 * large + 20, large)
    if not played:
        pair = pair.shift(right=(at.width - pair.width) // 2 - 8)
    rolled, can_roll = find_newest(TrackRolled, turn), public.stage is Stage.ROLL
    # Before the first roll, the dice that won the roll-off lie there.
    faces = rolled.dice if rolled else max((dice for _seat, dice in public.roll_off[-1].rolls), key=sum)
    for face, place in zip(faces, pair.split_columns(2, 20), strict=True):
        yield from die_marks(face, place)
        if rolled and not can_roll:
            yield from change_brackets(place)
    if can_roll:
        yield action_frame(pair, 12)
    yield from _played_card_marks(played, Rect(pair.right + 18, pair.y, at.right - pair.right - 18, large))
    if event := latest_space_roll(turn):
        if gap == _CAPTION_GAP:
            caption = Rect(at.x, pair.bottom + 10, at.width, 34)
            yield Label(_(_CAPTIONS[type(event)]).format(target=CHALLENGE_TARGET), caption, ColourRole.SURFACE_TEXT, 28)
        yield from _space_roll_marks(event, nameplates, Rect(at.x, pair.bottom + gap, at.width, small))


def _played_card_marks(played: Sequence[str], at: Rect) -> Iterator[Mark]:
    """Yield the newest played cards, as many as fit."""
    pitch = _PLAYED_HEIGHT + _PLAYED_GAP
    count = min(len(played), (at.height + _PLAYED_GAP) // pitch)
    for number, name in enumerate(played[len(played) - count :]):
        place = Rect(at.x, at.y + pitch * number, at.width, _PLAYED_HEIGHT)
        yield Box(place, ColourRole.PAPER, ColourRole.NEW, 8, 3)
        yield Sprite("change/card", Rect(place.x + 8, place.y + 6, 20, 28))
        room = Rect(place.x + 34, place.y + 3, place.width - 40, 34)
        yield Label(name, room, ColourRole.TEXT, 26, Align.LEFT)


_CAPTIONS: Final[Mapping[type[GameEvent], str]] = {
    Challenged: N_("challenge: {target} needed"),
    Released: N_("credits released"),
    Received: N_("credits received"),
}
"""What the dice below are rolled for."""


def _space_roll_marks(
    event: Challenged | Released | Received, nameplates: Sequence[Nameplate], at: Rect
) -> Iterator[Mark]:
    """Yield the dice of a challenge, or of a roll for credits."""
    match event:
        case Challenged():
            sets = [sorted(dice, reverse=True) for dice in event.rolls]
            fill = ColourRole.GOOD if event.has_succeeded else ColourRole.BAD
            yield from _dice_set_marks(sets, event.total, fill, at)
        case Released() | Received():
            yield from token_marks(nameplates, event.seat, Rect(at.x + 92, at.y + (at.height - 44) // 2, 44, 44))
            sets = [[face] for face in event.dice]
            yield from _dice_set_marks(
                sets, sum(event.dice), ColourRole.NEW, Rect(at.x + 92, at.y, at.width - 92, at.height)
            )


def _dice_set_marks(sets: Sequence[Sequence[int]], total: int, fill: ColourRole, at: Rect) -> Iterator[Mark]:
    """Yield dice in sets, the first of each on gold, and their total."""
    size = at.height
    width = sum(len(faces) * (size + 2) + 10 for faces in sets) + 64
    x = at.x + (at.width - width) // 2
    for faces in sets:
        for number, face in enumerate(faces):
            yield from die_marks(face, Rect(x, at.y, size, size), ColourRole.PAPER_SHADE if number else ColourRole.GOLD)
            x += size + 2
        x += 10
    yield from tag_marks(str(total), Rect(x + 2, at.y + size // 2 - 20, 62, 40), fill, size=30)


def _seat_row(
    public: PublicState, seat: Seat, change: int, at: Rect, nameplates: Sequence[Nameplate]
) -> Iterator[Mark]:
    """Yield the name and the credits of a seat and their change, its message cards and its markers."""
    has_won = public.mover is None and seat in winners_of(public.credits)
    if seat == public.mover or has_won:
        yield Box(at, ColourRole.SURFACE_SHADE, ColourRole.GOLD if has_won else ColourRole.MARK, 12, 4)
    upper = Rect(at.x, at.y + 4, at.width, at.height - 14)
    yield from token_marks(nameplates, seat, Rect(at.x + 8, at.y + (at.height - 44) // 2, 44, 44))
    yield from name_labels(nameplates, seat, Rect(at.x + 60, upper.y, 120, upper.height - 2), size=SMALL)
    left = str(public.credits[seat])
    room = Rect(at.x + 182, upper.y, 70, upper.height)
    yield Label(
        left, room, ColourRole.SURFACE_TEXT, 38 if len(left) <= _MAX_LARGE_DIGITS else 28, Align.RIGHT, bold=True
    )
    if change:
        yield from tag_marks(format_signed(change), Rect(at.x + 260, upper.y + 1, 74, 30), ColourRole.NEW, size=SMALL)
    yield from _icon_count_marks(
        "change/card", (20, 28), public.hand_sizes[seat], Rect(at.x + 342, upper.y, 46, upper.height)
    )
    yield from _icon_count_marks(
        "change/marker", (26, 26), public.markers[seat].bit_count(), Rect(at.x + 388, upper.y, 64, upper.height)
    )
    yield from _gauge(public, seat, Rect(at.x + 62, at.bottom - 11, at.width - 74, 7))


def _icon_count_marks(art: str, size: tuple[int, int], count: int, at: Rect) -> Iterator[Mark]:
    width, height = size
    yield Sprite(art, Rect(at.x, at.y + (at.height - height) // 2, width, height))
    yield Label(
        str(count),
        Rect(at.x + width + 6, at.y, at.width - width - 6, at.height),
        ColourRole.SURFACE_TEXT,
        30,
        Align.LEFT,
    )


def _gauge(public: PublicState, seat: Seat, at: Rect) -> Iterator[Mark]:
    full = max(public.options.credits, *public.credits)
    yield Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, border_width=2)
    if length := public.credits[seat] * at.width // full:
        yield Box(at._replace(width=length), seat_colour(seat))


def space_card_marks(public: PublicState, turn: Sequence[GameEvent], at: Rect) -> Iterator[Mark]:
    """Yield the card of the space that the turn has led to: its picture, its name, what it says, and who came."""
    moves = [event for event in turn if isinstance(event, TrackRolled | Landed | Moved)]
    if not moves:
        return
    seat, entry = moves[-1].seat, public.board.spaces[moves[-1].space]
    fill, ink = space_colours(entry)
    band = set_colour(public.board, entry) if entry.set else fill
    yield Box(at, fill, ColourRole.SURFACE_LINE, 12, 3)
    words = Rect(at.x + _PICTURE + 20, at.y, at.width - _PICTURE - 84, at.height)
    if entry.set:
        yield Box(Rect(words.x - 4, at.y + 3, at.right + 1 - words.x, _BAND - 2), band, radius=8)
    picture_size = (_PICTURE, _PICTURE) if entry.action is None else (_PLACE, _PLACE * 3 // 4)
    yield space_sprite(entry, Rect(at.x + 4, at.y, _PICTURE + 8, at.height).center(*picture_size), ink)
    name = words._replace(x=words.x + 4, y=at.y + 3, height=_BAND - 2)
    yield Label(entry.name, name, text_colour_on(band) if entry.set else ink, _NAME, Align.LEFT, bold=True)
    rule = Rect(name.x, at.y + _BAND, words.width, at.height - _BAND - 2)
    yield Label(summarize_space(entry), rule, ink, _WORDS, Align.LEFT)
    yield Sprite(f"change/ragz-{seat + 1}", Rect(at.right - 52, at.y + 8, 45, 60), may_overlap=True)
