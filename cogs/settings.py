"""The settings command."""

from discord import app_commands
from discord.ext import commands

from bot.ui.client.client import ParlourClient, ParlourInteraction
from bot.words import gettext as _


class Settings(commands.Cog):
    """`/settings`."""

    @app_commands.command(name="settings", description=_("How Parlour behaves in this server; for server managers"))
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, command: ParlourInteraction) -> None:
        """Show the panel with the settings."""
        await command.client.features.settings.open(command)


async def setup(client: ParlourClient) -> None:
    """Add the command to the client."""
    await client.add_cog(Settings())
