"""The printer: makes files of pictures, and draws only those bands of them that none has shown lately."""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.pictures.band_encoder import Band, assemble_png, encode_bands
from bot.pictures.painter import Painter, area_of
from bot.pictures.tile_cache import MarkInfo, TileCache
from bot.rules.picture import Mark, Picture, Rect, Sprite, Theme

BAND_HEIGHT: Final = 36
"""How many lines are pressed together: the lower they are, the fewer are drawn again, and the larger is the file."""

MOST_BANDS: Final = 4096
"""How many bands stay ready, 1 to 3 kB each: those of 160 pictures that have nothing in common."""

MOST_KNOWN: Final = 5_000
"""How many marks are known, half a kB each: those used last."""

MOST_BACKDROPS: Final = 128
"""How many backdrops are known by numbers, 50 kB each at most; if there are more, all are forgotten."""

_QUICK_BANDS, _QUICK_MARKS = 9, 16
"""So many bands are drawn in a few milliseconds, and so many marks on them may never have been drawn before."""

_BandKey: TypeAlias = tuple[int | MarkInfo, ...]
"""What decides how a band looks: where it lies, the number of its backdrop, and the marks that reach into it."""


@dataclass(frozen=True, slots=True)
class RenderPlan:
    """How a picture is to be made."""

    picture: Picture
    backdrop_id: int
    marks: list[MarkInfo]
    band_keys: list[_BandKey]
    bands: list[Band | None]
    """None is to be drawn."""
    is_quick: bool
    """Whether that takes a few milliseconds at most."""


class Renderer:
    """Makes files in one theme; for one thread.

    It remembers bands and not pictures: whatever was the same lately, at this table or another, is used again.
    """

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._tile_cache = TileCache(painter, theme)
        self._theme = theme
        self._bands: OrderedDict[_BandKey, Band] = OrderedDict()
        self._backdrop_ids: dict[tuple[tuple[int, int], tuple[Mark, ...]], int] = {}
        self._last_backdrop_id = 0
        self._mark_infos: dict[Mark, MarkInfo] = {}
        self._infos_by_identity: dict[int, MarkInfo] = {}
        """By the identity of the mark that came first, which is held by what is known: nothing else can have it."""
        self._infos_by_use: OrderedDict[MarkInfo, None] = OrderedDict()
        """All that is known, used longest ago first."""
        self._undrawn: set[MarkInfo] = set()
        """What was planned at most: nothing of it is at hand yet."""

    def file(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        return self.execute(self.plan(picture))

    def plan(self, picture: Picture) -> RenderPlan:
        """Find out what is to be drawn for a picture."""
        if min(picture.size) < 1:
            raise ValueError("a picture of {} x {} pixels shows nothing".format(*picture.size))
        backdrop = self._backdrop_id_of(picture)
        # Games hand out the same marks again, and to find one by what it says means to read all of it.
        same = self._infos_by_identity
        laid = [same.get(id(mark)) or self._get_or_add_mark(mark) for mark in picture.marks]
        for known in laid:
            self._infos_by_use.move_to_end(known)
        contents = _band_keys_of(picture, backdrop, laid)
        bands = [self._bands.get(content) for content in contents]
        new = self._undrawn and self._undrawn.intersection(laid)
        is_quick = self._tile_cache.has_backdrop(backdrop) and _are_quick(new) and bands.count(None) <= _QUICK_BANDS
        return RenderPlan(picture, backdrop, laid, contents, bands, is_quick)

    def execute(self, plan: RenderPlan) -> bytes:
        """Return the picture of the newest plan as a PNG file."""
        try:
            bands = plan.bands.copy()
            for first, after in _missing_runs(bands):
                bands[first:after] = self._draw_bands(plan, first, after)
            for content, band in zip(plan.band_keys, plan.bands, strict=True):
                if band:
                    self._bands.move_to_end(content)
            self._undrawn.clear()
            return assemble_png(plan.picture.size, [band for band in bands if band], self._theme)
        finally:
            # The marks of what can't be drawn are known, too.
            self._evict()

    def _backdrop_id_of(self, picture: Picture) -> int:
        key = (picture.size, picture.backdrop)
        found = self._backdrop_ids.get(key)
        if found is None:
            # A number is never given twice: no band is mistaken for one whose backdrop is forgotten.
            self._last_backdrop_id += 1
            found = self._backdrop_ids[key] = self._last_backdrop_id
        return found

    def _get_or_add_mark(self, mark: Mark) -> MarkInfo:
        """Return what is known of a mark that is equal, or make it known."""
        known = self._mark_infos.get(mark)
        if known is None:
            area = area_of(mark)
            known = self._mark_infos[mark] = MarkInfo(mark, area, _bands_at(area))
            self._undrawn.add(known)
            self._infos_by_identity[id(mark)] = known
            self._infos_by_use[known] = None
        return known

    def _draw_bands(self, plan: RenderPlan, first: int, after: int) -> list[Band]:
        """Draw neighbouring bands."""
        top, bottom = first * BAND_HEIGHT, min(after * BAND_HEIGHT, plan.picture.size[1])
        laid = [known for known in plan.marks if known.bands.start < after and known.bands.stop > first]
        drawn = list(
            encode_bands(self._tile_cache.strip(plan.picture, plan.backdrop_id, laid, (top, bottom)), BAND_HEIGHT)
        )
        self._bands.update(zip(plan.band_keys[first:after], drawn, strict=True))
        return drawn

    def _evict(self) -> None:
        while len(self._bands) > MOST_BANDS:
            self._bands.popitem(last=False)
        while len(self._mark_infos) > MOST_KNOWN:
            known, _ = self._infos_by_use.popitem(last=False)
            del self._mark_infos[known.mark], self._infos_by_identity[id(known.mark)]
            self._undrawn.discard(known)
        if len(self._backdrop_ids) > MOST_BACKDROPS:
            self._backdrop_ids.clear()


def _are_quick(new: Collection[MarkInfo]) -> bool:
    """Tell whether marks that were never drawn are drawn soon: letters and boxes are, but art has to be made to fit."""
    return len(new) <= _QUICK_MARKS and not any(isinstance(known.mark, Sprite) for known in new)


def _band_keys_of(picture: Picture, backdrop: int, laid: list[MarkInfo]) -> list[_BandKey]:
    bands: list[list[int | MarkInfo]] = [[place, backdrop] for place in range(-(-picture.size[1] // BAND_HEIGHT))]
    for known in laid:
        for band in bands[known.bands]:
            band.append(known)
    return [tuple(band) for band in bands]


def _bands_at(area: Rect) -> slice:
    """Return the bands that an area reaches into."""
    return slice(max(0, area.y // BAND_HEIGHT), max(0, -(-area.bottom // BAND_HEIGHT)))


def _missing_runs(bands: list[Band | None]) -> list[tuple[int, int]]:
    """Return where neighbours begin that are to be drawn, and where they end."""
    missing = [place for place, band in enumerate(bands) if band is None]
    begin = [place for place in missing if place == 0 or bands[place - 1]]
    after = [place + 1 for place in missing if place + 1 == len(bands) or bands[place + 1]]
    return list(zip(begin, after, strict=True))
