"""Puts idle tables aside, resumes them, and keeps them from being closed."""

import contextlib
from functools import partial

from discord import app_commands

from bot.features.idle_tables.messages import PutAsideId, with_put_aside_offer
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import Interaction, acknowledge, deferred_if_slow, edit_clicked_message
from bot.platform.discord.context import channel_of, person_of, require_permissions
from bot.platform.discord.menus import make_choices
from bot.platform.observability.trace import note_begun
from bot.rules.refusals import Refusal
from bot.tables.aside import keep_open, list_aside_tables, put_aside, resume
from bot.tables.handlers.answers import TablePosts
from bot.tables.handlers.ids import ResumeId
from bot.tables.host import Host
from bot.tables.model import AsideTable, TableId
from bot.tables.refusals import HostReason, Stale
from bot.tables.shown.links import escape_name, sanitize_name, table_link
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.shown.words import format_day, title_of
from bot.tables.table import Table
from bot.words import gettext as _, join_items


class IdleTableCommands:
    """Puts tables aside, resumes them and keeps them open, on behalf of clicks and commands."""

    def __init__(
        self,
        host: Host,
        posts: TablePosts,
        table_messages: DiscordTableMessages,
        rules: ServerRules,
    ) -> None:
        self._host = host
        self._rules = rules
        self._posts = posts
        self._table_messages = table_messages

    async def put_aside(self, click: Interaction, put_aside_id: PutAsideId) -> None:
        """Put an idle table of the channel aside; the caller then does what the table was blocking."""
        orphan = await put_aside(self._host.service, put_aside_id.table_id, channel_of(click))
        if orphan is not None:
            await self._table_messages.mark_closed(orphan)
        # The rest of the click is not done yet, and a refusal of it must be shown.
        note_begun()

    @deferred_if_slow
    async def resume_here(self, command: Interaction, table_id: str | None) -> None:
        """Resume a table that was put aside in this channel: the one with the id, or the user's newest."""
        require_permissions(command)
        found = await self._resumable_tables(command)
        matching = [aside for aside in found if table_id in (None, str(aside.table_id))]
        if not matching:
            raise Refusal(HostReason.NOTHING_ASIDE)
        chosen_id = matching[0].table_id
        with contextlib.suppress(Stale):
            await self._resume(command, chosen_id)
        await self._posts.answer_with(command, await self._host.service.table(chosen_id))

    async def suggestions(self, command: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the tables that the user may resume in this channel, newest first."""
        labels = ((self._label(aside), str(aside.table_id)) for aside in await self._resumable_tables(command))
        return make_choices(each for each in labels if typed.strip().casefold() in each[0].casefold())

    async def _resumable_tables(self, interaction: Interaction) -> list[AsideTable]:
        """Return the tables that were put aside here and that the user may resume, the user's own first."""
        service = self._host.service
        found = [
            aside for aside in await list_aside_tables(service, channel_of(interaction)) if aside.game in service.games
        ]
        own = [aside for aside in found if interaction.user.id in aside.user_ids]
        if not await self._rules.may_moderate(interaction):
            return own
        return own + [aside for aside in found if aside not in own]

    def _label(self, aside: AsideTable) -> str:
        people = join_items([sanitize_name(name) for name in aside.names])
        return f"{format_day(aside.updated_at)} · {title_of(self._host.service.games, aside.game)} · {people}"

    async def resume(self, click: Interaction, aside: Table) -> None:
        """Resume a table and post it at the end of the channel."""
        require_permissions(click)
        with contextlib.suppress(Stale):
            await self._resume(click, aside.id)
            table = await self._host.service.table(aside.id)
            await self._posts.repost(table, partial(self._host.publisher.repost, table.id))
        await acknowledge(click)

    async def _resume(self, interaction: Interaction, table_id: TableId) -> None:
        is_moderator = await self._rules.may_moderate(interaction)
        try:
            await resume(self._host.service, table_id, person_of(interaction), is_moderator=is_moderator)
        except Refusal as refusal:
            raise with_put_aside_offer(refusal, ResumeId(table_id)) from refusal

    async def keep_open(self, click: Interaction, table: Table) -> None:
        """Reset the idle time of a table on behalf of a player."""
        person = person_of(click)
        table = await keep_open(self._host.service, table.id, person)
        text = _("{name} is still playing {game}: {link}").format(
            name=escape_name(person.name), game=_(table.package.game.info.title), link=table_link(table)
        )
        await edit_clicked_message(click, content=text, view=None)
