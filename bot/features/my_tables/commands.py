"""The command `/mytables`."""

from collections.abc import Mapping

from discord import app_commands
from discord.ext import commands

from bot.features.my_tables import storage
from bot.features.my_tables.messages import MyTablesId, render_my_tables
from bot.features.my_tables.model import MOST_TABLES, page_of_tables
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.channels import readable_among
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.private_messages import edit_or_send_ephemeral, send_ephemeral_content
from bot.platform.places import Location
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name
from bot.words import gettext as _


class MyTablesCommands:
    """Shows a person privately where they are playing, whose turn it is, and since when."""

    def __init__(self, db: Database, games: Mapping[str, AnyPackage]) -> None:
        self._db = db
        self._games = games

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Send the first page."""
        await send_ephemeral_content(command, await self._render(command, 1))

    async def turn_page(self, click: Interaction, pressed: MyTablesId) -> None:
        """Show another page in the clicked message."""
        await edit_or_send_ephemeral(click, await self._render(click, pressed.page))

    async def _render(self, interaction: Interaction, page: int) -> MessageContent:
        found = await self._db.read(storage.find, interaction.user.id, MOST_TABLES)
        shown = page_of_tables(found, page)
        locations = {table.location for table in shown.tables}
        here = {location.channel_id for location in locations if location.guild_id == interaction.guild_id}
        visible = await readable_among(interaction, here)
        places = {location: _place_name(interaction, location, visible) for location in locations}
        return render_my_tables(shown, self._games, places)


def _place_name(interaction: Interaction, location: Location, visible: frozenset[int]) -> str:
    """Return the channel if it belongs to this server and the user can see it, otherwise the server's name."""
    if location.is_outside:
        return _("Where I'm not a member: `/table show` shows it there")
    if location.guild_id is None:
        return _("Our direct messages")
    is_visible = location.channel_id in visible or (location.is_own_thread and location.solo_id == interaction.user.id)
    if location.guild_id == interaction.guild_id and is_visible:
        return f"<#{location.channel_id}>"
    guild = interaction.client.get_guild(location.guild_id)
    return _("Another server") if guild is None else escape_name(guild.name)


class MyTablesCog(commands.Cog):
    """`/mytables`."""

    @app_commands.command(name="mytables", description=_("Your unfinished tables everywhere, only for you"))
    async def my_tables(self, command: ParlourInteraction) -> None:
        """List the user's tables."""
        await command.client.app.service(MyTablesCommands).show(command)
