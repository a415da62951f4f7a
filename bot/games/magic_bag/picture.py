"""The picture of The Magic Bag: the score, the bag, the dice, the rows, and the treasure on the reference sheet."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

from bot.games.magic_bag.advice import COIN_BUTTONS, MoveEvaluator, advise, find_tries, list_coins
from bot.games.magic_bag.facts import Cover, coins_for, find_completed_artifacts, find_covers, gain_of
from bot.games.magic_bag.pieces import (
    EXTRA_ROLLS,
    ROW_SIZES,
    VALUES,
    CoinDiscarded,
    GameEvent,
    Piece,
    Rolled,
    RowTaken,
    State,
    Suit,
)
from bot.games.magic_bag.reading import describe_picture
from bot.games.magic_bag.scoring import points_of
from bot.games.magic_bag.sheet_picture import (
    SHEET_HEIGHT,
    SHEET_WIDTH,
    gold_marks,
    hero_marks,
    sheet_marks,
    silhouette_marks,
    suit_sprite,
)
from bot.games.magic_bag.words import SUIT_SYMBOLS
from bot.rules import components
from bot.rules.components import BracketSize, Nameplate, action_frame, change_brackets, tag_marks
from bot.rules.game import find_newest
from bot.rules.motion import Motion, MovingPiece, Played, tumble
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
)
from bot.words import format_number, format_signed

PICTURE_HEIGHT: Final = 838
_SUIT_AREA: Final = SYMBOL_AREA.center(96, 96).shift(down=-4)
_VELVET: Final = Sprite("magic_bag/velvet", Rect(0, 0, PICTURE_WIDTH, PICTURE_HEIGHT), may_overlap=True)

_SCORE_AREA: Final = Rect(14, 14, 256, 150)
_BAG_AREA: Final = Rect(286, 20, 104, 130)
_DICE_AREA: Final = Rect(404, 14, 580, 134)
_ROWS_AREA: Final = Rect(6, 184, 456, 648)
_SHEET_AREA: Final = Rect(408, 184, SHEET_WIDTH, SHEET_HEIGHT)
_GOLD_AREA: Final = Rect(466, 764, 522, 58)

_FINAL_SCORE_AREA: Final = Rect(250, 24, 500, 210)
_HERO_AREA: Final = Rect(40, 300, 920, 500)

_TILE_WIDTH, _TILE_HEIGHT, _TILE_GAP = 82, 64, 3
_TILES_LEFT: Final = 56
"""Where the first tile of a row begins."""

_COIN_WIDTH: Final = 76
"""The pixels of a drawn coin: five lie where a row of four tiles was."""

_NUMBER_SIZE, _PILL = 44, (54, 44)
_MOST_COINS, _SACKS = 24, 4
"""All coins, and the sizes of a bag that isn't empty."""

_SMALL_DIE: Final = 40
_GLOWING: Final = (2, 4, 6)
"""How many pieces of a complete artifact glow in each picture of its awakening."""


class _Offer(NamedTuple):
    """What is framed because it can be done."""

    dice: Collection[Suit] = ()
    """The dice to roll, if no row fits."""
    rows: Collection[int] = ()
    """The rows that this roll is for."""
    coins: Collection[Piece] = ()
    """The coins to give up, after a failed roll."""


def build_picture(
    evaluate: MoveEvaluator, view: State, events: Sequence[GameEvent], _nameplates: Sequence[Nameplate] = ()
) -> Picture:
    """Build the picture; at the end it shows nothing but the score and the treasure.

    Args:
        evaluate: Says what moves are worth.
        view: The position.
        events: Those of the last move.
    """
    if view.end is not None:
        return _make_picture(view, _end_marks(view))
    offer = _find_offer(evaluate, view)
    marks = (*_dice_marks(view, events, offer), *_table_marks(view, events, offer))
    return _make_picture(view, marks)


def find_motion(played: Played[State, GameEvent], _nameplates: Sequence[Nameplate] = ()) -> Motion | None:
    """Return the dice of a roll, which tumble over the table as it was; then a complete artifact wakes up."""
    rolled, before = find_newest(Rolled, played.events), played.before
    if rolled is None:
        return None
    places = dict(zip(Suit, _dice_places(), strict=True))
    kept = [mark for suit in Suit if suit not in rolled.suits for mark in _die(before, suit, places[suit])]
    pieces = []
    for suit in rolled.suits:
        area = places[suit].inset(-7)
        looks = tumble(area, suit, (suit,), _tumbling_die)
        pieces.append(MovingPiece(area, looks, _die(played.after, suit, places[suit])))
    table = _make_picture(before, (*kept, *_table_marks(before, played.earlier, _Offer())))
    return Motion(table, tuple(pieces), tuple(_awakening(played.after, played.events)))


def _awakening(view: State, events: Sequence[GameEvent]) -> Iterator[Picture]:
    """Yield how the pieces of the artifacts that have just been completed glow one after another."""
    whole = find_completed_artifacts(view, events)
    for count in _GLOWING if whole else ():
        glowing = _Offer(coins=[Piece(suit, value) for suit in whole for value in VALUES[:count]])
        marks = (*_dice_marks(view, (), glowing), *_table_marks(view, events, glowing, asleep=whole))
        yield _make_picture(view, marks)


