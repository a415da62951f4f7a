"""Draws the reference sheet: artifacts assembled from the coins collected, and the gold."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from bot.games.magic_bag.pieces import GameEvent, Grid, Piece, ReferenceSheet, RowTaken, State, Suit
from bot.games.magic_bag.scoring import artifact_grids, score_of
from bot.rules.picture import MIN_SHEET_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, Sprite

SHEET_WIDTH: Final = 428
SHEET_HEIGHT: Final = 384
"""Pixels of the three artifacts."""


class _Room(NamedTuple):
    """Where an artifact lies on the sheet, and where its points."""

    artwork: Rect
    points: Rect
    align: Align = Align.CENTRE


_ROOMS: Final = {
    Suit.SUN: _Room(Rect(36, 8, 168, 180), Rect(212, 68, 76, 60), Align.LEFT),
    Suit.MOON: _Room(Rect(0, 204, 252, 180), Rect(112, 330, 120, 54)),
    Suit.ARMS: _Room(Rect(296, 48, 132, 336), Rect(296, 0, 132, 42)),
}
"""The moon is a staircase: its points are below the stairs."""

_MOON_WITHOUT_ART: Final = _Room(Rect(0, 204, 168, 180), Rect(176, 204, 76, 60), Align.LEFT)
"""Where a moon of another layout lies, with its points beside it."""

_CELLS_WITH_ART: Final = {
    Suit.SUN: {(down, right) for down in range(3) for right in range(2)},
    Suit.MOON: {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)},
    Suit.ARMS: {(down, 0) for down in range(6)},
}
"""The cells, by row and column, that the artwork is cut into; which piece lies in which does not matter to it."""

_GOLD_GRID: Grid = ((0, 1, 2), (3, 4, 5))
"""The layout of the gold: in the order of the values; crowns form no groups."""

_GOLD_PLATE_HEIGHT, _GOLD_GAP = 38, 4
_POINTS_SIZE = 36
_DISC, _BURST, _MARGIN = 38, 52, 8
"""Diameters of a value's disc and of the burst of a new coin, and how far they stay from the sides of a cell."""

_NUMBER_SIZE = 34
_EDGE = 5
"""Pixels of the edge around pieces that lie together."""

_AROUND: Final = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
"""The cells around one, by how far down and how far to the right they are."""


class _Part(NamedTuple):
    """An artifact, or the gold: its layout, where it is drawn, and whether there is artwork for that layout."""

    suit: Suit
    grid: Grid
    room: _Room
    has_art: bool

    def cells(self) -> dict[int, Rect]:
        """Return the cell of each piece."""
        whole = self.room.artwork
        width, height = whole.width // max(map(len, self.grid)), whole.height // len(self.grid)
        return {
            value: Rect(whole.x + width * right, whole.y + height * down, width, height)
            for value, (down, right) in _find_places(self.grid).items()
        }


def suit_sprite(suit: Suit, at: Rect) -> Sprite:
    """Return the symbol of a suit, a square of at most 72 pixels."""
    return Sprite(f"magic_bag/{suit}", at)


def silhouette_marks(sheet: ReferenceSheet, at: Rect) -> tuple[Mark, ...]:
    """Return the artifacts as they are as long as nothing of them is collected."""
    parts = (_find_part(suit, grid, at) for suit, grid in artifact_grids(sheet))
    return tuple(Sprite(f"magic_bag/{part.suit}-missing", part.room.artwork) for part in parts if part.has_art)


