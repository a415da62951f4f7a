"""Attaches pictures, drawn in the theme of the place, to messages; if drawing fails, messages stay in words."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import replace
from typing import Any, Final, TypeVar

import discord
from cachetools import LRUCache, TTLCache

from bot.pictures.rolls import NotAnimated, RollService
from bot.pictures.service import PictureFile, PictureService
from bot.platform.discord.content import MessageContent
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.http import UPLOADS_LIMITED
from bot.platform.observability.metrics import Metrics, PictureOutcome
from bot.platform.places import Location
from bot.rules.motion import MotionLevel, RollOutcome
from bot.rules.picture import Picture, Theme

T = TypeVar("T")

log = logging.getLogger(__name__)

CLICK_PICTURE_SECONDS = 1.0
"""How long the response to a click waits for its picture; Discord allows three seconds."""
EDIT_PICTURE_SECONDS = 10.0
"""How long an edit in the background waits for its picture."""
_MAX_REFUSED = 5000
LIMITED_SECONDS = 3600.0
"""How long a server without uploads gets no pictures; then another one is tried."""


_PAYLOAD_TOO_LARGE: Final = 413
_INVALID_FORM: Final = 50035
_MISSING_PERMISSIONS: Final = 50013
_REFUSED_FILES: Final = frozenset((UPLOADS_LIMITED, 20009, 40005, 50045, 50046, 50138))
"""Discord's error codes for files: limited, explicit, too large (twice), invalid, not resizable."""
_NOTED: Final = (UPLOADS_LIMITED, _MISSING_PERMISSIONS)
"""The error codes that are remembered for a place."""


class StillDrawing(Exception):
    """A picture takes so long that the interaction should be answered without it."""

    def __init__(self, drawing: asyncio.Future[PictureFile]) -> None:
        super().__init__("a picture is still being drawn")
        self.drawing = drawing
        """The unfinished picture."""


async def _all_motion(_location: Location, _watchers: Collection[int]) -> MotionLevel:
    """Return that everything moves."""
    return MotionLevel.ALL


async def _prepare(preparing: Awaitable[None]) -> None:
    """Wait for a preparation; without it, pictures only take longer."""
    try:
        await preparing
    except Exception:
        log.exception("the pictures could not be prepared")


