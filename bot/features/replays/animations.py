"""Posts the highlights of a finished game as an animation."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import discord
from cachetools import LRUCache

from bot.features.replays import storage as animation_storage
from bot.features.replays.handlers import Replays
from bot.features.replays.messages import describe_highlights
from bot.features.replays.model import Replay, ReplayReason
from bot.features.replays.storage import AnimationKey
from bot.languages import current_language
from bot.pictures.animation import AnimationTooLarge, Animator, Frame
from bot.pictures.service import PictureFile
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    begin_long_answer,
    deferred_if_slow,
    send_ephemeral,
    speaking_to_everyone,
)
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import require_presence
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.observability.metrics import Ending
from bot.platform.places import Location
from bot.platform.time_slices import TimeSlices
from bot.rules.motion import STAGING_MILLISECONDS, START_MILLISECONDS
from bot.rules.picture import Mark, Picture, Theme
from bot.rules.refusals import Refusal
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.handlers.public_posts import PublicPosts, public_place_of
from bot.tables.model import TableId
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.shown.buttons import dare_buttons
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import message_link
from bot.tables.shown.message import picture_maker_of, render_shared_result
from bot.tables.shown.parts import NO_PARTS, TableParts
from bot.tables.shown.result import describe_result_of, shared_line
from bot.tables.shown.result_picture import on_card
from bot.tables.table import Table
from bot.words import format_number, gettext as _, truncate
from bot.workers import WorkerFailed, WorkerLost

log = logging.getLogger(__name__)

_FILE_NAME: Final = "replay.gif"
_ROLLS: Final = 2
"""The most highlights of an animation."""

_RESULT_SECONDS, _CARD_SECONDS = 1.5, 6.0
_SHORTEST_FRAME: Final = 60
"""Milliseconds of the shortest frame while dice tumble: a whole picture takes 20 kB or so."""

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
        *,
        posts: PublicPosts,
        time_slices: TimeSlices,
        parts: TableParts = NO_PARTS,
    ) -> None:
        self._parts = parts
        self._replays = replays
        self._animator = animator
        self._db = db
        self._picture_attacher = picture_attacher
        self._posts = posts
        self._time_slices = time_slices
        self._shared: LRUCache[TableId, int | None] = LRUCache(_MAX_REMEMBERED)
        """The messages with animations, by table; None while an animation is being made."""

    @deferred_if_slow
    async def share(self, command: Interaction, table_id: str | None) -> None:
        """Post the animation of a finished game of this place: the game with the id, or the newest.

        Raises:
            Refusal: The user had no seat, the game has no pictures, is a challenge or was posted before, or the bot
                may not post.
        """
        require_presence(command)
        replay = await self._replays.load_chosen(command, table_id)
        table = replay.stages[-1]
        require_sharer(table, command.user.id)
        place = public_place_of(command, table)
        theme = await self._picture_attacher.theme_of(table.header.location)
        with speaking_to_everyone(command):
            frames = [frame async for frame in self._time_slices.run(lay_out_frames(replay, self._parts))]
        if theme is None or not frames:
            raise Refusal(ReplayReason.NO_ANIMATION)
        if table.id in self._shared:
            link = message_link(place, self._shared[table.id])
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(link))
        begin_long_answer(command)
        self._shared[table.id] = None
        try:
            answer = await send_ephemeral(command, _progress_text(0, len(frames)))
            text = await self._draw_and_post(command, replay, place, frames, theme, answer)
        except BaseException:
            self._shared.pop(table.id, None)
            raise
        await answer.try_edit(text)

    async def _draw_and_post(
        self,
        command: Interaction,
        replay: Replay,
        place: Location,
        frames: Sequence[Frame],
        theme: Theme,
        answer: EphemeralMessage,
    ) -> str:
        """Post the animation, and return a sentence that links to it, or says that it can't be drawn."""
        table = replay.stages[-1]
        with speaking_to_everyone(command):
            key = AnimationKey(table.id, current_language().code, theme.value)
        try:
            file = await self._get_or_draw(table, key, frames, theme, answer)
        except (AnimationTooLarge, WorkerFailed, WorkerLost) as fault:
            log.warning("the replay of table %s can't be drawn: %r", table.id, fault)
            self._shared.pop(table.id, None)
            return _("Something went wrong while I drew the replay. Please try again in a minute.")
        if file is None:
            # A person in the animation has deleted their data.
            self._replays.forget(table.id)
            self._shared.pop(table.id, None)
            return _("This game changed while I drew the replay. Please try again.")
        with speaking_to_everyone(command):
            content = _render(file, replay)
        self._shared[table.id] = await self._posts.send(command, table, place, content)
        self._db.metrics.count_ending(table.header.game, Ending.SHARED)
        link = message_link(place, self._shared[table.id])
        told = _("The replay is here: {link}. *Share* below the result posts it as a picture.")
        if table.header.location.guild_id is None:
            told = _("The replay is here: {link}.")
        return told.format(link=link)

    async def _get_or_draw(
        self, table: Table, key: AnimationKey, frames: Sequence[Frame], theme: Theme, answer: EphemeralMessage
    ) -> bytes | None:
        """Return the stored animation, or draw and store it while showing the progress.

        Return None if a person in it has meanwhile deleted their data.
        """
        try:
            if stored := await self._db.read(animation_storage.find, key):
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
            is_current = await self._db.maintain(animation_storage.put, key, file, table.seats)
        except StoreUnavailable:
            log.info("an animation is not stored: the database is down")
            return file
        return file if is_current else None


