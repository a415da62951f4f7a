"""The studio: draws pictures in a thread of its own, so that nobody's click waits for a brush.

Only what takes a few milliseconds at most is drawn at once: the way to a thread and back costs as much.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self, TypeVar

from bot.pictures.art import read_art
from bot.pictures.painter import Painter
from bot.pictures.renderer import Printer
from bot.pictures.sprite_cache import Shelf
from bot.rules.picture import Picture, Theme

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


@dataclass(frozen=True, slots=True)
class _Order:
    """A picture in a theme."""

    picture: Picture
    theme: Theme

    def __hash__(self) -> int:
        # Pictures that differ are hardly ever told in the same words, and going through all marks takes its time.
        return hash(self.picture.description)


class Studio:
    """Draws what games say of their tables; art is read from the folder of content, bitmaps kept in the cache's."""

    def __init__(self, data: Path, cache: Path | None = None) -> None:
        self._data = data
        self._cache = cache
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio")
        self._printers: dict[Theme, Printer] = {}
        self._brush = Lock()
        """Whoever holds it uses the printers."""
        self._begun: dict[_Order, asyncio.Future[Drawn]] = {}
        self._finished: OrderedDict[_Order, Drawn] = OrderedDict()

    async def prepare(self, theme: Theme = Theme.STANDARD) -> None:
        """Have the art of a theme ready, so that the first picture need not wait for it; raises DrawingFailed."""
        await self._work(self._prepare, theme)

    def at_once(self, picture: Picture, theme: Theme = Theme.STANDARD) -> Drawn | None:
        """Return a picture that is ready or soon made, or None if it has to be waited for; raises DrawingFailed."""
        order = _Order(picture, theme)
        if order in self._finished:
            self._finished.move_to_end(order)
            return self._finished[order]
        if not self._brush.acquire(blocking=False):
            return None
        try:
            drawn = self._quickly(order)
        except Exception as fault:
            raise DrawingFailed(str(fault)) from fault
        finally:
            self._brush.release()
        if drawn is not None:
            self._keep(order, drawn)
        return drawn

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> Drawn:
        """Draw a picture, or return the file that was made of it before; raises DrawingFailed."""
        order = _Order(picture, theme)
        if order in self._finished:
            self._finished.move_to_end(order)
            return self._finished[order]
        if order not in self._begun:
            # Several may wait for the same picture, and some may go away.
            self._begun[order] = asyncio.ensure_future(self._work(self._finish, order))
            self._begun[order].add_done_callback(partial(self._put_away, order))
        return await asyncio.shield(self._begun[order])

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

    def _prepare(self, theme: Theme) -> None:
        with self._brush:
            self._printer(theme)

    def _printer(self, theme: Theme) -> Printer:
        if theme not in self._printers:
            shelf = Shelf(read_art(self._data), theme, self._cache)
            shelf.prepare()
            self._printers[theme] = Printer(Painter(theme, shelf), theme)
        return self._printers[theme]

    def _quickly(self, order: _Order) -> Drawn | None:
        printer = self._printers.get(order.theme)
        plan = printer and printer.plan(order.picture)
        return _drawn(printer.carried_out(plan), order) if printer and plan and plan.is_quick else None

    def _finish(self, order: _Order) -> Drawn:
        with self._brush:
            return _drawn(self._printer(order.theme).file(order.picture), order)

    def _put_away(self, order: _Order, job: asyncio.Future[Drawn]) -> None:
        del self._begun[order]
        if job.cancelled() or job.exception() is not None:
            return
        self._keep(order, job.result())

    def _keep(self, order: _Order, drawn: Drawn) -> None:
        self._finished[order] = drawn
        if len(self._finished) > MOST_FINISHED:
            self._finished.popitem(last=False)


def _drawn(file: bytes, order: _Order) -> Drawn:
    return Drawn(file, FILE_NAME, order.picture.description)
