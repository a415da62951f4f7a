"""Draws the pieces: cards, items, bonuses, and the row of assignments."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.games.houdinis_baggage.cards import CARD_KEYS, Aspect, Assignment, Bonus, BonusKind, Card, Item, Trait
from bot.games.houdinis_baggage.pieces import ROW_SIZE, Spot, State, Task
from bot.rules.components import FRAME_WIDTH, TIGHT_MARGIN, BracketSize, action_frame, change_brackets
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite

ART_FOLDER = "houdinis_baggage"

ITEM_SIZE = Rect(0, 0, 54, 40)
"""The size of an item."""

_SMALL, _ARROW = 24, 10
"""The widths of a small bonus's sprites and of the arrow between them."""

_CHIP_RADIUS = 12

_MIN_FRAMED_SIDE = 100
"""Smaller cards have no printed frame."""

_BONUS_ART = {
    BonusKind.PLUS_COLOUR: "plus-colour",
    BonusKind.PLUS_SHAPE: "plus-shape",
    BonusKind.MOVE: "move",
    BonusKind.COPY: "another",
}
"""The art of bonuses other than changes."""

ROW_HEIGHT, POSTER_HEIGHT = 118, 324
_ITEMS_PER_LINE, _LARGE_ITEMS_PER_LINE = 3, 2


@dataclass(frozen=True, slots=True)
class Highlights:
    """The cards and items to highlight."""

    playable: frozenset[Card] = frozenset()
    """The open cards that can be placed, or kept after a twin."""
    bankable: frozenset[Card] = frozenset()
    """The cards that can be added from the mover's bank."""
    usable: frozenset[Spot] = frozenset()
    """The items that can be filled, or whose card can be moved."""
    fillable: frozenset[Spot] = frozenset()
    """The items that could be filled if the search ended now."""
    filled: Spot | None = None
    """The item that was just filled."""


def card_sprite(card: Card, at: Rect) -> Sprite:
    """Return the shape of a card in its colour and pattern; `at` is a square of at most 144 pixels."""
    return Sprite(f"{ART_FOLDER}/{CARD_KEYS[card]}", at)


def trait_sprite(trait: Trait, at: Rect) -> Sprite:
    """Return the swatch of a colour, or a plain shape."""
    return Sprite(f"{ART_FOLDER}/{trait}", at, None if trait.aspect is Aspect.COLOUR else ColourRole.TEXT)


