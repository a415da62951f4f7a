"""The commands `/profile`, `/versus` and `/history`."""

from collections.abc import Mapping

from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.badges import storage as badge_storage
from bot.features.profiles import storage
from bot.features.profiles.messages import (
    HistoryId,
    HistoryScope,
    render_duel,
    render_history,
    render_own_profile,
    render_profile,
)
from bot.features.profiles.model import Duel, Profile
from bot.features.results.model import ChannelsFilter, HistoryFilter, PersonFilter, PersonInChannelsFilter
from bot.features.results.service import TABLES_PER_PAGE, ResultsService
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.channels import readable_channels
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import channel_of, person_of, server_of
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.words import gettext as _


class Profiles:
    """Shows profiles, duels and histories: a server's games, or in a direct message all of the user's games."""

    def __init__(
        self,
        db: Database,
        results: ResultsService,
        games: Mapping[str, AnyPackage],
        picture_attacher: PictureAttacher,
    ) -> None:
        self._db = db
        self._results = results
        self._games = games
        self._picture_attacher = picture_attacher

    @deferred_if_slow
    async def profile(self, command: Interaction, person: Person) -> None:
        """Show a person's profile."""
        asker = person_of(command)
        if command.guild_id is None:
            if person.id != asker.id:
                server_of(command, HostReason.ONLY_YOURSELF)
            profile = await self._load_profile(PersonFilter(asker.id, None))
            badges = await self._db.read(badge_storage.badges_of, asker.id)
            await send_ephemeral_content(command, render_own_profile(profile, self._games, badges))
            return
        # Users see all of their own games and, as in `/history`, other people's games in channels that they may read.
        is_own = person.id == asker.id
        history: PersonFilter | PersonInChannelsFilter = PersonFilter(person.id, command.guild_id)
        if not is_own:
            history = PersonInChannelsFilter(person.id, command.guild_id, await readable_channels(command))
        profile = await self._load_profile(history)
        badges = await self._db.read(badge_storage.badges_of, person.id, None if is_own else command.guild_id)
        content = render_profile(profile, self._games, person, asker.id, badges)
        content = await attach_picture_if_possible(command, content, self._picture_attacher)
        await send_ephemeral_content(command, content)

    async def _load_profile(self, history: PersonFilter | PersonInChannelsFilter) -> Profile:
        """Return a person's profile in one server or everywhere, with the tables that may be listed."""
        record = await self._db.read(storage.person_record, history.user_id, history.guild_id)
        return Profile(history.user_id, record, await self._results.newest_tables(history))

    @deferred_if_slow
    async def versus(self, command: Interaction, other: Person) -> None:
        """Show the history of the user and another person, with their tables in channels that the user may read.

        Raises:
            Refusal: The other person is the user, or the command is used in a direct message.
        """
        guild_id = server_of(command, HostReason.ONLY_IN_SERVERS)
        if other.id == command.user.id:
            raise Refusal(HostReason.VERSUS_YOURSELF)
        channels = await readable_channels(command)
        duel = Duel(guild_id, command.user.id, other.id)
        versus = await self._db.read(storage.versus, duel, channels, TABLES_PER_PAGE)
        await send_ephemeral_content(command, render_duel(versus, self._games, other))

    @deferred_if_slow
    async def history(self, command: Interaction) -> None:
        """Show the channel's finished tables or, in a direct message, the user's."""
        await send_ephemeral_content(command, await self._render_history(command, HistoryScope.HERE))

    async def show_page(self, click: Interaction, page_id: HistoryId) -> None:
        """Show another page in the clicked message."""
        await edit_or_send_ephemeral(click, await self._render_history(click, page_id.scope, page_id.page))

    async def _render_history(self, interaction: Interaction, scope: HistoryScope, page: int = 1) -> MessageContent:
        scopes = tuple(HistoryScope) if interaction.guild_id is not None else (HistoryScope.MINE,)
        if scope not in scopes:
            scope = HistoryScope.MINE
        history = await self._results.history(await _history_filter(interaction, scope), page)
        return render_history(history, self._games, scope, scopes)


async def _history_filter(interaction: Interaction, scope: HistoryScope) -> HistoryFilter:
    if interaction.guild_id is None or scope is HistoryScope.MINE:
        return PersonFilter(interaction.user.id, interaction.guild_id)
    if scope is HistoryScope.HERE:
        return ChannelsFilter(interaction.guild_id, frozenset({channel_of(interaction)}))
    return ChannelsFilter(interaction.guild_id, await readable_channels(interaction))


class ProfilesCog(commands.Cog):
    """`/profile`, `/versus` and `/history`."""

    @app_commands.command(name="profile", description=_("What you or another member have played in this server"))
    @app_commands.describe(member=_("Whose games; yours if left out"))
    async def profile(self, command: ParlourInteraction, member: Member | User | None = None) -> None:
        """Show a person's statistics and last games."""
        user = member or command.user
        await command.client.app.service(Profiles).profile(command, Person(user.id, user.display_name))

    @app_commands.command(name="versus", description=_("How you and another member have done against each other here"))
    @app_commands.describe(member=_("Who you played against"))
    async def versus(self, command: ParlourInteraction, member: Member | User) -> None:
        """Show the history between the user and another person."""
        await command.client.app.service(Profiles).versus(command, Person(member.id, member.display_name))

    @app_commands.command(name="history", description=_("Games finished in this channel, newest first"))
    async def history(self, command: ParlourInteraction) -> None:
        """Show finished tables."""
        await command.client.app.service(Profiles).history(command)
