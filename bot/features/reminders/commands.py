"""The commands `/ping`, with which players choose when and how they are told that it is their turn."""

from discord import app_commands
from discord.ext import commands

from bot.features.reminders.handlers import Pings
from bot.platform.discord.client import ParlourInteraction
from bot.words import gettext as _


class PingCog(commands.GroupCog, group_name="ping", group_description=_("How I tell you that it's your turn")):
    """`/ping`: when and how players are told that it is their turn."""

    @app_commands.command(name="here", description=_("Choose how I ping you at this channel's table"))
    async def here(self, command: ParlourInteraction) -> None:
        """Show the panel for this channel's table."""
        await command.client.app.service(Pings).choose_here(command)

    @app_commands.command(name="always", description=_("Choose how I ping you at all tables, in every server"))
    async def always(self, command: ParlourInteraction) -> None:
        """Show the panel for all tables."""
        await command.client.app.service(Pings).choose_always(command)

    @app_commands.command(name="quiet", description=_("Set the hours in which I don't ping you"))
    @app_commands.describe(
        start=_("The full hour when they begin, 0 to 23"),
        end=_("The full hour when they end, 0 to 23"),
        zone=_("Your time zone, such as Europe/Berlin"),
    )
    async def quiet(
        self,
        command: ParlourInteraction,
        start: app_commands.Range[int, 0, 23],
        end: app_commands.Range[int, 0, 23],
        zone: app_commands.Range[str, 1, 100],
    ) -> None:
        """Set quiet hours."""
        await command.client.app.service(Pings).choose_quiet_hours(command, start, end, zone)

    @app_commands.command(name="daily", description=_("Choose when I tell you about today's ten rolls"))
    @app_commands.describe(hour=_("The full hour, 0 to 23"), zone=_("Your time zone, such as Europe/Berlin"))
    async def daily(
        self,
        command: ParlourInteraction,
        hour: app_commands.Range[int, 0, 23],
        zone: app_commands.Range[str, 1, 100],
    ) -> None:
        """Ask for a ping each day."""
        await command.client.app.service(Pings).choose_daily(command, hour, zone)

    @quiet.autocomplete("zone")
    @daily.autocomplete("zone")
    async def suggest_zones(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones."""
        return await command.client.app.service(Pings).suggest_zones(current)

    @app_commands.command(name="anytime", description=_("End your quiet hours"))
    async def anytime(self, command: ParlourInteraction) -> None:
        """End the quiet hours."""
        await command.client.app.service(Pings).end_quiet_hours(command)
