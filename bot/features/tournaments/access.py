"""Finds tournaments for people, checks their rights, and shows and notes what they have done."""

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence

from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.service import ServerRules
from bot.features.tournaments.director import Director
from bot.features.tournaments.model import Pairing, Stage, Tournament, TournamentId, TournamentReason
from bot.features.tournaments.service import TournamentService
from bot.features.tournaments.words import name_of
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, speaking_to_everyone
from bot.platform.discord.channels import readable_among
from bot.platform.discord.context import channel_of, server_of
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.rules.refusals import Refusal
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name
from bot.words import gettext as _


class TournamentAccess:
    """Finds tournaments for people, checks their rights, and shows and notes what they have done."""

    def __init__(
        self,
        service: TournamentService,
        director: Director,
        rules: ServerRules,
        log: ModeratorLog,
        games: Mapping[str, AnyPackage],
    ) -> None:
        self._service = service
        self._director = director
        self._rules = rules
        self._log = log
        self._games = games

    async def load(self, interaction: Interaction, tournament_id: TournamentId) -> Tournament:
        """Return a tournament of this server whose channel the user can see."""
        tournament = await self._service.load(tournament_id)
        is_here = tournament.location.guild_id == require_server(interaction)
        if not is_here or not await readable_among(interaction, {tournament.location.channel_id}):
            raise Refusal(TournamentReason.UNKNOWN)
        return tournament

    async def visible(self, command: Interaction) -> Sequence[Tournament]:
        """Return the tournaments of this server whose channels the user can see; refuse if there are none."""
        guild_id = require_server(command)
        channels = await readable_among(command, await self._service.channels_in(guild_id))
        visible = await self._service.list_in(guild_id, channels)
        if not visible:
            raise Refusal(TournamentReason.NONE_HERE)
        return visible

    async def find(
        self, command: Interaction, number: int | None, *, player_id: int | None = None, stage: Stage | None = None
    ) -> Tournament:
        """Return the tournament with a number, or the likeliest one.

        This is at the stage, open, with the player, in this channel, newest: what comes first counts most.
        """
        if number is not None:
            return await self.load(command, number)
        found = await self.visible(command)
        here = {channel_of(command), getattr(command.channel, "parent_id", None)}

        def likelihood(tournament: Tournament) -> tuple[bool, ...]:
            has_player = player_id is not None and tournament.player(player_id) is not None
            is_here = tournament.location.channel_id in here
            return tournament.stage is stage, tournament.stage.is_open, has_player, is_here

        # Of equally likely tournaments, the first is the newest.
        return max(found, key=likelihood)

    async def require_organizer(self, interaction: Interaction, tournament: Tournament) -> None:
        """Refuse unless the user opened the tournament or organizes those of others."""
        if interaction.user.id != tournament.opener.id and not await self._rules.may_organize(interaction):
            raise Refusal(TournamentReason.NOT_ORGANIZER)

    def note(
        self, interaction: Interaction, tournament: Tournament, line: str, **words: str | Callable[[], str]
    ) -> Callable[[], str]:
        """Add a line to the server's log about what an organizer has done; return what makes the line.

        Args:
            interaction: What the organizer has done it with.
            tournament: The tournament.
            line: The line, which is translated into the language spoken where it is read.
            words: What is inserted, or what makes it in that language.
        """

        def describe() -> str:
            name = f"**{escape_name(name_of(tournament, self._games))}**"
            spoken = {key: word() if callable(word) else word for key, word in words.items()}
            return _(line).format(who=f"<@{interaction.user.id}>", name=name, **spoken)

        self._log.note(interaction.guild_id, describe)
        return describe

    async def tell_players(
        self,
        interaction: Interaction,
        tournament: Tournament,
        describe: Callable[[], str],
        pairings: Collection[Pairing],
        *,
        in_channel: bool = False,
    ) -> None:
        """Post what an organizer has done where the pairings are played; this notifies no one, and may fail."""
        with speaking_to_everyone(interaction):
            text = describe()
        places = dict.fromkeys([*([None] if in_channel else []), *(pairing.thread_id for pairing in pairings)])
        for thread_id in places:
            await self._director.tell(tournament, text, thread_id)

    async def show(self, tournament_id: TournamentId, *, again: bool = False) -> None:
        """Show a tournament in its channel; if this fails, its job tries again."""
        with contextlib.suppress(ChannelUnreachable, DeliveryFailed, StoreUnavailable):
            await self._director.show(tournament_id, again=again)


def require_server(interaction: Interaction) -> int:
    """Return the server's id; refuse where there is no server."""
    return server_of(interaction, TournamentReason.ONLY_IN_SERVERS)


def require_playing(tournament: Tournament, user_id: int, reason: TournamentReason) -> None:
    """Refuse unless a person plays in the tournament and it is not over."""
    if not tournament.stage.is_open:
        raise Refusal(TournamentReason.OVER)
    player = tournament.player(user_id)
    if player is None or player.has_withdrawn:
        raise Refusal(reason)
