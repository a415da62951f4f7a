"""The command `/mytables`."""

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.words import gettext as _


class MyTables(commands.Cog):
    """`/mytables`."""

    @app_commands.command(name="mytables", description=_("Your unfinished tables everywhere, only for you"))
    async def my_tables(self, command: ParlourInteraction) -> None:
        """List the user's tables."""
        await command.client.features.my_tables.show(command)
