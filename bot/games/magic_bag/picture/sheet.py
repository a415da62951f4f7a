"""Draws the reference sheet: coins collected, in the bag and discarded, and their groups."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.games.magic_bag.events import GameEvent, RowTaken
from bot.games.magic_bag.picture.pieces import suit_sprite
from bot.games.magic_bag.pieces import Piece, State, Suit
from bot.games.magic_bag.scoring import artifact_grids, score_of, values_of
from bot.games.magic_bag.sheet import Grid
from bot.rules.picture import MIN_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, Sprite

_PLATE_WIDTH, _PLATE_HEIGHT, _EMBLEM_HEIGHT = 104, 40, 66
"""Pixels of the plate beside the gold, with its symbol and points, and the height of an artifact's emblem."""

_MAX_CELL_SIZE, _GAP, _PLATE_GAP = 56, 20, 6
_GOLD_GRID: Grid = ((0, 1, 2), (3, 4, 5))
"""The layout of the gold: in the order of the values; crowns form no groups."""

_OUTLINE_INSET, _FILL_INSET, _BURST_INSET = 1, 6, 4
"""Insets of a group's outline, its inside, and a new coin from the edges of a cell."""


@dataclass(frozen=True, slots=True)
class _Part:
    """An artifact, or the gold: its layout, groups and points."""

    suit: Suit
    grid: Grid
    groups: tuple[tuple[int, ...], ...]
    points: int


def sheet_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the artifacts side by side, the tallest last, and the gold below the others."""
    new = frozenset(coin for event in events if isinstance(event, RowTaken) for coin in event.coins)
    *others, tallest = sorted(_artifacts(view), key=lambda part: len(part.grid))
    side = _cell_size([part.grid for part in others], tallest.grid, at)
    marks: list[Mark] = []
    left, top = at.x, at.y + _EMBLEM_HEIGHT + _PLATE_GAP
    for part in (*others, tallest):
        width = _part_width(part.grid, side)
        places = _cell_areas(part.grid, side, left + (width - _grid_width(part.grid, side)) // 2, top)
        emblem = Rect(left + (width - _PLATE_WIDTH) // 2, at.y, _PLATE_WIDTH, _EMBLEM_HEIGHT)
        marks += _emblem_marks(view, part, emblem)
        marks += _piece_marks(view, part, new, places)
        left += width + _GAP
    below = top + side * len(others[-1].grid) + _GAP
    return (*marks, *_gold_marks(view, new, side, Rect(at.x, below, at.width, at.bottom - below)))


def _artifacts(view: State) -> Iterator[_Part]:
    grids = dict(artifact_grids(view.layout.sheet))
    for artifact in score_of(view).artifacts:
        yield _Part(artifact.suit, grids[artifact.suit], artifact.groups, artifact.points)


def _gold_marks(view: State, new: Collection[Piece], side: int, at: Rect) -> tuple[Mark, ...]:
    """Return the gold with its plate beside it."""
    coins = tuple((coin.value,) for coin in view.layout.collected if coin.suit is Suit.CROWN)
    part = _Part(Suit.CROWN, _GOLD_GRID, coins, score_of(view).gold)
    plate = Rect(at.x, at.y + side - _PLATE_HEIGHT // 2, _PLATE_WIDTH, _PLATE_HEIGHT)
    return (
        *_heading_marks(part, plate),
        *_piece_marks(view, part, new, _cell_areas(_GOLD_GRID, side, plate.right + _GAP, at.y)),
    )


def _cell_size(others: Sequence[Grid], tallest: Grid, at: Rect) -> int:
    """Return the largest cell size with which any layout of the sheet fits."""
    left = _EMBLEM_HEIGHT + _PLATE_GAP + _GAP, max(map(len, others)) + len(_GOLD_GRID)
    right = _EMBLEM_HEIGHT + _PLATE_GAP, len(tallest)
    side = min(_MAX_CELL_SIZE, *((at.height - fixed) // rows for fixed, rows in (left, right)))
    while sum(_part_width(grid, side) + _GAP for grid in (*others, tallest)) - _GAP > at.width:
        side -= 1
    return side


def _part_width(grid: Grid, side: int) -> int:
    return max(_PLATE_WIDTH, _grid_width(grid, side))


def _grid_width(grid: Grid, side: int) -> int:
    return side * max(map(len, grid))


def _heading_marks(part: _Part, plate: Rect) -> tuple[Mark, ...]:
    """Return a suit's symbol beside its points."""
    figures = Rect(plate.x + 40, plate.y, plate.width - 42, plate.height)
    return (
        Box(plate, ColourRole.PAPER, radius=12),
        suit_sprite(part.suit, Rect(plate.x + 5, plate.y + 3, 34, 34)),
        Label(str(part.points), figures, ColourRole.TEXT, 30, bold=True),
    )


