"""The command of the daily bag."""

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.words import gettext as _


class DailyBagCommands(commands.Cog):
    """`/daily`."""

    @app_commands.command(name="daily", description=_("The Magic Bag of the day: the same dice for everyone"))
    async def daily(self, command: ParlourInteraction) -> None:
        """Show the bag of the day."""
        await command.client.features.daily_bags.show(command)
