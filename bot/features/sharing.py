"""Sharing: posts the result of a finished table for everyone."""

from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from bot.platform.discord.answers import Interaction, acknowledge, speaking_to_everyone
from bot.platform.discord.content import Button
from bot.platform.discord.ids import TableButtonId
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.metrics import Ending, Metrics
from bot.rules.refusals import Refusal
from bot.tables.app import App, Feature
from bot.tables.handlers.public_posts import PublicPosts, public_place_of
from bot.tables.model import TableId
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.results import results_of
from bot.tables.shown.buttons import dare_buttons
from bot.tables.shown.links import message_link
from bot.tables.shown.message import render_shared_result
from bot.tables.shown.parts import ButtonPart, Place, TableParts
from bot.tables.table import Table
from bot.words import gettext as _


class ShareId(TableButtonId, prefix="A"):
    """The button of a finished table that posts the table's result."""


def share_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button that posts a table's result, if there is a result and somebody else to see it."""
    if table.header.location.guild_id is None or not results_of(table):
        return ()
    return (Button(_("Share"), str(ShareId(table.id))),)


_MAX_REMEMBERED: Final = 4096
"""The number of shared tables to remember. Kept in memory only, because sharing a result twice does no harm."""


class Sharing:
    """Posts results with a line about the table, once per table."""

    def __init__(self, posts: PublicPosts, parts: TableParts, metrics: Metrics) -> None:
        self._metrics = metrics
        self._posts = posts
        self._parts = parts
        self._shared: LRUCache[TableId, int | None] = LRUCache(_MAX_REMEMBERED)
        """The messages with results, by table; None while a result is being posted."""

    async def share(self, click: Interaction, table: Table) -> None:
        """Post the result of a table.

        Raises:
            Refusal: The user had no seat, the table has no result, it was shared before, or the bot may not post.
        """
        if not results_of(table):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        if table.seat_of(click.user.id) is None:
            raise Refusal(HostReason.NOT_YOURS_TO_SHARE)
        place = public_place_of(click, table)
        if table.id in self._shared:
            link = message_link(place, self._shared[table.id])
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(link))
        self._shared[table.id] = None
        try:
            await acknowledge(click)
            with speaking_to_everyone(click):
                content = replace(render_shared_result(table, self._parts), rows=(dare_buttons(table),))
            self._shared[table.id] = await self._posts.post(click, table, content, place)
        except BaseException:
            self._shared.pop(table.id, None)
            raise
        self._metrics.count_ending(table.header.game, Ending.SHARED)

    def note_finished(self, table: Table) -> None:
        """Count a game that is over and can be shared."""
        if results_of(table):
            self._metrics.count_ending(table.header.game, Ending.FINISHED)


def register(app: App) -> Feature:
    """Register sharing."""
    posts = PublicPosts(app.pictures, app.table_messages.message_client)
    sharing = Sharing(posts, app.table_messages.parts, app.db.metrics)
    return Feature(
        services=(sharing,),
        follows=(sharing.note_finished,),
        buttons={ShareId: app.clicks.at_table(lambda click, table, _: sharing.share(click, table))},
        table_buttons=(ButtonPart(Place.SHARE_BUTTON, share_buttons),),
    )
