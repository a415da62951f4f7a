"""The commands for profiles, duels and histories."""

from discord import Member, User, app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.platform.places import Person
from bot.words import gettext as _


class Profile(commands.Cog):
    """`/profile`, `/versus` and `/history`."""

    @app_commands.command(name="profile", description=_("What you or another member have played in this server"))
    @app_commands.describe(member=_("Whose games; yours if left out"))
    async def profile(self, command: ParlourInteraction, member: Member | User | None = None) -> None:
        """Show a person's statistics and last games."""
        user = member or command.user
        await command.client.features.results.profile(command, Person(user.id, user.display_name))

    @app_commands.command(name="versus", description=_("How you and another member did against each other here"))
    @app_commands.describe(member=_("Whom you played against"))
    async def versus(self, command: ParlourInteraction, member: Member | User) -> None:
        """Show the history between the user and another person."""
        await command.client.features.results.versus(command, Person(member.id, member.display_name))

    @app_commands.command(name="history", description=_("Games finished in this channel, newest first"))
    async def history(self, command: ParlourInteraction) -> None:
        """Show finished tables."""
        await command.client.features.results.history(command)
