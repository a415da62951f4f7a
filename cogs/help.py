"""Help: the games and how to play them."""

from discord import Embed, app_commands
from discord.ext import commands

from bot.tables.registry import AnyPackage
from bot.ui.client.client import ParlourClient, ParlourInteraction
from bot.ui.features.guides import player_count_text
from bot.ui.interactions.responses import send_ephemeral
from bot.ui.render.game_names import suggest_games
from bot.ui.render.table_message import SEAT_COLOURS
from bot.words import gettext as _


class Help(commands.Cog):
    """`/help` and `/rules`."""

    @app_commands.command(name="help", description="What Parlour is and how to start a game")
    async def help(self, command: ParlourInteraction) -> None:
        """Explain the bot."""
        await send_ephemeral(command, embed=help_embed(list(command.client.features.tables.games.values())))

    @app_commands.command(name="rules", description="How to play a game")
    @app_commands.describe(game="Which game")
    async def rules(self, command: ParlourInteraction, game: app_commands.Range[str, 1, 40]) -> None:
        """Explain a game."""
        await command.client.features.tables.explain(command, game)

    @rules.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        return suggest_games(command.client.features.tables.games, current)


def help_embed(packages: list[AnyPackage]) -> Embed:
    """Return the embed that lists the games and explains tables."""
    embed = Embed(
        title=_("Parlour"),
        description=_(
            "Tabletop games to play together, right here in the channel. One table per channel or thread, "
            "plus solo games."
        ),
        colour=SEAT_COLOURS[0],
    )
    for package in packages:
        info = package.game.info
        embed.add_field(
            name=f"{info.title} · {player_count_text(info)}",
            value=_("{summary}\n`/{command} new` opens a table.").format(
                summary=_(package.guide.summary), command=info.command
            ),
            inline=False,
        )
    embed.add_field(
        name=_("At a table"),
        value=_(
            "Press *Join* to take a seat; the host starts the game. After that, the buttons under the table "
            "do everything. You can also type a game's commands.\n"
            "`/table invite` invites someone to a free seat.\n"
            "`/table show` brings the table back to the end of the channel.\n"
            "`/table read` describes it in plain words.\n"
            "`/table cancel` closes it; once everyone has made a move, all players must agree.\n"
            "`/table verify` lets anyone check the dice.\n"
            "`/rules` explains a game."
        ),
        inline=False,
    )
    embed.add_field(
        name=_("After the game"),
        value=_(
            "`/leaderboard` shows who wins a game most often in this server.\n"
            "`/profile` shows what you or another member have played.\n"
            "`/history` shows the games played in this channel.\n"
            "`/table replay` steps through a finished game. Only you see these.\n"
            "`/settings` is for server managers: how tables look, reminders and invitations."
        ),
        inline=False,
    )
    return embed


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Help())
