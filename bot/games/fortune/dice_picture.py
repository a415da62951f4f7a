"""Draws the dice: the roll, the row of skulls, and the previous turn."""

from collections.abc import Sequence

from bot.games.fortune.facts import Result, kept_dice, latest_roll, result_of
from bot.games.fortune.pieces import (
    ALL_PLACES,
    DICE_COUNT,
    MAX_SKULLS,
    MAX_STORM_ROLLS,
    CardKind,
    Face,
    GameEvent,
    State,
    Turn,
    TurnEnded,
)
from bot.games.fortune.rules import rollable_dice
from bot.games.fortune.words import CARD_TEXTS
from bot.rules.components import action_frame, change_brackets, tag_marks, token_marks
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.words import format_signed, gettext as _

_SLOT_GAP = 7
_DIE = 112
_SIDE = 34
"""The width of the plate with a die's number."""

_TILTS = (-4, 3, 5, -3, 4, -5, 3, -4)
"""Degrees by which the dice in their places are turned, but not in the chest."""
_TILT_MARGIN = 2

_QUIET = (ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT_FAINT)

_MANY_SKULLS = 6
_ON_ISLAND = 190
"""The width of the plate with the words beside the skulls."""

FACE_ART = {face: f"fortune/{face.name.lower()}" for face in Face}


