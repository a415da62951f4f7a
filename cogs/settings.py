"""The settings command."""

from discord import app_commands
from discord.ext import commands

from bot.ui.client.client import ParlourClient, ParlourInteraction
from bot.ui.features.settings import PICTURE_LABELS, SettingsChanges, parse_picture_choice


class Settings(commands.Cog):
    """`/settings`."""

    @app_commands.command(name="settings", description="How Parlour behaves in this server; for server managers")
    @app_commands.describe(
        pictures="How tables look, including open ones",
        reminders="Whether to ping players after two minutes",
        invitations="Whether people can be invited to tables: in this server, or you, in a direct message",
    )
    @app_commands.choices(
        pictures=[app_commands.Choice(name=words, value=choice.value) for choice, words in PICTURE_LABELS.items()]
    )
    @app_commands.default_permissions(manage_guild=True)
    async def settings(
        self,
        command: ParlourInteraction,
        pictures: str | None = None,
        reminders: bool | None = None,
        invitations: bool | None = None,
    ) -> None:
        """Change the given settings, and show all of them."""
        choice = None if pictures is None else parse_picture_choice(pictures)
        await command.client.features.settings.update(
            command, SettingsChanges(pictures=choice, reminders=reminders, invitations=invitations)
        )


async def setup(client: ParlourClient) -> None:
    """Add the command to the client."""
    await client.add_cog(Settings())
