"""Attaches pictures to messages, drawn in the theme of the place; where that fails, messages stay in words."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import discord
from cachetools import LRUCache

from bot.community.preferences import PreferenceCache
from bot.observability.metrics import Metrics, PictureOutcome
from bot.pictures.service import PictureFile
from bot.rules.picture import Picture, Theme
from bot.tables.model import Location
from bot.ui.render.emoji import OWN_EMOJI
from bot.ui.render.message import MessageContent

log = logging.getLogger(__name__)

CLICK_PICTURE_SECONDS = 1.0
"""How long the response to a click waits for its picture; Discord allows three seconds."""
EDIT_PICTURE_SECONDS = 10.0
"""How long an edit in the background waits for its picture."""
_MAX_BLOCKED_CHANNELS = 5000


class StillDrawing(Exception):
    """A picture takes too long: the interaction should be answered without it."""


class PictureDrawer(Protocol):
    """Draws pictures without blocking the event loop; any exception may come out of it."""

    def draw_if_quick(self, picture: Picture, theme: Theme) -> PictureFile | None:
        """Return a picture that takes no noticeable time, or None."""

    async def prepare(self, theme: Theme) -> None:
        """Load what all pictures of a theme need."""

    async def draw(self, picture: Picture, theme: Theme) -> PictureFile:
        """Draw a picture. The drawing goes on if the caller is cancelled, so that a later call finds it done."""

    def clear(self) -> None:
        """Forget all pictures."""


class PictureAttacher:
    """Draws and attaches the pictures of messages. If that fails, the message stays in words."""

    def __init__(self, drawer: PictureDrawer | None, preferences: PreferenceCache, metrics: Metrics) -> None:
        self._drawer = drawer
        self.preferences = preferences
        self._metrics = metrics
        self._blocked_channels: LRUCache[int, bool] = LRUCache(_MAX_BLOCKED_CHANNELS)
        """Channels where the bot may not attach files, as far as is known; the values mean nothing."""
        self._drawing_tasks: set[asyncio.Task[PictureFile]] = set()

    def clear(self) -> None:
        """Forget all pictures that were drawn: names of people are in them."""
        if self._drawer is not None:
            self._drawer.clear()

    async def prepare(self) -> None:
        """Load what most pictures need."""
        if self._drawer is None:
            return
        try:
            await self._drawer.prepare(Theme.STANDARD)
        except Exception:
            log.exception("the pictures could not be prepared")

    def prerender(self, content: MessageContent, location: Location) -> MessageContent:
        """Start drawing a picture that will probably be attached soon, and return the content with its layout."""
        preferences = self.preferences.cached(location)
        theme = None if preferences is None else preferences.theme
        if (
            self._drawer is None
            or content.make_picture is None
            or location.channel_id in self._blocked_channels
            or theme is None
        ):
            return content
        try:
            picture = content.make_picture()
            if self._drawer.draw_if_quick(picture, theme) is None:
                self._start_drawing(self._drawer.draw(picture, theme))
        except Exception:  # noqa: BLE001 - it fails again in `attach`, which logs it
            return content
        return replace(content, make_picture=lambda: picture)

    async def attach_within_deadline(self, content: MessageContent, location: Location) -> MessageContent:
        """Return content with its picture.

        Raises:
            StillDrawing: It takes longer than a user who has clicked should wait.
        """
        return await self._attach(content, location, CLICK_PICTURE_SECONDS)

    async def attach(self, content: MessageContent, location: Location) -> MessageContent:
        """Return content with its picture, or in words if that takes too long."""
        try:
            return await self._attach(content, location, EDIT_PICTURE_SECONDS)
        except StillDrawing:
            return content

    async def shows_pictures(self, location: Location) -> bool:
        """Return whether tables at a location have pictures, if the bot may attach files there."""
        return self._drawer is not None and (await self.preferences.get(location)).theme is not None

    def note_permissions(self, interaction: discord.Interaction[Any]) -> None:
        """Note whether the bot may attach files in the channel of an interaction."""
        channel_id = interaction.channel_id or 0
        if may_attach_files(interaction):
            self._blocked_channels.pop(channel_id, None)
        else:
            self.block_channel(channel_id)

    def block_channel(self, channel_id: int) -> None:
        """Note that the bot may not attach files in a channel, until an interaction says otherwise."""
        self._blocked_channels[channel_id] = True

    async def _attach(self, content: MessageContent, location: Location, seconds: float) -> MessageContent:
        if self._drawer is None or content.make_picture is None or location.channel_id in self._blocked_channels:
            return content
        theme = (await self.preferences.get(location)).theme
        if theme is None:
            return content
        try:
            picture = content.make_picture()
            file = self._drawer.draw_if_quick(picture, theme)
            if file is None:
                file = await asyncio.wait_for(self._drawer.draw(picture, theme), seconds)
        except TimeoutError:
            log.info("a picture takes longer than %.0f s", seconds)
            self._metrics.count_picture(PictureOutcome.LATE)
            raise StillDrawing from None
        except Exception:
            # A game goes on without pictures, whatever is wrong with them.
            log.exception("a picture could not be drawn; the table is shown in words")
            self._metrics.count_picture(PictureOutcome.FAILED)
            return content
        self._metrics.count_picture(PictureOutcome.DRAWN)
        return content.with_picture(file)

    def _start_drawing(self, drawing: Coroutine[Any, Any, PictureFile]) -> None:
        task = asyncio.create_task(drawing)
        self._drawing_tasks.add(task)
        task.add_done_callback(self._finish_drawing)

    def _finish_drawing(self, task: asyncio.Task[PictureFile]) -> None:
        self._drawing_tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            log.debug("a drawing failed: %r", fault)


T = TypeVar("T")


_PAYLOAD_TOO_LARGE = 413
_INVALID_FORM = 50035


async def send_with_fallback(content: MessageContent, send: Callable[[MessageContent], Awaitable[T]]) -> T:
    """Send content; without its picture if that is too large for Discord, and without emoji that are gone."""
    try:
        return await send(content)
    except discord.HTTPException as fault:
        if _is_about_emoji(fault) and OWN_EMOJI.forget():
            log.warning("Discord refuses the bot's own emoji; until the next start symbols are Unicode: %s", fault)
            return await send_with_fallback(content, send)
        if content.picture is None or fault.status != _PAYLOAD_TOO_LARGE:
            raise
        log.warning(
            "a picture of %d bytes is too large for Discord; its message is sent without it", len(content.picture.data)
        )
        return await send(content.without_picture())


def _is_about_emoji(fault: discord.HTTPException) -> bool:
    """Return whether Discord refuses a message because of an emoji, such as one that was removed by hand."""
    return fault.code == _INVALID_FORM and ".emoji" in fault.text


def may_attach_files(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot may attach files in the channel of an interaction."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files
