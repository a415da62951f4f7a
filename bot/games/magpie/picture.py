"""The picture of Magpie: the dice in the nest, what combinations pay, and a row for each seat."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from bot.games.magpie.facts import BIG_ROLL, find_leaders, find_scoring_places, is_last_round, square_of
from bot.games.magpie.pieces import DICE_COUNT, TURNS_ALONE, Combination, Faces, GameEvent, Rolled, State, TableCleared
from bot.games.magpie.reading import describe_picture
from bot.games.magpie.rules import is_doubled
from bot.reading_order import spoken_rows
from bot.rules.components import FRAME_MARGIN, Nameplate, action_frame, die_marks
from bot.rules.game import Seat, find_newest
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.motion import Motion, MovingPiece, Played, tumble
from bot.rules.picture import (
    PICTURE_WIDTH,
    Align,
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
from bot.rules.seat_rows import (
    LOW_ROW_HEIGHT,
    RowFormat,
    SeatRow,
    SeatSign,
    place_rows,
    row_pieces_area,
    seat_rows_marks,
)
from bot.words import format_signed

_CACHE_SIZE = 1024
"""Most dice and charts stay the same from one picture to the next; each takes half a kB to three."""

_NEST = Sprite("magpie/nest", Rect(0, 0, 1000, 306), may_overlap=True)
_TREE = Sprite("magpie/tree", Rect(0, _NEST.at.bottom, 1000, 600), may_overlap=True)
"""Scenery, down to the end of the highest picture."""
_SHINE = Sprite("magpie/shine", Rect(0, 0, 1000, 294), may_overlap=True)
"""Under the dice of a big roll."""

_DICE_AREA = Rect(30, 97, 940, 188)
_DIE = 166
_TILTS = (-7, 5, -3, 7, -5)
"""Degrees by which the dice in their places are turned."""
_TILT_REACH = 10
"""How far they reach out of their row."""
_MIDDLE = (DICE_COUNT + 1) // 2
_CHART_AREA = Rect(24, 298, 952, 104)
_GOAL_AREA = Rect(838, 8, 154, 58)
"""The flag with the score to reach."""

_PERCH = Rect(40, 2, 88, 94)
"""Where the magpie sits until dice score: on a branch above the nest."""
_CROWN = Rect(82, 0, 30, 22)
"""On the head of the magpie on its perch."""
_WINGS = Rect(0, 2, 578, 95)
"""Above the dice."""
_GRIP = Rect(0, 88, 60, 36)
"""On the upper edge of a die, above its pips."""
_LOOT = ((140, 49), (186, 49), (232, 49), (163, 3), (209, 3))
"""A heap of five dice beside the magpie."""
_LOOT_SIZE = 44

_ROWS_TOP, _ROWS_BOTTOM = 412, 16
"""Where the first row begins, and what is left below the last one."""
_PIECE_PITCH, _GAIN_WIDTH = 48, 102
_PIECE, _LOW_PIECE = 46, 42
"""The dice in a row of a few or of many seats."""


def build_picture(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Build the picture for all players."""
    newest = find_newest(Rolled, events)
    dice = _dice_marks(view.faces, _counted_places(events, newest))
    return _build(view, events, nameplates, (*dice, *_magpie_marks(view, events, newest)), newest)


def _build(
    view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate], nest: Sequence[Mark], roll: Rolled | None
) -> Picture:
    """Build a picture of what is in and above the nest, and of what a roll brought."""
    rows = Rect(24, _ROWS_TOP, PICTURE_WIDTH - 48, HEIGHT_OF_TEN_ROLLS)
    areas = (rows,) if view.is_alone else place_rows(len(view.scores), rows)
    last = {event.seat: event for event in events if isinstance(event, Rolled)}
    return Picture(
        size=(PICTURE_WIDTH, areas[-1].bottom + _ROWS_BOTTOM),
        backdrop=(_NEST, _TREE, *((_SHINE,) if roll and roll.points >= BIG_ROLL else ())),
        marks=(
            *(() if view.is_alone else _goal_marks(view)),
            *nest,
            *_chart_marks(view, roll),
            *(ten_rolls_marks(view, rows) if view.is_alone else _rows_marks(view, last, areas, nameplates)),
        ),
        description=describe_picture(view, last),
    )


def find_motion(played: Played[State, GameEvent], nameplates: Sequence[Nameplate]) -> Motion | None:
    """Return the dice of a roll, which tumble while the others lie there, nothing counts and the magpie waits."""
    roll, before = find_newest(Rolled, played.events), played.before
    if roll is None:
        return None
    kept = [mark for place, face in enumerate(roll.before, 1) if place not in roll.dice for mark in _plain(place, face)]
    perched = _perched_marks(before, played.earlier)
    pieces = (_moving_piece(place, roll.faces[place - 1]) for place in sorted(roll.dice))
    return Motion(
        _build(before, played.earlier, nameplates, (*kept, *perched), None),
        tuple(pieces),
        tuple(_staging(played, roll, nameplates)),
    )


