"""The picture of Magpie: the dice, the chart with the latest combination, and the score track."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from bot.games.magpie.facts import find_leaders, find_new_places, find_scoring_places
from bot.games.magpie.pieces import DICE_COUNT, Combination, GameEvent, Rolled, State, TableCleared
from bot.games.magpie.reading import describe_picture
from bot.games.magpie.rules import is_doubled
from bot.rules import components, seat_rows
from bot.rules.components import Nameplate
from bot.rules.game import Seat, find_newest
from bot.rules.picture import (
    PICTURE_WIDTH,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
    SurfaceColours,
)
from bot.words import N_, gettext as _

_CACHE_SIZE = 1024
"""Most dice and charts stay the same from one picture to the next; each takes half a kB to three."""

_NEST = Sprite("magpie/nest", Rect(0, 0, 1000, 306), may_overlap=True)
_TREE = Sprite("magpie/tree", Rect(0, _NEST.at.bottom, 1000, 480), may_overlap=True)
"""Scenery, down to the end of the highest picture."""
_DICE_AREA = Rect(50, 94, 850, 144)
"""Here each row of pips, tilted too, lies in one band of a file."""
_TILTS = (-7, 5, -3, 7, -5)
"""Degrees by which the dice in their places are turned."""
_TILT_MARGIN = 6
_MIDDLE = (DICE_COUNT + 1) // 2
_HEADING_AREA = Rect(30, 278, 940, 28)
_CHART_AREA = Rect(30, 314, 940, 88)
_PERCH = Rect(890, 214, 96, 102)
"""Where the magpie sits until dice score: on the upper edge of the chart."""
_CROWN = Rect(899, 194, 40, 30)
"""On the head of the magpie on its perch."""
_WINGS = Rect(0, 0, 511, 84)
"""Above the dice."""
_GRIP = Rect(0, 76, 57, 34)
"""On the upper edge of a die, above its pips."""
_LOOT = ((930, 128), (908, 172), (952, 172), (908, 216), (952, 216))
"""A heap of five dice beside the nest."""
_LOOT_SIZE = 44
_ON_LOOT = Rect(908, 38, 88, 94)
_TRACK_TOP = 414

_LONG_WORTH = 6

_SHORT_NAMES = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("3 of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("4 of a kind"),
    Combination.FIVE_OF_A_KIND: N_("5 of a kind"),
}
"""Names short enough for a cell of the chart."""


def build_picture(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Build the picture for all players."""
    track = Rect(30, _TRACK_TOP, PICTURE_WIDTH - 60, seat_rows.score_track_height(len(view.scores)))
    newest = find_newest(Rolled, events)
    return Picture(
        size=(PICTURE_WIDTH, track.bottom + 14),
        backdrop=(
            _NEST,
            _TREE,
            Label(_("points for each die rolled"), _HEADING_AREA, ColourRole.SURFACE_TEXT_FAINT, 26),
        ),
        marks=(
            *_dice_marks(view, events, newest),
            *_chart_marks(view, newest),
            *_magpie_marks(view, events, newest),
            *_track_marks(view, events, track, nameplates),
        ),
        description=describe_picture(view, newest),
    )


def _dice_marks(view: State, events: Sequence[GameEvent], newest: Rolled | None) -> list[Mark]:
    """Return the dice: the rolled ones in brackets, the scoring ones gold, the others shaded."""
    rolled, counted = find_new_places(events, newest), _counted_places(events, newest)
    marks: list[Mark] = []
    for place, face in enumerate(view.faces, 1):
        is_left_out = bool(counted) and place not in counted
        marks += _die_marks(place, face, is_new=place in rolled, counts=place in counted, is_left_out=is_left_out)
    return marks


