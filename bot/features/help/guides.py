"""Shows how to play a game, a page at a time."""

from collections.abc import Mapping

from bot.features.help.guide_pages import render_guide_page
from bot.features.help.ids import GuidePageId
from bot.platform.discord.answers import Interaction, deferred_if_slow, is_ephemeral
from bot.platform.discord.content import MessageContent
from bot.platform.discord.ephemeral_content import attach_picture_if_possible, edit_or_send_ephemeral
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages
from bot.platform.discord.refusals import ClickReason
from bot.rules.game import Options
from bot.rules.options import decode_options
from bot.rules.refusals import Refusal
from bot.tables.registry import AnyPackage
from bot.tables.shown.game_names import find_game


class Guides:
    """Shows the guides of games to one user at a time."""

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
        """Show the first page of a guide in the clicked message if that is private, else in a new one.

        It replaces the message of any earlier one.

        Args:
            interaction: Who asks.
            game: The key of the game.
            options: The options of the table that it is about; None means the defaults.
        """
        package = self._package(game)
        content = render_guide_page(package, package.game.info.options() if options is None else options, 1)
        content = await attach_picture_if_possible(interaction, content, self._picture_attacher)
        await self._show_content(interaction, content)

    @deferred_if_slow
    async def show_named(self, command: Interaction, name: str) -> None:
        """Show the guide of a game by its key, command or title."""
        await self.show(command, find_game(self._games, name).game.info.key)

    async def turn_page(self, click: Interaction, pressed: GuidePageId) -> None:
        """Show another page in the message of a guide."""
        package = self._package(pressed.game)
        options = decode_options(package.game.info.options, pressed.options)
        if options is None:
            # The page was shown by another version, with other options.
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        content = render_guide_page(package, options, pressed.page)
        content = await attach_picture_if_possible(click, content, self._picture_attacher)
        await self._show_content(click, content)

    async def _show_content(self, interaction: Interaction, content: MessageContent) -> None:
        # A list of games may be older than the guide that is shown: the guide chosen in it stays nevertheless.
        is_chosen = is_ephemeral(interaction)
        replace = self._ephemeral_messages.replace_others if is_chosen else self._ephemeral_messages.replace_previous
        if shown := await edit_or_send_ephemeral(interaction, content):
            # The message of one game's guide leads to those of others, so there is one for all of them.
            replace(interaction, EphemeralKind.GUIDE, interaction.channel_id, shown)

    def _package(self, game: str) -> AnyPackage:
        package = self._games.get(game)
        if package is None:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        return package
