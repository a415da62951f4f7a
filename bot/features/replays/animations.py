"""Posts the highlights of a finished game as an animation."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Final

import discord
from cachetools import LRUCache

from bot.features.replays import storage as animation_storage
from bot.features.replays.handlers import Replays
from bot.features.replays.messages import describe_highlights
from bot.features.replays.model import Replay, ReplayReason
from bot.pictures.animation import AnimationTooLarge, Animator, Frame, filled_share
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    begin_long_answer,
    deferred_if_slow,
    post,
    send_ephemeral,
)
from bot.platform.discord.context import require_permissions
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.time_slices import TimeSlices
from bot.rules.picture import PICTURE_WIDTH, Theme
from bot.rules.refusals import Refusal
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.model import TableId
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import message_link
from bot.tables.shown.message import picture_maker_of, render_result, render_shared_result
from bot.tables.shown.result import describe_result_of, shared_line
from bot.tables.table import Table
from bot.words import format_number, gettext as _, truncate
from bot.workers import WorkerFailed, WorkerLost

log = logging.getLogger(__name__)

FILE_NAME: Final = "replay.gif"
_START_SECONDS, _HIGHLIGHT_SECONDS, _END_SECONDS = 1.2, 1.5, 3.5
"""With ten highlights, an animation takes less than 20 seconds."""

PROGRESS_SECONDS: Final = 1.0
"""Seconds between two updates of the progress."""

_MAX_REMEMBERED: Final = 4096
"""The number of posted animations to remember. Kept in memory only, because posting one twice does no harm."""


class Animations:
    """Draws, stores and posts the highlights of finished games, each once."""

    def __init__(
        self,
        replays: Replays,
        animator: Animator,
        db: Database,
        picture_attacher: PictureAttacher,
        time_slices: TimeSlices,
    ) -> None:
        self._replays = replays
        self._animator = animator
        self._db = db
        self._picture_attacher = picture_attacher
        self._time_slices = time_slices
        self._shared: LRUCache[TableId, int | None] = LRUCache(_MAX_REMEMBERED)
        """The messages with animations, by table; None while an animation is being made."""

    @deferred_if_slow
    async def share(self, command: Interaction, table_id: str | None) -> None:
        """Post the animation of a finished game in this place: the game with the id, or the newest.

        Raises:
            Refusal: The user had no seat, the game has no pictures, is a daily bag or was posted before, or the bot
                may not post.
        """
        replay = await self._replays.load_chosen(command, table_id)
        table = replay.stages[-1]
        require_sharer(table, command.user.id)
        require_permissions(command)
        theme = await self._picture_attacher.theme_of(table.header.location)
        laying_out = self._time_slices.run(lay_out_frames(replay, _name_of_server(command)))
        if theme is None or not (frames := [frame async for frame in laying_out]):
            raise Refusal(ReplayReason.NO_ANIMATION)
        if table.id in self._shared:
            link = message_link(table.header.location, self._shared[table.id])
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(link))
        begin_long_answer(command)
        self._shared[table.id] = None
        try:
            answer = await send_ephemeral(command, _progress_text(0, len(frames)))
            text = await self._draw_and_post(command, replay, frames, theme, answer)
        except BaseException:
            self._shared.pop(table.id, None)
            raise
        await answer.try_edit(text)

    async def _draw_and_post(
        self,
        command: Interaction,
        replay: Replay,
        frames: Sequence[Frame],
        theme: Theme,
        answer: EphemeralMessage,
    ) -> str:
        """Post the animation, and return a sentence that links to it, or says that it can't be drawn."""
        table = replay.stages[-1]
        try:
            file = await self._get_or_draw(table, frames, theme, answer)
        except (AnimationTooLarge, WorkerFailed, WorkerLost) as fault:
            log.warning("the replay of table %s can't be drawn: %r", table.id, fault)
            self._shared.pop(table.id, None)
            return _("Something went wrong while I drew the replay. Please try again in a minute.")
        if file is None:
            # A person in the animation has deleted their data.
            self._replays.forget(table.id)
            self._shared.pop(table.id, None)
            return _("This game changed while I drew the replay. Please try again.")
        self._shared[table.id] = await _post(command, file, replay)
        link = message_link(table.header.location, self._shared[table.id])
        told = _("The replay is here: {link}. *Share* below the result posts it as a picture.")
        if table.header.location.guild_id is None:
            told = _("The replay is here: {link}.")
        return told.format(link=link)

    async def _get_or_draw(
        self, table: Table, frames: Sequence[Frame], theme: Theme, answer: EphemeralMessage
    ) -> bytes | None:
        """Return the stored animation, or draw and store it while showing the progress.

        Return None if a person in it has meanwhile deleted their data.
        """
        try:
            if stored := await self._db.read(animation_storage.find, table.id):
                return stored
        except StoreUnavailable:
            log.info("an animation is drawn although it may be stored: the database is down")
        done = 0

        def note_progress(count: int) -> None:
            nonlocal done
            done = count

        drawing = asyncio.ensure_future(self._animator.animate(frames, theme, note_progress))
        try:
            while not (await asyncio.wait({drawing}, timeout=PROGRESS_SECONDS))[0]:
                await answer.try_edit(_progress_text(done, len(frames)))
        finally:
            drawing.cancel()
        file = drawing.result()
        try:
            is_current = await self._db.maintain(animation_storage.put, table.id, file, table.seats)
        except StoreUnavailable:
            log.info("an animation is not stored: the database is down")
            return file
        return file if is_current else None


