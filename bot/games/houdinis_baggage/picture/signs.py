"""How cards, items, bonuses and assignments of Mr. Houdini's Baggage are drawn.

A colour is a swatch of cloth with its pattern, a shape is dark; what is green has no pattern.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.games.houdinis_baggage.assignments import Assignment, Bonus, BonusKind, Item
from bot.games.houdinis_baggage.cards import CARD_KEYS, Aspect, Card, Trait
from bot.games.houdinis_baggage.moves import Spot
from bot.games.houdinis_baggage.pieces import Task
from bot.rules.components import FRAME_WIDTH, TIGHT_MARGIN, BracketSize, action_frame, change_brackets
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite

ART_FOLDER = "houdinis_baggage"

ITEM_SIZE = Rect(0, 0, 54, 40)
"""The room of an item."""

_SMALL, _ARROW = 24, 10
"""How wide the signs of a bonus are, and the arrow between them."""

_CHIP_RADIUS = 12

_BONUS_ART = {
    BonusKind.PLUS_COLOUR: "plus-colour",
    BonusKind.PLUS_SHAPE: "plus-shape",
    BonusKind.MOVE: "move",
    BonusKind.COPY: "another",
}
"""The bonuses that are one piece of art."""


@dataclass(frozen=True, slots=True)
class Highlights:
    """What can be done, and what has just been."""

    used: frozenset[Card] = frozenset()
    """The open cards that can be placed, or kept after a twin."""
    added: frozenset[Card] = frozenset()
    """The cards that can be added from the mover's bank."""
    now: frozenset[Spot] = frozenset()
    """The items that something can be done with."""
    then: frozenset[Spot] = frozenset()
    """The items that could be filled if no more cards were opened."""
    new: Spot | None = None
    """The item that has just been filled."""


def centered_square(at: Rect, side: int) -> Rect:
    """Return a square in the middle of a room."""
    return Rect(at.x + (at.width - side) // 2, at.y + (at.height - side) // 2, side, side)


def card_sign(card: Card, at: Rect) -> Sprite:
    """Return the shape of a card in its colour and pattern; its room is square, 96 pixels wide at most."""
    return Sprite(f"{ART_FOLDER}/{CARD_KEYS[card]}", at)


def trait_sign(trait: Trait, at: Rect, ink: ColourRole = ColourRole.TEXT) -> Sprite:
    """Return the swatch of a colour, or a shape without one."""
    return Sprite(f"{ART_FOLDER}/{trait}", at, None if trait.aspect is Aspect.COLOUR else ink)


def card_marks(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return a card; its room is square."""
    side = at.width * 5 // 6
    return (Box(at, ColourRole.PAPER, radius=at.width // 7), card_sign(card, centered_square(at, side)))


def item_signs(item: Item, at: Rect) -> tuple[Mark, ...]:
    """Return what an item asks for."""
    side = min(at.height - 8, at.width - 26)
    sign = Rect(at.x + 2, at.y + (at.height - side) // 2, side, side)
    room = Rect(sign.right + 1, at.y, at.right - sign.right - 1, at.height)
    number = Label(str(item.number), room, ColourRole.TEXT, 32, bold=True)
    return (trait_sign(item.trait, sign), number)


def _filled_item(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return the card on an item, ticked off."""
    sign = Rect(at.x + 2, at.y + (at.height - 30) // 2, 30, 30)
    tick = Rect(sign.right + 1, at.y + (at.height - 18) // 2, 18, 18)
    return (card_sign(card, sign), Sprite(f"{ART_FOLDER}/tick", tick, ColourRole.TEXT))


def task_strip(task: Task, at: Rect, can: Highlights) -> Iterator[Mark]:
    """Yield an unfinished assignment in one line: its number and points, its items, its bonus."""
    assignment = task.assignment
    tag = Rect(at.x + 5, at.y + 5, 36, at.height - 10)
    yield Box(at, ColourRole.FELT, radius=10)
    yield from number_tag(assignment, tag)
    yield from points_plate(assignment, tag.shift(39))
    for index, (item, card) in enumerate(zip(assignment.items, task.cards, strict=True)):
        tile = ITEM_SIZE.shift(at.x + 87 + 61 * index, at.y + (at.height - ITEM_SIZE.height) // 2)
        yield Box(tile, ColourRole.PAPER if card is None else ColourRole.GOOD, radius=8)
        yield from item_signs(item, tile) if card is None else _filled_item(card, tile)
        yield from _highlight_item(Spot(assignment.number, index), tile, can)
    yield from bonus_chip(assignment.bonus, Rect(at.right - 67, at.y + (at.height - 36) // 2, 63, 36))


def _highlight_item(spot: Spot, tile: Rect, can: Highlights) -> Iterator[Mark]:
    """Mark an item that can be filled, or has just been."""
    if spot in can.now:
        yield action_frame(tile, 8, TIGHT_MARGIN)
    elif spot in can.then:
        yield Box(
            tile.inset(-TIGHT_MARGIN), None, ColourRole.GOOD, 8 + TIGHT_MARGIN, FRAME_WIDTH // 2, may_overlap=True
        )
    if spot == can.new:
        yield from change_brackets(tile, BracketSize.TIGHT)


def number_tag(assignment: Assignment, at: Rect) -> tuple[Mark, ...]:
    """Return the number by which an assignment is known."""
    return (Box(at, ColourRole.PAPER_SHADE, radius=5), Label(str(assignment.number), at, ColourRole.TEXT, 26))


def points_plate(assignment: Assignment, at: Rect) -> tuple[Mark, ...]:
    """Return what an assignment is worth."""
    return (
        Box(at, ColourRole.GOLD, radius=at.height // 2),
        Label(str(assignment.points), at, ColourRole.TEXT, 30, bold=True),
    )


def bonus_chip(bonus: Bonus, at: Rect, *, is_spent: bool = False) -> Iterator[Mark]:
    """Yield a bonus; one that was used in this turn is struck out."""
    yield Box(at, ColourRole.PAPER_SHADE if is_spent else ColourRole.PAPER, radius=_CHIP_RADIUS)
    yield from bonus_signs(bonus, at)
    if is_spent:
        yield Sprite(f"{ART_FOLDER}/spent", _strike_area(at), may_overlap=True)


def _strike_area(at: Rect) -> Rect:
    """Return the room of the stroke through a bonus."""
    height = at.height - 4
    width = height * 140 // 76
    return Rect(at.x + (at.width - width) // 2, at.y + 2, width, height)


def bonus_signs(bonus: Bonus, at: Rect) -> Iterator[Mark]:
    """Yield what a bonus does."""
    if bonus.before is None or bonus.after is None:
        height = _SMALL
        width = height * 144 // 60
        room = Rect(at.x + (at.width - width) // 2, at.y + (at.height - height) // 2, width, height)
        yield Sprite(f"{ART_FOLDER}/{_BONUS_ART[bonus.kind]}", room)
        return
    left, right = (Rect(x, at.y + (at.height - _SMALL) // 2, _SMALL, _SMALL) for x in _sign_positions(at))
    yield trait_sign(bonus.before, left)
    yield Sprite(f"{ART_FOLDER}/arrow", Rect(left.right, at.y + at.height // 2 - 6, _ARROW, 12), ColourRole.TEXT)
    yield trait_sign(bonus.after, right)


def _sign_positions(at: Rect) -> tuple[int, int]:
    """Return where the two signs of a bonus begin."""
    start = at.x + (at.width - 2 * _SMALL - _ARROW) // 2
    return start, start + _SMALL + _ARROW
