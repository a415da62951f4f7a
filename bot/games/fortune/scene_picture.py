"""Draws the ends of turns that fill the picture: three skulls, the Island left, and triumphs."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.fortune.card_picture import SMALL_CARD_SIZE, card_marks
from bot.games.fortune.dice_picture import FACE_ART, die_cell, die_marks, placed_die_marks
from bot.games.fortune.facts import Moment, faces_that_score, latest_roll
from bot.games.fortune.pieces import ALL_PLACES, Ending, Face, GameEvent, Places, State, Turn, TurnEnded
from bot.rules.components import Nameplate, action_frame, token_marks
from bot.rules.picture import MIN_TEXT_SIZE, PICTURE_WIDTH, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.words import format_signed

SCENES: Final = {
    Moment.BUST: "rays-bust",
    Moment.BATTLE_LOST: "rays-bust",
    Moment.ISLAND_LEFT: "scene-island",
    Moment.LINE_CROSSED: "rays-triumph",
    Moment.BATTLE_WON: "rays-triumph",
    Moment.FULL_CHEST: "rays-triumph",
    Moment.BIG_TURN: "rays-triumph",
}
"""What is behind each moment."""

_SIGNS: Final = {
    Moment.BATTLE_LOST: "fortune/ship",
    Moment.LINE_CROSSED: "flag",
    Moment.BATTLE_WON: "fortune/ship",
    Moment.FULL_CHEST: "fortune/chest",
    Moment.BIG_TURN: "fortune/treasure",
}
_SIGN = Rect(28, 214, 236, 236)
_SINKING = 24
"""Degrees by which a ship that has lost its battle is turned."""

_LAST_CARD = Rect(20, 14, *SMALL_CARD_SIZE)
_NEXT_CARD = Rect(980 - SMALL_CARD_SIZE[0], 14, *SMALL_CARD_SIZE)
_BETWEEN_CARDS = Rect(222, 10, 556, 146)
_DICE, _SKULL_DICE = Rect(296, 180, 620, 310), Rect(190, 180, 620, 310)
_BIG_SKULLS = Rect(16, 164, 968, 338)
_SKULL_TILTS = (-9, 5, -7, 4)
_LARGEST_SKULL, _LARGEST_FLARE = 256, 342
_LAST_WEIGHT = 1.2
"""How much more room the deciding skull has than each of the others."""


def scene_marks(
    view: State, moment: Moment, end: TurnEnded, events: Sequence[GameEvent], nameplates: Sequence[Nameplate]
) -> Iterator[Mark]:
    """Yield a moment between its card and the next one, which is framed for the seat that is to roll."""
    yield from card_marks(end.turn, _LAST_CARD)
    yield from card_marks(view.turn, _NEXT_CARD)
    yield action_frame(_NEXT_CARD, 18, 6)
    if moment is Moment.BUST:
        yield from _bust_marks(end.turn, events)
        return
    yield from _result_marks(view, end, nameplates)
    if moment is Moment.ISLAND_LEFT:
        for nth, place in enumerate(_skull_places(end.turn), 1):
            yield from placed_die_marks(end.turn, place, die_cell(nth, _SKULL_DICE))
        return
    yield from _sign_marks(moment)
    gold = faces_that_score(end.turn) if end.points > 0 else frozenset()
    for place in ALL_PLACES:
        paper = ColourRole.GOLD if end.turn.faces[place - 1] in gold else ColourRole.PAPER_SHADE
        yield from placed_die_marks(end.turn, place, die_cell(place, _DICE), paper)


def _skull_places(turn: Turn) -> Places:
    return tuple([place for place in ALL_PLACES if place not in turn.free])


def _sign_marks(moment: Moment) -> Iterator[Mark]:
    """Yield what the moment is about; a lost ship sinks."""
    at = _SIGN.center(216, 160) if moment is Moment.LINE_CROSSED else _SIGN.center(190, 190)
    yield Sprite(_SIGNS[moment], at, rotation=_SINKING if moment is Moment.BATTLE_LOST else 0)


def _result_marks(view: State, end: TurnEnded, nameplates: Sequence[Nameplate]) -> Iterator[Mark]:
    """Yield what the turn brought, or what it cost each of the others."""
    room = _BETWEEN_CARDS
    text = format_signed(end.points)
    plate = room.center(430, 118)
    yield Box(plate, ColourRole.GOLD if end.points > 0 else ColourRole.PAPER, ColourRole.TEXT, 24, 5)
    if end.ending is Ending.ISLAND:
        text = format_signed(-end.toll)
        others = [seat for seat in range(len(view.scores)) if seat != end.seat]
        for nth, seat in enumerate(others):
            yield from token_marks(nameplates, seat, Rect(plate.x + 14 + 54 * nth, plate.y + 33, 52, 52), MIN_TEXT_SIZE)
        plate = plate._replace(x=plate.x + 54 * len(others), width=plate.width - 54 * len(others))
    yield Label(text, plate.inset(8), ColourRole.TEXT, 88, bold=True)


def _bust_marks(turn: Turn, events: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the lost dice in a row, and the skulls large, the deciding one last; those of the card are on paper."""
    lying = [place for place in ALL_PLACES if place in turn.free]
    for place, cell in zip(lying, _row_of(len(lying), _BETWEEN_CARDS, 122), strict=True):
        paper = ColourRole.PAPER if place in turn.chest else ColourRole.PAPER_SHADE
        yield from placed_die_marks(turn, place, cell, paper)
    newest = latest_roll(turn, events)
    skulls = sorted(_skull_places(turn), key=lambda place: (newest is not None and place in newest.dice, place))
    count = turn.card.skulls + len(skulls)
    unit = _BIG_SKULLS.width / (count - 1 + _LAST_WEIGHT)
    cells = [_BIG_SKULLS._replace(x=round(_BIG_SKULLS.x + nth * unit), width=round(unit)) for nth in range(count)]
    cells[-1] = cells[-1]._replace(width=_BIG_SKULLS.right - cells[-1].x)
    flare = min(_LARGEST_FLARE, cells[-1].width * 5 // 4)
    middle = cells[-1].center(flare, flare)
    yield Sprite("fortune/flare", middle.shift(min(0, PICTURE_WIDTH - middle.right)), may_overlap=True)
    for nth, cell in enumerate(cells):
        side = min(_LARGEST_SKULL, cell.width * 4 // 5)
        yield from _big_skull_marks(cell.center(side, side), _SKULL_TILTS[nth % 4], on_card=nth < turn.card.skulls)


def _big_skull_marks(at: Rect, tilt: int, *, on_card: bool) -> Iterator[Mark]:
    if on_card:
        yield Box(at, ColourRole.PAPER, ColourRole.GOLD, 24, 10, may_overlap=True)
        side = min(200, at.width * 3 // 4)
        yield Sprite(FACE_ART[Face.SKULL], at.center(side, side), may_overlap=True)
        return
    yield from (mark._replace(may_overlap=True) for mark in die_marks(Face.SKULL, at, tilt))


def _row_of(count: int, at: Rect, widest: int) -> Iterator[Rect]:
    """Yield square cells side by side in the middle of an area."""
    side = min(widest, at.width // max(1, count))
    left = at.x + (at.width - side * count) // 2
    for nth in range(count):
        yield Rect(left + nth * side, at.y + (at.height - side) // 2, side, side)
