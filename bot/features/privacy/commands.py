"""The privacy command."""

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.words import gettext as _


class Privacy(commands.Cog):
    """`/privacy`."""

    @app_commands.command(name="privacy", description=_("What Parlour keeps about you; export it or delete it"))
    async def privacy(self, command: ParlourInteraction) -> None:
        """Tell what is kept."""
        await command.client.features.privacy.show(command)