class PictureAttacher:
    """Draws and attaches the pictures of messages; messages stay in words if drawing fails."""

    def __init__(
        self,
        drawer: PictureService | None,
        theme_of: Callable[[Location], Awaitable[Theme | None]],
        metrics: Metrics,
        rolls: RollService | None = None,
        motion_of: Callable[[Location, Collection[int]], Awaitable[MotionLevel]] = _all_motion,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Initialize.

        Args:
            drawer: Draws the pictures; None for no pictures.
            theme_of: Returns the theme of a place; None if its tables are in words.
            metrics: Counts the pictures.
            rolls: Animates pictures; None for still pictures only.
            motion_of: Returns what moves at a location for some people.
            seconds: Tells how long ago Discord limited uploads.
        """
        self._drawer = drawer
        self.theme_of = theme_of
        self._metrics = metrics
        self._rolls = rolls
        self._motion_of = motion_of
        self._channels_without_files: LRUCache[int, bool] = LRUCache(_MAX_REFUSED)
        """Channels known to forbid the bot attaching files; the values mean nothing."""
        self._limited: TTLCache[int, bool] = TTLCache(_MAX_REFUSED, LIMITED_SECONDS, seconds)
        """Servers known to have limited uploads, and whether somebody there was told."""
        self._drawing_tasks: set[asyncio.Task[PictureFile]] = set()

    def clear(self) -> None:
        """Forget all drawn pictures, because they contain names of people."""
        if self._drawer is not None:
            self._drawer.clear()

    async def prepare_covers(self) -> None:
        """Load the resources that the first lobbies need."""
        if self._drawer is not None:
            await _prepare(self._drawer.prepare_covers(Theme.STANDARD))

    async def prepare(self) -> None:
        """Load the resources that most pictures need."""
        if self._drawer is not None:
            await _prepare(self._drawer.prepare(Theme.STANDARD))

    async def attach_within_deadline(self, content: MessageContent, location: Location) -> MessageContent:
        """Return content with its picture.

        Raises:
            StillDrawing: Drawing takes longer than a user should wait after a click.
        """
        return await self._attach(content, location, CLICK_PICTURE_SECONDS)

    async def attach(self, content: MessageContent, location: Location) -> MessageContent:
        """Return content with its picture, or with a late picture if drawing takes too long."""
        try:
            return await self._attach(content, location, EDIT_PICTURE_SECONDS)
        except StillDrawing as late:
            return replace(content, late_picture=late.drawing)

    async def shows_pictures(self, location: Location) -> bool:
        """Return whether tables at a location have pictures, if the bot may attach files there."""
        return self._drawer is not None and await self.theme_of(location) is not None

    def note_permissions(self, interaction: discord.Interaction[Any]) -> None:
        """Note whether the bot may attach files in the channel of an interaction."""
        channel_id = interaction.channel_id or 0
        if may_attach_files(interaction):
            self._channels_without_files.pop(channel_id, None)
        else:
            self.note_no_files(channel_id)

    def note_no_files(self, channel_id: int) -> None:
        """Note that the bot may not attach files in a channel, until an interaction says otherwise."""
        self._channels_without_files[channel_id] = True

    def note_refusal(self, location: Location, refusal: discord.HTTPException) -> None:
        """Remember why Discord refused a file at a location, if it will refuse further files as well."""
        if refusal.code == _MISSING_PERMISSIONS:
            self.note_no_files(location.channel_id)
        elif refusal.code == UPLOADS_LIMITED and location.scope_id not in self._limited:
            self._limited[location.scope_id] = False
            log.warning("Discord limits uploads in server %s, so tables are in words there for now", location.guild_id)

    def pop_news_of_limit(self, location: Location) -> bool:
        """Return, once per limit, whether to tell somebody that Discord limits uploads in a server."""
        is_news = self._limited.get(location.scope_id) is False
        if is_news:
            self._limited[location.scope_id] = True
        return is_news

    async def _attach(self, content: MessageContent, location: Location, seconds: float) -> MessageContent:
        is_refused = location.channel_id in self._channels_without_files or location.scope_id in self._limited
        if self._drawer is None or content.make_picture is None or is_refused:
            return content
        theme = await self.theme_of(location)
        if theme is None:
            return content
        try:
            picture = content.make_picture()
            file = self._drawer.draw_if_quick(picture, theme)
            if file is None:
                file = await self._draw_within(seconds, self._drawer.draw(picture, theme))
            file = await self._animate(content, file, picture, theme, location)
        except StillDrawing:
            log.info("a picture takes longer than %.0f s", seconds)
            self._metrics.count_picture(PictureOutcome.LATE)
            raise
        except Exception:
            # The game must go on without pictures, whatever the error.
            log.exception("a picture could not be drawn; the table is shown in words")
            self._metrics.count_picture(PictureOutcome.FAILED)
            return content
        self._metrics.count_picture(PictureOutcome.DRAWN)
        return content.with_picture(file)

    async def _animate(
        self, content: MessageContent, still: PictureFile, picture: Picture, theme: Theme, location: Location
    ) -> PictureFile:
        """Return the animation of a roll that is shown for the first time; in all other cases the picture as it is."""
        if self._rolls is None:
            return still
        if content.roll is None or picture.motion is None:
            # The next picture at this place may be a roll.
            self._rolls.prepare(theme)
            return still
        least = MotionLevel.MOMENTS if picture.motion.is_moment else MotionLevel.ALL
        try:
            if await self._motion_of(location, content.roll.watchers) < least:
                raise NotAnimated(RollOutcome.OFF)  # noqa: TRY301 - counted like the others
            animated = await self._rolls.animate(still, picture, theme)
        except NotAnimated as fault:
            self._metrics.count_roll(fault.reason)
            return still
        self._metrics.count_roll(RollOutcome.MOVING, len(animated.data))
        return animated

    async def _draw_within(self, seconds: float, drawing: Coroutine[Any, Any, PictureFile]) -> PictureFile:
        """Return a picture; raise StillDrawing if drawing takes longer than some seconds."""
        task = asyncio.create_task(drawing)
        self._drawing_tasks.add(task)
        task.add_done_callback(self._finish_drawing)
        await asyncio.wait((task,), timeout=seconds)
        if not task.done():
            raise StillDrawing(task)
        return task.result()

    def _finish_drawing(self, task: asyncio.Task[PictureFile]) -> None:
        self._drawing_tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            log.debug("a drawing failed: %r", fault)


def refuses_file(fault: BaseException) -> bool:
    """Return whether Discord refuses a file, with any status."""
    return isinstance(fault, discord.HTTPException) and (
        fault.status == _PAYLOAD_TOO_LARGE or fault.code in _REFUSED_FILES
    )


def _refuses_picture(fault: discord.HTTPException) -> bool:
    """Return whether Discord may accept the message without its picture."""
    is_about_files = fault.code == _INVALID_FORM and any(part in fault.text for part in ("attachments", "files"))
    return refuses_file(fault) or fault.code == _MISSING_PERMISSIONS or is_about_files


async def send_with_fallback(
    content: MessageContent,
    send: Callable[[MessageContent], Awaitable[T]],
    note_refusal: Callable[[discord.HTTPException], None] | None = None,
) -> T:
    """Send content, without a picture that Discord refuses and without emoji that are gone.

    Args:
        content: The content.
        send: Sends the content.
        note_refusal: Called with the error if Discord refuses the picture.
    """
    try:
        return await send(content)
    except discord.HTTPException as fault:
        # Somebody may have removed an emoji by hand.
        if fault.code == _INVALID_FORM and ".emoji" in fault.text and OWN_EMOJI.forget():
            log.warning("Discord refuses the bot's own emoji; until the next start symbols are Unicode: %s", fault)
            return await send_with_fallback(content, send, note_refusal)
        if content.picture is None or not _refuses_picture(fault):
            raise
        log.log(
            logging.INFO if fault.code in _NOTED else logging.WARNING,
            "Discord does not take a picture of %d bytes; its message is sent without it: %s",
            len(content.picture.data),
            fault,
        )
        sent = await send(content.without_picture())
        if note_refusal is not None:
            note_refusal(fault)
        return sent


def may_attach_files(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot may attach files in the channel of an interaction."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files
