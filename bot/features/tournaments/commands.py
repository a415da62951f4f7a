"""The tournament commands."""

from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.settings.rules import ServerRules
from bot.features.tournaments.handlers import MAX_NAME, Tournaments
from bot.features.tournaments.messages import FORMAT_NAMES, format_round_time
from bot.features.tournaments.model import Format
from bot.platform.discord.client import ParlourInteraction
from bot.tables.shown.words import suggest_games
from bot.words import gettext as _

_HOURS = (1, 12, 24, 72, 168)
_USUAL_HOURS = 72
_FORMATS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=_(FORMAT_NAMES[each]), value=each.value) for each in Format
]
_TIMES: list[app_commands.Choice[int]] = [
    app_commands.Choice(name=format_round_time(hours), value=hours) for hours in _HOURS
]

Number = app_commands.Range[int, 1, 999_999_999]


class TournamentCommands(commands.GroupCog, group_name="tournament", group_description=_("Tournaments in this server")):
    """`/tournament`."""

    @app_commands.command(name="new", description=_("Open a tournament in this channel"))
    @app_commands.describe(
        game=_("Which game"),
        name=_("What the tournament is called"),
        format=_("How players are paired; by their number if left out"),
        deadline=_("How long a round lasts; three days if left out"),
    )
    @app_commands.choices(format=_FORMATS)
    @app_commands.choices(deadline=_TIMES)
    async def new(
        self,
        command: ParlourInteraction,
        game: app_commands.Range[str, 1, 40],
        name: app_commands.Range[str, 1, MAX_NAME] | None = None,
        format: str | None = None,  # noqa: A002 - it is the name of the option
        deadline: int = _USUAL_HOURS,
    ) -> None:
        """Open a tournament."""
        kind = None if format is None else Format(format)
        await command.client.app.service(Tournaments).open(command, game, name, kind, deadline)

    @new.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        games = await command.client.app.service(ServerRules).games_on(command)
        found = {key: each for key, each in games.items() if each.game.info.most_seats > 1}
        return suggest_games(found, current)

    @app_commands.command(name="show", description=_("See how a tournament stands, and who plays whom"))
    @app_commands.describe(number=_("Its number; the newest one here if left out"))
    async def show(self, command: ParlourInteraction, number: Number | None = None) -> None:
        """Show a tournament."""
        await command.client.app.service(Tournaments).show_one(command, number)

    @app_commands.command(name="list", description=_("See the tournaments of this server"))
    async def list_all(self, command: ParlourInteraction) -> None:
        """List the tournaments."""
        await command.client.app.service(Tournaments).list_all(command)

    @app_commands.command(name="withdraw", description=_("Leave a tournament for good"))
    @app_commands.describe(
        number=_("Its number; the one that you play in here if left out"),
        member=_("Who is taken out, if you organize it; yourself if left out"),
    )
    async def withdraw(
        self, command: ParlourInteraction, number: Number | None = None, member: Member | User | None = None
    ) -> None:
        """Leave a tournament, or take someone out."""
        await command.client.app.service(Tournaments).withdraw(command, number, member)
