"""The mosaic: lines of a picture laid of patches, most of which lay in other pictures before."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures.painter import Painter
from bot.pictures.png import MARGIN, in_colours
from bot.rules.picture import Mark, Picture, Rect, Theme

MOST_PIXELS: Final = 8_000_000
"""How much of the newest patches stays ready: 8 MB."""

MOST_GROUNDS: Final = 12
"""How many backdrops stay ready, 4 MB each at most: a game has one, or one for each number of seats."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """A picture on which no marks lie."""

    bare: Image.Image
    """New patches are painted on it."""
    in_colours: Image.Image
    """The same in the colours of a file."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a mark."""

    mark: Mark
    number: int
    """Equal marks have the same number."""
    area: Rect
    """It touches nothing outside."""
    bands: slice
    """The bands of a file that it reaches into."""


Laid: TypeAlias = tuple[int, Known]
"""A mark in its place: whatever has a lower place in the same picture lies below it."""

_Key: TypeAlias = tuple[int, Rect, tuple[int, ...]]
"""The number of a backdrop, where a patch lies, and the numbers of the marks that lie there."""


class Mosaic:
    """Lays pictures in one theme; for one thread."""

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        self._grounds: OrderedDict[int, _Ground] = OrderedDict()
        self._patches: OrderedDict[_Key, Image.Image] = OrderedDict()
        self._pixels = 0

    def has_ground(self, backdrop: int) -> bool:
        """Tell whether a backdrop is ready."""
        return backdrop in self._grounds

    def strip(self, picture: Picture, backdrop: int, laid: Sequence[Laid], lines: tuple[int, int]) -> Image.Image:
        """Return the lines of a picture from one to before another as a file holds them, with its margin.

        Given are the number of the backdrop and the marks that reach into these lines.
        """
        top, bottom = lines
        ground = self._ground(picture, backdrop)
        canvas = ground.in_colours.crop((-MARGIN, top, picture.size[0], bottom))
        for group in apart(laid):
            if at := _within(group, picture.size[0], top, bottom):
                canvas.paste(self._patch(ground.bare, backdrop, group, at), (MARGIN + at.x, at.y - top))
        self._forget()
        return canvas

    def _ground(self, picture: Picture, backdrop: int) -> _Ground:
        found = self._grounds.get(backdrop)
        if found is None:
            bare = self._painter.ground(picture)
            found = self._grounds[backdrop] = _Ground(bare, in_colours(bare, self._theme))
        self._grounds.move_to_end(backdrop)
        return found

    def _patch(self, bare: Image.Image, backdrop: int, group: Sequence[Laid], at: Rect) -> Image.Image:
        key = (backdrop, at, tuple(known.number for _, known in group))
        found = self._patches.get(key)
        if found is None:
            drawn = self._painter.part(bare, (known.mark for _, known in group), at)
            found = self._patches[key] = in_colours(drawn, self._theme)
            self._pixels += at.width * at.height
        self._patches.move_to_end(key)
        return found

    def _forget(self) -> None:
        while self._pixels > MOST_PIXELS:
            (_, at, _), _ = self._patches.popitem(last=False)
            self._pixels -= at.width * at.height
        while len(self._grounds) > MOST_GROUNDS:
            self._grounds.popitem(last=False)


def apart(laid: Sequence[Laid]) -> Iterator[Sequence[Laid]]:
    """Part marks into groups that straight cuts keep apart: how one looks has nothing to do with the others."""
    return _cut(laid, _ROWS, _COLUMNS)


def _cut(laid: Sequence[Laid], way: "_Way", other: "_Way", *, is_whole: bool = False) -> Iterator[Sequence[Laid]]:
    """Cut one way and the other in turn until neither parts anything; what is whole the last cut has not parted."""
    groups = _parted(laid, way)
    stays_whole = len(groups) == 1
    for group in groups:
        if len(group) == 1 or (is_whole and stays_whole):
            yield sorted(group)
        else:
            yield from _cut(group, other, way, is_whole=stays_whole)


def _parted(laid: Sequence[Laid], way: "_Way") -> list[list[Laid]]:
    begin, end = way
    groups: list[list[Laid]] = []
    reached = 0
    for each in sorted(laid, key=begin):
        if groups and begin(each) < reached:
            groups[-1].append(each)
            reached = max(reached, end(each))
        else:
            groups.append([each])
            reached = end(each)
    return groups


_Way: TypeAlias = tuple[Callable[[Laid], int], Callable[[Laid], int]]
"""Tells where a mark begins, and where what lies behind it does."""

_ROWS: Final[_Way] = (lambda laid: laid[1].area.y, lambda laid: laid[1].area.bottom)
_COLUMNS: Final[_Way] = (lambda laid: laid[1].area.x, lambda laid: laid[1].area.right)


def _within(group: Sequence[Laid], width: int, top: int, bottom: int) -> Rect | None:
    """Return the part of some lines that a group covers; None if it covers nothing of them."""
    areas = [known.area for _, known in group]
    left = max(0, min(at.x for at in areas))
    right = min(width, max(at.right for at in areas))
    first = max(top, min(at.y for at in areas))
    after = min(bottom, max(at.bottom for at in areas))
    return Rect(left, first, right - left, after - first) if left < right and first < after else None