def _make_picture(view: State, marks: Iterable[Mark]) -> Picture:
    silhouettes = () if view.end else silhouette_marks(view.layout.sheet, _SHEET_AREA)
    size = (PICTURE_WIDTH, PICTURE_HEIGHT)
    return Picture(size, (_VELVET, *silhouettes), tuple(marks), describe_picture(view))


def _end_marks(view: State) -> Iterator[Mark]:
    yield Box(_FINAL_SCORE_AREA, ColourRole.GOLD, radius=36, is_raised=True)
    yield Label(format_number(points_of(view)), _FINAL_SCORE_AREA.inset(10), ColourRole.TEXT, 170, bold=True)
    yield from hero_marks(view, _HERO_AREA)


def _table_marks(
    view: State, events: Sequence[GameEvent], offer: _Offer, asleep: Collection[Suit] = ()
) -> Iterator[Mark]:
    """Yield everything but the dice."""
    yield from _score_marks(view, events, _SCORE_AREA)
    yield from _bag_marks(view, _BAG_AREA)
    yield from _row_marks(view, events, offer.rows)
    yield from sheet_marks(view, events, _SHEET_AREA, offer.coins, asleep)
    yield from gold_marks(view, events, _GOLD_AREA, offer.coins)


def _dice_places() -> tuple[Rect, ...]:
    side = _DICE_AREA.height
    return tuple(room.center(side, side) for room in _DICE_AREA.split_columns(len(Suit), 15))


def _dice_marks(view: State, events: Sequence[GameEvent], offer: _Offer) -> Iterator[Mark]:
    """Yield the dice: framed if they are to be rolled, and in brackets if some were rolled again."""
    rolls = [event.suits for event in events if isinstance(event, Rolled) and len(event.suits) < len(Suit)]
    for suit, place in zip(Suit, _dice_places(), strict=True):
        if suit in offer.dice:
            yield action_frame(place, 26)
        yield from _die(view, suit, place)
        if any(suit in suits for suits in rolls):
            yield from change_brackets(place)


def _die(view: State, suit: Suit, place: Rect) -> tuple[Mark, ...]:
    return die_marks(Piece(suit, view.faces[suit]), place)


