"""Animations: pictures one after another as a GIF file, drawn in a process of their own.

Discord plays GIF files in embeds, and a picture's palette is one of GIF's anyway.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures.art import read_art
from bot.pictures.painter import Painter
from bot.pictures.palette_image import to_indexed
from bot.pictures.sprite_cache import SpriteCache
from bot.pictures.themes import colour_of
from bot.rules.picture import ColourRole, Picture, Surface, Theme

MAX_BYTES: Final = 4 * 1024 * 1024
_WIDTHS: Final = (720, 540, 360)
"""The widths in pixels that are tried until the file is small enough."""


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
            frames: The pictures, all on the same surface.
            theme: The theme.
            note_progress: Called with the number of pictures that are drawn.

        Raises:
            AnimationTooLarge: It can't be made small enough.
        """
        loop = asyncio.get_running_loop()
        async with self._lock:
            executor = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            try:
                drawn: list[bytes] = []
                for frame in frames:
                    drawn.append(await loop.run_in_executor(executor, draw_frame, self._data, frame.picture, theme))
                    note_progress(len(drawn))
                seconds, surface = [frame.seconds for frame in frames], frames[0].picture.surface
                for width in _WIDTHS:
                    file = await loop.run_in_executor(executor, encode_gif, drawn, seconds, width, theme, surface)
                    if len(file) <= self._max_bytes:
                        return file
            finally:
                executor.shutdown(wait=False, cancel_futures=True)
        raise AnimationTooLarge


# The process draws many pictures.
@cache
def _painter_of(data: Path, theme: Theme) -> Painter:
    return Painter(theme, SpriteCache(read_art(data), theme, None))


def draw_frame(data: Path, picture: Picture, theme: Theme) -> bytes:
    """Draw a picture and return it as an uncompressed file."""
    file = BytesIO()
    _painter_of(data, theme).paint(picture).save(file, "BMP")
    return file.getvalue()


def encode_gif(drawn: Sequence[bytes], seconds: Sequence[float], width: int, theme: Theme, surface: Surface) -> bytes:
    """Return pictures as a GIF file of a width; smaller ones stand in the middle of their frames."""
    images = [Image.open(BytesIO(file)) for file in drawn]
    scale = width / max(image.width for image in images)
    size = (width, round(scale * max(image.height for image in images)))
    frames: list[Image.Image] = []
    for image in images:
        frame = Image.new("RGB", size, colour_of(theme, ColourRole.SURFACE, surface))
        small = (round(scale * image.width), round(scale * image.height))
        frame.paste(
            image.resize(small, Image.Resampling.LANCZOS), ((size[0] - small[0]) // 2, (size[1] - small[1]) // 2)
        )
        frames.append(to_indexed(frame, theme, surface))
    file = BytesIO()
    milliseconds = [round(1000 * each) for each in seconds]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, disposal=1)
    return file.getvalue()
