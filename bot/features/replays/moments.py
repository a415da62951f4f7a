"""Posts a highlight of a finished game as its picture, such as a bust."""

from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from bot.features.replays.handlers import Replays
from bot.features.replays.messages import MomentId, can_be_posted, render_moment
from bot.platform.discord.answers import Interaction, acknowledge, speaking_to_everyone
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.metrics import Ending, Metrics
from bot.rules.refusals import Refusal
from bot.tables.handlers.public_posts import PublicPosts, public_place_of
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.shown.buttons import dare_buttons
from bot.tables.shown.links import message_link

_MAX_REMEMBERED: Final = 4096
"""The number of posted moments to remember. Kept in memory only, because posting one twice does no harm."""


class Moments:
    """Posts highlights for everyone, each once."""

    def __init__(self, replays: Replays, posts: PublicPosts, metrics: Metrics) -> None:
        self._replays = replays
        self._posts = posts
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
        place = public_place_of(click, table)
        if moment in self._shared:
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(message_link(place, self._shared[moment])))
        self._shared[moment] = None
        try:
            await acknowledge(click)
            with speaking_to_everyone(click):
                content = replace(render_moment(replay, moment.step), rows=(dare_buttons(table),))
            self._shared[moment] = await self._posts.post(click, table, content, place)
        except BaseException:
            self._shared.pop(moment, None)
            raise
        self._metrics.count_ending(table.header.game, Ending.SHARED)
