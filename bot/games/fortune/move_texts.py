"""Fortune's moves in words, before they are made."""

from bot.games.fortune.guide import FACE_TEXTS
from bot.games.fortune.moves import Move, Revive, Roll
from bot.games.fortune.pieces import DICE_COUNT, Ending, Places, State, Turn
from bot.games.fortune.scoring import points_of, toll_of
from bot.words import format_number, format_signed, gettext as _


def describe_move(view: State, move: Move) -> str:
    """Describe a move by the faces that it keeps: equal dice are interchangeable."""
    turn = view.turn
    match move:
        case Roll():
            return _roll_text(turn, move)
        case Revive():
            return _revive_text(turn, move)
        case _:
            return _stop_text(turn)


def _roll_text(turn: Turn, move: Roll) -> str:
    count = len(move.dice)
    if count == DICE_COUNT:
        return _("roll all eight")
    if turn.island:
        return _("roll {count} dice for more 💀").format(count=count)
    kept = _kept_places(turn, move.dice)
    line = _("roll {count} dice, keep {dice}") if kept else _("roll all {count} dice")
    if move.chest:
        line = _("roll {count} dice, {dice} in the chest")
        if move.chest != kept:
            line = _("roll {count} dice, keep {dice}, {chest} in the chest")
    return line.format(count=count, dice=_dice_text(turn, kept), chest=_dice_text(turn, move.chest))


def _revive_text(turn: Turn, move: Revive) -> str:
    kept = _kept_places(turn, move.dice)
    if not move.dice:
        return _("free 💀 and roll only it")
    line = _("free 💀, roll it and {count} dice, keep {dice}") if kept else _("free 💀, roll it and all {count} dice")
    if len(move.dice) == 1:
        line = _("free 💀, roll it and one die, keep {dice}") if kept else _("free 💀, roll it and the other die")
    return line.format(count=len(move.dice), dice=_dice_text(turn, kept))


def _stop_text(turn: Turn) -> str:
    if turn.island:
        return _("stop: others lose {toll}").format(toll=format_number(toll_of(turn)))
    points = 0 if turn.is_in_doubt else points_of(turn, Ending.STOPPED)
    if points < 0:
        return _("stop for {points}").format(points=format_signed(points))
    return _("stop for {points}").format(points=format_number(points)) if points else _("stop for no points")


def _kept_places(turn: Turn, rolled: Places) -> Places:
    return tuple(place for place in turn.free if place not in rolled)


def _dice_text(turn: Turn, places: Places) -> str:
    """Return the symbols of dice, the most precious ones first."""
    faces = sorted((turn.faces[place - 1] for place in places), reverse=True)
    return "".join(FACE_TEXTS[face].symbol for face in faces)