def trait_marks(trait: Trait, at: Rect) -> tuple[Mark, ...]:
    """Return the swatch of a colour, or a shape on paper; `at` is a square."""
    side = at.width * 3 // 4
    return (Box(at, ColourRole.PAPER, radius=at.width // 7), trait_sprite(trait, at.center(side, side)))


def card_marks(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return a card, a large one with a printed frame."""
    side = min(at.width, at.height)
    printed = Box(at.inset(8), None, ColourRole.PAPER_SHADE, max(0, side // 7 - 8), 3)
    return (
        Box(at, ColourRole.PAPER, radius=side // 7, is_raised=True),
        *((printed,) if side >= _MIN_FRAMED_SIDE else ()),
        card_sprite(card, at.center(side * 5 // 6, side * 5 // 6)),
    )


def item_marks(item: Item, at: Rect) -> tuple[Mark, ...]:
    """Return the trait and number of an item."""
    side = min(at.height - 8, at.width - 26)
    sign = Rect(at.x + 2, at.y + (at.height - side) // 2, side, side)
    room = Rect(sign.right + 1, at.y, at.right - sign.right - 1, at.height)
    number = Label(str(item.number), room, ColourRole.TEXT, max(32, at.height * 2 // 3), bold=True)
    return (trait_sprite(item.trait, sign), number)


def filled_item_marks(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return the card on an item with a tick; the area has the proportions of an item."""
    side, small = at.height * 3 // 4, at.height * 9 // 20
    sign = Rect(at.x + 2, at.y + (at.height - side) // 2, side, side)
    tick = Rect(sign.right + 1, at.y + (at.height - small) // 2, small, small)
    return (card_sprite(card, sign), Sprite(f"{ART_FOLDER}/tick", tick, ColourRole.TEXT))


def task_strip(task: Task, at: Rect, highlights: Highlights) -> Iterator[Mark]:
    """Yield an unfinished assignment in one line: number, points, items, bonus."""
    assignment = task.assignment
    tag = Rect(at.x + 5, at.y + 5, 36, at.height - 10)
    yield Box(at, ColourRole.SURFACE, radius=10)
    yield from number_tag(assignment, tag)
    yield from points_plate(assignment, tag.shift(39))
    for spot, item, card in task.cells():
        tile = ITEM_SIZE.shift(at.x + 87 + 61 * spot.at, at.y + (at.height - ITEM_SIZE.height) // 2)
        yield Box(tile, ColourRole.PAPER if card is None else ColourRole.GOOD, radius=8)
        yield from item_marks(item, tile) if card is None else filled_item_marks(card, tile)
        yield from _highlight_item(spot, tile, highlights)
    yield from bonus_chip(assignment.bonus, Rect(at.right - 67, at.y + (at.height - 36) // 2, 63, 36))


def _highlight_item(spot: Spot, tile: Rect, highlights: Highlights) -> Iterator[Mark]:
    """Highlight an item that can be filled or was just filled."""
    if spot in highlights.usable:
        yield action_frame(tile, 8, TIGHT_MARGIN)
    elif spot in highlights.fillable:
        yield Box(
            tile.inset(-TIGHT_MARGIN), None, ColourRole.GOOD, 8 + TIGHT_MARGIN, FRAME_WIDTH // 2, may_overlap=True
        )
    if spot == highlights.filled:
        yield from change_brackets(tile, BracketSize.TIGHT)


def number_tag(assignment: Assignment, at: Rect, size: int = 26) -> tuple[Mark, ...]:
    """Return the number of an assignment."""
    return (Box(at, ColourRole.PAPER_SHADE, radius=5), Label(str(assignment.number), at, ColourRole.TEXT, size))


def points_plate(assignment: Assignment, at: Rect, size: int = 30) -> tuple[Mark, ...]:
    """Return the points of an assignment."""
    return (
        Box(at, ColourRole.GOLD, radius=at.height // 2),
        Label(str(assignment.points), at, ColourRole.TEXT, size, bold=True),
    )


def bonus_chip(bonus: Bonus, at: Rect, *, is_spent: bool = False) -> Iterator[Mark]:
    """Yield a bonus, struck through if it was used this turn."""
    yield Box(at, ColourRole.PAPER_SHADE if is_spent else ColourRole.PAPER, radius=_CHIP_RADIUS)
    yield from bonus_marks(bonus, at)
    if is_spent:
        height = at.height - 4
        yield Sprite(f"{ART_FOLDER}/spent", at.center(height * 140 // 76, height), may_overlap=True)


def bonus_marks(bonus: Bonus, at: Rect) -> Iterator[Mark]:
    """Yield the art of a bonus, two thirds as high as its area."""
    side = max(_SMALL, at.height * 2 // 3)
    if bonus.before is None or bonus.after is None:
        yield Sprite(f"{ART_FOLDER}/{_BONUS_ART[bonus.kind]}", at.center(side * 144 // 60, side))
        return
    arrow = side * _ARROW // _SMALL
    x, y, _, _ = at.center(2 * side + arrow, side)
    left = Rect(x, y, side, side)
    yield trait_sprite(bonus.before, left)
    between = Rect(left.right, at.y, arrow, at.height)
    yield Sprite(f"{ART_FOLDER}/arrow", between.center(arrow, round(arrow * 1.2)), ColourRole.TEXT)
    yield trait_sprite(bonus.after, left.shift(side + arrow))


def row_backdrop(at: Rect) -> Iterator[Mark]:
    """Yield the empty places of the row."""
    for room in _assignment_areas(at):
        yield Box(room, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 12, 2)


def row_marks(view: State, at: Rect) -> Iterator[Mark]:
    """Yield the open assignments."""
    for assignment, room in zip(view.row, _assignment_areas(at), strict=False):
        yield Sprite(f"{ART_FOLDER}/poster", room)
        yield from number_tag(assignment, Rect(room.x + 20, room.y + 5, 38, 32))
        yield from points_plate(assignment, Rect(room.x + 61, room.y + 5, 38, 32))
        yield from bonus_chip(assignment.bonus, Rect(room.x + 102, room.y + 5, 60, 32))
        for index, item in enumerate(assignment.items):
            line, column = divmod(index, _ITEMS_PER_LINE)
            yield from item_marks(item, Rect(room.x + 4 + 58 * column, room.y + 44 + 36 * line, 56, 36))


def choice_marks(view: State, at: Rect) -> Iterator[Mark]:
    """Yield the open assignments of which the mover chooses one."""
    for assignment, room in zip(view.row, _assignment_areas(at), strict=False):
        yield from poster_marks(assignment, room)
        yield action_frame(room, 12, TIGHT_MARGIN)


def _assignment_areas(at: Rect) -> tuple[Rect, ...]:
    return at.split_columns(ROW_SIZE, 16)


def poster_marks(assignment: Assignment, at: Rect) -> Iterator[Mark]:
    """Yield an open assignment as a poster, 180 by 324 pixels: number and points, items, bonus."""
    yield Sprite(f"{ART_FOLDER}/poster-large", at)
    yield from number_tag(assignment, Rect(at.x + 24, at.y + 8, 58, 46), 36)
    yield from points_plate(assignment, Rect(at.x + 92, at.y + 8, 64, 46), 40)
    for index, item in enumerate(assignment.items):
        line, column = divmod(index, _LARGE_ITEMS_PER_LINE)
        yield from item_marks(item, Rect(at.x + 7 + 84 * column, at.y + 74 + 60 * line, 82, 58))
    chip = Rect(at.x + 10, at.bottom - 66, at.width - 20, 56)
    yield Box(chip.inset(-2), ColourRole.PAPER_SHADE, radius=14)
    yield from bonus_chip(assignment.bonus, chip)
