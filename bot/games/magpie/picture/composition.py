"""Magpie as a picture: the dice, the chart with what was reached, and the race to the target."""

from collections.abc import Sequence
from functools import lru_cache

from bot.games.magpie.events import Rolled, TableCleared
from bot.games.magpie.pieces import DICE, Combination, State
from bot.games.magpie.reading import described, newest_roll
from bot.games.magpie.scoring import combination_of, is_doubled
from bot.rules.components import REMEMBERED, Badge, Score, die, just_changed, score_track, tag, track_height
from bot.rules.game import Event, Seat
from bot.rules.picture import WIDTH, Box, Ink, Label, Mark, Picture, Rect, Sprite
from bot.words import N_, gettext as _

_DICE = Rect(60, 36, 880, 144)
"""What changes with every roll begins and ends where bands of a file do, so that few are drawn anew."""
_HEADING = Rect(30, 230, 940, 34)
_CHART = Rect(30, 272, 940, 88)
_BIRD = Sprite("magpie/magpie", Rect(896, 188, 81, 86), over=True)
"""It sits on the chart, where nothing else is."""
_TRACK_TOP = 372

_LONG = 6

_SHORT = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("3 of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("4 of a kind"),
    Combination.FIVE_OF_A_KIND: N_("5 of a kind"),
}
"""The combinations in as few signs as a cell of the chart has room for."""


def picture(view: State, news: Sequence[Event]) -> Picture:
    """Make the picture that everybody sees."""
    track = Rect(30, _TRACK_TOP, WIDTH - 60, track_height(len(view.scores)))
    newest = newest_roll(news)
    return Picture(
        size=(WIDTH, track.bottom + 20),
        backdrop=(Label(_("points for each die rolled"), _HEADING, Ink.CHALK_FAINT, 26),),
        marks=(*_dice(view, news, newest), *_chart(view, newest), _BIRD, *_track(view, newest, track)),
        description=described(view, newest),
    )


def _dice(view: State, news: Sequence[Event], newest: Rolled | None) -> list[Mark]:
    """Lay the dice out: what was rolled in brackets, what counted on gold, everything else in the shade."""
    rolled, counted = _rolled_and_counted(news, newest)
    marks: list[Mark] = []
    for place, face in enumerate(view.faces, 1):
        is_left_out = bool(counted) and place not in counted
        marks += _die(place, face, is_new=place in rolled, counts=place in counted, is_left_out=is_left_out)
    return marks


@lru_cache(REMEMBERED)
def _die(place: int, face: int, *, is_new: bool, counts: bool, is_left_out: bool) -> tuple[Mark, ...]:
    room = _DICE.columns(DICE)[place - 1]
    at = Rect(room.x + (room.width - 144) // 2, room.y, 144, 144)
    plate, ink = (Ink.GOLD, Ink.TEXT) if counts else (Ink.FELT_SHADE, Ink.CHALK_FAINT)
    return (
        die(face, at, Ink.PAPER_SHADE if is_left_out else Ink.PAPER),
        *(just_changed(at) if is_new else ()),
        *tag(str(place), Rect(at.x + 36, at.bottom + 10, 72, 38), plate, ink),
    )


def _rolled_and_counted(news: Sequence[Event], newest: Rolled | None) -> tuple[frozenset[int], frozenset[int]]:
    """Return the places of the dice that were rolled last, and of those that points were given for."""
    if newest is None:
        return frozenset(), frozenset()
    if isinstance(news[-1], TableCleared):
        return frozenset(range(1, DICE + 1)), frozenset()
    counted = combination_of(newest.faces)[1] if newest.combination else frozenset[int]()
    return frozenset(newest.dice), counted


def _chart(view: State, newest: Rolled | None) -> tuple[Mark, ...]:
    if newest is None or newest.combination is None:
        return _cells(None, "")
    return _cells(newest.combination, _worth(view, newest, newest.combination))


@lru_cache(REMEMBERED)
def _cells(reached: Combination | None, worth: str) -> tuple[Mark, ...]:
    """Return the cells of the chart: what was reached tells what came of it, the others what they pay for a die."""
    marks: list[Mark] = []
    for at, (combination, name) in zip(_CHART.columns(len(_SHORT), 20), _SHORT.items(), strict=True):
        is_reached = combination is reached
        marks += _cell(at, worth if is_reached else str(int(combination)), _(name), is_reached=is_reached)
    return tuple(marks)


@lru_cache(REMEMBERED)
def _cell(at: Rect, worth: str, name: str, *, is_reached: bool) -> tuple[Mark, ...]:
    upper, lower = at.inset(4).rows(2)
    return (
        Box(at, Ink.GOLD if is_reached else Ink.PAPER_SHADE, radius=12),
        Label(worth, upper, Ink.TEXT, 38 if len(worth) < _LONG else 30, bold=True),
        Label(name, lower, Ink.TEXT, 27),
        *(just_changed(at) if is_reached else ()),
    )


def _worth(view: State, newest: Rolled, reached: Combination) -> str:
    """Write what came of how many dice: `2 x 4`."""
    factors = [len(newest.dice), int(reached)]
    if is_doubled(view.options, len(newest.dice)):
        factors.append(2)
    return " x ".join(map(str, factors))


def _track(view: State, newest: Rolled | None, at: Rect) -> tuple[Mark, ...]:
    rows = [
        Score(
            seat,
            score,
            newest.points if newest and newest.seat == seat else 0,
            is_to_move=seat == view.mover,
            badge=_badge(view, seat),
        )
        for seat, score in enumerate(view.scores)
    ]
    heading = _("first to {target}").format(target=view.options.target)
    return score_track(rows, view.options.target, heading, at)


def _badge(view: State, seat: Seat) -> Badge | None:
    if view.mover is None:
        return Badge.CROWN if view.scores[seat] == max(view.scores) else None
    return Badge.FLAG if seat == view.trigger else None
