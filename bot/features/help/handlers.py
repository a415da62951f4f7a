"""Shows the help, the guides and the list of games."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping

from bot.features.help.messages import (
    GuidePageId,
    HelpId,
    HelpTopic,
    render_about,
    render_commands,
    render_game_list,
    render_guide_list,
    render_guide_page,
    render_help,
    render_lesson_list,
)
from bot.features.settings.service import ServerRules, default_options
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, deferred_if_slow, is_ephemeral
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.context import channel_of, location_of
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.rules.game import Options
from bot.rules.options import decode_options
from bot.rules.refusals import Refusal
from bot.tables.aside import is_taken_by_others, place_taken_refusal
from bot.tables.handlers.ids import OpenTableId, open_table_id
from bot.tables.host import Host
from bot.tables.refusals import MAY_BE_PUT_ASIDE
from bot.tables.registry import AnyPackage
from bot.tables.shown.words import find_game
from bot.words import gettext as _


class Guides:
    """Shows the guides of games to one user."""

    def __init__(
        self,
        games: Mapping[str, AnyPackage],
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._games = games
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages

    async def show(self, interaction: Interaction, game: str, options: Options | None = None) -> None:
        """Show a guide's first page: in the clicked message if that is private, otherwise in a new one.

        A new message replaces the message of an earlier guide.

        Args:
            interaction: The user's interaction.
            game: The key of the game.
            options: The options of the table whose rules are explained; None means the defaults.
        """
        package = self._package(game)
        await self._show_page(interaction, package, package.game.info.options() if options is None else options, 1)

    @deferred_if_slow
    async def show_named(self, command: Interaction, name: str) -> None:
        """Show the guide of a game, named by its key, command or title."""
        await self.show(command, find_game(self._games, name).game.info.key)

    async def turn_page(self, click: Interaction, pressed: GuidePageId) -> None:
        """Show another page in a guide's message."""
        package = self._package(pressed.game)
        options = decode_options(package.game.info.options, pressed.options)
        if options is None:
            # Another version of the bot has shown the page, with other options.
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        await self._show_page(click, package, options, pressed.page)

    async def _show_page(self, interaction: Interaction, package: AnyPackage, options: Options, number: int) -> None:
        content = render_guide_page(package, options, number)
        content = await attach_picture_if_possible(interaction, content, self._picture_attacher)
        # A guide chosen in a private message stays there, even if another guide message is newer.
        is_chosen = is_ephemeral(interaction)
        replace = self._ephemeral_messages.replace_others if is_chosen else self._ephemeral_messages.replace_previous
        if shown := await edit_or_send_ephemeral(interaction, content):
            # All guides share one message per channel, because one guide's message leads to the others.
            replace(interaction, EphemeralKind.GUIDE, interaction.channel_id, shown)

    def _package(self, game: str) -> AnyPackage:
        package = self._games.get(game)
        if package is None:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        return package


