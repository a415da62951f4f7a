"""The mosaic: lines of a picture laid of patches, most of which lay in other pictures before."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures.band_encoder import FILTER_BYTE_WIDTH
from bot.pictures.painter import Painter
from bot.pictures.palette_image import PaletteImage, to_palette_image
from bot.rules.picture import Mark, Picture, Rect, Theme

MOST_PIXELS: Final = 8_000_000
"""How much of the newest patches stays ready: 8 MB."""

MOST_GROUNDS: Final = 12
"""How many backdrops stay ready, 4 MB each at most: a game has one, or one for each number of seats."""

_MAX_LAYOUTS: Final = 512
"""How many layouts of strips are remembered, some kB each: games lay different marks in the same places."""


@dataclass(frozen=True, slots=True)
class _Backdrop:
    """A picture on which no marks lie."""

    image: Image.Image
    """New patches are painted on it."""
    pixels: PaletteImage
    """The same with the margin of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkInfo:
    """What is known of a mark; there is one for all that are equal."""

    mark: Mark
    area: Rect
    """It touches nothing outside."""
    bands: slice
    """The bands of a file that it reaches into."""


_PlacedArea: TypeAlias = tuple[int, Rect]
"""An area and its place: whatever has a lower place in the same picture lies below it."""

_Key: TypeAlias = tuple[int, Rect, tuple[MarkInfo, ...]]
"""The number of a backdrop, where a patch lies, and the marks that lie there."""


class TileCache:
    """Lays pictures in one theme; for one thread."""

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        self._backdrops: OrderedDict[int, _Backdrop] = OrderedDict()
        self._tiles: OrderedDict[_Key, PaletteImage] = OrderedDict()
        self._pixel_count = 0

    def has_backdrop(self, backdrop: int) -> bool:
        """Tell whether a backdrop is ready."""
        return backdrop in self._backdrops

    def strip(self, picture: Picture, backdrop: int, laid: Sequence[MarkInfo], lines: tuple[int, int]) -> PaletteImage:
        """Return the lines of a picture from one to before another as a file holds them, with its margin.

        Given are the number of the backdrop and the marks that reach into these lines, lowest first.
        """
        top, bottom = lines
        ground = self._get_backdrop(picture, backdrop)
        canvas = ground.pixels.crop_lines(top, bottom)
        within = Rect(0, top, picture.size[0], bottom - top)
        for at, places in group_areas(tuple([known.area for known in laid]), within):
            patch = self._get_tile(ground.image, (backdrop, at, tuple([laid[place] for place in places])))
            canvas.paste(patch, FILTER_BYTE_WIDTH + at.x, at.y - top)
        self._evict()
        return canvas

    def _get_backdrop(self, picture: Picture, backdrop: int) -> _Backdrop:
        found = self._backdrops.get(backdrop)
        if found is None:
            bare = self._painter.paint_backdrop(picture)
            found = self._backdrops[backdrop] = _Backdrop(bare, to_palette_image(bare, self._theme, FILTER_BYTE_WIDTH))
        self._backdrops.move_to_end(backdrop)
        return found

    def _get_tile(self, bare: Image.Image, key: _Key) -> PaletteImage:
        found = self._tiles.get(key)
        if found is None:
            _, at, group = key
            drawn = self._painter.paint_area(bare, (known.mark for known in group), at)
            found = self._tiles[key] = to_palette_image(drawn, self._theme)
            self._pixel_count += at.width * at.height
        self._tiles.move_to_end(key)
        return found

    def _evict(self) -> None:
        while self._pixel_count > MOST_PIXELS:
            (_, at, _), _ = self._tiles.popitem(last=False)
            self._pixel_count -= at.width * at.height
        while len(self._backdrops) > MOST_GROUNDS:
            self._backdrops.popitem(last=False)


@lru_cache(_MAX_LAYOUTS)
def group_areas(areas: tuple[Rect, ...], within: Rect) -> tuple[tuple[Rect, tuple[int, ...]], ...]:
    """Part areas into groups that straight cuts keep apart: how one looks has nothing to do with the others.

    Returned is what each covers of a part of the picture, unless it is nothing, and the places of its areas in order.
    """
    cut = _split(list(enumerate(areas)), _ROWS, _COLUMNS)
    parted = (
        (_bounding_area([area for _, area in group], within), tuple([place for place, _ in group])) for group in cut
    )
    return tuple((at, places) for at, places in parted if at.width > 0 and at.height > 0)


def _split(
    placed: Sequence[_PlacedArea], way: "_Axis", other: "_Axis", *, is_whole: bool = False
) -> Iterator[list[_PlacedArea]]:
    """Cut one way and the other in turn until neither parts anything; what is whole the last cut has not parted."""
    found = _split_along(placed, way)
    stays_whole = len(found) == 1
    for group in found:
        if len(group) == 1 or (is_whole and stays_whole):
            yield sorted(group)
        else:
            yield from _split(group, other, way, is_whole=stays_whole)


def _split_along(placed: Sequence[_PlacedArea], way: "_Axis") -> list[list[_PlacedArea]]:
    begin, end = way
    found: list[list[_PlacedArea]] = []
    reached = 0
    for each in sorted(placed, key=begin):
        if found and begin(each) < reached:
            found[-1].append(each)
            reached = max(reached, end(each))
        else:
            found.append([each])
            reached = end(each)
    return found


_Axis: TypeAlias = tuple[Callable[[_PlacedArea], int], Callable[[_PlacedArea], int]]
"""Tells where an area begins, and where what lies behind it does."""

_ROWS: Final[_Axis] = (lambda placed: placed[1].y, lambda placed: placed[1].bottom)
_COLUMNS: Final[_Axis] = (lambda placed: placed[1].x, lambda placed: placed[1].right)


def _bounding_area(areas: Sequence[Rect], within: Rect) -> Rect:
    """Return the part of another that some areas cover at most; it may be empty."""
    left = max(within.x, min(at.x for at in areas))
    right = min(within.right, max(at.right for at in areas))
    top = max(within.y, min(at.y for at in areas))
    bottom = min(within.bottom, max(at.bottom for at in areas))
    return Rect(left, top, right - left, bottom - top)
