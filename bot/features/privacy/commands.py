"""The command `/privacy`."""

import io

import discord
from discord import app_commands
from discord.ext import commands

from bot.features.privacy.messages import (
    PrivacyButton,
    PrivacyId,
    render_deleting,
    render_deleting_server,
    render_export,
    render_privacy,
    render_question,
    render_server_question,
)
from bot.features.privacy.service import PersonalDataService, ServerDataService
from bot.platform.discord.answers import Interaction, begin_long_answer, deferred_if_slow, send_ephemeral
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import server_of
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from bot.tables.handlers.closing import LogAction
from bot.tables.refusals import HostReason
from bot.words import N_, gettext as _


class PrivacyCommands:
    """Explains what is stored; exports and deletes the user's data, or the data of a server that they manage."""

    def __init__(
        self,
        people: PersonalDataService,
        servers: ServerDataService,
        ephemeral_messages: EphemeralMessages,
        log_action: LogAction,
    ) -> None:
        self._log_action = log_action
        self._people = people
        self._servers = servers
        self._ephemeral_messages = ephemeral_messages
        self._exporting: set[int] = set()

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Explain what is stored."""
        shown = await send_ephemeral_content(command, render_privacy(manages_server=_manages_server(command)))
        self._ephemeral_messages.replace_previous(command, EphemeralKind.PRIVACY, None, shown)

    async def press(self, click: Interaction, pressed: PrivacyId) -> None:
        """Carry out the action of a button.

        Raises:
            Refusal: The user does not manage the server.
        """
        match pressed.button:
            case PrivacyButton.SHOW:
                await self._show(click, render_privacy(manages_server=_manages_server(click)))
            case PrivacyButton.EXPORT:
                await self._export(click)
            case PrivacyButton.DELETE:
                await self._show(click, render_question())
            case PrivacyButton.DELETE_REALLY:
                await self._people.ask_erasure(click.user.id)
                await self._show(click, render_deleting())
            case server_button:
                await self._press_server(click, server_button)

    async def _press_server(self, click: Interaction, button: PrivacyButton) -> None:
        guild_id = server_of(click, HostReason.NOT_MANAGER_OF_DATA)
        if not _manages_server(click):
            raise Refusal(HostReason.NOT_MANAGER_OF_DATA)
        # The clicked message may be the settings panel, which a newer panel would delete.
        self._ephemeral_messages.forget_clicked(click, EphemeralKind.SETTINGS, guild_id)
        if button is PrivacyButton.SERVER_FOREVER:
            await self._servers.ask_erasure(guild_id)
            line, who = N_("{who} deleted my data about this server."), f"<@{click.user.id}>"
            self._log_action(guild_id, lambda: _(line).format(who=who))
            await self._show(click, render_deleting_server())
        else:
            await self._show(click, render_server_question(is_last=button is PrivacyButton.SERVER_REALLY))

    async def _show(self, click: Interaction, content: MessageContent) -> None:
        if shown := await edit_or_send_ephemeral(click, content):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.PRIVACY, None, shown)

    async def _export(self, click: Interaction) -> None:
        """Send the file. Exporting reads many rows, so each person gets one export at a time."""
        user_id = click.user.id
        if user_id in self._exporting:
            raise Refusal(ClickReason.TOO_QUICK)
        begin_long_answer(click)
        self._exporting.add(user_id)
        try:
            exported = await self._people.export(user_id)
        finally:
            self._exporting.remove(user_id)
        file = discord.File(io.BytesIO(exported.data), exported.name)
        await send_ephemeral(click, render_export(is_complete=exported.is_complete), file=file)


def _manages_server(interaction: Interaction) -> bool:
    """Return whether the user owns or manages the server; owners have every permission."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


class PrivacyCog(commands.Cog):
    """`/privacy`."""

    @app_commands.command(name="privacy", description=_("What Parlour keeps about you; export it or delete it"))
    async def privacy(self, command: ParlourInteraction) -> None:
        """Tell what is kept."""
        await command.client.app.service(PrivacyCommands).show(command)
