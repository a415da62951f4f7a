"""Animations: pictures one after another as a GIF file, drawn in a process of their own.

Discord plays GIF files in embeds, and a picture's palette is one of GIF's anyway.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures.art import read_art
from bot.pictures.encoding import to_indexed
from bot.pictures.painter import Painter
from bot.pictures.sprite_cache import SpriteCache
from bot.rules.picture import FELT, Picture, Theme
from bot.workers import Worker

MAX_BYTES: Final = 4 * 1024 * 1024
_WIDTHS: Final = (720, 540, 360)
"""The widths in pixels that are tried until the file is small enough."""

_SECONDS: Final = 60.0
"""How long a picture or the file may take; usually it is less than a second."""


class Frame(NamedTuple):
    """A picture of an animation."""

    picture: Picture
    seconds: float
    """How long it stays."""


class AnimationTooLarge(Exception):
    """However small it is drawn, the file is too large."""


class Animator:
    """Draws animations, one at a time."""

    def __init__(self, data: Path, max_bytes: int = MAX_BYTES) -> None:
        """Set up drawing; no process is started yet.

        Args:
            data: The content folder, which contains the art.
            max_bytes: The limit of a file's size.
        """
        self._data = data
        self._max_bytes = max_bytes
        self._lock = asyncio.Lock()

    async def animate(self, frames: Sequence[Frame], theme: Theme, note_progress: Callable[[int], None]) -> bytes:
        """Return an animation that plays once.

        Args:
            frames: The pictures, all of one size and on the same surface.
            theme: The theme.
            note_progress: Called with the number of pictures that are drawn.

        Raises:
            AnimationTooLarge: It can't be made small enough.
        """
        durations = [frame.seconds for frame in frames]
        async with self._lock:
            worker = Worker(partial(AnimationDrawing, self._data, theme))
            try:
                for number, frame in enumerate(frames, 1):
                    await asyncio.to_thread(
                        worker.call, partial(AnimationDrawing.draw, picture=frame.picture), _SECONDS
                    )
                    note_progress(number)
                for width in _WIDTHS:
                    encode = partial(AnimationDrawing.encode, durations=durations, width=width)
                    file = await asyncio.to_thread(worker.call, encode, _SECONDS)
                    if len(file) <= self._max_bytes:
                        return file
            finally:
                await asyncio.to_thread(worker.end)
        raise AnimationTooLarge


class AnimationDrawing:
    """The pictures of an animation, in the process that draws them."""

    def __init__(self, data: Path, theme: Theme) -> None:
        self._theme = theme
        self._painter = Painter(theme, SpriteCache(read_art(data), theme, None))
        self._drawn: list[Image.Image] = []
        self._surface = FELT

    def draw(self, picture: Picture) -> None:
        """Draw the next picture."""
        self._drawn.append(self._painter.paint(picture))
        self._surface = picture.surface

    def encode(self, durations: Sequence[float], width: int) -> bytes:
        """Return the pictures as a GIF file of a width."""
        wide, high = self._drawn[0].size
        size = (width, round(width * high / wide))
        frames = [
            to_indexed(image.resize(size, Image.Resampling.LANCZOS), self._theme, self._surface)
            for image in self._drawn
        ]
        file = BytesIO()
        milliseconds = [round(1000 * each) for each in durations]
        frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, disposal=1)
        return file.getvalue()
