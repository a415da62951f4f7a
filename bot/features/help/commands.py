"""The commands `/play`, `/learn`, `/help` and `/rules`."""

from discord import app_commands
from discord.ext import commands

from bot.features.help.handlers import GameList, Guides, Help
from bot.features.help.lessons import Lessons
from bot.features.settings.service import ServerRules
from bot.platform.discord.client import ParlourInteraction
from bot.tables.shown.words import suggest_games
from bot.words import gettext as _


class HelpCog(commands.Cog):
    """`/play`, `/learn`, `/help` and `/rules`."""

    @app_commands.command(name="play", description=_("Pick a game and open a table"))
    async def play(self, command: ParlourInteraction) -> None:
        """List the games."""
        await command.client.app.service(GameList).show(command)

    @app_commands.command(name="learn", description=_("Learn a game by playing it, step by step"))
    @app_commands.describe(game=_("Which game; without one you get the list"))
    async def learn(self, command: ParlourInteraction, game: app_commands.Range[str, 1, 40] | None = None) -> None:
        """Open a lesson."""
        await command.client.app.service(Lessons).learn(command, game)

    @learn.autocomplete("game")
    async def suggest_lesson(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the games that have a lesson."""
        games = await command.client.app.service(ServerRules).games_on(command)
        return suggest_games({key: package for key, package in games.items() if package.study.lesson}, current)

    @app_commands.command(name="help", description=_("What Parlour is and how to start a game"))
    async def help(self, command: ParlourInteraction) -> None:
        """Explain the bot."""
        await command.client.app.service(Help).show(command)

    @app_commands.command(name="rules", description=_("How to play a game"))
    @app_commands.describe(game=_("Which game"))
    async def rules(self, command: ParlourInteraction, game: app_commands.Range[str, 1, 40]) -> None:
        """Explain a game."""
        await command.client.app.service(Guides).show_named(command, game)

    @rules.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        return suggest_games(await command.client.app.service(ServerRules).games_on(command), current)
