"""The command `/server check`."""

from discord import app_commands
from discord.ext import commands

from bot.features.set_up.handlers import SetUp
from bot.platform.discord.client import ParlourInteraction
from bot.words import gettext as _


@app_commands.guild_only()
class ServerCog(commands.GroupCog, group_name="server", group_description=_("Moderation of games in this server")):
    """`/server`."""

    @app_commands.command(name="check", description=_("Check my permissions in the channels, for server managers"))
    async def check(self, command: ParlourInteraction) -> None:
        """Show missing permissions."""
        await command.client.app.service(SetUp).check(command)
