"""Draws pictures with motion as animations, in a process of its own.

Most of an animation consists of blocks that are kept: a step of a die depends only on its place, its look and the
ground, and on no table.
"""

import asyncio
import copyreg
import logging
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple, get_args

from cachetools import LRUCache

from bot.pictures.art import read_art
from bot.pictures.encoding import Indices, inflate_band, is_available, join_lines, read_bands
from bot.pictures.gif import (
    MAX_COLOURS,
    Block,
    encode_change,
    encode_lines,
    encode_parts,
    find_parts,
    join_gif,
    join_strips,
)
from bot.pictures.painter import Painter
from bot.pictures.renderer import MAX_MARKS, Renderer, RenderPlan
from bot.pictures.service import ANIMATION_NAME, PictureFile, PictureService
from bot.pictures.sprite_cache import SpriteCache
from bot.pictures.themes import palette_colours
from bot.pictures.tile_cache import MarkInfo, TileKey
from bot.rules.motion import STAGING_MILLISECONDS, START_MILLISECONDS, Motion, RollOutcome
from bot.rules.picture import Mark, Picture, Rect, Surface, Theme
from bot.workers import WorkerFailed, WorkerLost, WorkerPool

log = logging.getLogger(__name__)

ROUTINE_BYTES: Final = 200 * 1024
MOMENT_BYTES: Final = 400 * 1024
"""The largest file of an animation."""

MOST_WAITING: Final = 8
MOST_WAITING_AT_MOMENTS: Final = 16
"""If more pictures wait to be drawn, none is animated."""

_STILL_MILLISECONDS: Final = 20
"""How long the result is shown first, for clients that play nothing and for previews."""

_END_MILLISECONDS: Final = 60_000
"""How long the result stays at the end, for clients that repeat whatever they play."""

LATEST_SECONDS: Final = 0.1
"""How long a picture that is drawn waits for its animation; then it is shown without motion.

With 60 milliseconds 11 to 16 % of the rolls at 50 busy tables lay still.
"""

ROLLS_IDLE_SECONDS: Final = 1800.0
"""How long the process is kept after the last picture: the first roll after that lies still."""

_SECONDS: Final = 10.0
"""How long an animation may take; the first one of a theme takes a second."""

_HEAD_BYTES: Final = 2048
"""What a file has besides pixels: the palette, and 18 bytes for each block."""

_MAX_BAND_BYTES: Final = 32 * 1024 * 1024
"""Bands of stills kept, encoded and drawn, 40 kB each: what 50 tables of Magpie or 30 of Change show."""

_MAX_PIECE_BYTES: Final = 16 * 1024 * 1024
"""Pieces kept, encoded and drawn. Five dice of Magpie take 3 MB in each theme, eight of Fortune 13."""


@lru_cache(maxsize=MAX_MARKS)
def _pack_mark(mark: Mark) -> tuple[Callable[..., Mark], tuple[type[Mark], bytes]]:
    """Return how a mark is pickled: once, because most marks of a roll were there before."""
    return _unpack_mark, (type(mark), pickle.dumps(tuple(mark)))


@lru_cache(maxsize=MAX_MARKS)
def _unpack_mark(kind: type[Mark], fields: bytes) -> Mark:
    return kind(*pickle.loads(fields))  # noqa: S301 - this process or its parent wrote it


# 1 to 3 ms of a roll.
for _kind in get_args(Mark):
    copyreg.pickle(_kind, _pack_mark)


class NotAnimated(Exception):
    """A roll is shown without motion."""

    def __init__(self, reason: RollOutcome) -> None:
        super().__init__(reason.value)
        self.reason = reason