def _moving_piece(place: int, face: int) -> MovingPiece:
    area = _DICE_AREA.split_columns(DICE_COUNT)[place - 1]
    # Turned dice reach out of their row, but not out of their column.
    area = area.inset(-_TILT_REACH)._replace(x=area.x, width=area.width)
    return MovingPiece(area, tumble(area, place, range(1, 7), _tumbling_die), _plain(place, face))


def _tumbling_die(face: int, at: Rect, degrees: int) -> tuple[Sprite, ...]:
    return die_marks(face, at, ColourRole.PAPER, degrees)


def _plain(place: int, face: int) -> tuple[Mark, ...]:
    """Return a die before it is known whether it scores."""
    return _die_marks(place, face, ColourRole.PAPER)


def _staging(played: Played[State, GameEvent], roll: Rolled, nameplates: Sequence[Nameplate]) -> Iterator[Picture]:
    """Yield how the magpie flies to the dice of a big roll, and the five equal dice before they are taken away."""
    if roll.points < BIG_ROLL:
        return
    events, counted = (*played.earlier, roll), find_scoring_places(roll)
    dice = _dice_marks(roll.faces, counted)
    yield _build(played.after, events, nameplates, (*dice, *_perched_marks(played.before, played.earlier)), roll)
    if isinstance(played.events[-1], TableCleared) and counted:
        yield _build(played.after, events, nameplates, (*dice, *_landed_marks(_landing_place(counted))), roll)


def _goal_marks(view: State) -> tuple[Mark, ...]:
    """Return the score that starts the last round, or that is to be beaten in it. Rule MP-9."""
    score = max(view.scores) if is_last_round(view) else view.options.target
    fill, ink = (
        (ColourRole.GOLD, ColourRole.TEXT)
        if is_last_round(view)
        else (ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT)
    )
    room = _GOAL_AREA.inset(8)
    return (
        Box(_GOAL_AREA, fill, radius=14),
        Sprite("flag", room._replace(width=54).center(54, 40)),
        Label(str(score), room._replace(x=room.x + 52, width=room.width - 52), ink, 44, Align.RIGHT, bold=True),
    )


def _dice_marks(faces: Faces, counted: frozenset[int]) -> list[Mark]:
    """Return the dice: the scoring ones gold, the others shaded."""
    left_out = ColourRole.PAPER_SHADE if counted else ColourRole.PAPER
    marks: list[Mark] = []
    for place, face in enumerate(faces, 1):
        marks += _die_marks(place, face, ColourRole.GOLD if place in counted else left_out)
    return marks


# 22 us of each picture, 3 % of a click.
@lru_cache(_CACHE_SIZE)
def _die_marks(place: int, face: int, paper: ColourRole) -> tuple[Mark, ...]:
    return die_marks(face, _die_area(place), paper, _TILTS[place - 1])


def die_cell(place: int) -> Rect:
    """Return the cell of a die: in it one that is a fifth smaller may be turned as one likes."""
    return _DICE_AREA.split_columns(DICE_COUNT)[place - 1]


def _die_area(place: int) -> Rect:
    return die_cell(place).center(_DIE, _DIE)


def _counted_places(events: Sequence[GameEvent], newest: Rolled | None) -> frozenset[int]:
    """Return the places of the dice that lie there and scored."""
    if newest is None or isinstance(events[-1], TableCleared):
        return frozenset()
    return find_scoring_places(newest)


def _magpie_marks(view: State, events: Sequence[GameEvent], newest: Rolled | None) -> Iterator[Mark]:
    """Yield the magpie: on dice that score, beside a heap of five equal ones, or on its perch.

    There it turns its back after two turns without points, and wears a crown in the end.
    """
    if counted := _counted_places(events, newest):
        yield from _landed_marks(_landing_place(counted))
        return
    if newest and isinstance(events[-1], TableCleared):
        for face, (x, y) in zip(newest.faces, _LOOT, strict=True):
            yield from die_marks(face, Rect(x, y, _LOOT_SIZE, _LOOT_SIZE), ColourRole.GOLD)
    yield from _perched_marks(view, events)


def _perched_marks(view: State, events: Sequence[GameEvent]) -> Iterator[Mark]:
    """Yield the magpie on its perch."""
    yield Sprite("magpie/magpie-back" if _is_sulking(view, events) else "magpie/magpie", _PERCH, may_overlap=True)
    if view.mover is None:
        yield Sprite(SeatSign.CROWN.value, _CROWN, may_overlap=True)


