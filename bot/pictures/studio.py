"""The studio: draws pictures in a thread of its own, so that nobody's click waits for a brush."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from bot.pictures.art import read_art
from bot.pictures.painter import Painter, encoded
from bot.pictures.shelf import Shelf
from bot.rules.picture import Picture, Theme

log = logging.getLogger(__name__)

MOST_FINISHED: Final = 128
"""How many finished pictures stay ready, about 40 kB each: whoever toggles a button sees the same one again."""

FILE_NAME: Final = "table.png"

T = TypeVar("T")


class DrawingFailed(Exception):
    """A picture could not be drawn: the table has to be shown in words."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A finished picture."""

    data: bytes
    """A PNG file."""
    name: str
    description: str
    """The same in one or two sentences, for whoever can't see it."""


class Studio:
    """Draws what games say of their tables; art is read from the folder of content, bitmaps kept in the cache's."""

    def __init__(self, data: Path, cache: Path | None = None) -> None:
        self._data = data
        self._cache = cache
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio")
        self._painters: dict[Theme, Painter] = {}
        self._finished: OrderedDict[tuple[Picture, Theme], Drawn] = OrderedDict()

    async def prepare(self, theme: Theme = Theme.STANDARD) -> None:
        """Have the art of a theme ready, so that the first picture need not wait for it; raises DrawingFailed."""
        await self._work(self._painter, theme)

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> Drawn:
        """Draw a picture, or return the file that was made of it before; raises DrawingFailed."""
        key = (picture, theme)
        found = self._finished.get(key)
        if found is None:
            data = await self._work(self._file, picture, theme)
            found = self._finished[key] = Drawn(data, FILE_NAME, picture.description)
            while len(self._finished) > MOST_FINISHED:
                self._finished.popitem(last=False)
        self._finished.move_to_end(key)
        return found

    def close(self) -> None:
        """End the thread; what is being drawn is finished first."""
        self._thread.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _work(self, task: Callable[..., T], *given: Any) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, task, *given)
        except Exception as fault:
            raise DrawingFailed(str(fault)) from fault

    def _painter(self, theme: Theme) -> Painter:
        if theme not in self._painters:
            shelf = Shelf(read_art(self._data), theme, self._cache)
            shelf.prepare()
            self._painters[theme] = Painter(theme, shelf)
        return self._painters[theme]

    def _file(self, picture: Picture, theme: Theme) -> bytes:
        return encoded(self._painter(theme).paint(picture), theme)
