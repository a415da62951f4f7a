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
from bot.pictures.themes import colour_of
from bot.rules.picture import FELT, ColourRole, Picture, Rect, Theme
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
            frames: The pictures, all on the same surface; the last shows the result.
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
        size, areas = arrange_frames([image.size for image in self._drawn], width)
        frames = []
        for image, area in zip(self._drawn, areas, strict=True):
            frame = Image.new("RGB", size, colour_of(self._theme, ColourRole.SURFACE, self._surface))
            frame.paste(image.resize((area.width, area.height), Image.Resampling.LANCZOS), (area.x, area.y))
            frames.append(to_indexed(frame, self._theme, self._surface))
        file = BytesIO()
        milliseconds = [round(1000 * each) for each in durations]
        frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, disposal=1)
        return file.getvalue()


def arrange_frames(sizes: Sequence[tuple[int, int]], width: int) -> tuple[tuple[int, int], Sequence[Rect]]:
    """Return the size of frames of a width, and the areas of their pictures.

    Those of the game begin at the top, so that nothing jumps. The last, a result, is in the middle, and gets smaller
    if it is higher than the others.
    """
    height = max(round(width * high / wide) for wide, high in sizes[:-1] or sizes)
    frame = Rect(0, 0, width, height)
    areas = [_fit(size, frame) for size in sizes]
    return (width, height), [*(area._replace(y=0) for area in areas[:-1]), areas[-1]]


def filled_share(size: tuple[int, int], frame: tuple[int, int]) -> float:
    """Return how much of a frame a picture fills if it is as large as it can be there."""
    area = _fit(size, Rect(0, 0, *frame))
    return area.width * area.height / (frame[0] * frame[1])


def _fit(size: tuple[int, int], frame: Rect) -> Rect:
    """Return the largest area with the proportions of a size in the middle of a frame."""
    scale = min(frame.width / size[0], frame.height / size[1])
    return frame.center(round(scale * size[0]), round(scale * size[1]))
