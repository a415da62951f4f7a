"""Draws the pieces: cards, items, bonuses, assignments as panels and as posters."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.games.houdinis_baggage.cards import CARD_KEYS, Aspect, Assignment, Bonus, BonusKind, Card, Item, Trait
from bot.games.houdinis_baggage.pieces import Spot, Task
from bot.languages import current_language
from bot.reading_order import in_reading_order
from bot.rules.components import FRAME_WIDTH, TIGHT_MARGIN, BracketSize, action_frame, change_brackets
from bot.rules.picture import MIN_TEXT_SIZE, Box, ColourRole, Label, Mark, Rect, Sprite

ART_FOLDER = "houdinis_baggage"

POSTER_WIDTH, POSTER_HEIGHT = 180, 284
"""The size of an assignment on offer."""

_STAMP = 150
"""The largest side of the stamp on a completed assignment."""

_DIGIT = 0.62
"""The width of a bold digit as a share of its size."""

_LEAST_COLUMNS, _TILE_GAP, _PAD = 3, 8, 6
_TAG, _TAG_GAP, _CHIP = 64, 10, 112
"""The widths of an assignment's number and points, of the gap between them, and of its bonus."""

_ARROW = 0.4
"""The width of the arrow of a change as a share of its signs."""

_MIN_FRAMED_SIDE = 100
"""Smaller cards have no printed frame."""

_BONUS_ART = {
    BonusKind.PLUS_COLOUR: "plus-colour",
    BonusKind.PLUS_SHAPE: "plus-shape",
    BonusKind.MOVE: "move",
    BonusKind.COPY: "another",
}
"""The art of bonuses other than changes."""

_POSTER_ITEMS_IN_LINE = 2


@dataclass(frozen=True, slots=True)
class Highlights:
    """The cards and items to highlight."""

    playable: frozenset[Card] = frozenset()
    """The open cards that can be placed."""
    bankable: frozenset[Card] = frozenset()
    """The cards that can be added from the mover's bank."""
    usable: frozenset[Spot] = frozenset()
    """The items that can be filled, or whose card can be moved."""
    fillable: frozenset[Spot] = frozenset()
    """The items that could be filled if the search ended now."""
    filled: Spot | None = None
    """The item that was just filled."""


def card_sprite(card: Card, at: Rect) -> Sprite:
    """Return the shape of a card in its colour and pattern; `at` is a square of at most 240 pixels."""
    return Sprite(f"{ART_FOLDER}/{CARD_KEYS[card]}", at)


def trait_sprite(trait: Trait, at: Rect) -> Sprite:
    """Return the swatch of a colour, or a plain shape."""
    return Sprite(f"{ART_FOLDER}/{trait}", at, None if trait.aspect is Aspect.COLOUR else ColourRole.TEXT)


