"""Puts pictures into frames: drawn as the place prefers them, and left out where they can't be drawn or shown."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import discord

from bot.community.preferences import PreferenceCache
from bot.observability.metrics import Metrics, PictureOutcome
from bot.pictures.service import PictureFile
from bot.rules.picture import Picture, Theme
from bot.tables.model import Place
from bot.ui.render.message import MessageContent

log = logging.getLogger(__name__)

_IN_TIME_SECONDS = 1.0
"""How long the answer to a click waits for its picture; Discord waits three seconds for it."""
_PATIENCE_SECONDS = 10.0
"""How long an edit waits that nobody waits for."""
_MAX_BLOCKED_CHANNELS = 5000


class StillDrawing(Exception):
    """A picture takes so long that whoever clicked should be answered without it."""


class PictureDrawer(Protocol):
    """Draws pictures without holding anybody up; it may fail in any way."""

    def draw_if_quick(self, picture: Picture, theme: Theme) -> PictureFile | None:
        """Return a picture that need not be waited for; None if it has to be drawn."""
        ...

    async def prepare(self, theme: Theme) -> None:
        """Have what all pictures of a theme need at hand."""
        ...

    async def draw(self, picture: Picture, theme: Theme) -> PictureFile:
        """Draw a picture."""
        ...


class PictureAttacher:
    """Has the pictures of frames drawn. Whatever goes wrong, the frame is shown in words."""

    def __init__(self, painter: PictureDrawer | None, preferences: PreferenceCache, metrics: Metrics) -> None:
        self._drawer = painter
        self._preferences = preferences
        self._metrics = metrics
        self._blocked_channels: OrderedDict[int, None] = OrderedDict()
        """Channels in which no files may be attached, as far as is known."""
        self._drawing_tasks: set[asyncio.Task[PictureFile]] = set()

    async def prepare(self) -> None:
        """Have what most pictures need at hand before the first one is asked for."""
        if self._drawer is None:
            return
        try:
            await self._drawer.prepare(Theme.STANDARD)
        except Exception:
            log.exception("the pictures could not be prepared")

    def prerender(self, frame: MessageContent, place: Place) -> MessageContent:
        """Return a frame whose picture is drawn already, or being drawn; nobody has asked for it yet."""
        preferences = self._preferences.cached(place)
        theme = None if preferences is None else preferences.theme
        if (
            self._drawer is None
            or frame.make_picture is None
            or place.channel_id in self._blocked_channels
            or theme is None
        ):
            return frame
        try:
            picture = frame.make_picture()
            if self._drawer.draw_if_quick(picture, theme) is None:
                self._start_drawing(self._drawer.draw(picture, theme))
        except Exception:  # noqa: BLE001 - it fails once more when the frame is to be shown, and then it is told
            return frame
        return replace(frame, make_picture=lambda: picture)

    async def attach_within_deadline(self, frame: MessageContent, place: Place) -> MessageContent:
        """Return a frame with its picture, for somebody who waits for an answer; raises StillDrawing."""
        return await self._attach(frame, place, _IN_TIME_SECONDS)

    async def attach(self, frame: MessageContent, place: Place) -> MessageContent:
        """Return a frame with its picture, or in words if that takes too long."""
        try:
            return await self._attach(frame, place, _PATIENCE_SECONDS)
        except StillDrawing:
            return frame

    async def shows_pictures(self, place: Place) -> bool:
        """Tell whether there are pictures at a place, as far as they are allowed."""
        return self._drawer is not None and (await self._preferences.get(place)).theme is not None

    def note_permissions(self, interaction: discord.Interaction[Any]) -> None:
        """Note whether files may be attached where somebody has just acted."""
        if interaction.channel_id is None:
            return
        if may_attach_files(interaction):
            self._blocked_channels.pop(interaction.channel_id, None)
        else:
            self.block_channel(interaction.channel_id)

    def block_channel(self, channel_id: int) -> None:
        """Note that no files may be attached in a channel, until something else is heard of it."""
        self._blocked_channels[channel_id] = None
        while len(self._blocked_channels) > _MAX_BLOCKED_CHANNELS:
            self._blocked_channels.popitem(last=False)

    async def _attach(self, frame: MessageContent, place: Place, seconds: float) -> MessageContent:
        if self._drawer is None or frame.make_picture is None or place.channel_id in self._blocked_channels:
            return frame
        theme = (await self._preferences.get(place)).theme
        if theme is None:
            return frame
        try:
            picture = frame.make_picture()
            drawn = self._drawer.draw_if_quick(picture, theme)
            if drawn is None:
                drawn = await self._wait_for_drawing(self._drawer.draw(picture, theme), seconds)
        except StillDrawing:
            log.info("a picture takes longer than %.0f s", seconds)
            self._metrics.count_picture(PictureOutcome.LATE)
            raise
        except Exception:
            # Pictures are no part of the game: it goes on without them, whatever is wrong.
            log.exception("a picture could not be drawn; the table is shown in words")
            self._metrics.count_picture(PictureOutcome.FAILED)
            return frame
        self._metrics.count_picture(PictureOutcome.DRAWN)
        return frame.with_picture(drawn)

    async def _wait_for_drawing(self, drawing: Coroutine[Any, Any, PictureFile], seconds: float) -> PictureFile:
        """Wait for a picture for so long; it is finished all the same, and there at once when it is asked for again."""
        task = self._start_drawing(drawing)
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if not done:
            raise StillDrawing
        return task.result()

    def _start_drawing(self, drawing: Coroutine[Any, Any, PictureFile]) -> asyncio.Task[PictureFile]:
        task = asyncio.create_task(drawing)
        self._drawing_tasks.add(task)
        task.add_done_callback(self._finish_drawing)
        return task

    def _finish_drawing(self, task: asyncio.Task[PictureFile]) -> None:
        self._drawing_tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            log.debug("a drawing failed: %r", fault)


T = TypeVar("T")


_PAYLOAD_TOO_LARGE = 413


async def send_with_fallback(frame: MessageContent, send: Callable[[MessageContent], Awaitable[T]]) -> T:
    """Send a frame; without its picture if Discord finds that too large."""
    try:
        return await send(frame)
    except discord.HTTPException as fault:
        if frame.picture is None or fault.status != _PAYLOAD_TOO_LARGE:
            raise
        log.warning(
            "a picture of %d bytes is too large for Discord; its frame is shown in words", len(frame.picture.data)
        )
        return await send(frame.without_picture())


def may_attach_files(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether the bot may attach files in this channel."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files
