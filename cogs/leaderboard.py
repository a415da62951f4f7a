"""The leaderboard command."""

from discord import app_commands
from discord.ext import commands

from bot.ui.client.client import ParlourClient, ParlourInteraction
from bot.ui.render.game_names import suggest_games
from bot.words import gettext as _


class Leaderboard(commands.Cog):
    """`/leaderboard`."""

    @app_commands.command(name="leaderboard", description=_("Who wins a game most often in this server"))
    @app_commands.describe(game=_("Which game"))
    async def leaderboard(self, command: ParlourInteraction, game: app_commands.Range[str, 1, 40]) -> None:
        """Show a game's leaderboard."""
        await command.client.features.results.leaderboard(command, game)

    @leaderboard.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        return suggest_games(command.client.features.tables.games, current)


async def setup(client: ParlourClient) -> None:
    """Add the command to the client."""
    await client.add_cog(Leaderboard())
