"""Opens lessons, on behalf of commands and clicks."""

import contextlib
from functools import partial

from bot.features.help.messages import render_lesson_list
from bot.features.lessons.actions import open_lesson
from bot.features.settings.rules import ServerRules
from bot.platform.discord.answers import Interaction, deferred_if_slow, finish
from bot.platform.discord.context import location_of, person_of, require_permissions
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import attach_picture_if_possible, send_ephemeral_content
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import set_table
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TablePosts
from bot.tables.host import Host
from bot.tables.refusals import Stale, refused_table
from bot.tables.shown.words import find_game
from bot.tables.table import Table
from bot.words import gettext as _


class Lessons:
    """Lists the lessons and opens them."""

    def __init__(
        self,
        host: Host,
        posts: TablePosts,
        picture_attacher: PictureAttacher,
        rules: ServerRules,
    ) -> None:
        self._service = host.service
        self._publisher = host.publisher
        self._rules = rules
        self._posts = posts
        self._picture_attacher = picture_attacher

    @deferred_if_slow
    async def learn(self, command: Interaction, name: str | None) -> None:
        """Open the lesson of a game by its key, command or title, or without a name list the lessons."""
        if name is None:
            content = render_lesson_list(list((await self._rules.games_on(command)).values()))
            content = await attach_picture_if_possible(command, content, self._picture_attacher)
            await send_ephemeral_content(command, content)
            return
        with contextlib.suppress(Stale):  # another process handles the command
            game = find_game(self._service.games, name).game.info.key
            try:
                table = await self._open(command, game)
            except Refusal as refusal:
                table = _running_lesson(refusal, game)
            await self._posts.answer_with(command, table)

    async def press(self, click: Interaction, game: str) -> None:
        """Open a lesson, or bring it back if the user is in the middle of it; a double click has already opened it."""
        if game not in self._service.games:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        with contextlib.suppress(Stale):
            try:
                await self._open(click, game)
            except Refusal as refusal:
                there = _running_lesson(refusal, game)
                if there.header.step:
                    await self._posts.repost(there, partial(self._publisher.repost, there.id))
        await finish(click, _("Your lesson is below."))

    async def _open(self, interaction: Interaction, game: str) -> Table:
        require_permissions(interaction)
        await self._rules.require_may_open(interaction, game)
        table = await open_lesson(self._service, game, person_of(interaction), location_of(interaction), interaction.id)
        set_table(table.id, game)
        return table


def _running_lesson(refusal: Refusal, game: str) -> Table:
    """Return the lesson of a game that is in the way of another one; raise the refusal if something else is."""
    there = refused_table(refusal)
    if there is None or not there.is_lesson or there.header.game != game:
        raise refusal
    return there
