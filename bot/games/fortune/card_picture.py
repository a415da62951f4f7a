"""Draws the cards: art, with a tag that says what a card does in signs."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from bot.games.fortune.dice_picture import FACE_ART
from bot.games.fortune.pieces import MAX_STORM_ROLLS, CardKind, Ending, Face, Turn
from bot.games.fortune.scoring import CAPTAIN_FACTOR, SWORD_PENALTY, points_of
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite
from bot.words import format_number, format_signed

_ON_RAYS: Final[dict[CardKind, tuple[ColourRole, tuple[str, ...]]]] = {
    CardKind.GOLD: (ColourRole.RED, ("gold",)),
    CardKind.DIAMOND: (ColourRole.VIOLET, ("diamond",)),
    CardKind.MONKEY_BUSINESS: (ColourRole.SEAT_1, ("monkey", "parrot")),
}
"""Cards with objects of the dice in front of rays."""

CARD_SIZE: Final = (250, 180)
SMALL_CARD_SIZE: Final = (190, 138)
_FRAME = 6

_TAG_HEIGHT, _TAG_PADDING, _TAG_TEXT, _TAG_SIGN, _SIGN_WIDTH = 56, 14, 40, 42, 25
"""The measures of a tag; the last one is the usual width of a digit."""

_TagPart: TypeAlias = str | Sprite
"""A text, or a sign at any place."""


def card_marks(turn: Turn, at: Rect) -> Iterator[Mark]:
    """Yield the card of a turn, of either size; a small one leaves out the second half of its tag."""
    yield Box(at, ColourRole.GOLD, ColourRole.TEXT, 18, 2)
    yield from _illustration(turn, at.inset(_FRAME - 1))
    parts = tag_of(turn)
    yield from _tag_marks(parts[: 2 if at.width < CARD_SIZE[0] else None], at)


def tag_of(turn: Turn) -> tuple[_TagPart, ...]:
    """Return what a card does, in signs and numbers: art is named by its file."""
    card, skull, sword = turn.card, _sign(FACE_ART[Face.SKULL]), _sign(FACE_ART[Face.SWORD])
    tags: dict[CardKind, tuple[_TagPart, ...]] = {
        CardKind.CAPTAIN: (f"×{CAPTAIN_FACTOR}",),
        CardKind.GOLD: ("+1",),
        CardKind.DIAMOND: ("+1",),
        CardKind.MONKEY_BUSINESS: ("=",),
        CardKind.SORCERESS: ("−1", skull) if turn.spell and not turn.island else (),
        CardKind.SEA_BATTLE: (str(card.swords), sword, f"±{format_number(card.bonus)}"),
        CardKind.STORM: (str(MAX_STORM_ROLLS - turn.rolls), _sign("fortune/die")),
        CardKind.TRUCE: ("−", sword, format_number(SWORD_PENALTY)),
        CardKind.TREASURE_CHEST: (format_signed(points_of(turn, Ending.DISQUALIFIED)),) if turn.chest else (),
    }
    return tags.get(card.kind, ())


def _sign(name: str) -> Sprite:
    return Sprite(name, Rect(0, 0, _TAG_SIGN, _TAG_SIGN), ColourRole.PAPER if name == "fortune/die" else None)


def _width_of(part: _TagPart) -> int:
    return _SIGN_WIDTH * len(part) if isinstance(part, str) else _TAG_SIGN


def _tag_marks(parts: tuple[_TagPart, ...], card: Rect) -> Iterator[Mark]:
    """Yield the tag in the lower right corner of a card."""
    if not parts:
        return
    width = sum(map(_width_of, parts)) + 2 * _TAG_PADDING
    at = Rect(card.right - width, card.bottom - _TAG_HEIGHT, width, _TAG_HEIGHT)
    yield Box(at, ColourRole.GOLD, ColourRole.TEXT, 16, 4, may_overlap=True)
    left = at.x + _TAG_PADDING
    for part in parts:
        room = Rect(left, at.y, _width_of(part), at.height)
        if isinstance(part, str):
            yield Label(part, room, ColourRole.TEXT, _TAG_TEXT, bold=True, may_overlap=True)
        else:
            yield part._replace(at=room.center(_TAG_SIGN, _TAG_SIGN), may_overlap=True)
        left = room.right


def _illustration(turn: Turn, at: Rect) -> tuple[Mark, ...]:
    kind = turn.card.kind
    if kind is CardKind.SKULLS:
        return _on_rays(ColourRole.BAD, ("skull",) * turn.card.skulls, at)
    if kind in _ON_RAYS:
        ink, objects = _ON_RAYS[kind]
        return _on_rays(ink, objects, at)
    if kind is CardKind.TREASURE_CHEST:
        return (Sprite(f"fortune/card-{kind}-{len(turn.chest)}", at),)
    return (Sprite(f"fortune/card-{kind}", at),)


def _on_rays(ink: ColourRole, objects: tuple[str, ...], at: Rect) -> tuple[Mark, ...]:
    side = at.height * 4 // 5 if len(objects) == 1 else at.width * 4 // 9
    marks: list[Mark] = [Sprite("fortune/card-rays", at, ink)]
    for name, room in zip(objects, at.inset(6).split_columns(len(objects)), strict=True):
        marks.append(Sprite(f"fortune/{name}", room.center(side, side)))
    return tuple(marks)
