"""The printer: makes files of pictures, and draws only those bands of them that none has shown lately."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.pictures.mosaic import Known, Mosaic
from bot.pictures.painter import Painter, area_of
from bot.pictures.png import Band, bands_of, file_of
from bot.rules.picture import Mark, Picture, Rect, Sprite, Theme

BAND_HEIGHT: Final = 32
"""How many lines are pressed together: the lower they are, the fewer are drawn again, and the larger is the file."""

MOST_BANDS: Final = 4096
"""How many bands stay ready, 1 to 3 kB each: those of 160 pictures that have nothing in common."""

_MOST_KNOWN = 10_000
"""How many marks are known, half a kB each; if there are more, all are forgotten."""

_MOST_BACKDROPS = 128
"""How many backdrops are known by numbers, 50 kB each at most; if there are more, all are forgotten."""

_QUICK_BANDS, _QUICK_MARKS = 10, 16
"""So many bands are drawn in a few milliseconds, and so many marks on them may never have been drawn before."""

_Content: TypeAlias = tuple[int, ...]
"""What decides how a band looks: where it lies, and the numbers of its backdrop and of the marks that reach into it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a picture is to be made."""

    picture: Picture
    backdrop: int
    laid: list[Known]
    contents: list[_Content]
    missing: list[bool]
    """Which of its bands are to be drawn."""
    is_quick: bool
    """Whether that takes a few milliseconds at most."""


class Printer:
    """Makes files in one theme; for one thread.

    It remembers bands and not pictures: whatever was the same lately, at this table or another, is used again.
    """

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._mosaic = Mosaic(painter, theme)
        self._theme = theme
        self._bands: OrderedDict[_Content, Band] = OrderedDict()
        self._backdrops: dict[tuple[tuple[int, int], tuple[Mark, ...]], int] = {}
        self._known: dict[Mark, Known] = {}
        self._newest = 0
        self._drawn = 0
        """Marks with greater numbers were planned at most: nothing of them is at hand yet."""

    def file(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        return self.carried_out(self.plan(picture))

    def plan(self, picture: Picture) -> Plan:
        """Find out what is to be drawn for a picture."""
        if min(picture.size) < 1:
            raise ValueError("a picture of {} x {} pixels shows nothing".format(*picture.size))
        backdrop = self._backdrop(picture)
        laid = [self._known.get(mark) or self._know(mark) for mark in picture.marks]
        contents = _contents(picture, backdrop, laid)
        missing = [content not in self._bands for content in contents]
        new = [known for known in laid if known.number > self._drawn]
        is_quick = self._mosaic.has_ground(backdrop) and _are_quick(new) and sum(missing) <= _QUICK_BANDS
        return Plan(picture, backdrop, laid, contents, missing, is_quick)

    def carried_out(self, plan: Plan) -> bytes:
        """Return the picture of the newest plan as a PNG file."""
        for first, after in _runs(plan.missing):
            self._draw(plan, first, after)
        for content in plan.contents:
            self._bands.move_to_end(content)
        self._drawn = self._newest
        data = file_of(plan.picture.size, (self._bands[content] for content in plan.contents), self._theme)
        self._forget()
        return data

    def _backdrop(self, picture: Picture) -> int:
        key = (picture.size, picture.backdrop)
        found = self._backdrops.get(key)
        if found is None:
            found = self._backdrops[key] = self._unused()
        return found

    def _know(self, mark: Mark) -> Known:
        """Make a mark known that is new."""
        area = area_of(mark)
        known = self._known[mark] = Known(mark, self._unused(), area, _bands_at(area))
        return known

    def _unused(self) -> int:
        """Return a number that was never given before: no band is mistaken for one whose marks are forgotten."""
        self._newest += 1
        return self._newest

    def _draw(self, plan: Plan, first: int, after: int) -> None:
        """Draw neighbouring bands."""
        top, bottom = first * BAND_HEIGHT, min(after * BAND_HEIGHT, plan.picture.size[1])
        laid = [known for known in plan.laid if known.bands.start < after and known.bands.stop > first]
        strip = self._mosaic.strip(plan.picture, plan.backdrop, laid, (top, bottom))
        self._bands.update(zip(plan.contents[first:after], bands_of(strip, BAND_HEIGHT), strict=True))

    def _forget(self) -> None:
        while len(self._bands) > MOST_BANDS:
            self._bands.popitem(last=False)
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        if len(self._backdrops) > _MOST_BACKDROPS:
            self._backdrops.clear()


def _are_quick(new: list[Known]) -> bool:
    """Tell whether marks that were never drawn are drawn soon: letters and boxes are, but art has to be made to fit."""
    return len(new) <= _QUICK_MARKS and not any(isinstance(known.mark, Sprite) for known in new)


def _contents(picture: Picture, backdrop: int, laid: list[Known]) -> list[_Content]:
    bands = [[place, backdrop] for place in range(-(-picture.size[1] // BAND_HEIGHT))]
    for known in laid:
        number = known.number
        for band in bands[known.bands]:
            band.append(number)
    return [tuple(band) for band in bands]


def _bands_at(area: Rect) -> slice:
    """Return the bands that an area reaches into."""
    return slice(max(0, area.y // BAND_HEIGHT), max(0, -(-area.bottom // BAND_HEIGHT)))


def _runs(missing: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield where neighbours begin that are missing, and where they end."""
    first = None
    for place, is_missing in enumerate([*missing, False]):
        if is_missing and first is None:
            first = place
        elif not is_missing and first is not None:
            yield first, place
            first = None
