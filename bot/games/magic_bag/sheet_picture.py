"""Draws the reference sheet: artifacts assembled from the coins collected, and the gold."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from bot.games.magic_bag.pieces import (
    VALUES,
    CoinDiscarded,
    GameEvent,
    Grid,
    Piece,
    ReferenceSheet,
    RowTaken,
    State,
    Suit,
)
from bot.games.magic_bag.scoring import artifact_grids, score_of
from bot.rules.components import BracketSize, change_brackets, tag_marks
from bot.rules.game import Seat
from bot.rules.hero import BUILT_AREA, HERO_AREA, BestTurn, Hero
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite

SHEET_WIDTH: Final = 580
SHEET_HEIGHT: Final = 566
"""Pixels of the three artifacts."""


class _Room(NamedTuple):
    """Where an artifact lies on the sheet, and where its points."""

    artwork: Rect
    points: Rect


_ROOMS: Final = {
    Suit.SUN: _Room(Rect(0, 0, 290, 312), Rect(298, 188, 92, 54)),
    Suit.MOON: _Room(Rect(58, 326, 336, 240), Rect(206, 500, 92, 54)),
    Suit.ARMS: _Room(Rect(404, 0, 176, 450), Rect(446, 466, 92, 54)),
}
"""The sun's points are beside it; the moon is a staircase, with its points below the stairs."""

_MOON_WITHOUT_ART: Final = _Room(Rect(58, 326, 224, 240), Rect(292, 420, 92, 54))
"""Where a moon of another layout lies, with its points beside it."""

_CELLS_WITH_ART: Final = {
    Suit.SUN: {(down, right) for down in range(3) for right in range(2)},
    Suit.MOON: {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)},
    Suit.ARMS: {(down, 0) for down in range(6)},
}
"""The cells, by row and column, that the artwork is cut into; which piece lies in which does not matter to it."""

_HERO_SIZES: Final = {Suit.MOON: (336, 240), Suit.SUN: (290, 312), Suit.ARMS: (176, 450)}
"""The artifacts side by side, from the left."""

_HERO_GAP: Final = 40

_GOLD_GRID: Grid = ((0, 1, 2, 3, 4, 5),)
"""The layout of the gold: in the order of the values; crowns form no groups."""

_POINTS_SIZE = 40
_DISC, _BURST, _MARGIN = 48, 60, 8
"""Diameters of a value's disc and of the burst of a new coin, and how far they stay from the sides of a cell."""

_NUMBER_SIZE, _CROSS = 38, 40
_EDGE, _SEAM, _RING = 6, 10, 8
"""Pixels of the edge around pieces that lie together, of the seam between a new piece and another, and of a ring."""

_AROUND: Final = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
"""The cells around one, by how far down and how far to the right they are."""


class _Part(NamedTuple):
    """An artifact, or the gold: its layout, where it is drawn, and whether there is artwork for that layout."""

    suit: Suit
    grid: Grid
    artwork: Rect
    has_art: bool

    @property
    def places(self) -> dict[int, tuple[int, int]]:
        """The row and the column of each piece."""
        cells = ((down, right, value) for down, row in enumerate(self.grid) for right, value in enumerate(row))
        return {value: (down, right) for down, right, value in cells if value is not None}

    def cell(self, value: int) -> Rect:
        """Return the area of a piece."""
        down, right = self.places[value]
        width, height = self.artwork.width // max(map(len, self.grid)), self.artwork.height // len(self.grid)
        return Rect(self.artwork.x + width * right, self.artwork.y + height * down, width, height)


class _Coins(NamedTuple):
    """What the coins of a suit look like."""

    collected: Collection[int]
    new: Collection[int]
    """Drawn by the last move."""
    lost: Collection[int]
    """Given up by the last move."""
    ringed: Collection[int]
    """On offer to be given up."""


def suit_sprite(suit: Suit, at: Rect) -> Sprite:
    """Return the symbol of a suit, a square of at most 72 pixels."""
    return Sprite(f"magic_bag/{suit}", at)


def silhouette_marks(sheet: ReferenceSheet, at: Rect) -> tuple[Mark, ...]:
    """Return the artifacts as they are as long as nothing of them is collected."""
    parts = (_find_part(suit, grid, at) for suit, grid in artifact_grids(sheet))
    return tuple(_silhouette(part) for part in parts if part.has_art)


def sheet_marks(
    view: State,
    events: Sequence[GameEvent],
    at: Rect,
    ringed: Collection[Piece] = (),
    asleep: Collection[Suit] = (),
) -> tuple[Mark, ...]:
    """Return the pieces collected over the silhouettes of the artifacts, all values, and the points. Rule MB-11.

    Args:
        view: The position.
        events: Those of the last move.
        at: Where the sheet lies.
        ringed: The coins that are on offer to be given up, or that glow.
        asleep: The artifacts that sleep although they are complete.
    """
    points = {artifact.suit: artifact.points for artifact in score_of(view).artifacts}
    marks: list[Mark] = []
    for suit, grid in artifact_grids(view.layout.sheet):
        part, coins = _find_part(suit, grid, at), _coins_of(suit, view, events, ringed)
        marks += _artifact_marks(part, coins, is_asleep=suit in asleep)
        marks += _all_value_marks(view, part, coins)
        marks += _points_marks(points[suit], _room_of(part).points.shift(at.x, at.y), coins)
    return tuple(marks)