def card_marks(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return a card, a large one with a printed frame."""
    side = min(at.width, at.height)
    printed = Box(at.inset(8), None, ColourRole.PAPER_SHADE, max(0, side // 7 - 8), 3)
    return (
        Box(at, ColourRole.PAPER, radius=side // 7, is_raised=True),
        *((printed,) if side >= _MIN_FRAMED_SIDE else ()),
        card_sprite(card, at.center(min(240, side * 5 // 6), min(240, side * 5 // 6))),
    )


def item_marks(item: Item, at: Rect) -> tuple[Mark, ...]:
    """Return the trait and number of an item, one above the other where the area is high."""
    sign, number, size = _split_item(at)
    return (
        trait_sprite(item.trait, sign),
        Label(str(item.number), number, ColourRole.TEXT, size, bold=True),
    )


def filled_item_marks(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return the card on an item with a tick."""
    sign, number, _size = _split_item(at)
    return (card_sprite(card, sign), _tick_sprite(number))


def _done_item_marks(item: Item, at: Rect) -> tuple[Mark, ...]:
    """Return an item whose card is gone, with a tick."""
    sign, number, _size = _split_item(at)
    return (trait_sprite(item.trait, sign), _tick_sprite(number))


def _tick_sprite(at: Rect) -> Sprite:
    side = min(40, at.height * 3 // 4, at.width - 2)
    return Sprite(f"{ART_FOLDER}/tick", at.center(side, side), ColourRole.TEXT)


def _split_item(at: Rect) -> tuple[Rect, Rect, int]:
    """Return the areas of an item's sign and number, and the size of the number."""
    if at.height > at.width:
        size = min(60, max(MIN_TEXT_SIZE, at.height * 2 // 5))
        side = min(at.width - 12, at.height - size - 14)
        sign = Rect(at.x + (at.width - side) // 2, at.y + 6, side, side)
        return sign, Rect(at.x, sign.bottom, at.width, at.bottom - sign.bottom), size
    size = max(MIN_TEXT_SIZE, min(60, at.height * 2 // 3))
    room = round(size * _DIGIT)
    side = min(at.height - 6, at.width - room - 6)
    sign = Rect(at.x + 3, at.y + (at.height - side) // 2, side, side)
    return sign, Rect(sign.right, at.y, at.right - sign.right, at.height), size


def tile_marks(item: Item, card: Card | None, at: Rect) -> Iterator[Mark]:
    """Yield an item of an unfinished assignment: on paper, or filled."""
    yield Box(at, ColourRole.PAPER if card is None else ColourRole.GOOD, radius=10)
    yield from item_marks(item, at) if card is None else filled_item_marks(card, at)


def task_panel(task: Task, at: Rect, highlights: Highlights) -> Iterator[Mark]:
    """Yield an assignment: number, points and bonus above its items."""
    yield from _panel_marks(task.assignment, at)
    tiles = _panel_tiles(task.assignment, at)
    for spot, item, card in task.cells():
        yield from tile_marks(item, card, tiles[spot.at])
        yield from _highlight_item(spot, tiles[spot.at], highlights)


def completed_panel(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    """Yield an assignment that was just completed, whose cards are gone."""
    yield from _panel_marks(assignment, at)
    for item, tile in zip(assignment.items, _panel_tiles(assignment, at), strict=False):
        yield Box(tile, ColourRole.GOOD, radius=10)
        yield from _done_item_marks(item, tile)
    yield panel_stamp(assignment, at)


def _panel_marks(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    """Yield a panel without items."""
    yield Box(at, ColourRole.SURFACE, radius=12)
    yield from _head_marks(assignment, _panel_head(at))


def _panel_head(at: Rect) -> Rect:
    inner = at.inset(_PAD)
    return inner._replace(height=max(44, inner.height // 3))


def _panel_tiles(assignment: Assignment, at: Rect) -> tuple[Rect, ...]:
    """Return the areas of a panel's items, three at least."""
    inner, top = at.inset(_PAD), _panel_head(at).bottom + _TILE_GAP
    below = Rect(inner.x, top, inner.width, inner.bottom - top)
    return below.split_columns(max(_LEAST_COLUMNS, len(assignment.items)), _TILE_GAP)


def panel_stamp(assignment: Assignment, at: Rect) -> Sprite:
    """Return the stamp of a panel: on the place of an item that it lacks, or else between its points and its bonus."""
    tiles = _panel_tiles(assignment, at)
    for free in tiles[len(assignment.items) :]:
        return _stamp_sprite(free)
    left, right = at.x + _PAD + 2 * _TAG + _TAG_GAP, at.right - _PAD - _CHIP
    return _stamp_sprite(Rect(left, at.y + _PAD, right - left, tiles[0].y - at.y - _PAD))


def _stamp_sprite(at: Rect) -> Sprite:
    """Return the stamp of a completed assignment in the middle of an area that has no items."""
    side = min(_STAMP, at.width, at.height)
    return Sprite(f"{ART_FOLDER}/stamp", at.center(side, side), may_overlap=True)


def _head_marks(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    tag = at._replace(width=_TAG).center(_TAG, min(at.height, 54))
    yield from number_tag(assignment, tag)
    yield from points_plate(assignment, tag.shift(_TAG + _TAG_GAP))
    yield from bonus_chip(assignment.bonus, _head_chip(at))


def _head_chip(head: Rect) -> Rect:
    chip = Rect(head.right - _CHIP, head.y, _CHIP, head.height)
    return chip.center(_CHIP, min(head.height, 54))


def panel_chip(at: Rect) -> Rect:
    """Return the area of the bonus in a panel."""
    return _head_chip(_panel_head(at))


def _highlight_item(spot: Spot, tile: Rect, highlights: Highlights) -> Iterator[Mark]:
    """Highlight an item that can be filled or was just filled."""
    if spot in highlights.usable:
        yield action_frame(tile.inset(FRAME_WIDTH // 2), 10, TIGHT_MARGIN)
    elif spot in highlights.fillable:
        # On the surface, as it could not be seen on paper.
        outside = tile.inset(-TIGHT_MARGIN)
        yield Box(outside, None, ColourRole.GOOD, 10 + TIGHT_MARGIN, TIGHT_MARGIN, may_overlap=True)
    if spot == highlights.filled:
        yield from change_brackets(tile, BracketSize.TIGHT)


def number_tag(assignment: Assignment, at: Rect) -> tuple[Mark, ...]:
    """Return the number of an assignment."""
    label = Label(str(assignment.number), at, ColourRole.TEXT, 40)
    return (Box(at, ColourRole.PAPER_SHADE, radius=8), label)


def points_plate(assignment: Assignment, at: Rect, size: int = 44) -> tuple[Mark, ...]:
    """Return the points of an assignment."""
    return (
        Box(at, ColourRole.GOLD, radius=at.height // 2),
        Label(str(assignment.points), at, ColourRole.TEXT, size, bold=True),
    )


def bonus_chip(bonus: Bonus, at: Rect, *, is_spent: bool = False) -> Iterator[Mark]:
    """Yield a bonus, struck through if it was used this turn."""
    yield Box(at, ColourRole.PAPER_SHADE if is_spent else ColourRole.PAPER, radius=12)
    yield from _bonus_marks(bonus, at)
    if is_spent:
        height = min(at.height, at.width * 76 // 140) - 4
        yield Sprite(f"{ART_FOLDER}/spent", at.center(height * 140 // 76, height), may_overlap=True)


def _bonus_marks(bonus: Bonus, at: Rect) -> Iterator[Mark]:
    """Yield the art of a bonus, as large as its area allows."""
    if bonus.before is None or bonus.after is None:
        side = min(at.height - 8, (at.width - 8) * 60 // 144)
        yield Sprite(f"{ART_FOLDER}/{_BONUS_ART[bonus.kind]}", at.center(side * 144 // 60, side))
        return
    side = min(at.height - 8, round((at.width - 8) / (2 + _ARROW)))
    arrow = round(side * _ARROW)
    x, y, _, _ = at.center(2 * side + arrow, side)
    left = Rect(x, y, side, side)
    between = Rect(left.right, at.y, arrow, at.height).center(arrow, round(arrow * 1.2))
    marks = (
        trait_sprite(bonus.before, left),
        Sprite(f"{ART_FOLDER}/arrow", between, ColourRole.TEXT, 180 if current_language().runs_left else 0),
        trait_sprite(bonus.after, left.shift(side + arrow)),
    )
    yield from in_reading_order(marks, left._replace(width=2 * side + arrow))


def poster_marks(assignment: Assignment, at: Rect, *, is_done: bool = False) -> Iterator[Mark]:
    """Yield an assignment as a poster, 180 by 284 pixels: number and points, items, bonus; a stamp if it is done."""
    places = [
        Rect(at.x + 8 + 83 * (index % _POSTER_ITEMS_IN_LINE), at.y + 70 + 52 * (index // _POSTER_ITEMS_IN_LINE), 81, 52)
        for index in range(len(assignment.items) + 1)
    ]
    yield Sprite(f"{ART_FOLDER}/poster", at)
    yield from number_tag(assignment, Rect(at.x + 22, at.y + 6, 62, 48))
    yield from points_plate(assignment, Rect(at.x + 94, at.y + 6, 64, 48))
    for item, place in zip(assignment.items, places, strict=False):
        yield from _done_item_marks(item, place) if is_done else item_marks(item, place)
    chip = Rect(at.x + 12, at.bottom - 56, at.width - 24, 48)
    yield Box(chip.inset(-2), ColourRole.PAPER_SHADE, radius=14)
    yield from bonus_chip(assignment.bonus, chip)
    if is_done:
        # Below the last items, or else beside the last one.
        free = places[len(assignment.items)]
        width = free.width if len(assignment.items) % _POSTER_ITEMS_IN_LINE else at.width - 16
        yield _stamp_sprite(free._replace(width=width, height=chip.y - 2 - free.y))
