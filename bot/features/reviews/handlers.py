"""Makes and shows reviews of finished games."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from bot.features.replays.handlers import Replays
from bot.features.replays.model import Replay
from bot.features.reviews import storage
from bot.features.reviews.messages import ReviewPage, render_review
from bot.features.reviews.model import MadeMove, ReviewReason, find_made_moves, review_table
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    add_when_drawn,
    begin_long_answer,
    deferred_if_slow,
    send_ephemeral,
)
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import location_of
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.time_slices import TimeSlices
from bot.rules.refusals import Refusal
from bot.rules.review import Decision, Review
from bot.tables.model import TableId
from bot.tables.table import Table
from bot.tables.thinker import Thinker
from bot.words import format_number, gettext as _

log = logging.getLogger(__name__)

PROGRESS_SECONDS: Final = 1.0
"""Seconds between two updates of the progress."""

FORMAT: Final = 2
"""The version of reviews. Raise it to have all made again after a change that no digest of arrays shows."""


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review, with its format and the digest of the arrays behind it."""

    version: str
    review: Review


_STORED_REVIEWS: Final = TypeAdapter(StoredReview)


@dataclass(slots=True)
class _Progress:
    """The progress of a review."""

    count: int = 0
    done: int = 0
    is_final: bool = True
    """Whether all values so far come from the strongest evaluator. Otherwise a later review will be better."""


class ReviewJob(NamedTuple):
    """A review in progress."""

    progress: _Progress
    task: asyncio.Task[Review]


class Reviewer:
    """Makes the reviews of finished games, each once, and stores them."""

    def __init__(
        self, assessor: Thinker, db: Database, time_slices: TimeSlices, digest_arrays: Callable[[str], str]
    ) -> None:
        """Set up the reviewer.

        Args:
            assessor: Evaluates moves.
            db: Stores the reviews.
            time_slices: Replays games without blocking.
            digest_arrays: Returns a digest of a game's stored arrays, given the game's key.
        """
        self._assessor = assessor
        self._db = db
        self._time_slices = time_slices
        self._digest_arrays = digest_arrays
        self._jobs: dict[TableId, ReviewJob] = {}

    async def load(self, table: Table) -> Review | None:
        """Return a table's stored review if it was made with the present arrays, else None."""
        try:
            text = await self._db.read(storage.find, table.id)
            stored = _STORED_REVIEWS.validate_json(text) if text else None
        except StoreUnavailable:
            log.info("a game is reviewed although its review may be stored: the database is down")
            return None
        except ValidationError:
            log.info("a game is reviewed again: its review is that of another version")
            return None
        return stored.review if stored and stored.version == await self._version_of(table) else None

    def start(self, replay: Replay) -> ReviewJob:
        """Start a review, or join the one in progress for the same table."""
        table_id = replay.stages[0].id
        job = self._jobs.get(table_id)
        if job is None:
            progress = _Progress()
            job = self._jobs[table_id] = ReviewJob(progress, asyncio.create_task(self._make(replay, progress)))
            job.task.add_done_callback(lambda _: self._jobs.pop(table_id))
        return job

    async def close(self, seconds: float) -> None:
        """Cancel all reviews in progress, within some seconds; users can ask for them again."""
        tasks = [job.task for job in self._jobs.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def _make(self, replay: Replay, progress: _Progress) -> Review:
        found = find_made_moves(replay.entries, replay.stages, replay.turn_starts)
        made = [move async for move in self._time_slices.run(found) if move is not None]
        end = replay.stages[-1]
        progress.count = len(made)
        version = await self._version_of(end)
        review = review_table(end, await self._assess(made, progress))
        if review is None:
            raise Refusal(ReviewReason.NO_REVIEW)
        if progress.is_final:
            stored = _STORED_REVIEWS.dump_json(StoredReview(version, review)).decode()
            try:
                await self._db.maintain(storage.put, end.id, stored)
            except StoreUnavailable:
                log.info("a review is not stored: the database is down")
        return review

    async def _assess(self, made: Sequence[MadeMove], progress: _Progress) -> list[Decision]:
        decisions = list[Decision]()
        for move in made:
            thought = await self._assessor.assess(move.question, move.chosen)
            if thought.result is None:
                raise Refusal(ReviewReason.REVIEW_FAILED)
            decisions.append(move.decide(thought.result))
            progress.is_final = progress.is_final and thought.is_first_choice
            progress.done += 1
        return decisions

    async def _version_of(self, table: Table) -> str:
        digest = await asyncio.to_thread(self._digest_arrays, table.header.game)
        return f"{FORMAT} {digest}"


class Reviews:
    """Shows the review of a finished game to anyone who asks."""

    def __init__(
        self,
        replays: Replays,
        reviewer: Reviewer,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._replays = replays
        self._reviewer = reviewer
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def show_here(self, command: Interaction, table_id: str | None) -> None:
        """Review a finished game of this place: the game with the id, or the newest.

        Raises:
            Refusal: There is no such game, or nothing in it can be reviewed.
        """
        await self._show(command, await self._replays.load_chosen(command, table_id))

    @deferred_if_slow
    async def show(self, click: Interaction, table_id: TableId, page: ReviewPage | None = None) -> None:
        """Review the finished game whose button was clicked, or turn to a page of its review.

        Raises:
            Refusal: The user may not see the game here, or nothing in it can be reviewed.
        """
        await self._show(click, await self._replays.load(click, table_id), page)

    async def _show(self, interaction: Interaction, replay: Replay, page: ReviewPage | None = None) -> None:
        end = replay.stages[-1]
        if end.package.mind.evaluate is None or end.outcome is None:
            raise Refusal(ReviewReason.NO_REVIEW)
        review = await self._reviewer.load(end)
        answer: EphemeralMessage | None = None
        is_rough = False
        if review is None:
            begin_long_answer(interaction)
            job = self._reviewer.start(replay)
            answer = await send_ephemeral(interaction, _progress_text(job.progress))
            while not (await asyncio.wait({job.task}, timeout=PROGRESS_SECONDS))[0]:
                await answer.try_edit(_progress_text(job.progress))
            review = job.task.result()
            is_rough = not job.progress.is_final
        seat = end.seat_of(interaction.user.id)
        content = render_review(replay, review, seat, page or ReviewPage.CARDS, is_rough=is_rough)
        content = await attach_picture(interaction, content, self._picture_attacher, location_of(interaction))
        if answer is not None:
            await _replace(answer, content)
        elif page is None:
            answer = await send_ephemeral_content(interaction, content)
        else:
            answer = await edit_or_send_ephemeral(interaction, content)
        if answer is not None:
            self._ephemeral_messages.replace_previous(interaction, EphemeralKind.REVIEW, end.id, answer)


async def _replace(answer: EphemeralMessage, content: MessageContent) -> None:
    """Replace the progress by a review, without its picture if Discord refuses that."""

    async def edit(shown: MessageContent) -> None:
        await answer.edit(content=None, **shown.edit_kwargs())

    await send_with_fallback(content, edit)
    add_when_drawn(content, answer.message_id, answer.edit)


def _progress_text(progress: _Progress) -> str:
    if not progress.count:
        return _("Reviewing the game …")
    text = _("Reviewing the game … Decisions: {done} of {count}")
    return text.format(done=format_number(progress.done), count=format_number(progress.count))
