"""The plates of The Magic Bag's picture: treasure, bag and roll, what the last move brought, and the end."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.events import CoinDiscarded, RowTaken
from bot.games.magic_bag.picture.pieces import TILE_HEIGHT, TILE_WIDTH, coin, sign, tile
from bot.games.magic_bag.pieces import EXTRA_ROLLS, MagicBagEnd, State, Suit
from bot.games.magic_bag.scoring import gain_of, score_of
from bot.rules.components import FRAME, Brackets, just_changed, tag, token
from bot.rules.game import Event
from bot.rules.picture import Align, Box, Ink, Label, Mark, Rect, Sprite
from bot.words import N_, gettext as _, number, points_told

_SEAT = 0
_ICON = 54
_TREASURE, _BAG, _GAP = 218, 206, 10
_GAIN = 74
_COIN = 78
_BROUGHT, _DISCARDED, _AND_TILE = 186, 150, 170
"""How much room the words before coins and tiles have."""

_ENDS = {
    MagicBagEnd.LAST_COIN: N_("the bag is empty"),
    MagicBagEnd.LAST_ROW: N_("the last row is taken"),
    MagicBagEnd.FINISHED: N_("finished"),
    MagicBagEnd.NO_COIN_TO_DISCARD: N_("no coin to discard"),
}


def plate_marks(view: State, news: Sequence[Event], at: Rect) -> tuple[Mark, ...]:
    """Return what the treasure is worth, what is left in the bag, and which roll this is."""
    treasure = Rect(at.x, at.y, _TREASURE, at.height)
    bag = Rect(treasure.right + _GAP, at.y, _BAG, at.height)
    roll = Rect(bag.right + _GAP, at.y, at.right - bag.right - _GAP, at.height)
    left = str(len(view.layout.bag))
    return (
        Box(treasure, Ink.GOLD, radius=16),
        *token(_SEAT, _icon(treasure)),
        *_words(_("treasure"), number(score_of(view).total), treasure, _ICON + 18),
        *_gained(view, news, treasure),
        Box(bag, Ink.PAPER, radius=16),
        Sprite("magic_bag/bag", _icon(bag)),
        *_words(_("in the bag"), left, bag, _ICON + 18),
        *_roll(view, roll),
    )


def _gained(view: State, news: Sequence[Event], plate: Rect) -> tuple[Mark, ...]:
    """Tell by how much the last move changed the treasure."""
    gain = gain_of(view, news)
    room = Rect(plate.right - _GAIN - 6, plate.bottom - 38, _GAIN, 32)
    return tag(f"{gain:+}", room, Ink.NEW, Ink.TEXT, 26) if gain else ()


def _icon(plate: Rect) -> Rect:
    return Rect(plate.x + 10, plate.y + (plate.height - _ICON) // 2, _ICON, _ICON)


def _words(caption: str, figure: str, plate: Rect, left: int, ink: Ink = Ink.TEXT) -> tuple[Mark, ...]:
    upper = Rect(plate.x + left, plate.y + 5, plate.width - left - 8, 28)
    lower = Rect(upper.x, plate.y + 30, upper.width, 36)
    return (
        Label(caption, upper, ink, 26, Align.LEFT),
        Label(figure, lower, ink, 34, Align.LEFT, bold=True),
    )


def _roll(view: State, at: Rect) -> tuple[Mark, ...]:
    """Count the rolls; the plate is framed while the dice can be rolled again. Rule MB-3."""
    rolls = EXTRA_ROLLS + 1
    edge, width = (Ink.MARK, FRAME) if view.rolls_left else (Ink.FELT_LINE, 3)
    figure = _("{at} of {rolls}").format(at=rolls - view.rolls_left, rolls=rolls)
    return (
        Box(at, Ink.FELT_SHADE, edge, 16, width),
        *_words(_("roll"), figure, at, 20, Ink.CHALK),
    )


def news_marks(view: State, news: Sequence[Event], at: Rect) -> tuple[Mark, ...]:
    """Return what the last move brought or cost; without either, what can be done."""
    for event in news:
        if isinstance(event, RowTaken):
            return _brought(event, at)
        if isinstance(event, CoinDiscarded):
            return _cost(event, at)
    return (Label(_advice(view), at, Ink.CHALK, 30, Align.LEFT),) if view.end is None else ()


def _brought(event: RowTaken, at: Rect) -> tuple[Mark, ...]:
    """Show the coins that a row brought."""
    words = Rect(at.x, at.y, _BROUGHT, at.height)
    coins = _in_a_line(words.right + 12, at.y, len(event.coins))
    told = Label(_("row {row} brought").format(row=event.row), words, Ink.CHALK, 28, Align.LEFT)
    whole = Rect(coins[0].x, at.y, coins[-1].right - coins[0].x, TILE_HEIGHT)
    return (told, *_each_coin(event, coins), *just_changed(whole, Brackets.SMALL))


def _each_coin(event: RowTaken, places: Sequence[Rect]) -> Iterator[Mark]:
    for piece, place in zip(event.coins, places, strict=True):
        yield from coin(piece, place)


def _in_a_line(left: int, top: int, count: int) -> tuple[Rect, ...]:
    return tuple(Rect(left + nth * (_COIN + 4), top, _COIN, TILE_HEIGHT) for nth in range(count))


def _cost(event: CoinDiscarded, at: Rect) -> tuple[Mark, ...]:
    """Show the coin that was discarded, and the tile that went with it."""
    words = Rect(at.x, at.y, _DISCARDED, at.height)
    (lost,) = _in_a_line(words.right, at.y, 1)
    marks: list[Mark] = [
        Label(_("discarded"), words, Ink.CHALK, 28, Align.LEFT),
        *coin(event.coin, lost),
        *just_changed(lost, Brackets.SMALL),
    ]
    if event.tile is not None:
        more = Rect(lost.right + 20, at.y, _AND_TILE, at.height)
        gone = Rect(more.right, at.y, TILE_WIDTH, TILE_HEIGHT)
        marks += [Label(_("and the tile"), more, Ink.CHALK, 28, Align.LEFT), *tile(event.tile, gone)]
        marks += just_changed(gone, Brackets.SMALL)
    return tuple(marks)


def _advice(view: State) -> str:
    """Say in a few words what can be done. Rules MB-3, MB-5 and MB-8."""
    if view.has_failed:
        return _("no row: discard a coin, or finish") if view.layout.collected else _("no row: finish")
    if not view.matching:
        return _("no row yet: roll again")
    return _("take a row, or roll again") if view.rolls_left else _("take a row")


def end_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return what the game was worth, and why it is over."""
    plate = Rect(at.x, at.y, at.width, 132)
    words = Rect(plate.x + 132, plate.y + 4, plate.width - 140, 84)
    reason = _(_ENDS[view.end]) if view.end is not None else ""
    return (
        Box(plate, Ink.GOLD, radius=20),
        *token(_SEAT, Rect(plate.x + 22, plate.y + 20, 92, 92)),
        Label(points_told(score_of(view).total), words, Ink.TEXT, 72, Align.LEFT, bold=True),
        Label(reason, Rect(words.x, words.bottom - 2, words.width, 40), Ink.TEXT, 30, Align.LEFT),
    )


def parts_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return what each part of the treasure brought, and the tiles that were left. Rules MB-10 to MB-12."""
    score = score_of(view)
    brought = [(artifact.suit, artifact.points) for artifact in score.artifacts]
    brought.append((Suit.CROWN, score.gold))
    marks: list[Mark] = []
    rooms = at.columns(len(brought) + bool(score.bonus), _GAP)
    for (suit, points), room in zip(brought, rooms, strict=False):
        marks += _part(sign(suit, _sign_room(room)), points, room)
    if score.bonus:
        tiles = Box(_sign_room(rooms[-1]).inset(2), Ink.GOLD, Ink.TEXT, 6, 3)
        marks += _part(tiles, score.bonus, rooms[-1])
    return tuple(marks)


def _sign_room(at: Rect) -> Rect:
    return Rect(at.x + 8, at.y + (at.height - 44) // 2, 44, 44)


def _part(sign_or_tile: Mark, points: int, room: Rect) -> tuple[Mark, ...]:
    words = Rect(room.x + 52, room.y, room.width - 56, room.height)
    return (Box(room, Ink.PAPER, radius=14), sign_or_tile, Label(number(points), words, Ink.TEXT, 30, bold=True))