def gold_marks(view: State, events: Sequence[GameEvent], at: Rect, ringed: Collection[Piece] = ()) -> tuple[Mark, ...]:
    """Return the crowns in a row, with their symbol before them and their points behind them. Rule MB-10."""
    sign, points = Rect(at.x, at.y + 3, 52, 52), Rect(at.right - 92, at.y + 2, 92, 54)
    part = _Part(Suit.CROWN, _GOLD_GRID, Rect(sign.right + 4, at.y, 6 * 60, at.height), has_art=False)
    coins = _coins_of(Suit.CROWN, view, events, ringed)
    marks: list[Mark] = [suit_sprite(Suit.CROWN, sign)]
    for value in coins.collected:
        edge, width = (ColourRole.MARK, _RING) if value in coins.ringed else (ColourRole.SURFACE_TEXT, 4)
        marks.append(Box(part.cell(value).inset(2), ColourRole.GOLD, edge, 8, width))
    return (*marks, *_all_value_marks(view, part, coins), *_points_marks(score_of(view).gold, points, coins))


def hero_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the three artifacts side by side as they have been built, without values, as large as there is room."""
    across = sum(width for width, _height in _HERO_SIZES.values()) + 2 * _HERO_GAP
    highest = max(height for _width, height in _HERO_SIZES.values())
    share = min(at.width / across, at.height / highest)
    left, grids = at.x + round(at.width - share * across) // 2, dict(artifact_grids(view.layout.sheet))
    marks: list[Mark] = []
    for suit, (width, height) in _HERO_SIZES.items():
        room = Rect(left, at.y, round(share * width), at.height)
        columns, rows = max(map(len, grids[suit])), len(grids[suit])
        whole = room.center(int(share * width) // columns * columns, int(share * height) // rows * rows)
        part = _Part(suit, grids[suit], whole, _has_art(suit, grids[suit]))
        marks += [_silhouette(part)] if part.has_art else []
        marks += _artifact_marks(part, _coins_of(suit, view, (), ()))
        left = room.right + round(share * _HERO_GAP)
    return tuple(marks)


def _silhouette(part: _Part) -> Mark:
    return Sprite(f"magic_bag/{part.suit}-missing", part.artwork)


def _find_part(suit: Suit, grid: Grid, at: Rect) -> _Part:
    """Return an artifact on the sheet; there is no artwork for a corrected layout with other cells."""
    part = _Part(suit, grid, at, _has_art(suit, grid))
    return part._replace(artwork=_room_of(part).artwork.shift(at.x, at.y))


def _has_art(suit: Suit, grid: Grid) -> bool:
    cells = ((down, right, value) for down, row in enumerate(grid) for right, value in enumerate(row))
    return {(down, right) for down, right, value in cells if value is not None} == _CELLS_WITH_ART[suit]


def _room_of(part: _Part) -> _Room:
    return _MOON_WITHOUT_ART if part.suit is Suit.MOON and not part.has_art else _ROOMS[part.suit]


def _coins_of(suit: Suit, view: State, events: Sequence[GameEvent], ringed: Collection[Piece]) -> _Coins:
    drawn = [coin for event in events if isinstance(event, RowTaken) for coin in event.coins]
    lost = [event.coin for event in events if isinstance(event, CoinDiscarded)]
    groups = (view.layout.collected, drawn, lost, ringed)
    return _Coins(*(tuple(coin.value for coin in group if coin.suit is suit) for group in groups))


def _artifact_marks(part: _Part, coins: _Coins, *, is_asleep: bool = False) -> Iterator[Mark]:
    """Yield the pieces collected, with an edge around those that lie together; an artifact that is whole wakes up."""
    places, is_whole = part.places, len(coins.collected) == len(VALUES) and not is_asleep
    if part.has_art and is_whole:
        yield Sprite(f"magic_bag/{part.suit}-whole", part.artwork)
    taken = {places[value]: value for value in coins.collected}
    for (down, right), value in taken.items():
        if not part.has_art:
            yield Box(part.cell(value), ColourRole.GOLD)
        elif not is_whole:
            yield Sprite(f"magic_bag/{part.suit}-piece-{down}-{right}", part.cell(value))
    edge, width = (ColourRole.NEW, 2 * _EDGE) if is_whole and coins.new else (ColourRole.SURFACE_TEXT, _EDGE)
    for (down, right), value in taken.items():
        cell = part.cell(value)
        for area in _edge_areas(cell, width, {(below - down, beside - right) for below, beside in taken}):
            yield Box(area, edge, may_overlap=True)
        if value in coins.new and not is_whole:
            yield from _seam_marks(cell, [part.cell(taken[place]) for place in _beside(down, right) if place in taken])
        if value in coins.ringed:
            yield Box(cell, None, ColourRole.TEXT, 0, _RING + 4, may_overlap=True)
            yield Box(cell, None, ColourRole.MARK, 0, _RING, may_overlap=True)


def _beside(down: int, right: int) -> tuple[tuple[int, int], ...]:
    return (down - 1, right), (down, right - 1), (down, right + 1), (down + 1, right)


def _seam_marks(cell: Rect, others: Sequence[Rect]) -> Iterator[Mark]:
    """Yield the edges that a new piece has in common with others: it has joined them."""
    for other in others:
        left, top = max(cell.x, other.x), max(cell.y, other.y)
        width, height = min(cell.right, other.right) - left, min(cell.bottom, other.bottom) - top
        seam = Rect(left, top, width, height).inset(-_SEAM // 2)
        inside = (
            seam._replace(y=top + _SEAM, height=height - 2 * _SEAM)
            if height
            else seam._replace(x=left + _SEAM, width=width - 2 * _SEAM)
        )
        yield Box(inside, ColourRole.NEW, ColourRole.TEXT, _SEAM // 2, 2, may_overlap=True)


def _edge_areas(cell: Rect, width: int, joined: Collection[tuple[int, int]]) -> Iterator[Rect]:
    """Yield the sides of a cell without a piece beside it, and the corners between two pieces that do not touch."""
    for down, right in _AROUND:
        is_corner = down != 0 and right != 0
        if (down, right) not in joined and (not is_corner or {(down, 0), (0, right)} <= set(joined)):
            yield Rect(
                cell.right - width if right > 0 else cell.x,
                cell.bottom - width if down > 0 else cell.y,
                width if right else cell.width,
                width if down else cell.height,
            )


def _all_value_marks(view: State, part: _Part, coins: _Coins) -> Iterator[Mark]:
    for value in part.places:
        yield from _value_marks(view, part, coins, value)


def _value_marks(view: State, part: _Part, coins: _Coins, value: int) -> Iterator[Mark]:
    """Yield the value of a coin: collected, just drawn, or in the bag; or a cross for a discarded one."""
    cell, is_collected, is_new = part.cell(value), value in coins.collected, value in coins.new
    at = _outer_square(cell, _BURST if is_new else _DISC, part.artwork)
    if is_new:
        yield Sprite("magic_bag/burst", at, may_overlap=True)
    elif Piece(part.suit, value) in view.layout.bag:
        yield Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, at.width // 2, 2, may_overlap=True)
    elif not is_collected:
        cross = at.center(_CROSS, _CROSS)
        yield Sprite("magic_bag/gone", cross, ColourRole.SURFACE_TEXT_FAINT, may_overlap=True)
        if value in coins.lost:
            yield from change_brackets(cross, BracketSize.TIGHT)
        return
    elif part.suit is not Suit.CROWN:
        yield Box(at, ColourRole.PAPER, ColourRole.TEXT, at.width // 2, 3, may_overlap=True)
    ink = ColourRole.TEXT if is_collected else ColourRole.SURFACE_TEXT_FAINT
    yield Label(str(value), at, ink, _NUMBER_SIZE, bold=is_collected, may_overlap=True)


def _outer_square(cell: Rect, side: int, whole: Rect) -> Rect:
    """Return a square in a cell, away from the middle of the artwork, which it would hide."""
    side = min(side, cell.width - 2, cell.height - 2)
    square = cell.center(side, side)
    middle = 2 * (cell.x - whole.x) + cell.width - whole.width
    room = max(0, (cell.width - side) // 2 - _MARGIN)
    return square if abs(middle) <= 1 else square.shift(right=room if middle > 0 else -room)


def _points_marks(points: int, at: Rect, coins: _Coins) -> tuple[Mark, ...]:
    """Return the points of an artifact, or of the gold; those that have changed are marked."""
    fill = ColourRole.NEW if coins.new or coins.lost else ColourRole.GOLD
    if not points:
        return tag_marks("0", at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT_FAINT, _POINTS_SIZE)
    return tag_marks(str(points), at, fill, ColourRole.TEXT, _POINTS_SIZE)


_ARTIFACTS = (Suit.MOON, Suit.SUN, Suit.ARMS)
_TILE, _ART, _SIZE = 116, 72, 76


def build_hero(view: State, _seat: Seat, _best_turn: BestTurn | None) -> Hero:
    """Lay out the artifacts as they were built."""
    return Hero(hero_marks(view, HERO_AREA), built=tuple(_built_marks(view)))


def _built_marks(view: State) -> Iterator[Mark]:
    """Yield the number of coins that each artifact is built of."""
    for suit, room in zip(_ARTIFACTS, BUILT_AREA.inset(30).split_columns(len(_ARTIFACTS), 20), strict=True):
        tile = room._replace(width=_TILE).center(_TILE, _TILE)
        yield Box(tile, ColourRole.PAPER, radius=24, is_raised=True)
        yield suit_sprite(suit, tile.center(_ART, _ART))
        count = sum(coin.suit is suit for coin in view.layout.collected)
        at = room._replace(x=tile.right + 14, width=room.right - tile.right - 14)
        yield Label(f"×{count}", at, ColourRole.SURFACE_TEXT, _SIZE, Align.LEFT, bold=True)