def _magpie_marks(view: State, events: Sequence[GameEvent], newest: Rolled | None) -> Iterator[Mark]:
    """Yield the magpie: on dice that score, on a heap of five equal ones, or on its perch, in the end with a crown."""
    if counted := _counted_places(events, newest):
        die = _die_area(min(counted, key=lambda place: abs(place - _MIDDLE)))
        yield Sprite("magpie/magpie-wings", _WINGS.shift(right=die.x + (die.width - _WINGS.width) // 2))
        yield Sprite("magpie/magpie-grip", _GRIP.shift(right=die.x + (die.width - _GRIP.width) // 2), may_overlap=True)
    elif newest and isinstance(events[-1], TableCleared):
        for face, (x, y) in zip(newest.faces, _LOOT, strict=True):
            yield from components.die_marks(face, Rect(x, y, _LOOT_SIZE, _LOOT_SIZE), ColourRole.GOLD)
        yield Sprite("magpie/magpie", _ON_LOOT, may_overlap=True)
    else:
        yield Sprite("magpie/magpie", _PERCH, may_overlap=True)
        if view.mover is None:
            yield Sprite(seat_rows.Badge.CROWN.value, _CROWN, may_overlap=True)


# 22 us of each picture, 3 % of a click.
@lru_cache(_CACHE_SIZE)
def _die_marks(place: int, face: int, *, is_new: bool, counts: bool, is_left_out: bool) -> tuple[Mark, ...]:
    at = _die_area(place)
    plate, ink = (
        (ColourRole.GOLD, ColourRole.TEXT) if counts else (ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT_FAINT)
    )
    paper = ColourRole.PAPER_SHADE if is_left_out else ColourRole.PAPER
    return (
        *components.die_marks(face, at, ColourRole.GOLD if counts else paper, _TILTS[place - 1]),
        *(components.change_brackets(at.inset(-_TILT_MARGIN), components.BracketSize.TIGHT) if is_new else ()),
        *components.tag_marks(str(place), Rect(at.x + 36, at.bottom + 8, 72, 32), plate, ink),
    )


def _die_area(place: int) -> Rect:
    return _DICE_AREA.split_columns(DICE_COUNT)[place - 1].center(144, 144)


def _counted_places(events: Sequence[GameEvent], newest: Rolled | None) -> frozenset[int]:
    """Return the places of the dice that lie there and scored."""
    if newest is None or isinstance(events[-1], TableCleared):
        return frozenset()
    return find_scoring_places(newest)


def _chart_marks(view: State, newest: Rolled | None) -> tuple[Mark, ...]:
    if newest is None or newest.combination is None:
        return chart_marks(None, "", _CHART_AREA)
    # The points as factors: dice rolled, chart value, doubling, such as `2 × 4`.
    factors = [len(newest.dice), int(newest.combination)]
    if is_doubled(view.options, len(newest.dice)):
        factors.append(2)
    return chart_marks(newest.combination, " × ".join(map(str, factors)), _CHART_AREA)


# 9 us of each picture, 1 % of a click.
@lru_cache(_CACHE_SIZE)
def chart_marks(reached: Combination | None, worth: str, area: Rect) -> tuple[Mark, ...]:
    """Return the chart's cells: the scored combination shows its points, the others what they pay per die."""
    marks: list[Mark] = []
    for at, (combination, name) in zip(area.split_columns(len(_SHORT_NAMES), 20), _SHORT_NAMES.items(), strict=True):
        is_reached = combination is reached
        marks += _one_cell_marks(at, worth if is_reached else str(int(combination)), _(name), is_reached=is_reached)
    return tuple(marks)


def _one_cell_marks(at: Rect, worth: str, name: str, *, is_reached: bool) -> tuple[Mark, ...]:
    upper, lower = at.inset(4).split_rows(2)
    return (
        Box(at, ColourRole.GOLD if is_reached else ColourRole.PAPER_SHADE, radius=12, is_raised=True),
        Label(worth, upper, ColourRole.TEXT, 38 if len(worth) < _LONG_WORTH else 30, bold=True),
        Label(name, lower, ColourRole.TEXT, 27),
        *(components.change_brackets(at) if is_reached else ()),
    )


def _track_marks(
    view: State, events: Sequence[GameEvent], at: Rect, nameplates: Sequence[Nameplate]
) -> tuple[Mark, ...]:
    """Return the scores; each seat keeps the points of its last turn until it rolls again."""
    gains = {event.seat: event.points for event in events if isinstance(event, Rolled)}
    rows = [
        seat_rows.ScoreRow(
            seat,
            score,
            gains.get(seat, 0),
            is_to_move=seat == view.mover,
            badge=_badge_of(view, seat),
        )
        for seat, score in enumerate(view.scores)
    ]
    heading = _("first to {target}").format(target=view.options.target)
    return seat_rows.score_track_marks(rows, view.options.target, heading, at, nameplates=nameplates)


def _badge_of(view: State, seat: Seat) -> seat_rows.Badge | None:
    if view.mover is None:
        return seat_rows.Badge.CROWN if seat in find_leaders(view) else None
    return seat_rows.Badge.FLAG if seat == view.trigger else None


SURFACE: Final = Surface(
    standard=SurfaceColours("#24452c", "#17301e", "#7ba47f", "#f6f3e8", "#bfd2b8"),
    dark=SurfaceColours("#141f17", "#0b130e", "#6b8f72", "#dcdacf", "#a8b8a3"),
    high_contrast=SurfaceColours("#021206", "#103018", "#8fb893", "#ffffff", "#def0de"),
    banner="magpie/banner",
)