def _tumbling_die(suit: Suit, at: Rect, degrees: int) -> tuple[Mark, ...]:
    """Return a die that turns: its value can't be read."""
    side = min(at.width // 2, 72)
    sign = suit_sprite(suit, at.center(side, side))
    return Sprite("die", at, rotation=degrees), sign._replace(rotation=degrees)


def _find_offer(evaluate: MoveEvaluator, view: State) -> _Offer:
    """Return the dice and the rows of the safest roll that is offered, or the coins that cost least, if no row fits."""
    if view.matching:
        return _Offer()
    advice = advise(evaluate, view)
    if view.has_failed:
        return _Offer(coins=list_coins(view, advice)[:COIN_BUTTONS])
    tries = find_tries(view, advice)
    return next((_Offer(roll.suits, aim.named_rows) for roll, aim in tries.items()), _Offer())


def _score_marks(view: State, events: Sequence[GameEvent], at: Rect) -> Iterator[Mark]:
    """Yield the plate of the score: the rolls left as small dice, and what the last move has changed."""
    yield Box(at, ColourRole.GOLD, radius=24, is_raised=True)
    score = Rect(at.x + 8, at.y + 2, at.width - 16, 88)
    yield Label(format_number(points_of(view)), score, ColourRole.TEXT, 84, bold=True)
    for nth in range(EXTRA_ROLLS):
        place = Rect(at.x + 16 + nth * (_SMALL_DIE + 8), at.y + 94, _SMALL_DIE, _SMALL_DIE)
        if nth < view.rolls_left:
            yield from components.die_marks(5, place)
        else:
            yield Box(place.inset(2), None, ColourRole.TEXT, 8, 3)
    if gain := gain_of(view, events):
        pill = Rect(at.right - 142, at.y + 92, 126, 46)
        yield from tag_marks(format_signed(gain), pill, ColourRole.NEW, ColourRole.TEXT, 40)


def _bag_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the bag, which gets smaller, with the number of coins in it."""
    left = len(view.layout.bag)
    count = at._replace(y=at.bottom - 66, height=58)
    return (
        Sprite(f"magic_bag/sack-{ceil(left * _SACKS / _MOST_COINS)}", at),
        Label(str(left), count, ColourRole.WHITE, 50, bold=True),
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


_TILE_FILLS = {Cover.NONE: ColourRole.PAPER_SHADE, Cover.VALUE: ColourRole.PAPER, Cover.EXACT: ColourRole.GOLD}


def tile_marks(piece: Piece, at: Rect, cover: Cover = Cover.VALUE) -> tuple[Mark, ...]:
    """Return a tile: gold if a die equals it, bright if a die has its value, or else in the shade. MB-4 and MB-6."""
    edge, width = (ColourRole.TEXT, 4) if cover is Cover.EXACT else (None, 0)
    box = Box(at, _TILE_FILLS[cover], edge, 10, width, is_raised=cover is not Cover.NONE)
    return (box, *_piece_marks(piece, at))


def coin_marks(piece: Piece, at: Rect) -> tuple[Mark, ...]:
    """Return a single coin, as high as a tile."""
    return (
        Box(at, ColourRole.PAPER, ColourRole.GOLD, at.height // 2, 5),
        *_piece_marks(piece, at.inset(at.height // 10)),
    )


def _piece_marks(piece: Piece, at: Rect) -> tuple[Mark, ...]:
    """Return a suit's symbol and the value beside it."""
    side, digit = at.height * 19 // 30, at.height * 13 // 30
    left, height = at.x + (at.width - side - digit) // 2, at.height * 14 // 15
    return (
        suit_sprite(piece.suit, Rect(left, at.y + (height - side) // 2, side, side)),
        Label(
            str(piece.value), Rect(left + side, at.y, digit, height), ColourRole.TEXT, at.height * 11 // 15, bold=True
        ),
    )


def _row_marks(view: State, events: Sequence[GameEvent], aimed_at: Collection[int]) -> Iterator[Mark]:
    """Yield the rows from top to bottom; those that fit, or that a roll is for, are framed."""
    taken = {event.row: event for event in events if isinstance(event, RowTaken)}
    shortened = [event.row for event in events if isinstance(event, CoinDiscarded)]
    for number, strip in enumerate(_ROWS_AREA.split_rows(len(ROW_SIZES)), 1):
        row = view.layout.rows[number - 1]
        if number in taken:
            yield from _drawn_marks(taken[number], strip)
        elif row:
            yield from _row(view, number, strip, is_aimed_at=number in aimed_at)
        if number in shortened:
            *_others, place = _tile_areas(strip, len(row) + 1)
            gone = place.center(40, 40)
            yield Sprite("magic_bag/gone", gone, ColourRole.SURFACE_TEXT_FAINT)
            yield from change_brackets(place, BracketSize.TIGHT)


def _tile_areas(strip: Rect, count: int, width: int = _TILE_WIDTH) -> tuple[Rect, ...]:
    first = Rect(strip.x + _TILES_LEFT, strip.y + (strip.height - _TILE_HEIGHT) // 2, width, _TILE_HEIGHT)
    return tuple(first.shift(right=nth * (width + _TILE_GAP)) for nth in range(count))


def _row(view: State, number: int, strip: Rect, *, is_aimed_at: bool) -> Iterator[Mark]:
    """Yield a row; one that fits has the number of coins it brings. Rules MB-4 to MB-6."""
    row, fits = view.layout.rows[number - 1], number in view.matching
    places = _tile_areas(strip, len(row))
    disc = Rect(strip.x + 6, strip.y + (strip.height - _NUMBER_SIZE) // 2, _NUMBER_SIZE, _NUMBER_SIZE)
    pill = Rect(places[-1].right + 4, strip.y + (strip.height - _PILL[1]) // 2, *_PILL)
    if fits or is_aimed_at:
        frame = strip._replace(width=(pill.right if fits else places[-1].right) + 8 - strip.x)
        yield Box(frame, None, ColourRole.MARK, 16, components.FRAME_WIDTH)
    fill, ink = (ColourRole.MARK, ColourRole.TEXT) if fits else (ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT)
    yield from tag_marks(str(number), disc, fill, ink, 38)
    for (piece, cover), place in zip(find_covers(view, row).items(), places, strict=True):
        yield from tile_marks(piece, place, cover)
    if fits:
        yield from tag_marks(f"+{coins_for(view, number)}", pill, ColourRole.GOLD, ColourRole.TEXT, 38)


def _drawn_marks(event: RowTaken, strip: Rect) -> Iterator[Mark]:
    """Yield the coins that were drawn, where their row was. Rule MB-6."""
    disc = Rect(strip.x + 6, strip.y + (strip.height - _NUMBER_SIZE) // 2, _NUMBER_SIZE, _NUMBER_SIZE)
    yield from tag_marks(str(event.row), disc, ColourRole.NEW, ColourRole.TEXT, 38)
    places = _tile_areas(strip, len(event.coins), _COIN_WIDTH)
    for coin, place in zip(event.coins, places, strict=True):
        yield from coin_marks(coin, place)
    whole = places[0]._replace(width=places[-1].right - places[0].x)
    yield from change_brackets(whole, BracketSize.TIGHT)


SURFACE: Final = Surface(
    standard=SurfaceColours("#3b2150", "#27133a", "#9f80b8", "#faf2ea", "#d3c2dd"),
    dark=SurfaceColours("#1d1426", "#120b19", "#9079a3", "#dfd8d2", "#b5a6be"),
    high_contrast=SurfaceColours("#000000", "#321148", "#b79acc", "#ffffff", "#ece0f2"),
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