def _landing_place(counted: frozenset[int]) -> int:
    """Return the scoring die next to the middle."""
    return min(sorted(counted), key=lambda place: abs(place - _MIDDLE))


def _landed_marks(place: int) -> Iterator[Mark]:
    """Yield the magpie on a die: with open wings, or where the flag leaves no room for them, sitting."""
    die = _die_area(place)
    wings = _WINGS.shift(right=die.x + (die.width - _WINGS.width) // 2)
    if wings.overlaps(_GOAL_AREA):
        yield Sprite("magpie/magpie", _PERCH._replace(x=die.x + 30, y=die.y - 74), may_overlap=True)
        return
    yield Sprite("magpie/magpie-wings", wings, may_overlap=True)
    yield Sprite("magpie/magpie-grip", _GRIP.shift(right=die.x + (die.width - _GRIP.width) // 2), may_overlap=True)


def _is_sulking(view: State, events: Sequence[GameEvent]) -> bool:
    """Return whether the last two turns brought no points."""
    points = [event.points for event in events if isinstance(event, Rolled)]
    return view.mover is not None and len(points) > 1 and not any(points[-2:])


_GROUPS: Final = {
    Combination.TWO_PAIR: (2, 2),
    Combination.THREE_OF_A_KIND: (3,),
    Combination.FULL_HOUSE: (3, 2),
    Combination.FOUR_OF_A_KIND: (4,),
    Combination.FIVE_OF_A_KIND: (5,),
}
"""How many equal dice a combination has."""

_SQUARE, _SQUARE_PITCH, _GROUP_GAP = 26, 30, 12


def _chart_marks(view: State, newest: Rolled | None) -> tuple[Mark, ...]:
    if newest is None or newest.combination is None:
        return chart_marks(None, "", _CHART_AREA)
    # The points as factors: dice rolled, chart value, doubling, such as `2×4`.
    factors = [len(newest.dice), int(newest.combination)]
    if is_doubled(view.options, len(newest.dice)):
        factors.append(2)
    return chart_marks(newest.combination, "×".join(map(str, factors)), _CHART_AREA)


# 9 us of each picture, 1 % of a click.
@lru_cache(_CACHE_SIZE)
def chart_marks(reached: Combination | None, worth: str, area: Rect) -> tuple[Mark, ...]:
    """Return the chart's cells: the scored combination shows its points, the others the factor for each die rolled."""
    marks: list[Mark] = []
    for at, (combination, groups) in zip(area.split_columns(len(_GROUPS), 13), _GROUPS.items(), strict=True):
        is_reached = combination is reached
        upper, lower = at.inset(6).split_rows(2)
        marks.append(Box(at, ColourRole.GOLD if is_reached else ColourRole.PAPER_SHADE, radius=14, is_raised=True))
        marks += _squares(groups, upper)
        text = worth if is_reached else f"×{combination}"
        marks.append(Label(text, lower, ColourRole.TEXT, 44, bold=True))
    return tuple(marks)


def _squares(groups: Sequence[int], at: Rect) -> Iterator[Mark]:
    """Yield a square for each die of a combination: dark ones are equal, and so are light ones."""
    gap = _SQUARE_PITCH - _SQUARE
    width = sum(groups) * _SQUARE_PITCH - gap + _GROUP_GAP * (len(groups) - 1)
    left = at.x + (at.width - width) // 2
    for number, count in enumerate(groups):
        fill = ColourRole.PAPER if number else ColourRole.TEXT
        for _ in range(count):
            square = Rect(left, at.y + (at.height - _SQUARE) // 2 + 2, _SQUARE, _SQUARE)
            yield Box(square, fill, ColourRole.TEXT, 6, 3)
            left += _SQUARE_PITCH
        left += _GROUP_GAP


def _rows_marks(
    view: State, last: Mapping[Seat, Rolled], areas: Sequence[Rect], nameplates: Sequence[Nameplate]
) -> Iterator[Mark]:
    """Yield the rows; each seat keeps the dice and the points of its last roll until it rolls again."""
    shape = spoken_rows(RowFormat(view.options.target, gain_width=_GAIN_WIDTH, piece_width=DICE_COUNT * _PIECE_PITCH))
    marked = find_leaders(view) if view.mover is None or is_last_round(view) else ()
    sign = SeatSign.CROWN if view.mover is None else SeatSign.FLAG
    rows = [
        SeatRow(
            seat,
            score,
            last[seat].points if seat in last else None,
            is_to_move=seat == view.mover,
            sign=sign if seat in marked else None,
        )
        for seat, score in enumerate(view.scores)
    ]
    yield from seat_rows_marks(rows, nameplates, shape, areas)
    side = _LOW_PIECE if areas[0].height == LOW_ROW_HEIGHT else _PIECE
    for seat, roll in sorted(last.items()):
        yield from _rolled_marks(roll.faces, find_scoring_places(roll), side, row_pieces_area(shape, areas[seat]))


@lru_cache(_CACHE_SIZE)
def _rolled_marks(faces: Faces, counted: frozenset[int], side: int, at: Rect) -> tuple[Mark, ...]:
    """Return the dice of a seat's last turn."""
    marks: list[Mark] = []
    for place, (face, cell) in enumerate(zip(faces, at.split_columns(DICE_COUNT), strict=True), 1):
        paper = ColourRole.GOLD if place in counted else ColourRole.PAPER_SHADE
        marks += die_marks(face, cell.center(side, side), paper)
    return tuple(marks)


SURFACE: Final = Surface(
    standard=SurfaceColours("#24452c", "#17301e", "#7ba47f", "#f6f3e8", "#bfd2b8"),
    dark=SurfaceColours("#141f17", "#0b130e", "#6b8f72", "#dcdacf", "#a8b8a3"),
    high_contrast=SurfaceColours("#000000", "#103018", "#8fb893", "#ffffff", "#def0de"),
)


HEIGHT_OF_TEN_ROLLS: Final = 204

_SCORE_WIDTH: Final = 216
_ROW: Final = TURNS_ALONE // 2
_GAP: Final = 12

_COLOURS: Final = (ColourRole.SURFACE_SHADE, ColourRole.PAPER_SHADE, ColourRole.GREEN, ColourRole.GOLD, ColourRole.NEW)
"""The colours of the squares, fewest points first: `square_of`."""


def ten_rolls_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the squares in two rows, the next one framed, and the score beside them. Rule MP-S1."""
    score = Rect(at.right - _SCORE_WIDTH, at.y, _SCORE_WIDTH, at.height)
    marks: list[Mark] = [Label(str(view.scores[0]), score, ColourRole.SURFACE_TEXT, 120, bold=True)]
    rows = Rect(at.x, at.y, at.width - _SCORE_WIDTH - _GAP, at.height).split_rows(2, _GAP)
    for number in range(TURNS_ALONE):
        square = rows[number // _ROW].split_columns(_ROW, _GAP)[number % _ROW]
        if number < len(view.gains):
            grade = square_of(points := view.gains[number])
            marks.append(Box(square, _COLOURS[grade], radius=14))
            ink = ColourRole.TEXT if grade else ColourRole.SURFACE_TEXT_FAINT
            marks.append(Label(str(points), square, ink, 56, bold=True))
        elif number == len(view.gains):
            marks.append(action_frame(square.inset(FRAME_MARGIN), 14 - FRAME_MARGIN))
        else:
            marks.append(Box(square, None, ColourRole.SURFACE_LINE, 14, 4))
    return tuple(marks)


_HERO_TILTS: Final = (-9, 6, -3, 8, -6)
"""Degrees by which the dice are turned."""
_HERO_DIE: Final = 156
_HERO_WINGS: Final = (584, 96)
_HERO_GRIP: Final = (71, 42)
_HERO_DICE: Final = Rect(HERO_AREA.x, HERO_AREA.y + 108, HERO_AREA.width, _HERO_DIE).center(
    DICE_COUNT * (_HERO_DIE + 24), _HERO_DIE
)
_HERO_MIDDLE: Final = (DICE_COUNT + 1) // 2


def build_hero(_view: State, _seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the best roll of a seat."""
    rolled = None if best_turn is None else find_newest(Rolled, best_turn.events)
    if rolled is None:
        return None
    counted = find_scoring_places(rolled)
    dice = [column.center(_HERO_DIE, _HERO_DIE) for column in _HERO_DICE.split_columns(DICE_COUNT)]
    marks: list[Mark] = []
    for place, (face, die) in enumerate(zip(rolled.faces, dice, strict=True), 1):
        ink = ColourRole.GOLD if place in counted else ColourRole.PAPER_SHADE
        marks += die_marks(face, die, ink, _HERO_TILTS[place - 1])
    perch = dice[min(counted, key=lambda place: abs(place - _HERO_MIDDLE), default=_HERO_MIDDLE) - 1]
    wings = Rect(perch.x, HERO_AREA.y, perch.width, _HERO_WINGS[1]).center(*_HERO_WINGS)
    wings = wings._replace(x=max(HERO_AREA.x, min(wings.x, HERO_AREA.right - wings.width)))
    marks.append(Sprite("magpie/magpie-wings", wings))
    claws = wings._replace(y=wings.bottom - 8, height=_HERO_GRIP[1])
    marks.append(Sprite("magpie/magpie-grip", claws.center(*_HERO_GRIP), may_overlap=True))
    return Hero(tuple(marks), format_signed(rolled.points))