class RollService:
    """Has animations drawn, unless that would take too long."""

    def __init__(self, pictures: PictureService, workers: "WorkerPool[RollPainter]") -> None:
        self._pictures = pictures
        self._workers = workers
        self._prepared: set[Theme] = set()
        """The themes whose art the worker has loaded, while there is one."""
        self._running = 0
        self._preparing: set[asyncio.Task[None]] = set()

    def prepare(self, theme: Theme) -> None:
        """Start the worker, if there is none, so that the next roll need not wait for it."""
        if not self._workers.is_running:
            self._prepared.clear()
        if theme not in self._prepared:
            self._prepared.add(theme)
            task = asyncio.create_task(self._prepare(theme), name="prepare animations")
            self._preparing.add(task)
            task.add_done_callback(self._preparing.discard)

    async def animate(self, still: PictureFile, picture: Picture, theme: Theme) -> PictureFile:
        """Return an animation that ends with a picture.

        Args:
            still: The picture.
            picture: The same with its motion, laid out.
            theme: Its theme.

        Raises:
            NotAnimated: It would take too long, or can't be drawn.
        """
        self.prepare(theme)
        motion = picture.motion
        if motion is None or not motion.pieces or picture.more_surfaces or not is_available():
            raise NotAnimated(RollOutcome.FAILED)
        most = MOST_WAITING_AT_MOMENTS if motion.is_moment else MOST_WAITING
        if self._running + self._pictures.waiting > most:
            raise NotAnimated(RollOutcome.BUSY)
        draw = partial(RollPainter.draw, still=still.data, picture=picture, motion=motion, theme=theme)
        try:
            async with asyncio.timeout(LATEST_SECONDS):
                drawn = await self._draw(draw)
        except TimeoutError:
            raise NotAnimated(RollOutcome.LATE) from None
        except (WorkerFailed, WorkerLost) as fault:
            log.warning("a roll could not be animated: %s", fault)
            raise NotAnimated(RollOutcome.FAILED) from fault
        if isinstance(drawn, RollOutcome):
            raise NotAnimated(drawn)
        return replace(
            still,
            data=drawn,
            name=ANIMATION_NAME,
            rolling_seconds=motion.seconds,
            is_moment=motion.is_moment,
        )

    async def close(self) -> None:
        """End the worker."""
        for task in self._preparing:
            task.cancel()
        await self._workers.close()

    async def _draw(self, draw: Callable[["RollPainter"], bytes | RollOutcome]) -> bytes | RollOutcome:
        self._running += 1
        try:
            return await self._workers.call(draw, seconds=_SECONDS)
        finally:
            self._running -= 1

    async def _prepare(self, theme: Theme) -> None:
        try:
            await self._workers.call(partial(RollPainter.prepare, theme=theme), seconds=_SECONDS)
        except (WorkerFailed, WorkerLost) as fault:
            self._prepared.discard(theme)
            log.warning("animations can't be prepared: %s", fault)


class _Piece(NamedTuple):
    """A part of an animation that may be shown again at other times."""

    indices: Indices
    pixels: bytes
    """Its encoded pixels, those of a block or of a strip."""


class RollPainter:
    """Draws animations, in the process that does nothing else."""

    def __init__(self, data: Path, cache: Path | None = None, surfaces: Mapping[str, Surface] | None = None) -> None:
        """Set up drawing; nothing is read yet. The arguments are those of `PictureService`."""
        self._data = data
        self._cache = cache
        self._surfaces = surfaces
        self._themes: dict[Theme, _ThemePainter] = {}

    def prepare(self, theme: Theme) -> None:
        """Load the art of a theme."""
        self._painter(theme)

    def draw(self, still: bytes, picture: Picture, motion: Motion, theme: Theme) -> bytes | RollOutcome:
        """Return a GIF file that ends with a picture.

        Args:
            still: The picture as a PNG file.
            picture: The picture.
            motion: How it comes about.
            theme: Its theme.
        """
        palette = palette_colours(theme, picture.surface)
        if len(palette) > MAX_COLOURS:
            return RollOutcome.TOO_MANY_COLOURS
        blocks = list(self._painter(theme).draw(still, picture, motion))
        fitted = fit_blocks(blocks, MOMENT_BYTES if motion.is_moment else ROUTINE_BYTES)
        _, _, *size = blocks[0][0].at
        return RollOutcome.TOO_LARGE if fitted is None else join_gif((size[0], size[1]), palette, fitted)

    def _painter(self, theme: Theme) -> "_ThemePainter":
        if theme not in self._themes:
            sprites = SpriteCache(read_art(self._data), theme, self._cache, self._surfaces)
            sprites.load()
            self._themes[theme] = _ThemePainter(Renderer(Painter(theme, sprites), theme))
        return self._themes[theme]