def dice_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the rolled dice in two rows of four, like their buttons, with the last roll in brackets."""
    turn = view.turn
    newest = latest_roll(turn, events)
    rolled, kept = newest.dice if newest else (), kept_dice(turn, events)
    ready = rollable_dice(turn) if view.mover is not None else ()
    marks: list[Mark] = []
    slots = tuple(slot for row in at.split_rows(2, 12) for slot in row.split_columns(DICE_COUNT // 2, _SLOT_GAP))
    for place, slot in zip(ALL_PLACES, slots, strict=True):
        die = Rect(slot.x + 8, slot.y + 8, _DIE, _DIE)
        if place in turn.chest:
            marks.append(Box(die.inset(-8), ColourRole.VIOLET, ColourRole.SURFACE_TEXT, 26, 3))
        tilt = 0 if place in turn.chest else _TILTS[place - 1]
        marks += die_marks(turn.faces[place - 1], die, tilt)
        if place in rolled:
            marks += change_brackets(die.inset(-_TILT_MARGIN))
        side = Rect(die.right + 10, die.y, _SIDE, _SIDE)
        colours = (ColourRole.MARK, ColourRole.TEXT) if place in ready else _QUIET
        marks += tag_marks(str(place), side, *colours, 26)
        below = side.shift(down=42)
        if place in turn.chest:
            marks.append(Sprite("fortune/chest", below))
        elif place in kept:
            plate = Box(below, ColourRole.SURFACE_SHADE, radius=_SIDE // 2)
            marks += (plate, Sprite("fortune/anchor", below.inset(4), ColourRole.SURFACE_TEXT_FAINT))
    return tuple(marks)


def skull_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the skulls of card and dice in a row, with the effect of the next skull.

    Those of the card are on paper; on the Island's light sand the words are on a plate.
    """
    turn, count = view.turn, max(view.turn.skulls, MAX_SKULLS + 1)
    width, gap = (52, 6) if count <= _MANY_SKULLS else (44, 2)
    marks: list[Mark] = []
    for nth in range(count):
        place = Rect(at.x + 8 + nth * (width + gap), at.y, width, at.height)
        if nth < turn.card.skulls:
            marks.append(Box(place, ColourRole.PAPER, ColourRole.GOLD, 10, 4))
        elif nth == MAX_SKULLS and not turn.island:
            marks.append(Box(place, ColourRole.SURFACE_SHADE, ColourRole.BAD, 10, 4))
        else:
            marks.append(Box(place, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 10, 2))
        if nth < turn.skulls:
            marks.append(Sprite("fortune/skull", Rect(place.x + (width - 40) // 2, place.y + 7, 40, 40)))
    if view.mover is not None:
        left = at.x + 8 + count * (width + gap) - gap + 14
        words = at._replace(x=left, width=at.right - left)
        if turn.island:
            plate = words._replace(width=_ON_ISLAND)
            marks.append(Box(plate, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 2))
            words = Rect(plate.x + 10, plate.y, plate.width - 20, plate.height)
        marks.append(Label(_skull_words(turn), words, ColourRole.SURFACE_TEXT, 28, Align.LEFT))
    return tuple(marks)


def _skull_words(turn: Turn) -> str:
    """Return the effect of the next skull."""
    if turn.island:
        return _("on the Island")
    if turn.is_in_doubt:
        return _("the third skull!")
    if turn.card.kind is CardKind.STORM and turn.rolls:
        return _("roll {number} of {most}; 3 skulls: bust").format(number=turn.rolls, most=MAX_STORM_ROLLS)
    return _("she can save the third") if turn.spell else _("the third is a bust")


def turn_start_marks(mover: Seat, at: Rect, last: TurnEnded | None) -> tuple[Mark, ...]:
    """Return eight small dice to be rolled, and the end of the previous turn below them."""
    upper = Rect(at.x + 8, at.y + 8, at.width - 16, 82)
    lower = Rect(at.x, upper.bottom + 22, at.width, at.bottom - upper.bottom - 22)
    seat, row = Rect(upper.x + 8, upper.y + 13, 56, 56), Rect(upper.x + 74, upper.y, upper.width - 74, upper.height)
    dice = [
        blank_die(Rect(room.x + (room.width - 62) // 2, room.y + 10, 62, 62)) for room in row.split_columns(DICE_COUNT)
    ]
    before = _last_turn_marks(lower, last) if last else ()
    return (action_frame(upper, 12), *token_marks((), mover, seat), *dice, *before)


def _last_turn_marks(at: Rect, last: TurnEnded) -> tuple[Mark, ...]:
    head = Rect(at.x + 14, at.y + 12, at.width - 28, 50)
    name = Rect(head.x + 64, head.y, 334, head.height)
    card = _("before: {card}").format(card=_(CARD_TEXTS[last.turn.card.kind].name))
    marks: list[Mark] = [
        Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 3),
        *token_marks((), last.seat, Rect(head.x + 2, head.y + 2, 46, 46)),
        Label(card, name, ColourRole.SURFACE_TEXT, 27, Align.LEFT),
        *_result_marks(last, Rect(head.right - 186, head.y + 3, 186, 44)),
    ]
    row = Rect(head.x, head.bottom + 9, head.width, 70)
    for place, room in zip(ALL_PLACES, row.split_columns(DICE_COUNT), strict=True):
        die = Rect(room.x + (room.width - 70) // 2, room.y, 70, 70)
        if place in last.turn.chest:
            marks.append(Box(die.inset(-4), ColourRole.VIOLET, radius=16))
        marks += die_marks(last.turn.faces[place - 1], die)
    return tuple(marks)


def _result_marks(last: TurnEnded, at: Rect) -> tuple[Mark, ...]:
    """Return the points of the turn, with a symbol for its ending."""
    result, _amount = result_of(last)
    sign = {Result.POINTS: "fortune/gold", Result.TOLL: "fortune/island"}.get(result, "fortune/skull")
    text = format_signed(last.points)
    if result is Result.TOLL:
        text = _("{toll} each").format(toll=format_signed(-last.toll))
    words = Rect(at.x + 8, at.y, at.width - 8, at.height)
    return (
        Sprite(sign, Rect(at.x - 46, at.y, 44, 44)),
        *tag_marks(text, words, ColourRole.NEW if last.points > 0 else ColourRole.PAPER_SHADE, ColourRole.TEXT, 28),
    )


def die_marks(face: Face, at: Rect, rotation: int = 0) -> tuple[Mark, ...]:
    """Return a die with a face; skulls are white on black to stand out."""
    # The object lies above the middle because of the die's shadow.
    side = at.width * 2 // 3
    edge = (at.width - side) // 2
    object_area = Rect(at.x + edge, at.y + edge - at.width // 26, side, side)
    return (blank_die(at, face, rotation), Sprite(FACE_ART[face], object_area, rotation=rotation))


def blank_die(at: Rect, face: Face | None = None, rotation: int = 0) -> Sprite:
    """Return the body of a die."""
    if face is Face.SKULL:
        return Sprite("fortune/die-skull", at, rotation=rotation)
    return Sprite("fortune/die", at, ColourRole.PAPER, rotation)
