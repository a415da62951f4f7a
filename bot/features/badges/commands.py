"""The command for badges."""

from discord import Member, User, app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.platform.places import Person
from bot.words import gettext as _


class BadgeCommands(commands.Cog):
    """`/badges`."""

    @app_commands.command(name="badges", description=_("The badges that you or another member have earned"))
    @app_commands.describe(member=_("Whose badges; yours, with what is left, if left out"))
    async def badges(self, command: ParlourInteraction, member: Member | User | None = None) -> None:
        """Show a person's badges."""
        user = member or command.user
        await command.client.features.badges.show(command, Person(user.id, user.display_name))
