"""Draws the plates: what stopping and a bust bring, and the winner."""

from dataclasses import dataclass

from bot.games.fortune.facts import odds_of
from bot.games.fortune.picture.dice import FACE_ART
from bot.games.fortune.pieces import DICE_COUNT, MIN_ROLLED_DICE, CardKind, Ending, Face, State, Turn
from bot.games.fortune.scoring import Score, places_of, points_of, score_of, toll_of
from bot.rules.components import token_marks
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.words import format_number, format_percentage, format_signed, gettext as _

_WIDE, _GAP = 596, 14
_ICON = 60
_NARROW = 172


@dataclass(frozen=True, slots=True)
class _Plate:
    """A symbol, a caption and an amount."""

    sign: str | Seat
    """A piece of art, or the marker of a seat."""
    caption: str
    figure: str
    ink: ColourRole = ColourRole.PAPER
    is_narrow: bool = False
    """Whether there is room beside the words."""


def plate_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return two plates side by side, or the winner's plate."""
    turn = view.turn
    if view.mover is None:
        return _winner_marks(view, at)
    left = at._replace(width=_WIDE)
    right = Rect(left.right + _GAP, at.y, at.width - _WIDE - _GAP, at.height)
    if not turn.faces:
        return (*_draw_plate(_first_roll_plate(turn), left), *_draw_plate(_island_plate(turn), right))
    if turn.island:
        toll_plate = _Plate(view.mover, _("every opponent loses"), format_number(toll_of(turn)), ColourRole.GOLD)
        return (*_draw_plate(toll_plate, left), *_draw_plate(_voyage_plate(turn), right))
    return (*_worth_marks(view.mover, turn, left), *_draw_plate(_bust_plate(turn), right))


def _draw_plate(plate: _Plate, at: Rect) -> tuple[Mark, ...]:
    width = _NARROW if plate.is_narrow else at.width - _ICON - 36
    words = Rect(at.x + _ICON + 28, at.y + 2, width, at.height - 10)
    upper, lower = words._replace(height=30), Rect(words.x, words.y + 29, words.width, words.height - 29)
    icon = Rect(at.x + 14, at.y + (at.height - _ICON) // 2, _ICON, _ICON)
    return (
        Box(at, plate.ink, radius=16, is_raised=True),
        *((Sprite(plate.sign, icon),) if isinstance(plate.sign, str) else token_marks(plate.sign, icon)),
        Label(plate.caption, upper, ColourRole.TEXT, 26, Align.LEFT),
        Label(plate.figure, lower, ColourRole.TEXT, 38, Align.LEFT, bold=True),
    )


def _first_roll_plate(turn: Turn) -> _Plate:
    """Return the odds that the first roll is a bust, or three skulls for the Sorceress. Rules FO-10 and FO-C3."""
    odds = odds_of(turn, DICE_COUNT)
    if turn.spell:
        return _Plate("fortune/skull", _("first roll: three skulls"), format_percentage(odds.revivable))
    return _Plate("fortune/skull", _("first roll: bust"), format_percentage(odds.bust))


def _island_plate(turn: Turn) -> _Plate:
    """Return the odds of the Island, or the points at stake in a Sea Battle. Rule FO-C4."""
    if turn.card.bonus:
        return _Plate("fortune/ship", _("a bust brings"), format_signed(points_of(turn, Ending.DISQUALIFIED)))
    return _Plate("fortune/island", _("to the Island"), format_percentage(odds_of(turn, DICE_COUNT).island))


def _voyage_plate(turn: Turn) -> _Plate:
    if not turn.rolls_left or len(turn.free) < MIN_ROLLED_DICE:
        return _Plate("fortune/island", _("no more rolls"), _("stop now"), ColourRole.PAPER_SHADE)
    return _Plate("fortune/island", _("no new skull"), _("ends it"), ColourRole.PAPER_SHADE)


def _bust_plate(turn: Turn) -> _Plate:
    """Return what a bust brings, or that there can't be one."""
    left = points_of(turn, Ending.DISQUALIFIED)
    if turn.is_in_doubt:
        return _Plate("fortune/skull", _("without her help"), format_signed(left), ColourRole.PAPER_SHADE)
    if not turn.rolls_left:
        return _Plate("fortune/skull", _("both rolls made"), _("stop now"), ColourRole.PAPER_SHADE)
    if turn.card.kind is CardKind.TREASURE_CHEST:
        return _Plate("fortune/chest", _("the chest saves"), format_number(left), ColourRole.PAPER_SHADE)
    return _Plate("fortune/skull", _("a bust brings"), format_signed(left), ColourRole.PAPER_SHADE)


def _worth_marks(mover: Seat, turn: Turn, at: Rect) -> tuple[Mark, ...]:
    """Return the points of the dice, and their parts."""
    score = score_of(turn.card, turn.faces)
    caption = _("if saved") if turn.is_in_doubt else _("stop now for")
    ink = ColourRole.GOLD if score.total >= 0 else ColourRole.BAD
    marks = list(_draw_plate(_Plate(mover, caption, format_signed(score.total), ink, is_narrow=True), at))
    left = at.x + _ICON + 28 + _NARROW
    room = Rect(left, at.y + 4, at.right - left - 6, at.height - 8)
    cells = [cell for row in room.split_rows(2) for cell in row.split_columns(3)]
    for (sign, text), cell in zip(_score_parts(turn, score), cells, strict=False):
        marks.append(Sprite(sign, Rect(cell.x, cell.y + 2, 32, 32)))
        marks.append(
            Label(text, Rect(cell.x + 36, cell.y, cell.width - 36, cell.height), ColourRole.TEXT, 26, Align.LEFT)
        )
    return tuple(marks)


def _score_parts(turn: Turn, score: Score) -> list[tuple[str, str]]:
    """Return the parts of the points, each with a symbol; there is room for all of them with any card."""
    parts = [(FACE_ART[each.faces[0]], format_number(each.points)) for each in score.sets]
    if score.treasure:
        parts.append(("fortune/treasure", format_number(score.treasure)))
    if score.full_chest:
        parts.append(("fortune/chest", format_number(score.full_chest)))
    if score.factor > 1:
        parts.append(("fortune/hat", _("{factor} x").format(factor=score.factor)))
    if score.battle > 0:
        parts.append(("fortune/ship", format_number(score.battle)))
    if score.battle < 0:
        swords = turn.faces.count(Face.SWORD)
        parts.append((FACE_ART[Face.SWORD], _("{swords} of {wanted}").format(swords=swords, wanted=turn.card.swords)))
    return parts


def _winner_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the winner's plate. Rules FO-8 and FO-E3."""
    winners = [seat for seat, place in enumerate(places_of(view)) if place == 1]
    marks: list[Mark] = [
        Box(at, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 16, 4),
        Sprite("crown", Rect(at.x + 20, at.y + 12, 75, 56)),
    ]
    for nth, seat in enumerate(winners):
        marks += token_marks(seat, Rect(at.x + 116 + 76 * nth, at.y + 8, 64, 64))
    left = at.x + 116 + 76 * len(winners) + 10
    text = _("wins with {points}") if len(winners) == 1 else _("share the win with {points}")
    if view.nine is not None:
        text = _("wins with nine of a kind")
    room = Rect(left, at.y + 6, at.right - left - 10, at.height - 12)
    line = text.format(points=format_number(view.scores[winners[0]]))
    return (*marks, Label(line, room, ColourRole.SURFACE_TEXT, 40, Align.LEFT, bold=True))