def require_sharer(table: Table, user_id: int) -> None:
    """Raise a Refusal if a person may not post a table's animation."""
    if table.seat_of(user_id) is None:
        raise Refusal(HostReason.NOT_YOURS_TO_SHARE)
    if table.daily_day is not None:
        raise Refusal(ReplayReason.NO_ANIMATION_OF_DAILY_BAGS)


def lay_out_frames(replay: Replay, place: str) -> Iterator[Frame]:
    """Yield the start, the highlights and the result of a game one by one; nothing if the game has no pictures.

    Args:
        replay: The game.
        place: The name of the server, or an empty text.
    """
    first, *_rest, last = replay.stages
    shown = [(first, _START_SECONDS), *((replay.stages[step], _HIGHLIGHT_SECONDS) for step in replay.highlights)]
    heights: list[int] = []
    for table, seconds in shown:
        # Only the picture is built, because a table's words and buttons take several times as long.
        if (make_picture := picture_maker_of(table, table.package.look.build_picture)) is None:
            return
        picture = make_picture()
        heights.append(picture.size[1])
        yield Frame(picture, seconds)
    # Of the table's last picture and the shared card, choose the one that fills more of the frame.
    contents = render_result(last, place=place), render_shared_result(last, place)
    pictures = [content.make_picture() for content in contents if content.make_picture is not None]
    size = (PICTURE_WIDTH, max(heights))
    yield Frame(max(pictures, key=lambda picture: filled_share(picture.size, size)), _END_SECONDS)


def _name_of_server(command: Interaction) -> str:
    return "" if command.guild is None else command.guild.name


def _progress_text(done: int, count: int) -> str:
    text = _("Drawing the replay: {done} of {count} pictures …")
    return text.format(done=format_number(done), count=format_number(count))


async def _post(command: Interaction, file: bytes, replay: Replay) -> int:
    """Post an animation for everyone, without mentions, and return the message's id.

    The alternative text tells how the game ended and, while there is room, its highlights.
    """
    table = replay.stages[-1]
    text = _("The highlights of a game, one after another. {result} {highlights}").format(
        result=describe_result_of(table, _name_of_server(command)), highlights=describe_highlights(replay)
    )
    description = truncate(text.rstrip(), LONGEST_DESCRIPTION)
    title = _("{game}: the highlights").format(game=table.package.game.info.title)
    embed = discord.Embed(title=title, description=shared_line(table), colour=SEAT_COLOURS[0])
    embed.set_image(url=f"attachment://{FILE_NAME}")
    return await post(command, embed=embed, file=discord.File(BytesIO(file), FILE_NAME, description=description))
