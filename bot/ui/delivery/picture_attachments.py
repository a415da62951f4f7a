"""Puts pictures into frames: drawn as the place prefers them, and left out where they can't be drawn or shown."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import discord

from bot.community.preferences import PreferenceCache
from bot.observability.metrics import Drawing, Watch
from bot.pictures.service import Drawn
from bot.rules.picture import Picture, Theme
from bot.tables.model import Place
from bot.ui.render.message import Frame

log = logging.getLogger(__name__)

_IN_TIME_SECONDS = 1.0
"""How long the answer to a click waits for its picture; Discord waits three seconds for it."""
_PATIENCE_SECONDS = 10.0
"""How long an edit waits that nobody waits for."""
_CHANNELS = 5000


class StillDrawing(Exception):
    """A picture takes so long that whoever clicked should be answered without it."""


class Painter(Protocol):
    """Draws pictures without holding anybody up; it may fail in any way."""

    def at_once(self, picture: Picture, theme: Theme) -> Drawn | None:
        """Return a picture that need not be waited for; None if it has to be drawn."""
        ...

    async def prepare(self, theme: Theme) -> None:
        """Have what all pictures of a theme need at hand."""
        ...

    async def draw(self, picture: Picture, theme: Theme) -> Drawn:
        """Draw a picture."""
        ...


class Easel:
    """Has the pictures of frames drawn. Whatever goes wrong, the frame is shown in words."""

    def __init__(self, painter: Painter | None, preferences: PreferenceCache, watch: Watch) -> None:
        self._painter = painter
        self._preferences = preferences
        self._watch = watch
        self._barred: OrderedDict[int, None] = OrderedDict()
        """Channels in which no files may be attached, as far as is known."""
        self._drawing: set[asyncio.Task[Drawn]] = set()

    async def prepare(self) -> None:
        """Have what most pictures need at hand before the first one is asked for."""
        if self._painter is None:
            return
        try:
            await self._painter.prepare(Theme.STANDARD)
        except Exception:
            log.exception("the pictures could not be prepared")

    def ahead(self, frame: Frame, place: Place) -> Frame:
        """Return a frame whose picture is drawn already, or being drawn; nobody has asked for it yet."""
        preferences = self._preferences.at_hand(place)
        theme = None if preferences is None else preferences.theme
        if self._painter is None or frame.sketch is None or place.channel_id in self._barred or theme is None:
            return frame
        try:
            picture = frame.sketch()
            if self._painter.at_once(picture, theme) is None:
                self._begun(self._painter.draw(picture, theme))
        except Exception:  # noqa: BLE001 - it fails once more when the frame is to be shown, and then it is told
            return frame
        return replace(frame, sketch=lambda: picture)

    async def in_time(self, frame: Frame, place: Place) -> Frame:
        """Return a frame with its picture, for somebody who waits for an answer; raises StillDrawing."""
        return await self._hung(frame, place, _IN_TIME_SECONDS)

    async def hung(self, frame: Frame, place: Place) -> Frame:
        """Return a frame with its picture, or in words if that takes too long."""
        try:
            return await self._hung(frame, place, _PATIENCE_SECONDS)
        except StillDrawing:
            return frame

    async def shows_pictures(self, place: Place) -> bool:
        """Tell whether there are pictures at a place, as far as they are allowed."""
        return self._painter is not None and (await self._preferences.of(place)).theme is not None

    def heed(self, interaction: discord.Interaction[Any]) -> None:
        """Note whether files may be attached where somebody has just acted."""
        if interaction.channel_id is None:
            return
        if may_attach(interaction):
            self._barred.pop(interaction.channel_id, None)
        else:
            self.bar(interaction.channel_id)

    def bar(self, channel_id: int) -> None:
        """Note that no files may be attached in a channel, until something else is heard of it."""
        self._barred[channel_id] = None
        while len(self._barred) > _CHANNELS:
            self._barred.popitem(last=False)

    async def _hung(self, frame: Frame, place: Place, seconds: float) -> Frame:
        if self._painter is None or frame.sketch is None or place.channel_id in self._barred:
            return frame
        theme = (await self._preferences.of(place)).theme
        if theme is None:
            return frame
        try:
            picture = frame.sketch()
            drawn = self._painter.at_once(picture, theme)
            if drawn is None:
                drawn = await self._drawn(self._painter.draw(picture, theme), seconds)
        except StillDrawing:
            log.info("a picture takes longer than %.0f s", seconds)
            self._watch.drew(Drawing.LATE)
            raise
        except Exception:
            # Pictures are no part of the game: it goes on without them, whatever is wrong.
            log.exception("a picture could not be drawn; the table is shown in words")
            self._watch.drew(Drawing.FAILED)
            return frame
        self._watch.drew(Drawing.DRAWN)
        return frame.with_picture(drawn)

    async def _drawn(self, drawing: Coroutine[Any, Any, Drawn], seconds: float) -> Drawn:
        """Wait for a picture for so long; it is finished all the same, and there at once when it is asked for again."""
        task = self._begun(drawing)
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if not done:
            raise StillDrawing
        return task.result()

    def _begun(self, drawing: Coroutine[Any, Any, Drawn]) -> asyncio.Task[Drawn]:
        task = asyncio.create_task(drawing)
        self._drawing.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Drawn]) -> None:
        self._drawing.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            log.debug("a drawing failed: %r", fault)


T = TypeVar("T")


_TOO_LARGE = 413


async def sent(frame: Frame, send: Callable[[Frame], Awaitable[T]]) -> T:
    """Send a frame; without its picture if Discord finds that too large."""
    try:
        return await send(frame)
    except discord.HTTPException as fault:
        if frame.drawn is None or fault.status != _TOO_LARGE:
            raise
        log.warning(
            "a picture of %d bytes is too large for Discord; its frame is shown in words", len(frame.drawn.data)
        )
        return await send(frame.in_words())


def may_attach(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether the bot may attach files in this channel."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files