def sheet_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the pieces collected over the silhouettes of the artifacts, all values, and the points. Rule MB-11."""
    points = {artifact.suit: artifact.points for artifact in score_of(view).artifacts}
    marks: list[Mark] = []
    for suit, grid in artifact_grids(view.layout.sheet):
        part = _find_part(suit, grid, at)
        _artwork, beside, align = part.room
        marks += _part_marks(view, events, part)
        marks.append(Label(str(points[suit]), beside, ColourRole.SURFACE_TEXT, _POINTS_SIZE, align, bold=True))
    return tuple(marks)


def gold_marks(view: State, events: Sequence[GameEvent], at: Rect) -> tuple[Mark, ...]:
    """Return the gold below its points. Rule MB-10."""
    plate = at._replace(height=_GOLD_PLATE_HEIGHT)
    figures = Rect(plate.x + 44, plate.y, plate.width - 46, plate.height)
    below = Rect(at.x, plate.bottom + _GOLD_GAP, at.width, at.height - plate.height - _GOLD_GAP)
    return (
        Box(plate, ColourRole.PAPER, radius=12),
        suit_sprite(Suit.CROWN, Rect(plate.x + 8, plate.y + 2, 34, 34)),
        Label(str(score_of(view).gold), figures, ColourRole.TEXT, 30, bold=True),
        *_part_marks(view, events, _Part(Suit.CROWN, _GOLD_GRID, _Room(below, figures), has_art=False)),
    )


def _find_part(suit: Suit, grid: Grid, at: Rect) -> _Part:
    """Return an artifact on the sheet; there is no artwork for a corrected layout with other cells."""
    has_art = set(_find_places(grid).values()) == _CELLS_WITH_ART[suit]
    room = _MOON_WITHOUT_ART if suit is Suit.MOON and not has_art else _ROOMS[suit]
    return _Part(suit, grid, _Room(room.artwork.shift(at.x, at.y), room.points.shift(at.x, at.y), room.align), has_art)


def _find_places(grid: Grid) -> dict[int, tuple[int, int]]:
    """Return the row and the column of each piece."""
    cells = ((down, right, value) for down, row in enumerate(grid) for right, value in enumerate(row))
    return {value: (down, right) for down, right, value in cells if value is not None}


def _part_marks(view: State, events: Sequence[GameEvent], part: _Part) -> Iterator[Mark]:
    """Yield the pieces that are collected, and all values."""
    new = {coin for event in events if isinstance(event, RowTaken) for coin in event.coins}
    for value, cell in part.cells().items():
        coin = Piece(part.suit, value)
        if coin in view.layout.collected:
            yield from _piece_marks(view, part, coin, cell)
        yield from _value_marks(view, coin, new, cell, part)


def _piece_marks(view: State, part: _Part, coin: Piece, cell: Rect) -> Iterator[Mark]:
    """Yield a collected piece, with an edge where none lies beside it. Crowns are single boxes."""
    edge = ColourRole.MARK if view.has_failed else ColourRole.SURFACE_TEXT
    if part.suit is Suit.CROWN:
        yield Box(cell.inset(1), ColourRole.GOLD, edge, 6, _EDGE)
        return
    places = _find_places(part.grid)
    down, right = places[coin.value]
    if part.has_art:
        yield Sprite(f"magic_bag/{part.suit}-piece-{down}-{right}", cell)
    else:
        yield Box(cell, ColourRole.GOLD)
    taken = {places[other.value] for other in view.layout.collected if other.suit is part.suit}
    for area in _edge_areas(cell, {(below - down, beside - right) for below, beside in taken}):
        yield Box(area, edge, may_overlap=True)


def _edge_areas(cell: Rect, joined: Collection[tuple[int, int]]) -> Iterator[Rect]:
    """Yield the sides of a cell without a piece beside it, and the corners between two pieces that do not touch."""
    for down, right in _AROUND:
        is_corner = down != 0 and right != 0
        if (down, right) not in joined and (not is_corner or {(down, 0), (0, right)} <= set(joined)):
            yield Rect(
                cell.right - _EDGE if right > 0 else cell.x,
                cell.bottom - _EDGE if down > 0 else cell.y,
                _EDGE if right else cell.width,
                _EDGE if down else cell.height,
            )


def _value_marks(view: State, coin: Piece, new: Collection[Piece], cell: Rect, part: _Part) -> Iterator[Mark]:
    """Yield the value of a coin: collected, just drawn, or in the bag; or a cross for a discarded one."""
    is_collected = coin in view.layout.collected
    at = _outer_square(cell, _BURST if coin in new else _DISC, part.room.artwork)
    if coin in new:
        yield Sprite("magic_bag/burst", at, may_overlap=True)
    elif coin in view.layout.bag:
        yield Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, at.width // 2, 2, may_overlap=True)
    elif not is_collected:
        cross = at.center(at.width - 4, at.height - 4)
        yield Sprite("magic_bag/gone", cross, ColourRole.SURFACE_TEXT_FAINT, may_overlap=True)
        return
    elif part.has_art:
        yield Box(at, ColourRole.PAPER, ColourRole.TEXT, at.width // 2, 2, may_overlap=True)
    ink = ColourRole.TEXT if is_collected else ColourRole.SURFACE_TEXT_FAINT
    size = max(MIN_SHEET_TEXT_SIZE, min(_NUMBER_SIZE, at.height - 4))
    yield Label(str(coin.value), at, ink, size, bold=is_collected, may_overlap=True)


def _outer_square(cell: Rect, side: int, whole: Rect) -> Rect:
    """Return a square in a cell, away from the middle of the artwork, which it would hide."""
    side = min(side, cell.width - 2, cell.height - 2)
    square = cell.center(side, side)
    middle = 2 * (cell.x - whole.x) + cell.width - whole.width
    room = max(0, (cell.width - side) // 2 - _MARGIN)
    return square if abs(middle) <= 1 else square.shift(right=room if middle > 0 else -room)
