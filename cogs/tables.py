"""The commands for the table of a channel, whatever it plays."""

from discord import app_commands
from discord.ext import commands

from bot.ui.client import Command, ParlourClient


class Tables(commands.GroupCog, group_name="table", group_description="The table in this channel"):
    """`/table show`, `/table cancel` and `/table verify`."""

    @app_commands.command(name="show", description="Bring this channel's table to the end of the channel")
    async def show(self, command: Command) -> None:
        """Post the table anew."""
        await command.client.desk.show(command)

    @app_commands.command(name="cancel", description="Close this channel's table without a result")
    async def cancel(self, command: Command) -> None:
        """Close the table."""
        await command.client.desk.cancel(command)

    @app_commands.command(name="verify", description="Check the dice of this channel's newest table")
    async def verify(self, command: Command) -> None:
        """Explain the dice of a table, and prove them once it is over."""
        await command.client.desk.verify(command)


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Tables())
