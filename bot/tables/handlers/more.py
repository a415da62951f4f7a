"""Answers *More …*, and moves a table to the end of its channel."""

from functools import partial

from bot.platform.discord.answers import EphemeralMessage, Interaction, deferred_if_slow, finish
from bot.platform.discord.context import person_of, require_posting
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TablePosts
from bot.tables.handlers.closing import MayModerate
from bot.tables.handlers.ids import MoreId, MoveHereId
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.shown.links import table_link
from bot.tables.shown.more import render_more
from bot.tables.shown.parts import TableParts
from bot.tables.table import Table
from bot.tables.turns import require_player
from bot.words import gettext as _


class MoreCommands:
    """Offers privately what people rarely do at a table."""

    def __init__(
        self,
        host: Host,
        posts: TablePosts,
        ephemeral_messages: EphemeralMessages,
        parts: TableParts,
        may_moderate: MayModerate,
    ) -> None:
        self._host = host
        self._posts = posts
        self._ephemeral_messages = ephemeral_messages
        self._parts = parts
        self._may_moderate = may_moderate

    @deferred_if_slow
    async def show(self, click: Interaction, table: Table, _pressed: MoreId) -> None:
        """Show the buttons, and delete those that the person was shown before.

        Each of them decides by itself what the person may see.
        """
        is_moderator = table.header.status is Status.LOBBY and await self._may_moderate(click)
        content = render_more(table, self._parts, click.user.id, is_moderator=is_moderator)
        if table.header.is_private:
            # The clicked message is the only one that shows the table.
            shown: EphemeralMessage | None = await send_ephemeral_content(click, content)
        else:
            shown = await edit_or_send_ephemeral(click, content)
        if shown is not None:
            self._ephemeral_messages.replace_previous(click, EphemeralKind.MORE, table.id, shown)

    @deferred_if_slow
    async def move_here(self, click: Interaction, table: Table, _pressed: MoveHereId) -> None:
        """Post a table at the end of its channel.

        Raises:
            Refusal: The person does not play there, or the bot may not post.
        """
        require_player(table, person_of(click))
        if table.header.is_private:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        require_posting(click)
        await self._posts.repost(table, partial(self._host.publisher.repost, table.id))
        now = await self._host.service.table(table.id)
        await finish(click, _("The table is at the end of the channel now: {link}").format(link=table_link(now)))
