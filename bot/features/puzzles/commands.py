"""The puzzle command."""

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourInteraction
from bot.tables.shown.words import suggest_games
from bot.words import gettext as _


class PuzzleCommands(commands.Cog):
    """`/puzzle`."""

    @app_commands.command(name="puzzle", description=_("Find the best move: today's puzzle, or one of a game"))
    @app_commands.describe(game=_("Which game; today's puzzle if left out"))
    async def puzzle(self, command: ParlourInteraction, game: app_commands.Range[str, 1, 40] | None = None) -> None:
        """Show a puzzle."""
        await command.client.features.puzzles.show(command, game)

    @puzzle.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        games = await command.client.features.rules.games_on(command)
        return suggest_games({key: package for key, package in games.items() if package.puzzles}, current)
