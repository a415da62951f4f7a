"""Posts a highlight of a finished game as its picture, such as a bust."""

from dataclasses import replace
from functools import partial
from typing import Final

from cachetools import LRUCache

from bot.features.replays.handlers import Replays
from bot.features.replays.messages import MomentId, can_be_posted, render_moment
from bot.platform.discord.answers import Interaction, acknowledge, post_content, speaking_to_everyone
from bot.platform.discord.context import require_posting
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.private_messages import attach_picture
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.metrics import Ending, Metrics
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.shown.buttons import dare_buttons
from bot.tables.shown.links import message_link

_MAX_REMEMBERED: Final = 4096
"""The number of posted moments to remember. Kept in memory only, because posting one twice does no harm."""


class Moments:
    """Posts highlights for everyone, each once."""

    def __init__(self, replays: Replays, picture_attacher: PictureAttacher, metrics: Metrics) -> None:
        self._replays = replays
        self._picture_attacher = picture_attacher
        self._metrics = metrics
        self._shared: LRUCache[MomentId, int | None] = LRUCache(_MAX_REMEMBERED)
        """The messages with moments; None while one is being posted."""

    async def share(self, click: Interaction, moment: MomentId) -> None:
        """Post a highlight.

        Raises:
            Refusal: The user had no seat, the step has no highlight, others may not see the game yet, the highlight was
                posted before, or the bot may not post.
        """
        replay = await self._replays.load(click, moment.table_id)
        table = replay.stages[-1]
        if not can_be_posted(table) or moment.step not in replay.highlights:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        if table.seat_of(click.user.id) is None:
            raise Refusal(HostReason.NOT_YOURS_TO_SHARE)
        require_posting(click)
        location = table.header.location
        if moment in self._shared:
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(message_link(location, self._shared[moment])))
        self._shared[moment] = None
        try:
            await acknowledge(click)
            with speaking_to_everyone(click):
                content = replace(render_moment(replay, moment.step), rows=(dare_buttons(table),))
                content = await attach_picture(click, content, self._picture_attacher, location)
            note_refusal = partial(self._picture_attacher.note_refusal, location)
            self._shared[moment] = await send_with_fallback(content, partial(post_content, click), note_refusal)
        except BaseException:
            self._shared.pop(moment, None)
            raise
        self._metrics.count_ending(table.header.game, Ending.SHARED)
