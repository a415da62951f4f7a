"""How cards, items, bonuses and assignments of Mr. Houdini's Baggage are drawn.

A colour is a swatch of cloth with its pattern, a shape is dark; what is green has no pattern.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.games.houdinis_baggage.assignments import Assignment, Bonus, BonusKind, Item
from bot.games.houdinis_baggage.cards import NAMES, Aspect, Card, Trait
from bot.games.houdinis_baggage.moves import Spot
from bot.games.houdinis_baggage.pieces import Task
from bot.rules.components import FRAME, TIGHT, Brackets, can_be_done, just_changed
from bot.rules.picture import Box, Ink, Label, Mark, Rect, Sprite

ART = "houdinis_baggage"

TILE = Rect(0, 0, 54, 40)
"""The room of an item."""

_SMALL, _ARROW = 24, 10
"""How wide the signs of a bonus are, and the arrow between them."""

_CHIP_RADIUS = 12

_WHOLE_SIGNS = {
    BonusKind.PLUS_COLOUR: "plus-colour",
    BonusKind.PLUS_SHAPE: "plus-shape",
    BonusKind.MOVE: "move",
    BonusKind.COPY: "another",
}
"""The bonuses that are one piece of art."""


@dataclass(frozen=True, slots=True)
class Possible:
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


def squared(at: Rect, side: int) -> Rect:
    """Return a square in the middle of a room."""
    return Rect(at.x + (at.width - side) // 2, at.y + (at.height - side) // 2, side, side)


def card_sign(card: Card, at: Rect) -> Sprite:
    """Return the shape of a card in its colour and pattern; its room is square, 96 pixels wide at most."""
    return Sprite(f"{ART}/{NAMES[card]}", at)


def trait_sign(trait: Trait, at: Rect, ink: Ink = Ink.TEXT) -> Sprite:
    """Return the swatch of a colour, or a shape without one."""
    return Sprite(f"{ART}/{trait}", at, None if trait.aspect is Aspect.COLOUR else ink)


def plain_card(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return a card; its room is square."""
    side = at.width * 5 // 6
    return (Box(at, Ink.PAPER, radius=at.width // 7), card_sign(card, squared(at, side)))


def item_signs(item: Item, at: Rect) -> tuple[Mark, ...]:
    """Return what an item asks for."""
    side = min(at.height - 8, at.width - 26)
    sign = Rect(at.x + 2, at.y + (at.height - side) // 2, side, side)
    room = Rect(sign.right + 1, at.y, at.right - sign.right - 1, at.height)
    number = Label(str(item.number), room, Ink.TEXT, 32, bold=True)
    return (trait_sign(item.trait, sign), number)


def _filled(card: Card, at: Rect) -> tuple[Mark, ...]:
    """Return the card on an item, ticked off."""
    sign = Rect(at.x + 2, at.y + (at.height - 30) // 2, 30, 30)
    tick = Rect(sign.right + 1, at.y + (at.height - 18) // 2, 18, 18)
    return (card_sign(card, sign), Sprite(f"{ART}/tick", tick, Ink.TEXT))


def task_strip(task: Task, at: Rect, can: Possible) -> Iterator[Mark]:
    """Yield an unfinished assignment in one line: its number and points, its items, its bonus."""
    assignment = task.assignment
    tag = Rect(at.x + 5, at.y + 5, 36, at.height - 10)
    yield Box(at, Ink.FELT, radius=10)
    yield from number_tag(assignment, tag)
    yield from points_plate(assignment, tag.moved(39))
    for index, (item, card) in enumerate(zip(assignment.items, task.cards, strict=True)):
        tile = TILE.moved(at.x + 87 + 61 * index, at.y + (at.height - TILE.height) // 2)
        yield Box(tile, Ink.PAPER if card is None else Ink.GOOD, radius=8)
        yield from item_signs(item, tile) if card is None else _filled(card, tile)
        yield from _noted(Spot(assignment.number, index), tile, can)
    yield from bonus_chip(assignment.bonus, Rect(at.right - 67, at.y + (at.height - 36) // 2, 63, 36))


def _noted(spot: Spot, tile: Rect, can: Possible) -> Iterator[Mark]:
    """Mark an item that can be filled, or has just been."""
    if spot in can.now:
        yield can_be_done(tile, 8, TIGHT)
    elif spot in can.then:
        yield Box(tile.inset(-TIGHT), None, Ink.GOOD, 8 + TIGHT, FRAME // 2, over=True)
    if spot == can.new:
        yield from just_changed(tile, Brackets.TIGHT)


def number_tag(assignment: Assignment, at: Rect) -> tuple[Mark, ...]:
    """Return the number by which an assignment is known."""
    return (Box(at, Ink.PAPER_SHADE, radius=5), Label(str(assignment.number), at, Ink.TEXT, 26))


def points_plate(assignment: Assignment, at: Rect) -> tuple[Mark, ...]:
    """Return what an assignment is worth."""
    return (Box(at, Ink.GOLD, radius=at.height // 2), Label(str(assignment.points), at, Ink.TEXT, 30, bold=True))


def bonus_chip(bonus: Bonus, at: Rect, *, is_spent: bool = False) -> Iterator[Mark]:
    """Yield a bonus; one that was used in this turn is struck out."""
    yield Box(at, Ink.PAPER_SHADE if is_spent else Ink.PAPER, radius=_CHIP_RADIUS)
    yield from bonus_signs(bonus, at)
    if is_spent:
        yield Sprite(f"{ART}/spent", _across(at), over=True)


def _across(at: Rect) -> Rect:
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
        yield Sprite(f"{ART}/{_WHOLE_SIGNS[bonus.kind]}", room)
        return
    left, right = (Rect(x, at.y + (at.height - _SMALL) // 2, _SMALL, _SMALL) for x in _sides(at))
    yield trait_sign(bonus.before, left)
    yield Sprite(f"{ART}/arrow", Rect(left.right, at.y + at.height // 2 - 6, _ARROW, 12), Ink.TEXT)
    yield trait_sign(bonus.after, right)


def _sides(at: Rect) -> tuple[int, int]:
    """Return where the two signs of a bonus begin."""
    start = at.x + (at.width - 2 * _SMALL - _ARROW) // 2
    return start, start + _SMALL + _ARROW
