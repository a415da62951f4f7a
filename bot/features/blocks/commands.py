"""The commands that block and unblock people."""

from discord import Member, User, app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.words import gettext as _


class BlockCog(commands.Cog):
    """`/block` and `/unblock`."""

    @app_commands.command(name="block", description=_("Never share a table with someone; they aren't told"))
    @app_commands.describe(member=_("Whom to block, in every server"))
    async def block(self, command: ParlourInteraction, member: Member | User) -> None:
        """Block a person."""
        await command.client.features.blocks.block(command, member)

    @app_commands.command(name="unblock", description=_("See whom you block, and unblock them"))
    @app_commands.describe(member=_("Whom to unblock; the list if left out"))
    async def unblock(self, command: ParlourInteraction, member: Member | User | None = None) -> None:
        """Unblock a person."""
        await command.client.features.blocks.unblock(command, member)
