"""The commands `/server`, for moderators and managers of a server."""

from typing import Final

from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.moderation.bans import BanCommands
from bot.features.moderation.model import MAX_REASON, BanTime
from bot.features.moderation.open_tables import OpenTables
from bot.features.set_up.handlers import SetUp
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.ids import MAX_CLOSING_REASON
from bot.tables.app import App, Feature
from bot.words import N_, gettext as _

_TIMES: Final = {
    BanTime.HOUR: N_("1 hour"),
    BanTime.DAY: N_("1 day"),
    BanTime.WEEK: N_("1 week"),
    BanTime.MONTH: N_("30 days"),
    BanTime.QUARTER: N_("90 days"),
}
_TIME_CHOICES: Final = [app_commands.Choice(name=_(label), value=time.value) for time, label in _TIMES.items()]


class ServerCog(commands.GroupCog, group_name="server", group_description=_("Moderation of games in this server")):
    """`/server`."""

    @app_commands.command(name="check", description=_("Check my permissions in the channels, for server managers"))
    async def check(self, command: ParlourInteraction) -> None:
        """Show missing permissions."""
        await command.client.app.service(SetUp).check(command)

    @app_commands.command(name="ban", description=_("Keep a member from playing in this server, for moderators"))
    @app_commands.describe(
        member=_("The member"),
        reason=_("Why; moderators read it in the list of bans"),
        time=_("How long; without an end if left out"),
        tell=_("Whether the member reads the reason"),
    )
    @app_commands.choices(time=_TIME_CHOICES)
    async def ban(
        self,
        command: ParlourInteraction,
        member: Member | User,
        reason: app_commands.Range[str, 0, MAX_REASON] = "",
        time: str | None = None,
        tell: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Ban a member."""
        end = None if time is None else BanTime(time)
        await command.client.app.service(BanCommands).ban(command, member, reason, end, tells_reason=tell)

    @app_commands.command(name="unban", description=_("Let a member play in this server again, for moderators"))
    @app_commands.describe(member=_("The member"))
    async def unban(self, command: ParlourInteraction, member: Member | User) -> None:
        """Lift a ban."""
        await command.client.app.service(BanCommands).unban(command, member)

    @app_commands.command(name="bans", description=_("List the members who may not play here, for moderators"))
    async def bans(self, command: ParlourInteraction) -> None:
        """List the bans."""
        await command.client.app.service(BanCommands).show(command)

    @app_commands.command(name="tables", description=_("List the open tables and close them, for moderators"))
    @app_commands.describe(reason=_("Why you close tables, for the log of the server"))
    async def tables(
        self, command: ParlourInteraction, reason: app_commands.Range[str, 0, MAX_CLOSING_REASON] = ""
    ) -> None:
        """List the open tables."""
        await command.client.app.service(OpenTables).show(command, reason)


def register(_app: App) -> Feature:
    """Register the commands."""
    return Feature(cogs=(ServerCog(),))
