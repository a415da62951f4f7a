"""Help: short texts with buttons."""

from bot.features.help.game_list import GameList
from bot.features.help.ids import HelpId, HelpTopic
from bot.features.help.messages import render_about, render_commands, render_guide_list, render_help, render_lesson_list
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.content import MessageContent
from bot.platform.discord.ephemeral_content import (
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages


class Help:
    """Shows the help to one user, a topic at a time in the same message."""

    def __init__(
        self, game_list: GameList, picture_attacher: PictureAttacher, ephemeral_messages: EphemeralMessages
    ) -> None:
        self._game_list = game_list
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show the start of the help in a new message."""
        content = await self._render(command, HelpTopic.START)
        await send_ephemeral_content(
            command, await attach_picture_if_possible(command, content, self._picture_attacher)
        )

    async def press(self, click: Interaction, pressed: HelpId) -> None:
        """Show a topic in the clicked message, which is a guide's no longer if it was one."""
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
