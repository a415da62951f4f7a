"""The commands for leaderboards and seasons."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.features.boards.model import BoardOrder, Span
from bot.platform.discord.client import ParlourInteraction
from bot.tables.shown.words import suggest_games
from bot.words import gettext as _

_ORDERS: Final = (
    app_commands.Choice(name=_("Rating"), value=BoardOrder.RATING.value),
    app_commands.Choice(name=_("Wins"), value=BoardOrder.WINS.value),
    app_commands.Choice(name=_("Points"), value=BoardOrder.POINTS.value),
    app_commands.Choice(name=_("Best score"), value=BoardOrder.BEST.value),
)
_SPANS: Final = (
    app_commands.Choice(name=_("All time"), value=Span.ALL.value),
    app_commands.Choice(name=_("This season"), value=Span.SEASON.value),
    app_commands.Choice(name=_("This month"), value=Span.MONTH.value),
    app_commands.Choice(name=_("This week"), value=Span.WEEK.value),
)


class Leaderboard(commands.Cog):
    """`/leaderboard` and `/season`."""

    @app_commands.command(name="leaderboard", description=_("Who is best at a game in this server"))
    @app_commands.describe(
        game=_("Which game; the one played last if left out"),
        by=_("What counts; usually the rating"),
        period=_("Since when"),
    )
    @app_commands.choices(by=[*_ORDERS], period=[*_SPANS])
    async def leaderboard(
        self,
        command: ParlourInteraction,
        game: app_commands.Range[str, 1, 40] | None = None,
        by: app_commands.Choice[str] | None = None,
        period: app_commands.Choice[str] | None = None,
    ) -> None:
        """Show a game's leaderboard."""
        order = None if by is None else BoardOrder(by.value)
        span = Span.ALL if period is None else Span(period.value)
        await command.client.features.boards.show(command, game, order, span)

    @leaderboard.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        return suggest_games(command.client.features.tables.games, current)

    @app_commands.command(name="season", description=_("This server's season, and the champions of earlier ones"))
    async def season(self, command: ParlourInteraction) -> None:
        """Show the present season."""
        await command.client.features.boards.show_season(command)
