"""Announces tournaments in the channel that a server has chosen, and mentions the chosen role."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import TOURNAMENT_CHANNEL, TOURNAMENT_ROLE
from bot.features.settings.service import SettingsCache
from bot.features.tournaments.model import Stage, Tournament
from bot.features.tournaments.notices import announcement_text
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.features.tournaments.words import name_of
from bot.languages import speaking
from bot.platform.discord.errors import ChannelUnreachable
from bot.platform.places import Location
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, message_link
from bot.words import N_, gettext as _

_UNREACHABLE: Final = N_(
    "⚠️ I couldn't announce the tournament {name} in {channel}: the channel was deleted, or I may not write there. "
    "`/settings tournaments` chooses another."
)
_HIDDEN: Final = N_(
    "I didn't announce the tournament {name} in {channel}, because not everyone who sees that channel can see the "
    "tournament's."
)


class Announcements:
    """Posts one message when a tournament opens and one when it has ended; if it may not, the log says so."""

    def __init__(
        self,
        settings: SettingsCache,
        messages: DiscordTournamentMessages,
        log: ModeratorLog,
        find_server: Callable[[int], discord.Guild | None],
        games: Mapping[str, AnyPackage],
    ) -> None:
        self._settings = settings
        self._messages = messages
        self._log = log
        self._find_server = find_server
        self._games = games

    async def announce(self, tournament: Tournament) -> int | None:
        """Announce a tournament where the server wants it, with a link; return the channel, None if there is none.

        Raises:
            DeliveryFailed: It has to be tried again; nothing was posted.
        """
        guild_id = tournament.location.guild_id or 0
        chosen, server = await self._settings.get(guild_id), self._find_server(guild_id)
        channels: frozenset[int] = chosen.get(TOURNAMENT_CHANNEL)
        roles: frozenset[int] = chosen.get(TOURNAMENT_ROLE)
        existing = [role_id for role_id in roles if server is not None and server.get_role(role_id) is not None]
        mentioned = existing if tournament.is_by_organizer else []
        # A server chooses one channel. The tournament's message stands in its own channel already.
        channel_id = next(iter(channels), None)
        is_own = channel_id == tournament.location.channel_id
        if channel_id is None or (is_own and tournament.stage is not Stage.FINISHED and not mentioned):
            return None
        with speaking(await self._messages.languages.of_server(tournament.location.guild_id)):
            text = "\n".join([*(f"<@&{role_id}>" for role_id in mentioned), _announcement(tournament, self._games)])
        return channel_id if await self._post(tournament, channel_id, text, mentioned) else None

    async def follow_up(self, tournament: Tournament, describe: Callable[[], str]) -> None:
        """Post a change where the opening of a tournament was announced, unless its own channel has this already.

        Raises:
            DeliveryFailed: It has to be tried again; nothing was posted.
        """
        channel_id = tournament.announced_in
        if channel_id is not None and channel_id != tournament.location.channel_id:
            with speaking(await self._messages.languages.of_server(tournament.location.guild_id)):
                text = describe()
            await self._post(tournament, channel_id, text)

    async def _post(self, tournament: Tournament, channel_id: int, text: str, mentioned: Collection[int] = ()) -> bool:
        """Post an announcement; if that is impossible or tells people too much, add a line to the log instead."""
        try:
            is_own = channel_id == tournament.location.channel_id
            if not is_own and not await self._messages.is_readable_by_readers_of(tournament, channel_id):
                self._note(tournament, channel_id, _HIDDEN)
                return False
            location = Location(tournament.location.guild_id, channel_id)
            await self._messages.announce(tournament, location, text, mentioned)
        except ChannelUnreachable:
            self._note(tournament, channel_id, _UNREACHABLE)
            return False
        return True

    def _note(self, tournament: Tournament, channel_id: int, line: str) -> None:
        """Add a line to the server's log about an announcement that is missing."""

        def describe() -> str:
            name = f"**{escape_name(name_of(tournament, self._games))}**"
            return _(line).format(name=name, channel=f"<#{channel_id}>")

        self._log.note(tournament.location.guild_id, describe)


def _announcement(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the announcement of a tournament that has opened or ended, with a link."""
    link = message_link(tournament.location, tournament.message_id)
    if tournament.stage is Stage.FINISHED:
        return f"{announcement_text(tournament, games)} {link}"
    facts = {"name": escape_name(name_of(tournament, games)), "link": link}
    if tournament.starts_at is None:
        return _("🏆 **{name}** is open. Join here: {link}").format(**facts)
    when = format_dt(tournament.starts_at)
    return _("🏆 **{name}** is open and starts {when}. Join here: {link}").format(when=when, **facts)