def fit_blocks(frames: Sequence[tuple[Block, bool]], limit: int) -> Sequence[Block] | None:
    """Return blocks that make a file of a size at most, without the first steps if need be; None if there are none.

    Args:
        frames: All blocks, and whether each can be left out.
        limit: The most bytes.
    """
    excess = sum(len(block.pixels) for block, _ in frames) + _HEAD_BYTES - limit
    kept = []
    for block, is_step in frames:
        if is_step and excess > 0:
            excess -= len(block.pixels)
        else:
            kept.append(block)
    return None if excess > 0 else kept


class _ThemePainter:
    """Draws animations in one theme."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._pieces: LRUCache[TileKey, _Piece] = LRUCache(_MAX_PIECE_BYTES, _size_of)
        self._bands: LRUCache[tuple[int, bytes], _Piece] = LRUCache(_MAX_BAND_BYTES, _size_of)

    def draw(self, still: bytes, picture: Picture, motion: Motion) -> Iterator[tuple[Block, bool]]:
        """Yield the blocks of an animation, and whether each can be left out."""
        bands = self._get_bands(still)
        result = join_lines([band.indices for band in bands])
        height, width = result.shape
        plan = self._renderer.plan(replace(motion.before, size=(width, height)))
        looks, rests = [], []
        for piece in motion.pieces:
            below = self._renderer.marks_in(plan, piece.area)
            looks.append([self._get_piece(plan, piece.area, below, look) for look in piece.looks])
            rests.append(self._get_piece(plan, piece.area, below, piece.rest))
        state = self._renderer.compose_before(plan, picture, result)
        for place, piece in enumerate(motion.pieces):
            _paste(state, piece.area, looks[place][motion.first_look(place)])
        whole = Rect(0, 0, width, height)
        yield Block(whole, join_strips([band.pixels for band in bands]), _STILL_MILLISECONDS), False
        parts = find_parts(result, state, [piece.area for piece in motion.pieces])
        for block in encode_parts(result, state, parts, START_MILLISECONDS):
            yield block, False
        for piece, rest in zip(motion.pieces, rests, strict=True):
            _paste(state, piece.area, rest)
        for step in motion.steps():
            shown = rests[step.piece] if step.look is None else looks[step.piece][step.look]
            area = motion.pieces[step.piece].area
            yield Block(area, shown.pixels, step.milliseconds), step.look is not None
        for staged in motion.staging:
            following = self._renderer.compose(self._renderer.plan(replace(staged, size=(width, height))))
            for block in encode_change(state, following, STAGING_MILLISECONDS):
                yield block, False
            state = following
        if motion.staging:
            parts = find_parts(state, result)
        for block in encode_parts(state, result, parts, _END_MILLISECONDS):
            yield block, False

    def _get_bands(self, still: bytes) -> Sequence[_Piece]:
        """Return the bands of a still, most of which earlier stills had, too; each is a strip of its block."""
        width, bands = read_bands(still)
        found = []
        for data in bands:
            band = self._bands.get((width, data))
            if band is None:
                lines = inflate_band(data, width)
                band = self._bands[width, data] = _Piece(lines, encode_lines(lines))
            found.append(band)
        return found

    def _get_piece(self, plan: RenderPlan, area: Rect, below: Sequence[MarkInfo], marks: Sequence[Mark]) -> _Piece:
        key = self._renderer.tile_key(plan, area, below, marks)
        found = self._pieces.get(key)
        if found is None:
            indices = self._renderer.compose_tile(plan, key)
            found = self._pieces[key] = _Piece(indices, join_strips((encode_lines(indices),)))
        return found


def _size_of(piece: _Piece) -> int:
    return len(piece.pixels) + piece.indices.size


def _paste(canvas: Indices, at: Rect, piece: _Piece) -> None:
    canvas[at.y : at.bottom, at.x : at.right] = piece.indices
