"""Announces tournaments in the channel that a server has chosen, and mentions the chosen role."""

from collections.abc import Callable

import discord
from discord.utils import format_dt

from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import TOURNAMENT_CHANNEL, TOURNAMENT_ROLE
from bot.features.settings.service import SettingsCache
from bot.features.tournaments.messages import announcement_text
from bot.features.tournaments.model import Stage, Tournament
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.languages import speaking
from bot.platform.discord.errors import ChannelUnreachable
from bot.platform.places import Location
from bot.tables.shown.links import escape_name, message_link
from bot.words import N_, gettext as _


class Announcements:
    """Posts one message when a tournament opens and one when it has ended; if it may not, the log says so."""

    def __init__(
        self,
        settings: SettingsCache,
        messages: DiscordTournamentMessages,
        log: ModeratorLog,
        find_server: Callable[[int], discord.Guild | None],
    ) -> None:
        self._settings = settings
        self._messages = messages
        self._log = log
        self._find_server = find_server

    async def announce(self, tournament: Tournament) -> bool:
        """Announce a tournament where the server wants it, with a link; return whether its own channel has this now.

        Raises:
            DeliveryFailed: It has to be tried again; a server chooses one channel, so nothing was posted.
        """
        guild_id = tournament.location.guild_id or 0
        chosen, server = await self._settings.get(guild_id), self._find_server(guild_id)
        channels: frozenset[int] = chosen.get(TOURNAMENT_CHANNEL)
        roles: frozenset[int] = chosen.get(TOURNAMENT_ROLE)
        existing = [role_id for role_id in roles if server is not None and server.get_role(role_id) is not None]
        mentioned = existing if tournament.is_by_organizer else []
        is_in_own = False
        for channel_id in channels:
            is_own = channel_id == tournament.location.channel_id
            if is_own and tournament.stage is not Stage.FINISHED and not mentioned:
                # The tournament's message stands there already.
                continue
            with speaking(await self._messages.language_of(tournament.location)):
                lines = [*(f"<@&{role_id}>" for role_id in mentioned), _announcement(tournament)]
            location = Location(tournament.location.guild_id, channel_id)
            try:
                await self._messages.announce(tournament, location, "\n".join(lines), mentioned)
                is_in_own |= is_own
            except ChannelUnreachable:
                self._note(tournament, channel_id)
        return is_in_own

    def _note(self, tournament: Tournament, channel_id: int) -> None:
        """Add a line to the server's log about an announcement that is missing."""
        line = N_(
            "⚠️ I couldn't announce the tournament {name} in {channel}: the channel was deleted, or I may not write "
            "there. `/settings tournaments` chooses another."
        )
        name = f"**{escape_name(tournament.name)}**"
        self._log.note(tournament.location.guild_id, lambda: _(line).format(name=name, channel=f"<#{channel_id}>"))


def _announcement(tournament: Tournament) -> str:
    """Return the announcement of a tournament that has opened or ended, with a link."""
    link = message_link(tournament.location, tournament.message_id)
    if tournament.stage is Stage.FINISHED:
        return f"{announcement_text(tournament)} {link}"
    facts = {"name": escape_name(tournament.name), "link": link}
    if tournament.starts_at is None:
        return _("🏆 **{name}** is open. Join here: {link}").format(**facts)
    when = format_dt(tournament.starts_at)
    return _("🏆 **{name}** is open and starts {when}. Join here: {link}").format(when=when, **facts)
