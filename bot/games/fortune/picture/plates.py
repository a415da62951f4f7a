"""The plates of Fortune's picture: what stopping brings, what a bust would cost, and who has won."""

from dataclasses import dataclass

from bot.games.fortune.deck import CardKind
from bot.games.fortune.odds import odds_of
from bot.games.fortune.picture.signs import OBJECTS, plain
from bot.games.fortune.pieces import DICE, LEAST_ROLLED, Ending, Face, State, Turn
from bot.games.fortune.scoring import Score, places_of, points_of, score_of, toll_of
from bot.rules.components import token
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, Ink, Label, Mark, Rect, Sprite
from bot.words import gettext as _, number, percent

_WIDE, _GAP = 596, 14
_ICON = 60
_NARROW = 172


@dataclass(frozen=True, slots=True)
class _Plate:
    """A sign, what it is about, and how much that is."""

    sign: str | Seat
    """A piece of art, or the marker of a seat."""
    caption: str
    figure: str
    ink: Ink = Ink.PAPER
    is_narrow: bool = False
    """Whether something else has room beside the words."""


def plate_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return two plates side by side; a game that is over has one for whoever has won."""
    turn = view.turn
    if view.mover is None:
        return _winners(view, at)
    left = at._replace(width=_WIDE)
    right = Rect(left.right + _GAP, at.y, at.width - _WIDE - _GAP, at.height)
    if not turn.faces:
        return (*_plate(_third_skull(turn), left), *_plate(_beyond(turn), right))
    if turn.island:
        return (*_plate(_toll(view.mover, turn), left), *_plate(_voyage(turn), right))
    return (*_worth(view.mover, turn, left), *_plate(_bust(turn), right))


def _plate(plate: _Plate, at: Rect) -> tuple[Mark, ...]:
    width = _NARROW if plate.is_narrow else at.width - _ICON - 36
    words = Rect(at.x + _ICON + 28, at.y + 5, width, at.height - 7)
    upper, lower = words._replace(height=30), Rect(words.x, words.y + 29, words.width, words.height - 29)
    icon = Rect(at.x + 14, at.y + (at.height - _ICON) // 2, _ICON, _ICON)
    return (
        Box(at, plate.ink, radius=16),
        *((Sprite(plate.sign, icon),) if isinstance(plate.sign, str) else token(plate.sign, icon)),
        Label(plate.caption, upper, Ink.TEXT, 26, Align.LEFT),
        Label(plate.figure, lower, Ink.TEXT, 38, Align.LEFT, bold=True),
    )


def _third_skull(turn: Turn) -> _Plate:
    """Tell how likely the first roll ends the turn, or has the Sorceress asked. Rules FO-10 and FO-C3."""
    odds = odds_of(turn, DICE)
    if turn.spell:
        return _Plate("fortune/skull", _("first roll: a third skull"), percent(odds.asked))
    return _Plate("fortune/skull", _("first roll: bust"), percent(odds.bust))


def _beyond(turn: Turn) -> _Plate:
    """Tell how likely it leads to the Island; in a Sea Battle there is none, but something to lose. Rule FO-C4."""
    if turn.card.bonus:
        return _Plate("fortune/ship", _("a bust would cost"), number(turn.card.bonus))
    return _Plate("fortune/island", _("to the Island"), percent(odds_of(turn, DICE).island))


def _toll(mover: Seat, turn: Turn) -> _Plate:
    return _Plate(mover, _("every opponent loses"), number(toll_of(turn)), Ink.GOLD)


def _voyage(turn: Turn) -> _Plate:
    if not turn.rolls_left or len(turn.free) < LEAST_ROLLED:
        return _Plate("fortune/island", _("no more rolls"), _("stop now"), Ink.PAPER_SHADE)
    return _Plate("fortune/island", _("no new skull"), _("ends it"), Ink.PAPER_SHADE)


def _bust(turn: Turn) -> _Plate:
    """Tell what a bust would cost, or that there can be none."""
    left, now = points_of(turn, Ending.DISQUALIFIED), points_of(turn, Ending.STOPPED)
    if turn.is_in_doubt:
        return _Plate("fortune/skull", _("without her help"), plain(left), Ink.PAPER_SHADE)
    if not turn.rolls_left:
        return _Plate("fortune/skull", _("both rolls made"), _("stop now"), Ink.PAPER_SHADE)
    if turn.card.kind is CardKind.TREASURE_CHEST:
        return _Plate("fortune/chest", _("the chest saves"), number(left), Ink.PAPER_SHADE)
    if now < left:
        return _Plate("fortune/skull", _("a bust would spare"), number(left - now), Ink.PAPER_SHADE)
    return _Plate("fortune/skull", _("a bust would cost"), number(now - left), Ink.PAPER_SHADE)


def _worth(mover: Seat, turn: Turn, at: Rect) -> tuple[Mark, ...]:
    """Tell what the dice are worth, and how that comes about."""
    score = score_of(turn.card, turn.faces)
    caption = _("if saved") if turn.is_in_doubt else _("stop now for")
    ink = Ink.GOLD if score.total >= 0 else Ink.BAD
    marks = list(_plate(_Plate(mover, caption, plain(score.total), ink, is_narrow=True), at))
    left = at.x + _ICON + 28 + _NARROW
    room = Rect(left, at.y + 4, at.right - left - 6, at.height - 8)
    cells = [cell for row in room.rows(2) for cell in row.columns(3)]
    for (sign, text), cell in zip(_parts(turn, score), cells, strict=False):
        marks.append(Sprite(sign, Rect(cell.x, cell.y + 2, 32, 32)))
        marks.append(Label(text, Rect(cell.x + 36, cell.y, cell.width - 36, cell.height), Ink.TEXT, 26, Align.LEFT))
    return tuple(marks)


def _parts(turn: Turn, score: Score) -> list[tuple[str, str]]:
    """Return how the points come about, each with a sign; with every card there is room for all of them."""
    parts = [(OBJECTS[each.faces[0]], number(each.points)) for each in score.sets]
    if score.treasure:
        parts.append(("fortune/treasure", number(score.treasure)))
    if score.full_chest:
        parts.append(("fortune/chest", number(score.full_chest)))
    if score.factor > 1:
        parts.append(("fortune/hat", _("{factor} x").format(factor=score.factor)))
    if score.battle > 0:
        parts.append(("fortune/ship", number(score.battle)))
    if score.battle < 0:
        swords = turn.faces.count(Face.SWORD)
        parts.append((OBJECTS[Face.SWORD], _("{swords} of {wanted}").format(swords=swords, wanted=turn.card.swords)))
    return parts


def _winners(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the plate of whoever has won. Rules FO-8 and FO-E3."""
    winners = [seat for seat, place in enumerate(places_of(view)) if place == 1]
    marks: list[Mark] = [
        Box(at, Ink.FELT_SHADE, Ink.GOLD, 16, 4),
        Sprite("crown", Rect(at.x + 20, at.y + 12, 75, 56)),
    ]
    for nth, seat in enumerate(winners):
        marks += token(seat, Rect(at.x + 116 + 76 * nth, at.y + 8, 64, 64))
    left = at.x + 116 + 76 * len(winners) + 10
    text = _("wins with {points}") if len(winners) == 1 else _("share the win with {points}")
    if view.nine is not None:
        text = _("wins with nine of a kind")
    room = Rect(left, at.y + 6, at.right - left - 10, at.height - 12)
    line = text.format(points=number(view.scores[winners[0]]))
    return (*marks, Label(line, room, Ink.CHALK, 40, Align.LEFT, bold=True))
