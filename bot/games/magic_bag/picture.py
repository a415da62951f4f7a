"""The picture of The Magic Bag: the dice, the rows, the bag, and the treasure on the reference sheet."""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil
from typing import Final

from bot.games.magic_bag.facts import Choice, Cover, choice_of, coins_for, find_covers, gain_of
from bot.games.magic_bag.pieces import (
    EXTRA_ROLLS,
    ROW_SIZES,
    CoinDiscarded,
    GameEvent,
    MagicBagEnd,
    Piece,
    Rolled,
    Row,
    RowTaken,
    State,
    Suit,
)
from bot.games.magic_bag.reading import describe_picture
from bot.games.magic_bag.scoring import score_of
from bot.games.magic_bag.sheet_picture import (
    SHEET_HEIGHT,
    SHEET_WIDTH,
    gold_marks,
    sheet_marks,
    silhouette_marks,
    suit_sprite,
)
from bot.games.magic_bag.words import SUIT_SYMBOLS
from bot.rules.components import (
    FRAME_WIDTH,
    BracketSize,
    Nameplate,
    change_brackets,
    name_labels,
    tag_marks,
    token_marks,
)
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
)
from bot.words import N_, format_number, format_points, format_signed, gettext as _

TILE_WIDTH, TILE_HEIGHT = 88, 60
"""Pixels of a tile on the table; a single coin is as high."""

_PITCH, _ROW_HEIGHT = 78, 76
_NUMBER_SIZE = 44
_LEFT, _TILE_GAP = 66, 8
"""The left edge of the first tile, and the gap between tiles."""

_COINS_WIDTH = 58
_SUIT_AREA: Final = SYMBOL_AREA.center(96, 96).shift(down=-4)

_HEIGHT = 728
_ROWS_AREA = Rect(14, 14, 518, 700)
_DICE_AREA = Rect(376, 22, 600, 132)
_NEWS_AREA = Rect(376, 177, 608, 60)
_PLATES_AREA = Rect(368, 256, 616, 70)
_BAG_AREA = Rect(252, 18, 104, 130)
"""Beside the first and second row."""
_GOLD_AREA = Rect(444, 336, 138, 142)
"""Beside the fifth and sixth row."""
_SHEET_AREA = Rect(556, 332, SHEET_WIDTH, SHEET_HEIGHT)

_VELVET = Sprite("magic_bag/velvet", Rect(0, 0, PICTURE_WIDTH, _HEIGHT), may_overlap=True)

_SEAT = 0
_ICON_SIZE = 54
_TREASURE_WIDTH, _GAP = 390, 10
_MOST_COINS, _SACKS = 24, 4
"""All coins, and the sizes of a bag that isn't empty."""

_GAIN_WIDTH = 74
_COIN_WIDTH = 78
_BROUGHT_WIDTH, _DISCARDED_WIDTH, _AND_TILE_WIDTH = 186, 150, 170
"""Widths of the words before coins and tiles."""


