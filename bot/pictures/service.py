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
from bot.pictures.renderer import Renderer
from bot.pictures.sprite_cache import SpriteCache
from bot.rules.picture import Picture, Theme

MOST_FINISHED: Final = 128
"""How many finished pictures stay ready, about 40 kB each: whoever toggles a button sees the same one again."""

FILE_NAME: Final = "table.png"

T = TypeVar("T")


class DrawingFailed(Exception):
    """A picture could not be drawn: the table has to be shown in words."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A finished picture."""

    data: bytes
    """A PNG file."""
    name: str
    description: str
    """The same in one or two sentences, for whoever can't see it."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A picture in a theme."""

    picture: Picture
    theme: Theme

    def __hash__(self) -> int:
        # Pictures that differ are hardly ever told in the same words, and going through all marks takes its time.
        return hash(self.picture.description)


class PictureService:
    """Draws what games say of their tables; art is read from the folder of content, bitmaps kept in the cache's."""

    def __init__(self, data: Path, cache: Path | None = None) -> None:
        self._data = data
        self._cache = cache
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio")
        self._renderers: dict[Theme, Renderer] = {}
        self._render_lock = Lock()
        """Whoever holds it uses the printers."""
        self._in_progress: dict[_Request, asyncio.Future[PictureFile]] = {}
        self._finished: OrderedDict[_Request, PictureFile] = OrderedDict()

    async def prepare(self, theme: Theme = Theme.STANDARD) -> None:
        """Have the art of a theme ready, so that the first picture need not wait for it; raises DrawingFailed."""
        await self._run_in_thread(self._prepare_theme, theme)

    def draw_if_quick(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile | None:
        """Return a picture that is ready or soon made, or None if it has to be waited for; raises DrawingFailed."""
        order = _Request(picture, theme)
        if order in self._finished:
            self._finished.move_to_end(order)
            return self._finished[order]
        if not self._render_lock.acquire(blocking=False):
            return None
        try:
            drawn = self._render_if_quick(order)
        except Exception as fault:
            raise DrawingFailed(str(fault)) from fault
        finally:
            self._render_lock.release()
        if drawn is not None:
            self._remember(order, drawn)
        return drawn

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile:
        """Draw a picture, or return the file that was made of it before; raises DrawingFailed."""
        order = _Request(picture, theme)
        if order in self._finished:
            self._finished.move_to_end(order)
            return self._finished[order]
        if order not in self._in_progress:
            # Several may wait for the same picture, and some may go away.
            self._in_progress[order] = asyncio.ensure_future(self._run_in_thread(self._draw_in_thread, order))
            self._in_progress[order].add_done_callback(partial(self._on_drawn, order))
        return await asyncio.shield(self._in_progress[order])

    def close(self) -> None:
        """End the thread; what is being drawn is finished first."""
        self._executor.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _run_in_thread(self, task: Callable[..., T], *given: Any) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, task, *given)
        except Exception as fault:
            raise DrawingFailed(str(fault)) from fault

    def _prepare_theme(self, theme: Theme) -> None:
        with self._render_lock:
            self._get_renderer(theme)

    def _get_renderer(self, theme: Theme) -> Renderer:
        if theme not in self._renderers:
            shelf = SpriteCache(read_art(self._data), theme, self._cache)
            shelf.prepare()
            self._renderers[theme] = Renderer(Painter(theme, shelf), theme)
        return self._renderers[theme]

    def _render_if_quick(self, order: _Request) -> PictureFile | None:
        printer = self._renderers.get(order.theme)
        plan = printer and printer.plan(order.picture)
        return _make_picture_file(printer.execute(plan), order) if printer and plan and plan.is_quick else None

    def _draw_in_thread(self, order: _Request) -> PictureFile:
        with self._render_lock:
            return _make_picture_file(self._get_renderer(order.theme).file(order.picture), order)

    def _on_drawn(self, order: _Request, job: asyncio.Future[PictureFile]) -> None:
        del self._in_progress[order]
        if job.cancelled() or job.exception() is not None:
            return
        self._remember(order, job.result())

    def _remember(self, order: _Request, drawn: PictureFile) -> None:
        self._finished[order] = drawn
        if len(self._finished) > MOST_FINISHED:
            self._finished.popitem(last=False)


def _make_picture_file(file: bytes, order: _Request) -> PictureFile:
    return PictureFile(file, FILE_NAME, order.picture.description)
