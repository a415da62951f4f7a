"""The printer: makes files of pictures, and draws only those bands of them that none has shown lately."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from itertools import count
from typing import Final, TypeAlias

from bot.pictures.painter import Painter, rows_of
from bot.pictures.png import Band, bands_of, file_of
from bot.rules.picture import Mark, Picture, Theme

BAND_HEIGHT: Final = 32
"""How many lines are pressed together: the lower they are, the fewer are drawn again, and the larger is the file."""

MOST_BANDS: Final = 4096
"""How many bands stay ready, 1 to 3 kB each: those of 160 pictures that have nothing in common."""

_MOST_NUMBERS = 10_000
"""How many marks are known by numbers, some 400 bytes each; if there are more, all get new ones."""

_Content: TypeAlias = tuple[int, ...]
"""What decides how a band looks: where it lies, and the numbers of its backdrop and of the marks that reach into it."""

_Reach: TypeAlias = tuple[Mark, int, int]


class Printer:
    """Makes files in one theme; for one thread.

    It remembers bands and not pictures: whatever was the same lately, at this table or another, is used again.
    """

    def __init__(self, painter: Painter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        self._bands: OrderedDict[_Content, Band] = OrderedDict()
        self._numbers: dict[Hashable, int] = {}
        self._unused = count()

    def file(self, picture: Picture) -> bytes:
        """Return a picture as a PNG file."""
        if min(picture.size) < 1:
            raise ValueError("a picture of {} x {} pixels shows nothing".format(*picture.size))
        reaches = [(mark, *rows_of(mark)) for mark in picture.marks]
        contents = self._contents(picture, reaches)
        for first, after in _runs([content not in self._bands for content in contents]):
            self._draw(picture, reaches, contents, first, after)
        for content in contents:
            self._bands.move_to_end(content)
        data = file_of(picture.size, (self._bands[content] for content in contents), self._theme)
        self._forget()
        return data

    def _contents(self, picture: Picture, reaches: list[_Reach]) -> list[_Content]:
        backdrop = self._number((picture.size, picture.backdrop))
        bands = [[place, backdrop] for place in range(-(-picture.size[1] // BAND_HEIGHT))]
        for mark, top, bottom in reaches:
            number = self._number(mark)
            for band in bands[max(0, top // BAND_HEIGHT) : max(0, -(-bottom // BAND_HEIGHT))]:
                band.append(number)
        return [tuple(band) for band in bands]

    def _number(self, thing: Hashable) -> int:
        found = self._numbers.get(thing)
        if found is None:
            # Numbers are never given twice, so no band can be mistaken for one whose marks are forgotten.
            found = self._numbers[thing] = next(self._unused)
        return found

    def _draw(self, picture: Picture, reaches: list[_Reach], contents: list[_Content], first: int, after: int) -> None:
        top, bottom = first * BAND_HEIGHT, min(after * BAND_HEIGHT, picture.size[1])
        marks = (mark for mark, begin, end in reaches if begin < bottom and end > top)
        strip = self._painter.strip(picture, marks, top, bottom)
        self._bands.update(zip(contents[first:after], bands_of(strip, BAND_HEIGHT, self._theme), strict=True))

    def _forget(self) -> None:
        while len(self._bands) > MOST_BANDS:
            self._bands.popitem(last=False)
        if len(self._numbers) > _MOST_NUMBERS:
            self._numbers.clear()


def _runs(missing: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield where neighbours begin that are missing, and where they end."""
    first = None
    for place, is_missing in enumerate([*missing, False]):
        if is_missing and first is None:
            first = place
        elif not is_missing and first is not None:
            yield first, place
            first = None
