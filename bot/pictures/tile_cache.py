"""Composes new bands of tiles, most of which were drawn for other pictures.

Marks are split into groups by straight cuts. How a group looks does not depend on the others, so five dice in a new
combination are five known tiles.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final, TypeAlias

from cachetools import LRUCache
from PIL import Image

from bot.pictures.encoding import FILTER_BYTE_WIDTH, Indices, add_filter_bytes, to_indices
from bot.pictures.painter import Painter
from bot.rules.picture import Mark, Picture, Rect, Surface, Theme

MAX_PIXELS: Final = 8_000_000
"""Pixels of tiles kept, a byte each."""

MAX_BACKDROPS: Final = 16
"""Backdrops kept, at most 4 MB each. A game has one for each number of seats; Fortune has four of them."""

_MAX_LAYOUTS: Final = 512
"""Splits of strips kept, some kB each: games put different marks in the same places."""


@dataclass(frozen=True, slots=True)
class _Backdrop:
    """A picture without its marks."""

    image: Image.Image
    """New tiles are painted on it."""
    indices: Indices
    """The same, with filter bytes."""
    surface: Surface


@dataclass(slots=True, eq=False)
class MarkInfo:
    """A mark and values derived from it; equal marks share one."""

    mark: Mark
    area: Rect
    """The mark changes nothing outside."""
    bands: slice
    """The bands of a file that it reaches into."""
    is_drawn: bool = False
    """Whether a picture with it has been drawn."""


_Span: TypeAlias = tuple[int, int, int, int, int]
"""The left, top, right and bottom of an area, and its index."""

TileKey: TypeAlias = tuple[int, Rect, tuple[MarkInfo, ...]]
"""The id of a backdrop, the area of a tile, and the marks in it."""


class TileCache:
    """Composes pictures in one theme; not thread-safe."""

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        self._backdrops: LRUCache[int, _Backdrop] = LRUCache(MAX_BACKDROPS)
        self._tiles: LRUCache[TileKey, Indices] = LRUCache(MAX_PIXELS, lambda tile: min(tile.size, MAX_PIXELS))

    def has_backdrop(self, backdrop: int) -> bool:
        """Return whether a backdrop is cached."""
        return backdrop in self._backdrops

    def compose_strip(
        self, picture: Picture, backdrop: int, marks: Sequence[MarkInfo], lines: tuple[int, int]
    ) -> Indices:
        """Return some lines of a picture with filter bytes.

        Args:
            picture: The picture.
            backdrop: The id of its backdrop.
            marks: The marks that reach into the lines, lowest first.
            lines: The first line, and the one after the last.
        """
        top, bottom = lines
        ground = self._get_backdrop(picture, backdrop)
        canvas = ground.indices[top:bottom].copy()
        for key in _tile_keys(backdrop, marks, Rect(0, top, picture.size[0], bottom - top)):
            area, left = key[1], FILTER_BYTE_WIDTH + key[1].x
            canvas[area.y - top : area.bottom - top, left : left + area.width] = self._get_tile(ground, key)
        return canvas

    def keep_tiles(
        self, picture: Picture, backdrop: int, marks: Sequence[MarkInfo], drawn: Indices
    ) -> Mapping[Rect, TileKey]:
        """Keep the tiles of a picture that was drawn elsewhere, for pictures to come, and return their keys.

        Args:
            picture: The picture.
            backdrop: The id of its backdrop.
            marks: Its marks, lowest first.
            drawn: Its pixels.
        """
        keys = {key[1]: key for key in _tile_keys(backdrop, marks, Rect(0, 0, *picture.size))}
        for area, key in keys.items():
            if key not in self._tiles:
                self._tiles[key] = drawn[area.y : area.bottom, area.x : area.right].copy()
        return keys

    def recompose(
        self,
        picture: Picture,
        backdrop: int,
        marks: Sequence[MarkInfo],
        known: Mapping[Rect, TileKey],
        drawn: Indices,
    ) -> Indices:
        """Return the pixels of a picture, composed from those of another one on the same backdrop.

        Args:
            picture: The picture.
            backdrop: The id of the backdrop.
            marks: Its marks, lowest first.
            known: The tiles of the other one.
            drawn: Its pixels.
        """
        canvas, ground = drawn.copy(), self._get_backdrop(picture, backdrop)
        keys = {key[1]: key for key in _tile_keys(backdrop, marks, Rect(0, 0, *picture.size))}
        for area, key in known.items():
            if keys.get(area) != key:
                left = FILTER_BYTE_WIDTH + area.x
                _paste(canvas, area, ground.indices[area.y : area.bottom, left : left + area.width])
        for area, key in keys.items():
            if known.get(area) != key:
                _paste(canvas, area, self._get_tile(ground, key))
        return canvas

    def compose_tile(self, picture: Picture, key: TileKey) -> Indices:
        """Return an area of a picture with some of its marks."""
        return self._get_tile(self._get_backdrop(picture, key[0]), key)

    def _get_backdrop(self, picture: Picture, backdrop: int) -> _Backdrop:
        found = self._backdrops.get(backdrop)
        if found is None:
            image = self._painter.paint_backdrop(picture)
            indices = add_filter_bytes(to_indices(image, self._theme, picture.surface))
            found = self._backdrops[backdrop] = _Backdrop(image, indices, picture.surface)
        return found

    def _get_tile(self, ground: _Backdrop, key: TileKey) -> Indices:
        try:
            return self._tiles[key]  # `get` would hash the key once more
        except KeyError:
            _, area, marks = key
            drawn = self._painter.paint_area(ground.image, (info.mark for info in marks), area, ground.surface)
            tile = self._tiles[key] = to_indices(drawn, self._theme, ground.surface)
            return tile


def _paste(canvas: Indices, area: Rect, tile: Indices) -> None:
    canvas[area.y : area.bottom, area.x : area.right] = tile


def _tile_keys(backdrop: int, marks: Sequence[MarkInfo], strip: Rect) -> Sequence[TileKey]:
    """Return the keys of the tiles of a strip, none of which overlap."""
    stacks = _stack(marks)
    groups = group_areas(tuple([stack[0].area for stack in stacks]), strip)
    return [(backdrop, area, tuple([info for at in group for info in stacks[at]])) for area, group in groups]


def _stack(marks: Iterable[MarkInfo]) -> list[list[MarkInfo]]:
    """Put each mark with the one below if it lies within: the pips of a die do not make a layout of their own."""
    stacks: list[list[MarkInfo]] = []
    for info in marks:
        if stacks and stacks[-1][0].area.contains(info.area):
            stacks[-1].append(info)
        else:
            stacks.append([info])
    return stacks


# 0.1 ms of a click with a picture of Magpie at 50 tables.
@lru_cache(_MAX_LAYOUTS)
def group_areas(areas: tuple[Rect, ...], strip: Rect) -> tuple[tuple[Rect, tuple[int, ...]], ...]:
    """Group areas so that straight cuts separate the groups.

    Returns:
        The bounding area of each group within the strip, unless it is empty, with the indices of its areas in order.
    """
    groups = _split([(at.x, at.y, at.right, at.bottom, index) for index, at in enumerate(areas)], _ROWS, _COLUMNS)
    bounded = ((_bounding_area(group, strip), tuple(sorted([index for *_, index in group]))) for group in groups)
    return tuple((area, indices) for area, indices in bounded if area.width > 0 and area.height > 0)


def _split(spans: Sequence[_Span], axis: "_Axis", other: "_Axis", *, is_whole: bool = False) -> Iterator[list[_Span]]:
    """Recursively split by rows, then columns, until neither split separates anything.

    Args:
        spans: The areas to split.
        axis: The axis to split along first.
        other: The other axis.
        is_whole: Whether the areas could not be split along the other axis.
    """
    groups = _split_along(spans, axis)
    for group in groups:
        if len(group) == 1 or (is_whole and len(groups) == 1):
            yield group
        else:
            yield from _split(group, other, axis, is_whole=len(groups) == 1)


def _split_along(spans: Sequence[_Span], axis: "_Axis") -> list[list[_Span]]:
    begin, end = axis
    groups: list[list[_Span]] = []
    reached = 0
    for each in sorted(spans, key=itemgetter(begin)):
        if groups and each[begin] < reached:
            groups[-1].append(each)
            reached = max(reached, each[end])
        else:
            groups.append([each])
            reached = each[end]
    return groups


_Axis: TypeAlias = tuple[int, int]
"""Where in a span its begin and its end on the axis are."""

_COLUMNS: Final[_Axis] = (0, 2)
_ROWS: Final[_Axis] = (1, 3)


def _bounding_area(spans: Sequence[_Span], within: Rect) -> Rect:
    """Return the bounding area of some areas, cut to another; it may be empty."""
    lefts, tops, rights, bottoms, _ = zip(*spans, strict=True)
    left, top = max(within.x, min(lefts)), max(within.y, min(tops))
    return Rect(left, top, min(within.right, max(rights)) - left, min(within.bottom, max(bottoms)) - top)
