"""Draws pictures, in a thread of its own unless that takes a few milliseconds at most.

Passing a picture to the thread and back takes as long as drawing a small one.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self, TypeVar

from cachetools import LRUCache

from bot.pictures import encoding
from bot.pictures.art import read_art
from bot.pictures.fonts import forget_texts
from bot.pictures.painter import Painter
from bot.pictures.renderer import PillowRenderer, Renderer
from bot.pictures.sprite_cache import SpriteCache
from bot.rules.picture import Picture, Surface, Theme

MAX_FINISHED: Final = 128
"""Finished pictures kept, about 40 kB each: toggling a button shows the same one again."""

FILE_NAME, ANIMATION_NAME = "table.png", "table.gif"

T = TypeVar("T")


class DrawingFailed(Exception):
    """A picture could not be drawn; the table is shown in words instead."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A finished picture."""

    data: bytes
    """A PNG file, or a GIF file that plays once."""
    name: str
    description: str
    """The alternative text."""
    rolling_seconds: float = 0.0
    """How long dice move in it before it shows what they brought."""
    is_moment: bool = False
    """Whether words wait until they rest."""

    @property
    def media_type(self) -> str:
        """The kind of the file."""
        return "image/gif" if self.name.endswith(".gif") else "image/png"


@dataclass(frozen=True, slots=True)
class _Request:
    """A picture in a theme."""

    picture: Picture
    theme: Theme

    def __hash__(self) -> int:
        # Different pictures rarely have the same description, and hashing all marks takes long.
        return hash(self.picture.description)


class PictureService:
    """Draws pictures as PNG files."""

    def __init__(self, data: Path, cache: Path | None = None, surfaces: Mapping[str, Surface] | None = None) -> None:
        """Set up drawing; nothing is read yet.

        Args:
            data: The content folder, which contains the art.
            cache: The folder that keeps bitmaps of the art between starts, or None.
            surfaces: The surfaces of games by their folders, in whose colours their art is prepared.
        """
        self._data = data
        self._surfaces = surfaces
        self._cache = cache
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._renderers: dict[Theme, Renderer | PillowRenderer] = {}
        self._sprites: dict[Theme, SpriteCache] = {}
        self._is_closed = False
        self._render_lock = Lock()
        """Held while renderers are used."""
        self._in_progress: dict[_Request, asyncio.Future[PictureFile]] = {}
        self.hits = self.misses = 0
        """How often a picture was finished when it was asked for, and how often it had to be drawn."""
        self._finished: LRUCache[_Request, PictureFile] = LRUCache(MAX_FINISHED)
        self._clearings = 0
        """How often all pictures were forgotten."""

    @property
    def waiting(self) -> int:
        """The number of pictures that are being drawn or wait for it."""
        return len(self._in_progress)

    async def prepare_covers(self, theme: Theme = Theme.STANDARD) -> None:
        """Load the covers of a theme, so that the first lobbies have their pictures at once.

        Raises:
            DrawingFailed: Some art is broken.
        """
        await self._run_in_thread(self._prepare_theme, theme)
        while not self._is_closed and await self._run_in_thread(self._sprites[theme].prepare_cover):
            pass

    async def prepare(self, theme: Theme = Theme.STANDARD) -> None:
        """Load the art of a theme, so that the first pictures need not wait for it.

        Raises:
            DrawingFailed: Some art is broken.
        """
        await self._run_in_thread(self._prepare_theme, theme)
        while not self._is_closed and await self._run_in_thread(self._sprites[theme].prepare_more):
            pass

    def draw_if_quick(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile | None:
        """Return a picture that is finished or quickly drawn; None if it has to be awaited.

        Raises:
            DrawingFailed: It can't be drawn.
        """
        request = _Request(picture, theme)
        if finished := self._find(request):
            return finished
        if not self._render_lock.acquire(blocking=False):
            return None
        try:
            renderer = self._renderers.get(theme)
            data = renderer and renderer.render_if_quick(picture)
        except Exception as fault:
            raise DrawingFailed(str(fault)) from fault
        finally:
            self._render_lock.release()
        if not data:
            return None
        self.misses += 1
        drawn = self._finished[request] = _make_picture_file(data, request)
        return drawn

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile:
        """Draw a picture, unless it is finished already.

        Raises:
            DrawingFailed: It can't be drawn.
        """
        request = _Request(picture, theme)
        if finished := self._find(request):
            return finished
        if request not in self._in_progress:
            self.misses += 1
            # Several callers may await the same picture, and some may be cancelled.
            drawing = asyncio.ensure_future(self._run_in_thread(self._draw_in_thread, request))
            drawing.add_done_callback(partial(self._on_drawn, request, self._clearings))
            self._in_progress[request] = drawing
        return await asyncio.shield(self._in_progress[request])

    def clear(self) -> None:
        """Forget all pictures, and what is known of them; what is being drawn is not kept."""
        self._clearings += 1
        self._finished.clear()
        if not self._is_closed:
            # Not here: a picture may be being drawn.
            self._executor.submit(self._clear_renderers)

    def close(self) -> None:
        """End the thread, after the picture that is being drawn."""
        self._is_closed = True
        self._executor.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _find(self, request: _Request) -> PictureFile | None:
        finished = self._finished.get(request)
        if finished is not None:
            self.hits += 1
        return finished

    async def _run_in_thread(self, function: Callable[..., T], *args: Any) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, function, *args)
        except Exception as fault:
            raise DrawingFailed(str(fault)) from fault

    def _prepare_theme(self, theme: Theme) -> None:
        with self._render_lock:
            self._get_renderer(theme)

    def _get_renderer(self, theme: Theme) -> Renderer | PillowRenderer:
        if theme not in self._sprites:
            self._sprites[theme] = SpriteCache(read_art(self._data), theme, self._cache, self._surfaces)
        if theme not in self._renderers:
            make = Renderer if encoding.is_available() else PillowRenderer
            self._renderers[theme] = make(Painter(theme, self._sprites[theme]), theme)
        return self._renderers[theme]

    def _clear_renderers(self) -> None:
        """Forget everything but the art, in which there are no texts of people."""
        with self._render_lock:
            for theme in list(self._renderers):
                del self._renderers[theme]
                self._get_renderer(theme)
            forget_texts()

    def _draw_in_thread(self, request: _Request) -> PictureFile:
        with self._render_lock:
            return _make_picture_file(self._get_renderer(request.theme).render(request.picture), request)

    def _on_drawn(self, request: _Request, clearings: int, task: asyncio.Future[PictureFile]) -> None:
        del self._in_progress[request]
        if not task.cancelled() and task.exception() is None and clearings == self._clearings:
            self._finished[request] = task.result()


def _make_picture_file(data: bytes, request: _Request) -> PictureFile:
    return PictureFile(data, FILE_NAME, request.picture.description)