def _emblem_marks(view: State, part: _Part, at: Rect) -> Iterator[Mark]:
    """Yield an artifact, assembled from the pieces that are collected, beside its points."""
    emblem = at._replace(width=at.height)
    yield Sprite(f"magic_bag/{part.suit}-missing", emblem)
    for value in sorted(values_of(part.suit, view.layout.collected)):
        yield Sprite(f"magic_bag/{part.suit}-piece-{value}", emblem, may_overlap=True)
    points = Rect(emblem.right + 4, at.y, at.right - emblem.right + 18, at.height)
    yield Label(str(part.points), points, ColourRole.SURFACE_TEXT, 30, Align.LEFT, bold=True)


def _cell_areas(grid: Grid, side: int, left: int, top: int) -> dict[int, Rect]:
    """Return the cell of each piece."""
    return {
        value: Rect(left + side * right, top + side * down, side, side)
        for down, row in enumerate(grid)
        for right, value in enumerate(row)
        if value is not None
    }


def _piece_marks(view: State, part: _Part, new: Collection[Piece], places: Mapping[int, Rect]) -> list[Mark]:
    edge = ColourRole.MARK if view.has_failed else ColourRole.SURFACE_TEXT
    marks: list[Mark] = []
    for group in part.groups:
        marks += _outline_marks([places[value] for value in group], edge)
    for value, place in places.items():
        marks += _coin_marks(view, Piece(part.suit, value), new, place)
    return marks


def _outline_marks(group: Sequence[Rect], edge: ColourRole) -> Iterator[Mark]:
    """Return a group as one shape: the outline first, then the inside."""
    for inset, ink in ((_OUTLINE_INSET, edge), (_FILL_INSET, ColourRole.GOLD)):
        for place in group:
            yield Box(place.inset(inset), ink, radius=14 - inset, may_overlap=True)
        for one in group:
            yield from (Box(join, ink, may_overlap=True) for join in _join_areas(one, group, inset))


def _join_areas(one: Rect, group: Sequence[Rect], inset: int) -> Iterator[Rect]:
    """Yield the joints from a cell to its group's cells to the right and below, and between all four."""
    side = one.width
    right, below = one.shift(right=side) in group, one.shift(down=side) in group
    if right:
        yield Rect(one.x + side // 2, one.y + inset, side, side - 2 * inset)
    if below:
        yield Rect(one.x + inset, one.y + side // 2, side - 2 * inset, side)
    if right and below and one.shift(side, side) in group:
        yield Rect(one.x + side // 2, one.y + side // 2, side, side)


def _coin_marks(view: State, coin: Piece, new: Collection[Piece], place: Rect) -> tuple[Mark, ...]:
    """Return a collected coin, the cell of a coin in the bag, or a cross for a discarded one."""
    disc, size = place.inset(place.width // 7), max(MIN_TEXT_SIZE, place.width * 3 // 5)
    number = Label(str(coin.value), place, ColourRole.TEXT, size, bold=True, may_overlap=True)
    if coin in new:
        return (Sprite("magic_bag/burst", place.inset(_BURST_INSET), may_overlap=True), number)
    if coin in view.layout.collected:
        return (Box(disc, ColourRole.PAPER, radius=disc.width // 2, may_overlap=True), number)
    if coin in view.layout.bag:
        ring = Box(disc, None, ColourRole.SURFACE_LINE, disc.width // 2, 3)
        return (ring, Label(str(coin.value), place, ColourRole.SURFACE_TEXT_FAINT, max(MIN_TEXT_SIZE, size - 4)))
    return (Sprite("magic_bag/gone", place.inset(place.width // 6), ColourRole.SURFACE_LINE),)
