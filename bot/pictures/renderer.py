"""The printer: makes files of pictures, and draws only those bands of them that none has shown lately."""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.pictures.band_encoder import Band, bands_of, file_of
from bot.pictures.painter import Painter, area_of
from bot.pictures.tile_cache import Known, Mosaic
from bot.rules.picture import Mark, Picture, Rect, Sprite, Theme

BAND_HEIGHT: Final = 36
"""How many lines are pressed together: the lower they are, the fewer are drawn again, and the larger is the file."""

MOST_BANDS: Final = 4096
"""How many bands stay ready, 1 to 3 kB each: those of 160 pictures that have nothing in common."""

_MOST_KNOWN = 10_000
"""How many marks are known, half a kB each: those used last."""

_MOST_BACKDROPS = 128
"""How many backdrops are known by numbers, 50 kB each at most; if there are more, all are forgotten."""

_QUICK_BANDS, _QUICK_MARKS = 9, 16
"""So many bands are drawn in a few milliseconds, and so many marks on them may never have been drawn before."""

_Content: TypeAlias = tuple[int | Known, ...]
"""What decides how a band looks: where it lies, the number of its backdrop, and the marks that reach into it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a picture is to be made."""

    picture: Picture
    backdrop: int
    laid: list[Known]
    contents: list[_Content]
    bands: list[Band | None]
    """None is to be drawn."""
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
        self._newest_backdrop = 0
        self._known: dict[Mark, Known] = {}
        self._same: dict[int, Known] = {}
        """By the identity of the mark that came first, which is held by what is known: nothing else can have it."""
        self._by_use: OrderedDict[Known, None] = OrderedDict()
        """All that is known, used longest ago first."""
        self._planned: set[Known] = set()
        """What was planned at most: nothing of it is at hand yet."""

    def file(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        return self.carried_out(self.plan(picture))

    def plan(self, picture: Picture) -> Plan:
        """Find out what is to be drawn for a picture."""
        if min(picture.size) < 1:
            raise ValueError("a picture of {} x {} pixels shows nothing".format(*picture.size))
        backdrop = self._backdrop(picture)
        # Games hand out the same marks again, and to find one by what it says means to read all of it.
        same = self._same
        laid = [same.get(id(mark)) or self._found(mark) for mark in picture.marks]
        for known in laid:
            self._by_use.move_to_end(known)
        contents = _contents(picture, backdrop, laid)
        bands = [self._bands.get(content) for content in contents]
        new = self._planned and self._planned.intersection(laid)
        is_quick = self._mosaic.has_ground(backdrop) and _are_quick(new) and bands.count(None) <= _QUICK_BANDS
        return Plan(picture, backdrop, laid, contents, bands, is_quick)

    def carried_out(self, plan: Plan) -> bytes:
        """Return the picture of the newest plan as a PNG file."""
        try:
            bands = plan.bands.copy()
            for first, after in _runs(bands):
                bands[first:after] = self._drawn(plan, first, after)
            for content, band in zip(plan.contents, plan.bands, strict=True):
                if band:
                    self._bands.move_to_end(content)
            self._planned.clear()
            return file_of(plan.picture.size, [band for band in bands if band], self._theme)
        finally:
            # The marks of what can't be drawn are known, too.
            self._forget()

    def _backdrop(self, picture: Picture) -> int:
        key = (picture.size, picture.backdrop)
        found = self._backdrops.get(key)
        if found is None:
            # A number is never given twice: no band is mistaken for one whose backdrop is forgotten.
            self._newest_backdrop += 1
            found = self._backdrops[key] = self._newest_backdrop
        return found

    def _found(self, mark: Mark) -> Known:
        """Return what is known of a mark that is equal, or make it known."""
        known = self._known.get(mark)
        if known is None:
            area = area_of(mark)
            known = self._known[mark] = Known(mark, area, _bands_at(area))
            self._planned.add(known)
            self._same[id(mark)] = known
            self._by_use[known] = None
        return known

    def _drawn(self, plan: Plan, first: int, after: int) -> list[Band]:
        """Draw neighbouring bands."""
        top, bottom = first * BAND_HEIGHT, min(after * BAND_HEIGHT, plan.picture.size[1])
        laid = [known for known in plan.laid if known.bands.start < after and known.bands.stop > first]
        drawn = list(bands_of(self._mosaic.strip(plan.picture, plan.backdrop, laid, (top, bottom)), BAND_HEIGHT))
        self._bands.update(zip(plan.contents[first:after], drawn, strict=True))
        return drawn

    def _forget(self) -> None:
        while len(self._bands) > MOST_BANDS:
            self._bands.popitem(last=False)
        while len(self._known) > _MOST_KNOWN:
            known, _ = self._by_use.popitem(last=False)
            del self._known[known.mark], self._same[id(known.mark)]
            self._planned.discard(known)
        if len(self._backdrops) > _MOST_BACKDROPS:
            self._backdrops.clear()


def _are_quick(new: Collection[Known]) -> bool:
    """Tell whether marks that were never drawn are drawn soon: letters and boxes are, but art has to be made to fit."""
    return len(new) <= _QUICK_MARKS and not any(isinstance(known.mark, Sprite) for known in new)


def _contents(picture: Picture, backdrop: int, laid: list[Known]) -> list[_Content]:
    bands: list[list[int | Known]] = [[place, backdrop] for place in range(-(-picture.size[1] // BAND_HEIGHT))]
    for known in laid:
        for band in bands[known.bands]:
            band.append(known)
    return [tuple(band) for band in bands]


def _bands_at(area: Rect) -> slice:
    """Return the bands that an area reaches into."""
    return slice(max(0, area.y // BAND_HEIGHT), max(0, -(-area.bottom // BAND_HEIGHT)))


def _runs(bands: list[Band | None]) -> list[tuple[int, int]]:
    """Return where neighbours begin that are to be drawn, and where they end."""
    missing = [place for place, band in enumerate(bands) if band is None]
    begin = [place for place in missing if place == 0 or bands[place - 1]]
    after = [place + 1 for place in missing if place + 1 == len(bands) or bands[place + 1]]
    return list(zip(begin, after, strict=True))
