"""The printer: makes files of pictures, and draws only those bands of them that none has shown lately."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final, TypeAlias

from bot.pictures.painter import Painter, rows_of
from bot.pictures.png import Band, bands_of, file_of
from bot.rules.picture import Mark, Picture, Theme

BAND_HEIGHT: Final = 32
"""How many lines are pressed together: the lower they are, the fewer are drawn again, and the larger is the file."""

MOST_BANDS: Final = 4096
"""How many bands stay ready, 1 to 3 kB each: those of 160 pictures that have nothing in common."""

_MOST_KNOWN = 10_000
"""How many marks are known, half a kB each; if there are more, all are forgotten."""

_MOST_BACKDROPS = 128
"""How many backdrops are known by numbers, 50 kB each at most; if there are more, all are forgotten."""

_Content: TypeAlias = tuple[int, ...]
"""What decides how a band looks: where it lies, and the numbers of its backdrop and of the marks that reach into it."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a mark: its number, the first line it may touch, and the first one below it."""

    number: int
    top: int
    bottom: int


_Laid: TypeAlias = list[tuple[Mark, _Known]]


class Printer:
    """Makes files in one theme; for one thread.

    It remembers bands and not pictures: whatever was the same lately, at this table or another, is used again.
    """

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        self._bands: OrderedDict[_Content, Band] = OrderedDict()
        self._backdrops: dict[tuple[tuple[int, int], tuple[Mark, ...]], int] = {}
        self._known: dict[Mark, _Known] = {}
        self._unused = count()

    def file(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        if min(picture.size) < 1:
            raise ValueError("a picture of {} x {} pixels shows nothing".format(*picture.size))
        laid = [(mark, self._know(mark)) for mark in picture.marks]
        contents = self._contents(picture, laid)
        for first, after in _runs([content not in self._bands for content in contents]):
            self._draw(picture, laid, contents[first:after], first * BAND_HEIGHT)
        for content in contents:
            self._bands.move_to_end(content)
        data = file_of(picture.size, (self._bands[content] for content in contents), self._theme)
        self._forget()
        return data

    def _contents(self, picture: Picture, laid: _Laid) -> list[_Content]:
        backdrop = self._backdrop(picture)
        bands = [[place, backdrop] for place in range(-(-picture.size[1] // BAND_HEIGHT))]
        for _, known in laid:
            for band in bands[max(0, known.top // BAND_HEIGHT) : max(0, -(-known.bottom // BAND_HEIGHT))]:
                band.append(known.number)
        return [tuple(band) for band in bands]

    def _backdrop(self, picture: Picture) -> int:
        key = (picture.size, picture.backdrop)
        found = self._backdrops.get(key)
        if found is None:
            found = self._backdrops[key] = next(self._unused)
        return found

    def _know(self, mark: Mark) -> _Known:
        found = self._known.get(mark)
        if found is None:
            # Numbers are never given twice, so no band can be mistaken for one whose marks are forgotten.
            found = self._known[mark] = _Known(next(self._unused), *rows_of(mark))
        return found

    def _draw(self, picture: Picture, laid: _Laid, contents: list[_Content], top: int) -> None:
        """Draw neighbouring bands, which begin at a line."""
        bottom = min(top + len(contents) * BAND_HEIGHT, picture.size[1])
        marks = (mark for mark, known in laid if known.top < bottom and known.bottom > top)
        strip = self._painter.strip(picture, marks, top, bottom)
        self._bands.update(zip(contents, bands_of(strip, BAND_HEIGHT, self._theme), strict=True))

    def _forget(self) -> None:
        while len(self._bands) > MOST_BANDS:
            self._bands.popitem(last=False)
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        if len(self._backdrops) > _MOST_BACKDROPS:
            self._backdrops.clear()


def _runs(missing: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield where neighbours begin that are missing, and where they end."""
    first = None
    for place, is_missing in enumerate([*missing, False]):
        if is_missing and first is None:
            first = place
        elif not is_missing and first is not None:
            yield first, place
            first = None
