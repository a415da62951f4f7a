"""Draws the card of a turn: art, name and effect."""

from collections.abc import Iterator
from math import ceil

from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import CARD_TEXTS
from bot.games.fortune.pieces import Turn
from bot.games.fortune.scoring import SWORD_PENALTY
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect, Sprite
from bot.words import N_, format_signed, gettext as _, ngettext

_ART = Rect(14, 58, 226, 160)
"""The area of the art, which has this size."""

_ON_RAYS: dict[CardKind, tuple[ColourRole, tuple[str, ...]]] = {
    CardKind.GOLD: (ColourRole.RED, ("gold",)),
    CardKind.DIAMOND: (ColourRole.VIOLET, ("diamond",)),
    CardKind.MONKEY_BUSINESS: (ColourRole.SEAT_1, ("monkey", "parrot")),
}
"""Cards with objects of the dice in front of rays."""

_LAYER_RIGHT, _LAYER_DOWN = 8, 7
"""How far each layer of the pile lies to the left of the one on it, and above."""
_CARDS_IN_LAYER = 12

_EFFECTS = {
    CardKind.TREASURE_CHEST: (N_("what lies in the"), N_("chest stays yours")),
    CardKind.CAPTAIN: (N_("all your points"), N_("count double")),
    CardKind.GOLD: (N_("one more gold coin"), N_("is yours")),
    CardKind.DIAMOND: (N_("one more diamond"), N_("is yours")),
    CardKind.MONKEY_BUSINESS: (N_("monkey or parrot:"), N_("all one kind")),
    CardKind.STORM: (N_("two rolls; only"), N_("gold and diamonds")),
}


def pile_marks(cards_left: int, at: Rect) -> Iterator[Mark]:
    """Yield the pile under the card, which gets lower, and the number of cards in it that nobody has seen yet."""
    for layer in range(ceil(cards_left / _CARDS_IN_LAYER), 0, -1):
        left, top = at.x - _LAYER_RIGHT * layer, at.y - _LAYER_DOWN * layer
        yield Box(Rect(left, top, at.right - left, at.bottom - top), ColourRole.VIOLET, ColourRole.PAPER, 22, 3)


def pile_count_marks(cards_left: int, at: Rect) -> tuple[Mark, ...]:
    """Return the number of cards left in the pile, with the back of a card."""
    room = Rect(at.x - 24, at.y - 28, 92, 38)
    number = Rect(room.x + 36, room.y, room.width - 40, room.height)
    return (
        Box(room, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 10, 3, may_overlap=True),
        Sprite("fortune/card-back", Rect(room.x + 10, room.y + 5, 22, 28), may_overlap=True),
        Label(str(cards_left), number, ColourRole.SURFACE_TEXT, 28, bold=True, may_overlap=True),
    )


def card_marks(turn: Turn, at: Rect) -> tuple[Mark, ...]:
    """Return the card, 254 by 336 pixels."""
    name = Rect(at.x + 10, at.y + 12, at.width - 20, 42)
    marks: list[Mark] = [
        Box(at, ColourRole.PAPER, ColourRole.GOLD, 22, 6),
        Label(_(CARD_TEXTS[turn.card.kind].name), name, ColourRole.TEXT, 28, bold=True),
        *_illustration(turn, _ART.shift(at.x, at.y)),
    ]
    room = Rect(at.x + 8, at.y + 228, at.width - 16, at.height - 242)
    for row, line in zip(room.split_rows(2), _effect_lines(turn), strict=True):
        marks.append(Label(line, row, ColourRole.TEXT, 26))
    return tuple(marks)


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
    side = 132 if len(objects) == 1 else 100
    marks: list[Mark] = [Sprite("fortune/card-rays", at, ink)]
    for name, room in zip(objects, at.inset(6).split_columns(len(objects)), strict=True):
        left, top = room.x + (room.width - side) // 2, at.y + (at.height - side) // 2
        marks.append(Sprite(f"fortune/{name}", Rect(left, top, side, side)))
    return tuple(marks)


def _effect_lines(turn: Turn) -> tuple[str, ...]:
    """Return the effect of the card in two short lines."""
    card = turn.card
    match card.kind:
        case CardKind.SKULLS:
            return _("you start with"), ngettext("one skull", "{skulls} skulls", card.skulls).format(skulls=card.skulls)
        case CardKind.SEA_BATTLE:
            won = _("{swords} swords: {bonus}").format(swords=card.swords, bonus=format_signed(card.bonus))
            return won, _("fewer: {bonus}").format(bonus=format_signed(-card.bonus))
        case CardKind.TRUCE:
            return _("stop with swords:"), _("{penalty} for each").format(penalty=format_signed(-SWORD_PENALTY))
        case CardKind.SORCERESS:
            return _sorceress_lines(turn)
        case kind:
            first, second = _EFFECTS[kind]
            return _(first), _(second)


def _sorceress_lines(turn: Turn) -> tuple[str, str]:
    """Return what the Sorceress can do, or why she can't help. Rule FO-C3."""
    if turn.spell:
        return _("one skull can be"), _("rolled again")
    if turn.island:
        return _("she is no help"), _("on the Island")
    return _("she has helped:"), _("no more this turn")
