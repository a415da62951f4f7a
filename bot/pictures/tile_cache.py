"""The mosaic: lines of a picture laid of patches, most of which lay in other pictures before."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures.band_encoder import MARGIN
from bot.pictures.painter import Painter
from bot.pictures.palette_image import Pixels, pixels_of
from bot.rules.picture import Mark, Picture, Rect, Theme

MOST_PIXELS: Final = 8_000_000
"""How much of the newest patches stays ready: 8 MB."""

MOST_GROUNDS: Final = 12
"""How many backdrops stay ready, 4 MB each at most: a game has one, or one for each number of seats."""

_MOST_LAYOUTS: Final = 512
"""How many layouts of strips are remembered, some kB each: games lay different marks in the same places."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """A picture on which no marks lie."""

    bare: Image.Image
    """New patches are painted on it."""
    pixels: Pixels
    """The same with the margin of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known of a mark; there is one for all that are equal."""

    mark: Mark
    area: Rect
    """It touches nothing outside."""
    bands: slice
    """The bands of a file that it reaches into."""


_Placed: TypeAlias = tuple[int, Rect]
"""An area and its place: whatever has a lower place in the same picture lies below it."""

_Key: TypeAlias = tuple[int, Rect, tuple[Known, ...]]
"""The number of a backdrop, where a patch lies, and the marks that lie there."""


class Mosaic:
    """Lays pictures in one theme; for one thread."""

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        self._grounds: OrderedDict[int, _Ground] = OrderedDict()
        self._patches: OrderedDict[_Key, Pixels] = OrderedDict()
        self._pixels = 0

    def has_ground(self, backdrop: int) -> bool:
        """Tell whether a backdrop is ready."""
        return backdrop in self._grounds

    def strip(self, picture: Picture, backdrop: int, laid: Sequence[Known], lines: tuple[int, int]) -> Pixels:
        """Return the lines of a picture from one to before another as a file holds them, with its margin.

        Given are the number of the backdrop and the marks that reach into these lines, lowest first.
        """
        top, bottom = lines
        ground = self._ground(picture, backdrop)
        canvas = ground.pixels.lines(top, bottom)
        within = Rect(0, top, picture.size[0], bottom - top)
        for at, places in groups(tuple([known.area for known in laid]), within):
            patch = self._patch(ground.bare, (backdrop, at, tuple([laid[place] for place in places])))
            canvas.lay(patch, MARGIN + at.x, at.y - top)
        self._forget()
        return canvas

    def _ground(self, picture: Picture, backdrop: int) -> _Ground:
        found = self._grounds.get(backdrop)
        if found is None:
            bare = self._painter.ground(picture)
            found = self._grounds[backdrop] = _Ground(bare, pixels_of(bare, self._theme, MARGIN))
        self._grounds.move_to_end(backdrop)
        return found

    def _patch(self, bare: Image.Image, key: _Key) -> Pixels:
        found = self._patches.get(key)
        if found is None:
            _, at, group = key
            drawn = self._painter.part(bare, (known.mark for known in group), at)
            found = self._patches[key] = pixels_of(drawn, self._theme)
            self._pixels += at.width * at.height
        self._patches.move_to_end(key)
        return found

    def _forget(self) -> None:
        while self._pixels > MOST_PIXELS:
            (_, at, _), _ = self._patches.popitem(last=False)
            self._pixels -= at.width * at.height
        while len(self._grounds) > MOST_GROUNDS:
            self._grounds.popitem(last=False)


@lru_cache(_MOST_LAYOUTS)
def groups(areas: tuple[Rect, ...], within: Rect) -> tuple[tuple[Rect, tuple[int, ...]], ...]:
    """Part areas into groups that straight cuts keep apart: how one looks has nothing to do with the others.

    Returned is what each covers of a part of the picture, unless it is nothing, and the places of its areas in order.
    """
    cut = _cut(list(enumerate(areas)), _ROWS, _COLUMNS)
    parted = ((_covered([area for _, area in group], within), tuple([place for place, _ in group])) for group in cut)
    return tuple((at, places) for at, places in parted if at.width > 0 and at.height > 0)


def _cut(placed: Sequence[_Placed], way: "_Way", other: "_Way", *, is_whole: bool = False) -> Iterator[list[_Placed]]:
    """Cut one way and the other in turn until neither parts anything; what is whole the last cut has not parted."""
    found = _parted(placed, way)
    stays_whole = len(found) == 1
    for group in found:
        if len(group) == 1 or (is_whole and stays_whole):
            yield sorted(group)
        else:
            yield from _cut(group, other, way, is_whole=stays_whole)


def _parted(placed: Sequence[_Placed], way: "_Way") -> list[list[_Placed]]:
    begin, end = way
    found: list[list[_Placed]] = []
    reached = 0
    for each in sorted(placed, key=begin):
        if found and begin(each) < reached:
            found[-1].append(each)
            reached = max(reached, end(each))
        else:
            found.append([each])
            reached = end(each)
    return found


_Way: TypeAlias = tuple[Callable[[_Placed], int], Callable[[_Placed], int]]
"""Tells where an area begins, and where what lies behind it does."""

_ROWS: Final[_Way] = (lambda placed: placed[1].y, lambda placed: placed[1].bottom)
_COLUMNS: Final[_Way] = (lambda placed: placed[1].x, lambda placed: placed[1].right)


def _covered(areas: Sequence[Rect], within: Rect) -> Rect:
    """Return the part of another that some areas cover at most; it may be empty."""
    left = max(within.x, min(at.x for at in areas))
    right = min(within.right, max(at.right for at in areas))
    top = max(within.y, min(at.y for at in areas))
    bottom = min(within.bottom, max(at.bottom for at in areas))
    return Rect(left, top, right - left, bottom - top)
