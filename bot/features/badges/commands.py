"""The command `/badges`."""

from collections.abc import Mapping

from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.badges import storage
from bot.features.badges.messages import render_badges
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.context import server_of
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import attach_picture_if_possible, send_ephemeral_content
from bot.platform.places import Person
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.words import gettext as _


class Badges:
    """Shows people their own badges from all servers, and other people's badges from this server."""

    def __init__(self, db: Database, games: Mapping[str, AnyPackage], picture_attacher: PictureAttacher) -> None:
        self._db = db
        self._games = games
        self._picture_attacher = picture_attacher

    @deferred_if_slow
    async def show(self, command: Interaction, person: Person) -> None:
        """Show the badges of a person.

        Raises:
            Refusal: The command asks for another person's badges in a direct message.
        """
        is_own = person.id == command.user.id
        guild_id = None if is_own else server_of(command, HostReason.ONLY_YOURSELF)
        earned = await self._db.read(storage.badges_of, person.id, guild_id)
        if is_own:
            records = await self._db.read(storage.records_of, person.id)
            best_scores = await self._db.read(storage.best_scores_of, person.id)
            content = render_badges(earned, self._games, person, is_own=True, records=records, best_scores=best_scores)
        else:
            content = render_badges(earned, self._games, person, is_own=False)
        content = await attach_picture_if_possible(command, content, self._picture_attacher)
        await send_ephemeral_content(command, content)


class BadgesCog(commands.Cog):
    """`/badges`."""

    @app_commands.command(name="badges", description=_("The badges that you or another member have earned"))
    @app_commands.describe(member=_("Whose badges; if left out, yours and those still to earn"))
    async def badges(self, command: ParlourInteraction, member: Member | User | None = None) -> None:
        """Show a person's badges."""
        user = member or command.user
        await command.client.app.service(Badges).show(command, Person(user.id, user.display_name))
