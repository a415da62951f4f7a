"""The command `/season`."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.features.boards.messages import SeasonId
from bot.features.boards.model import Span
from bot.features.results.model import season_of
from bot.features.seasons.messages import render_season
from bot.features.seasons.service import Seasons
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import server_of
from bot.platform.discord.private_messages import edit_or_send_ephemeral, send_ephemeral_content
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.words import gettext as _

_MOST_SEASONS: Final = 100
"""The most past seasons that can be looked up: eight years of months."""


class SeasonPages:
    """Shows a server's present season, and past ones with their champions."""

    def __init__(self, seasons: Seasons, games: Mapping[str, AnyPackage], clock: Callable[[], datetime]) -> None:
        self._seasons = seasons
        self._games = games
        self._clock = clock

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show the server's present season."""
        await send_ephemeral_content(command, await self._render(command, Span.SEASON))

    async def press(self, click: Interaction, pressed: SeasonId) -> None:
        """Show another season in the clicked message."""
        await edit_or_send_ephemeral(click, await self._render(click, pressed.span))

    async def _render(self, interaction: Interaction, span: str) -> MessageContent:
        guild_id = server_of(interaction, HostReason.ONLY_IN_SERVERS)
        length = await self._seasons.length_of(guild_id)
        past = await self._seasons.past(guild_id, _MOST_SEASONS)
        shown = next((season for season in past if season.period == span), None)
        now = self._clock()
        present = season_of(length, now)
        return render_season(shown, present, past, self._games, asker_id=interaction.user.id, now=now)


class SeasonsCog(commands.Cog):
    """`/season`."""

    @app_commands.command(name="season", description=_("This server's season, and the champions of earlier ones"))
    async def season(self, command: ParlourInteraction) -> None:
        """Show the present season."""
        await command.client.app.service(SeasonPages).show(command)