def require_sharer(table: Table, user_id: int) -> None:
    """Raise a Refusal if a person may not post a table's animation."""
    if table.seat_of(user_id) is None:
        raise Refusal(HostReason.NOT_YOURS_TO_SHARE)
    if table.edition is not None:
        raise Refusal(ReplayReason.NO_ANIMATION_OF_CHALLENGES)


def lay_out_frames(replay: Replay, parts: TableParts = NO_PARTS) -> Iterator[Frame]:
    """Yield two highlights of a game, whose dice tumble, and then its card; nothing if the game has no pictures."""
    last = replay.stages[-1]
    found = sorted(replay.highlights.items(), key=lambda item: item[1].highlight.weight)[-_ROLLS:]
    for step in sorted(step for step, _highlight in found) or [replay.last]:
        table = replay.stages[step]
        # Only the picture is built, because a table's words and buttons take several times as long.
        if (make_picture := picture_maker_of(table, table.package.look.build_picture)) is None:
            return
        yield from _lay_out_roll(make_picture())
    if (make_card := render_shared_result(last, parts).make_picture) is not None:
        yield Frame(make_card(), _CARD_SECONDS)


def _lay_out_roll(result: Picture) -> Iterator[Frame]:
    """Yield how a picture comes about, in steps long enough for a whole frame each, and the picture."""
    if (motion := result.motion) is not None:
        looks = [piece.looks[motion.first_look(place)] for place, piece in enumerate(motion.pieces)]
        milliseconds = START_MILLISECONDS
        for step in motion.steps():
            if milliseconds >= _SHORTEST_FRAME:
                yield _lay_out_step(motion.before, looks, milliseconds)
                milliseconds = 0
            piece = motion.pieces[step.piece]
            looks[step.piece] = piece.rest if step.look is None else piece.looks[step.look]
            milliseconds += step.milliseconds
        yield _lay_out_step(motion.before, looks, milliseconds)
        for staged in motion.staging:
            yield Frame(on_card(staged), STAGING_MILLISECONDS / 1000)
    yield Frame(on_card(result), _RESULT_SECONDS)


def _lay_out_step(before: Picture, looks: Iterable[Sequence[Mark]], milliseconds: int) -> Frame:
    """Return a picture with its moving pieces."""
    moving = replace(before, marks=(*before.marks, *chain.from_iterable(looks)))
    return Frame(on_card(moving), milliseconds / 1000)


def _progress_text(done: int, count: int) -> str:
    text = _("Drawing the replay … Pictures: {done} of {count}")
    return text.format(done=format_number(done), count=format_number(count))


def _render(file: bytes, replay: Replay) -> MessageContent:
    """Render the message of an animation.

    The alternative text tells how the game ended and, while there is room, its highlights.
    """
    table = replay.stages[-1]
    text = _("The highlights of a game, one after another. {result} {highlights}").format(
        result=describe_result_of(table), highlights=describe_highlights(replay)
    )
    description = truncate(text.rstrip(), LONGEST_DESCRIPTION)
    title = _("{game}: the highlights").format(game=_(table.package.game.info.title))
    embed = discord.Embed(title=title, description=shared_line(table), colour=SEAT_COLOURS[0])
    picture = PictureFile(file, _FILE_NAME, description)
    return MessageContent(embed.to_dict(), (dare_buttons(table),), picture=picture)