def build_picture(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Build the picture."""
    return Picture(
        size=(PICTURE_WIDTH, _HEIGHT),
        backdrop=(_VELVET, *slot_marks(_ROWS_AREA), *silhouette_marks(view.layout.sheet, _SHEET_AREA)),
        marks=(
            *row_marks(view, events, _ROWS_AREA),
            *(_playing_marks(view, events, nameplates) if view.end is None else _end_marks(view, events)),
            *bag_marks(view, _BAG_AREA),
            *gold_marks(view, events, _GOLD_AREA),
            *sheet_marks(view, events, _SHEET_AREA),
        ),
        description=describe_picture(view),
    )


def _playing_marks(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate]) -> Iterator[Mark]:
    rolled = [suit for event in events if isinstance(event, Rolled) for suit in event.suits]
    for suit, room in zip(Suit, _DICE_AREA.split_columns(len(Suit), 24), strict=True):
        yield from die_marks(Piece(suit, view.faces[suit]), room)
        if suit in rolled:
            yield from change_brackets(room)
    yield from news_marks(view, events, _NEWS_AREA)
    yield from plate_marks(view, events, _PLATES_AREA, nameplates)


def _end_marks(view: State, events: Sequence[GameEvent]) -> Iterator[Mark]:
    yield from end_marks(view, _DICE_AREA)
    yield from news_marks(view, events, _NEWS_AREA)
    yield from parts_marks(view, _PLATES_AREA)


_ADVICE = {
    Choice.TAKE_OR_ROLL: N_("take a row, or roll again"),
    Choice.ROLL: N_("no row yet: roll again"),
    Choice.TAKE: N_("take a row"),
    Choice.DISCARD: N_("no row: discard a coin, or finish"),
    Choice.FINISH: N_("no row: finish"),
}

_END_REASONS = {
    MagicBagEnd.LAST_COIN: N_("the bag is empty"),
    MagicBagEnd.LAST_ROW: N_("you cleared the board!"),
    MagicBagEnd.FINISHED: N_("finished"),
    MagicBagEnd.NO_COIN_TO_DISCARD: N_("no coin to discard"),
}


def plate_marks(
    view: State, events: Sequence[GameEvent], at: Rect, nameplates: Sequence[Nameplate]
) -> tuple[Mark, ...]:
    """Return the plates of the treasure and the roll."""
    treasure = Rect(at.x, at.y, _TREASURE_WIDTH, at.height)
    roll = Rect(treasure.right + _GAP, at.y, at.right - treasure.right - _GAP, at.height)
    gain = gain_of(view, events)
    room = Rect(treasure.right - _GAIN_WIDTH - 6, treasure.bottom - 38, _GAIN_WIDTH, 32)
    name_area = Rect(treasure.x + 190, treasure.y + 2, treasure.width - 202, 28)
    icon_area = Rect(treasure.x + 10, treasure.y + (treasure.height - _ICON_SIZE) // 2, _ICON_SIZE, _ICON_SIZE)
    return (
        Box(treasure, ColourRole.GOLD, radius=16, is_raised=True),
        *token_marks((), _SEAT, icon_area),
        *_caption_marks(_("treasure"), format_number(score_of(view).total), treasure, _ICON_SIZE + 18),
        *name_labels(nameplates, _SEAT, name_area, ColourRole.TEXT, size=26, align=Align.RIGHT),
        *(tag_marks(format_signed(gain), room, ColourRole.NEW, ColourRole.TEXT, 26) if gain else ()),
        *_roll_marks(view, roll),
    )


def bag_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the bag, which gets smaller, with the number of coins in it."""
    left = len(view.layout.bag)
    count = at._replace(y=at.bottom - 58, height=50)
    return (
        Sprite(f"magic_bag/sack-{ceil(left * _SACKS / _MOST_COINS)}", at),
        Label(str(left), count, ColourRole.WHITE, 40, bold=True),
    )


def _caption_marks(
    caption: str, figure: str, plate: Rect, left: int, ink: ColourRole = ColourRole.TEXT
) -> tuple[Mark, ...]:
    upper = Rect(plate.x + left, plate.y + 5, plate.width - left - 8, 28)
    lower = Rect(upper.x, plate.y + 30, upper.width, 36)
    return (
        Label(caption, upper, ink, 26, Align.LEFT),
        Label(figure, lower, ink, 34, Align.LEFT, bold=True),
    )


def _roll_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the plate that counts the rolls, framed while rolls are left. Rule MB-3."""
    rolls = EXTRA_ROLLS + 1
    edge, width = (ColourRole.MARK, FRAME_WIDTH) if view.rolls_left else (ColourRole.SURFACE_LINE, 3)
    figure = _("{at} of {rolls}").format(at=rolls - view.rolls_left, rolls=rolls)
    return (
        Box(at, ColourRole.SURFACE_SHADE, edge, 16, width),
        *_caption_marks(_("roll"), figure, at, 20, ColourRole.SURFACE_TEXT),
    )


def news_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the coins drawn or discarded by the last move, or else what to do now."""
    for event in events:
        if isinstance(event, RowTaken):
            words = Rect(at.x, at.y, _BROUGHT_WIDTH, at.height)
            coins = _coin_areas(words.right + 12, at.y, len(event.coins))
            words_label = Label(
                _("row {row} brought").format(row=event.row), words, ColourRole.SURFACE_TEXT, 28, Align.LEFT
            )
            whole = Rect(coins[0].x, at.y, coins[-1].right - coins[0].x, TILE_HEIGHT)
            drawn = chain.from_iterable(map(coin_marks, event.coins, coins))
            return (words_label, *drawn, *change_brackets(whole, BracketSize.SMALL))
        if isinstance(event, CoinDiscarded):
            return _discard_marks(event, at)
    return (
        (Label(_(_ADVICE[choice_of(view)]), at, ColourRole.SURFACE_TEXT, 30, Align.LEFT),) if view.end is None else ()
    )


def _coin_areas(left: int, top: int, count: int) -> tuple[Rect, ...]:
    return tuple(Rect(left + nth * (_COIN_WIDTH + 4), top, _COIN_WIDTH, TILE_HEIGHT) for nth in range(count))


def _discard_marks(event: CoinDiscarded, at: Rect) -> tuple[Mark, ...]:
    """Return the discarded coin and the removed tile."""
    words = Rect(at.x, at.y, _DISCARDED_WIDTH, at.height)
    (lost,) = _coin_areas(words.right, at.y, 1)
    marks: list[Mark] = [
        Label(_("discarded"), words, ColourRole.SURFACE_TEXT, 28, Align.LEFT),
        *coin_marks(event.coin, lost),
        *change_brackets(lost, BracketSize.SMALL),
    ]
    if event.tile is not None:
        more = Rect(lost.right + 20, at.y, _AND_TILE_WIDTH, at.height)
        gone = Rect(more.right, at.y, TILE_WIDTH, TILE_HEIGHT)
        marks += [
            Label(_("and the tile"), more, ColourRole.SURFACE_TEXT, 28, Align.LEFT),
            *tile_marks(event.tile, gone),
        ]
        marks += change_brackets(gone, BracketSize.SMALL)
    return tuple(marks)


def end_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the final score and the reason for the end."""
    plate = Rect(at.x, at.y, at.width, 132)
    words = Rect(plate.x + 132, plate.y + 4, plate.width - 140, 84)
    reason = _(_END_REASONS[view.end]) if view.end is not None else ""
    return (
        Box(plate, ColourRole.GOLD, radius=20, is_raised=True),
        *token_marks((), _SEAT, Rect(plate.x + 22, plate.y + 20, 92, 92)),
        Label(format_points(score_of(view).total), words, ColourRole.TEXT, 72, Align.LEFT, bold=True),
        Label(reason, Rect(words.x, words.bottom - 2, words.width, 40), ColourRole.TEXT, 30, Align.LEFT),
    )


def parts_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the points of each part of the treasure and of the tiles left. Rules MB-10 to MB-12."""
    score = score_of(view)
    brought = [(artifact.suit, artifact.points) for artifact in score.artifacts]
    brought.append((Suit.CROWN, score.gold))
    marks: list[Mark] = []
    rooms = at.split_columns(len(brought) + bool(score.bonus), _GAP)
    for (suit, points), room in zip(brought, rooms, strict=False):
        marks += _part_marks(suit_sprite(suit, _symbol_area(room)), points, room)
    if score.bonus:
        tiles = Box(_symbol_area(rooms[-1]).inset(2), ColourRole.GOLD, ColourRole.TEXT, 6, 3)
        marks += _part_marks(tiles, score.bonus, rooms[-1])
    return tuple(marks)


def _symbol_area(at: Rect) -> Rect:
    return Rect(at.x + 8, at.y + (at.height - 44) // 2, 44, 44)


def _part_marks(sign_or_tile: Mark, points: int, room: Rect) -> tuple[Mark, ...]:
    words = Rect(room.x + 52, room.y, room.width - 56, room.height)
    return (
        Box(room, ColourRole.PAPER, radius=14, is_raised=True),
        sign_or_tile,
        Label(format_number(points), words, ColourRole.TEXT, 30, bold=True),
    )


def die_marks(piece: Piece, at: Rect) -> tuple[Mark, ...]:
    """Return a square die with its suit and value."""
    side = at.width * 7 // 16
    top = at.y + (at.height * 11 // 12 - side) // 2
    value = Rect(at.x + at.width // 2, top, at.width * 7 // 16, side)
    return (
        Sprite("die", at),
        suit_sprite(piece.suit, Rect(at.x + at.width // 12, top, side, side)),
        Label(str(piece.value), value, ColourRole.TEXT, at.width * 9 // 16, bold=True),
    )


def tile_marks(piece: Piece, at: Rect, ink: ColourRole = ColourRole.PAPER) -> tuple[Mark, ...]:
    """Return a tile with room on its right for a star or a tick."""
    return (
        Box(at, ink, radius=8, is_raised=True),
        *_piece_marks(piece, at.x + at.height // 15, at, at.height * 19 // 30),
    )


def coin_marks(piece: Piece, at: Rect) -> tuple[Mark, ...]:
    """Return a single coin, as high as a tile."""
    return (
        Box(at, ColourRole.PAPER, ColourRole.GOLD, at.height // 2, 4),
        *_piece_marks(piece, at.x + at.height * 11 // 60, at, at.height * 17 // 30),
    )


def _piece_marks(piece: Piece, left: int, at: Rect, side: int) -> tuple[Mark, ...]:
    """Return a suit's symbol, `side` pixels wide, and the value beside it."""
    value = Rect(left + side, at.y, at.height * 2 // 5, at.height)
    return (
        suit_sprite(piece.suit, Rect(left, at.y + (at.height - side) // 2, side, side)),
        Label(str(piece.value), value, ColourRole.TEXT, side, bold=True),
    )


def slot_marks(at: Rect) -> tuple[Mark, ...]:
    """Return the empty places of the tiles."""
    places = (place for row, size in enumerate(ROW_SIZES, 1) for place in _tile_areas(_row_area(row, at), size))
    return tuple(Box(place, ColourRole.SURFACE_SHADE, radius=8) for place in places)


def row_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the rows from top to bottom; those that can be taken are framed."""
    marks: list[Mark] = []
    for number, row in enumerate(view.layout.rows, 1):
        strip = _row_area(number, at)
        marks += _number_marks(view, number, strip)
        marks += _tile_marks(view, row, strip)
        if number in view.matching:
            marks += _takable_marks(view, number, strip)
    return (*marks, *_taken_marks(events, at))


def _row_area(number: int, at: Rect) -> Rect:
    """Return the area of a row, as wide as at the start."""
    width = _LEFT + ROW_SIZES[number - 1] * (TILE_WIDTH + _TILE_GAP) + _COINS_WIDTH + 12
    return Rect(at.x, at.y + _PITCH * (number - 1), width, _ROW_HEIGHT)


def _tile_areas(strip: Rect, count: int) -> tuple[Rect, ...]:
    first = Rect(strip.x + _LEFT, strip.y + (_ROW_HEIGHT - TILE_HEIGHT) // 2, TILE_WIDTH, TILE_HEIGHT)
    return tuple(first.shift(right=nth * (TILE_WIDTH + _TILE_GAP)) for nth in range(count))


def _number_marks(view: State, number: int, strip: Rect) -> tuple[Mark, ...]:
    at = Rect(strip.x + 12, strip.y + (_ROW_HEIGHT - _NUMBER_SIZE) // 2, _NUMBER_SIZE, _NUMBER_SIZE)
    if number in view.matching:
        return tag_marks(str(number), at, ColourRole.MARK, ColourRole.TEXT, 30)
    return tag_marks(str(number), at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT_FAINT, 30)


def _tile_marks(view: State, row: Row, strip: Rect) -> list[Mark]:
    """Return the tiles: with a star if a die equals one, a tick if a die has its value, shaded otherwise."""
    marks: list[Mark] = []
    for (piece, cover), place in zip(find_covers(view, row).items(), _tile_areas(strip, len(row)), strict=True):
        if view.end is not None:
            marks += tile_marks(
                piece, place, ColourRole.GOLD if view.end is MagicBagEnd.LAST_COIN else ColourRole.PAPER_SHADE
            )
            continue
        marks += tile_marks(piece, place, ColourRole.PAPER_SHADE if cover is Cover.NONE else ColourRole.PAPER)
        if cover is Cover.EXACT and view.has_failed and view.layout.collected:
            marks.append(Box(place.inset(-3), None, ColourRole.MARK, 11, FRAME_WIDTH, may_overlap=True))
        if cover is not Cover.NONE:
            badge = Rect(place.right - 21, place.y - 2, 28, 28)
            marks.append(Sprite("magic_bag/star" if cover is Cover.EXACT else "tick", badge, may_overlap=True))
    return marks


def _takable_marks(view: State, number: int, strip: Rect) -> tuple[Mark, ...]:
    """Return the frame of a row and the number of coins it brings. Rules MB-5 and MB-6."""
    pill = Rect(strip.right - _COINS_WIDTH - 12, strip.y + (_ROW_HEIGHT - 44) // 2, _COINS_WIDTH, 44)
    frame = Box(strip, None, ColourRole.MARK, 16, FRAME_WIDTH)
    return (frame, *tag_marks(f"+{coins_for(view, number)}", pill, ColourRole.GOLD, ColourRole.TEXT, 32))


def _taken_marks(events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return brackets around the row that was just taken."""
    numbers = [event.row for event in events if isinstance(event, RowTaken)]
    marks: list[Mark] = []
    for number in numbers:
        places = _tile_areas(_row_area(number, at), ROW_SIZES[number - 1])
        whole = Rect(places[0].x, places[0].y, places[-1].right - places[0].x, TILE_HEIGHT)
        marks += change_brackets(whole)
    return tuple(marks)


SURFACE: Final = Surface(
    standard=SurfaceColours("#3b2150", "#27133a", "#9f80b8", "#faf2ea", "#d3c2dd"),
    dark=SurfaceColours("#1d1426", "#120b19", "#9079a3", "#dfd8d2", "#b5a6be"),
    high_contrast=SurfaceColours("#150420", "#321148", "#b79acc", "#ffffff", "#ece0f2"),
    banner="magic_bag/banner",
)

SYMBOLS: Final = (
    *(
        Symbol(str(suit), symbol, (Sprite("die", SYMBOL_AREA), suit_sprite(suit, _SUIT_AREA)))
        for suit, symbol in SUIT_SYMBOLS.items()
    ),
    Symbol("bag", "👜", (Sprite("magic_bag/bag", SYMBOL_AREA),)),
    Symbol("discarded", "🗑️", (Sprite("magic_bag/bin", SYMBOL_AREA),)),
    Symbol("bonus_star", "⭐", (Sprite("magic_bag/star", SYMBOL_AREA),)),
)