class GameList:
    """Shows the games to one user; clicking one opens a table with its default options."""

    def __init__(
        self,
        host: Host,
        picture_attacher: PictureAttacher,
        rules: ServerRules,
        refusal_text: Callable[[Refusal], str],
    ) -> None:
        self._service = host.service
        self._publisher = host.publisher
        self._rules = rules
        self._picture_attacher = picture_attacher
        self._refusal_text = refusal_text

    @property
    def games(self) -> Mapping[str, AnyPackage]:
        """The installed games by key."""
        return self._service.games

    async def games_on(self, interaction: Interaction) -> list[AnyPackage]:
        """Return the games that are switched on here."""
        return list((await self._rules.games_on(interaction)).values())

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show the games in a new message."""
        await send_ephemeral_content(command, await self._render(command))

    async def show_here(self, click: Interaction) -> None:
        """Show the games in the clicked message."""
        await edit_or_send_ephemeral(click, await self._render(click))

    async def _render(self, interaction: Interaction) -> MessageContent:
        offered, text, computers = await self._offer(interaction)
        chosen = await self._rules.settings_of(interaction)

        def id_of(package: AnyPackage) -> OpenTableId:
            return open_table_id(package.game.info.key, default_options(chosen, package), computers)

        more = (
            Button(_("Learn"), str(HelpId(HelpTopic.LEARN))),
            Button(_("How to play"), str(HelpId(HelpTopic.GUIDES))),
        )
        content = render_game_list(offered, id_of, text, *more)
        return await attach_picture_if_possible(interaction, content, self._picture_attacher)

    async def _offer(self, interaction: Interaction) -> tuple[list[AnyPackage], str, int]:
        """Return the games that the user can open here, a sentence about them, and how many computer players join."""
        games = await self.games_on(interaction)
        if not games:
            return [], _("All games are switched off in this server."), 0
        try:
            await self._rules.require_opener(interaction)
        except Refusal as refusal:
            return [], self._refusal_text(refusal), 0
        if await self._rules.opens_threads(interaction):
            return games, _("Pick a game to open a table in a thread of this channel."), 0
        shared, solo = await asyncio.gather(
            *(self._taken(interaction, solo_id) for solo_id in (0, interaction.user.id))
        )
        frees_channel = await self._rules.frees_channel(location_of(interaction))
        is_taken = shared is not None and is_taken_by_others(shared, interaction.user.id)
        computers = int(is_taken and frees_channel)
        offered = []
        for package in games:
            in_the_way = solo if package.game.info.is_solo or computers else shared
            if in_the_way is None or in_the_way.reason in MAY_BE_PUT_ASIDE:
                offered.append(package)
        if notes := [self._refusal_text(refusal) for refusal in (shared, solo) if refusal is not None]:
            text = (
                _("You can still play here, alone or against computers:")
                if computers
                else _("You can still play here:")
            )
            return offered, "\n\n".join((*notes, *([text] if offered else []))), computers
        if interaction.guild_id is None:
            return offered, _("Pick a game to play here against the computer, or alone."), 0
        return offered, _("Pick a game to open a table in this channel."), 0

    async def _taken(self, interaction: Interaction, solo_id: int) -> Refusal | None:
        """Return the refusal for another shared table here (0), or for a person's solo game.

        If somebody has deleted the blocking table's message, post it again.
        """
        with contextlib.suppress(StoreUnavailable):
            try:
                table = await self._service.open_table_in(channel_of(interaction), solo_id)
            except Refusal as refusal:
                return refusal
            if table is not None:
                there = await self._publisher.restore(table.id)
                return place_taken_refusal(self._service, there, interaction.user.id)
        return None


class Help:
    """Shows the help to one user, one topic at a time in the same message."""

    def __init__(
        self, game_list: GameList, picture_attacher: PictureAttacher, ephemeral_messages: EphemeralMessages
    ) -> None:
        self._game_list = game_list
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show the first page of the help in a new message."""
        content = await self._render(command, HelpTopic.START)
        await send_ephemeral_content(
            command, await attach_picture_if_possible(command, content, self._picture_attacher)
        )

    async def press(self, click: Interaction, pressed: HelpId) -> None:
        """Show a topic in the clicked message. If it was a guide's message, it no longer counts as one."""
        self._ephemeral_messages.forget_clicked(click, EphemeralKind.GUIDE, click.channel_id)
        if pressed.topic is HelpTopic.PLAY:
            await self._game_list.show_here(click)
            return
        content = await attach_picture_if_possible(
            click, await self._render(click, pressed.topic), self._picture_attacher
        )
        await edit_or_send_ephemeral(click, content)

    async def _render(self, interaction: Interaction, topic: HelpTopic) -> MessageContent:
        games = await self._game_list.games_on(interaction)
        match topic:
            case HelpTopic.GUIDES:
                return render_guide_list(games)
            case HelpTopic.LEARN:
                return render_lesson_list(games)
            case HelpTopic.COMMANDS:
                return render_commands()
            case HelpTopic.ABOUT:
                return render_about(list(self._game_list.games.values()))
            case _:
                return render_help(games, is_direct=interaction.guild_id is None)
