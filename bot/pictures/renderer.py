"""Renders pictures as PNG files, and reuses the bands that earlier pictures have in common with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias

from bot.pictures.encoding import (
    Band,
    Indices,
    assemble_png,
    encode_bands,
    encode_several_surfaces,
    encode_with_pillow,
    remove_filter_bytes,
)
from bot.pictures.painter import Painter, area_of
from bot.pictures.tile_cache import MarkInfo, TileCache, TileKey
from bot.rules.picture import Mark, Picture, Rect, Sprite, Surface, Theme

BAND_HEIGHT: Final = 36
"""Lines in a band. In lower bands less is drawn again, but the file is larger."""

MAX_BANDS: Final = 4096
"""Bands kept, 1 to 3 kB each: those of 160 pictures that have nothing in common. The oldest are forgotten."""

MAX_MARKS: Final = 10_000
"""Marks kept, half a kB each; if there are more, the oldest are forgotten."""

MAX_BACKDROP_IDS: Final = 128
"""Backdrops with an id, at most 50 kB each; if there are more, all are forgotten."""

_QUICK_BANDS, _QUICK_MARKS = 9, 8
"""The most new bands, and new marks in them, that are drawn in a few milliseconds."""

LARGEST_CACHED: Final = 4_000_000
"""The most pixels of a picture whose parts are kept: few people look at a larger one, and only for a moment."""

_BandKey: TypeAlias = tuple[int | MarkInfo, ...]
"""What a band looks like depends on: its place, the id of its backdrop, and the marks that reach into it."""


class PillowRenderer:
    """Renders whole pictures with Pillow alone: those of several surfaces, or all where ISA-L is missing.

    Not thread-safe.
    """

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme

    def render(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        image = self._painter.paint(picture)
        if picture.more_surfaces:
            return encode_several_surfaces(image, self._theme, (picture.surface, *picture.more_surfaces))
        return encode_with_pillow(image, self._theme, picture.surface)

    def render_if_quick(self, picture: Picture) -> None:
        """Return None: no picture is quick."""


def _is_large(picture: Picture) -> bool:
    return picture.size[0] * picture.size[1] > LARGEST_CACHED


@dataclass(frozen=True, slots=True)
class RenderPlan:
    """What has to be drawn for a picture."""

    picture: Picture
    backdrop_id: int
    marks: list[MarkInfo]
    band_keys: list[_BandKey]
    bands: list[Band | None]
    """None has to be drawn."""


class Renderer:
    """Renders in one theme, and caches bands instead of pictures, so that tables share them. Not thread-safe."""

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._tile_cache = TileCache(painter, theme)
        self._whole = PillowRenderer(painter, theme)
        self._theme = theme
        # Plain dicts, because hashing a mark or a backdrop takes long and a cache does it three times.
        self._bands: dict[_BandKey, Band] = {}
        self._marks: dict[Mark, MarkInfo] = {}
        self._backdrop_ids: dict[tuple[Surface, tuple[int, int], tuple[Mark, ...]], int] = {}
        self._last_backdrop_id = 0

    def render(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        is_whole = picture.more_surfaces or _is_large(picture)
        return self._whole.render(picture) if is_whole else self.execute(self.plan(picture))

    def render_if_quick(self, picture: Picture) -> bytes | None:
        """Do the same if it takes a few milliseconds at most; otherwise return None."""
        marks = self._find_marks(picture)
        if picture.more_surfaces or _is_large(picture) or not _are_quick(picture, marks):
            return None
        plan = self._plan(picture, marks)
        is_quick = self._tile_cache.has_backdrop(plan.backdrop_id) and plan.bands.count(None) <= _QUICK_BANDS
        return self.execute(plan) if is_quick else None

    def plan(self, picture: Picture) -> RenderPlan:
        """Find out what has to be drawn for a picture."""
        return self._plan(picture, self._find_marks(picture))

    def _find_marks(self, picture: Picture) -> list[MarkInfo | None]:
        """Return the infos of marks that are known."""
        find = self._marks.get
        return [find(mark) for mark in picture.marks]

    def _plan(self, picture: Picture, found: list[MarkInfo | None]) -> RenderPlan:
        """Find out what has to be drawn for a picture whose known marks were found."""
        if min(picture.size) < 1:
            raise ValueError("a picture of {} x {} pixels shows nothing".format(*picture.size))
        backdrop, known = self._backdrop_id_of(picture), self._marks
        # The same new mark may occur twice.
        marks = [
            info or known.get(mark) or self._add_mark(mark) for mark, info in zip(picture.marks, found, strict=True)
        ]
        keys = _band_keys_of(picture, backdrop, marks)
        find = self._bands.get
        return RenderPlan(picture, backdrop, marks, keys, [find(key) for key in keys])

    def execute(self, plan: RenderPlan) -> bytes:
        """Return the planned picture as a PNG file."""
        bands = plan.bands.copy()
        for is_missing, run in groupby(range(len(bands)), lambda at: plan.bands[at] is None):
            if is_missing:
                at = list(run)
                bands[at[0] : at[-1] + 1] = self._draw_bands(plan, at[0], at[-1] + 1)
        for info in plan.marks:
            info.is_drawn = True
        found = [band for band in bands if band]
        return assemble_png(plan.picture.size, found, self._theme, plan.picture.surface)

    def compose(self, plan: RenderPlan) -> Indices:
        """Return the pixels of a planned picture, without keeping its bands."""
        lines = (0, plan.picture.size[1])
        strip = self._tile_cache.compose_strip(plan.picture, plan.backdrop_id, plan.marks, lines)
        return remove_filter_bytes(strip)

    def compose_before(self, plan: RenderPlan, picture: Picture, drawn: Indices) -> Indices:
        """Return the pixels of a planned picture, most of which stay in a picture that was drawn elsewhere.

        Args:
            plan: The planned picture.
            picture: The other one, of the same size. Its tiles are kept: most lie there before the next roll, too.
            drawn: Its pixels.
        """
        after, tiles = self.plan(picture), self._tile_cache
        known = tiles.keep_tiles(picture, after.backdrop_id, after.marks, drawn)
        if plan.backdrop_id != after.backdrop_id:
            return self.compose(plan)
        return tiles.recompose(plan.picture, plan.backdrop_id, plan.marks, known, drawn)

    def marks_in(self, plan: RenderPlan, area: Rect) -> Sequence[MarkInfo]:
        """Return the marks of a planned picture that reach into an area."""
        return [info for info in plan.marks if info.area.overlaps(area)]

    def tile_key(self, plan: RenderPlan, area: Rect, below: Sequence[MarkInfo], marks: Sequence[Mark]) -> TileKey:
        """Return the key of an area of a planned picture with further marks; areas that look alike share one."""
        return plan.backdrop_id, area, (*below, *[self._marks.get(mark) or self._add_mark(mark) for mark in marks])

    def compose_tile(self, plan: RenderPlan, key: TileKey) -> Indices:
        """Return the pixels of such an area."""
        return self._tile_cache.compose_tile(plan.picture, key)

    def _backdrop_id_of(self, picture: Picture) -> int:
        key = (picture.surface, picture.size, picture.backdrop)
        found = self._backdrop_ids.get(key)
        if found is None:
            if len(self._backdrop_ids) >= MAX_BACKDROP_IDS:
                self._backdrop_ids.clear()
            # An id is never used again: no band is mistaken for one whose backdrop is forgotten.
            self._last_backdrop_id += 1
            found = self._backdrop_ids[key] = self._last_backdrop_id
        return found

    def _add_mark(self, mark: Mark) -> MarkInfo:
        """Return the info that all equal marks are going to share."""
        if len(self._marks) >= MAX_MARKS:
            del self._marks[next(iter(self._marks))]
        area = area_of(mark)
        bands = slice(max(0, area.y // BAND_HEIGHT), max(0, -(-area.bottom // BAND_HEIGHT)))
        info = self._marks[mark] = MarkInfo(mark, area, bands)
        return info

    def _draw_bands(self, plan: RenderPlan, first: int, after: int) -> list[Band]:
        """Draw neighbouring bands."""
        lines = (first * BAND_HEIGHT, min(after * BAND_HEIGHT, plan.picture.size[1]))
        marks = [info for info in plan.marks if info.bands.start < after and info.bands.stop > first]
        strip = self._tile_cache.compose_strip(plan.picture, plan.backdrop_id, marks, lines)
        drawn = list(encode_bands(strip, BAND_HEIGHT))
        self._bands.update(zip(plan.band_keys[first:after], drawn, strict=True))
        while len(self._bands) > MAX_BANDS:
            del self._bands[next(iter(self._bands))]
        return drawn


def _are_quick(picture: Picture, marks: list[MarkInfo | None]) -> bool:
    """Return whether the new marks are drawn soon: a few labels and boxes are, but art has to be scaled."""
    new = {mark for mark, info in zip(picture.marks, marks, strict=True) if info is None or not info.is_drawn}
    return len(new) <= _QUICK_MARKS and not any(isinstance(mark, Sprite) for mark in new)


def _band_keys_of(picture: Picture, backdrop: int, marks: list[MarkInfo]) -> list[_BandKey]:
    keys: list[list[int | MarkInfo]] = [[place, backdrop] for place in range(-(-picture.size[1] // BAND_HEIGHT))]
    for info in marks:
        for key in keys[info.bands]:
            key.append(info)
    return [tuple(key) for key in keys]
