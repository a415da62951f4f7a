"""Lists the games, with a button that opens a table of each."""

import asyncio
import contextlib
from collections.abc import Mapping
from functools import partial

from bot.app.error_messages import ErrorMessages
from bot.features.help.game_list_messages import render_game_list
from bot.features.help.ids import HelpId, HelpTopic
from bot.features.idle_tables.put_aside_offer import MAY_BE_PUT_ASIDE, open_table_id
from bot.features.settings.preferences import Preferences
from bot.features.settings.server_rules import ServerRules, default_options
from bot.features.threads import TableThreads
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.context import channel_of
from bot.platform.discord.ephemeral_content import (
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.rules.refusals import Refusal
from bot.tables.handlers.ids import OpenTableId
from bot.tables.host import Host
from bot.tables.registry import AnyPackage
from bot.words import gettext as _


class GameList:
    """Shows the games to one user; a click on one opens a table with its default options."""

    def __init__(
        self, host: Host, picture_attacher: PictureAttacher, rules: ServerRules, threads: TableThreads
    ) -> None:
        self._service = host.service
        self._publisher = host.publisher
        self._rules = rules
        self._threads = threads
        self._picture_attacher = picture_attacher
        self._error_messages = ErrorMessages(host.service.games)

    @property
    def games(self) -> Mapping[str, AnyPackage]:
        """The installed games by key."""
        return self._service.games

    async def games_on(self, interaction: Interaction) -> list[AnyPackage]:
        """Return the games that are not switched off here."""
        return list((await self._rules.games_on(interaction)).values())

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show the games in a new message."""
        await send_ephemeral_content(command, await self._render(command))

    async def show_here(self, click: Interaction) -> None:
        """Show the games in the clicked message."""
        await edit_or_send_ephemeral(click, await self._render(click))

    async def _render(self, interaction: Interaction) -> MessageContent:
        offered, text = await self._offer(interaction)
        chosen = await self._rules.preferences_of(interaction)
        more = (
            Button(_("Learn"), str(HelpId(HelpTopic.LEARN))),
            Button(_("How to play"), str(HelpId(HelpTopic.GUIDES))),
        )
        content = render_game_list(offered, partial(_default_table_id, chosen), text, *more)
        return await attach_picture_if_possible(interaction, content, self._picture_attacher)

    async def _offer(self, interaction: Interaction) -> tuple[list[AnyPackage], str]:
        """Return the games that the user can open here, and what to say about that."""
        games = await self.games_on(interaction)
        if not games:
            return [], _("All games are switched off in this server.")
        try:
            await self._rules.require_opener(interaction)
        except Refusal as refusal:
            return [], self._error_messages.of(refusal)
        if await self._threads.are_wanted(interaction):
            return games, _("Pick a game to open a table in a thread of this channel.")
        shared, solo = await asyncio.gather(*(self._taken(interaction, each) for each in (0, interaction.user.id)))
        offered = [each for each in games if not _is_final(solo if each.game.info.is_solo else shared)]
        if notes := [self._error_messages.of(refusal) for refusal in (shared, solo) if refusal is not None]:
            return offered, "\n\n".join((*notes, *([_("You can still play here:")] if offered else [])))
        if interaction.guild_id is None:
            return offered, _("Pick a game to play here against the computer, or alone.")
        return offered, _("Pick a game to open a table in this channel.")

    async def _taken(self, interaction: Interaction, solo_id: int) -> Refusal | None:
        """Return what is in the way of another shared table here (0), or of a person's solo game; lessons never are.

        A table whose message somebody has deleted is posted again.
        """
        with contextlib.suppress(StoreUnavailable):
            try:
                table = await self._service.open_table_in(channel_of(interaction), solo_id)
            except Refusal as refusal:
                return refusal
            if table is not None and not table.is_lesson:
                there = await self._publisher.restore(table.id)
                return self._service.place_taken_refusal(there, interaction.user.id)
        return None


def _is_final(refusal: Refusal | None) -> bool:
    """Return whether a game would be refused without an offer to put the other table aside."""
    return refusal is not None and refusal.reason not in MAY_BE_PUT_ASIDE


def _default_table_id(chosen: Preferences, package: AnyPackage) -> OpenTableId:
    return open_table_id(package.game.info.key, default_options(chosen, package), computers=0)
