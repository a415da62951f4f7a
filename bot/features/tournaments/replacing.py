"""Offers a player's place to another member, who takes it with a click.

An offer is stored before it is posted, so a button takes a place only while that place is offered to its presser.
"""

import contextlib
from collections.abc import Callable
from datetime import datetime

import discord

from bot.features.blocks.service import Blocks
from bot.features.moderation.service import Bans
from bot.features.settings.all_settings import INVITATIONS
from bot.features.settings.service import SettingsCache
from bot.features.tournaments import offers
from bot.features.tournaments.access import TournamentAccess, require_playing
from bot.features.tournaments.messages import TakePlaceId
from bot.features.tournaments.model import Pairing, Tournament, TournamentReason, UserId
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import (
    Interaction,
    deferred_if_slow,
    edit_clicked_message,
    send_ephemeral,
    speaking_to_everyone,
)
from bot.platform.discord.context import guest_of, person_of
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.rules.refusals import Refusal
from bot.tables.shown.links import escape_name
from bot.words import N_, gettext as _


class Replacements:
    """Has organizers offer places, and members take them."""

    def __init__(
        self,
        access: TournamentAccess,
        service: TournamentService,
        messages: DiscordTournamentMessages,
        db: Database,
        clock: Callable[[], datetime],
        *,
        settings: SettingsCache,
        blocks: Blocks,
        bans: Bans,
    ) -> None:
        self._access = access
        self._service = service
        self._messages = messages
        self._db = db
        self._clock = clock
        self._settings = settings
        self._blocks = blocks
        self._bans = bans

    @deferred_if_slow
    async def offer(
        self,
        command: Interaction,
        member: discord.Member | discord.User,
        by: discord.Member | discord.User,
        number: int | None,
    ) -> None:
        """Offer a player's place to another member."""
        tournament = await self._access.find(command, number, player_id=member.id)
        await self._access.require_organizer(command, tournament)
        require_playing(tournament, member.id, TournamentReason.THEY_ARE_NOT_IN_IT)
        guest = guest_of(command, by)
        if tournament.player(guest.id) is not None:
            raise Refusal(TournamentReason.PLAYS_ALREADY)
        takes_invitations = (await self._settings.get(guest.id)).get(INVITATIONS)
        if not takes_invitations or self._bans.is_banned(command.guild_id, guest.id):
            raise Refusal(TournamentReason.PLACE_REFUSED)
        await self._require_together(guest.id, [command.user.id, *_opponents(tournament, member.id)])
        await self._db.write(offers.add, tournament, member.id, guest.id, self._clock())
        names = {"name": escape_name(guest.name), "player": escape_name(member.display_name)}
        line = N_("{who} offered {guest} the place of {other} in the tournament {name}.")
        self._access.note(command, tournament, line, guest=f"<@{guest.id}>", other=f"<@{member.id}>")
        try:
            with speaking_to_everyone(command):
                await self._messages.offer(tournament, command.user.id, member.id, guest.id)
            text = _("I have asked {name}. Until they press *Take the place*, {player} plays on.")
        except ChannelUnreachable:
            # If this fails, the offer that remains does no harm.
            with contextlib.suppress(StoreUnavailable):
                await self._db.maintain(offers.withdraw, tournament.id, guest.id)
            text = _("I can't write in the channel of the tournament, so I couldn't ask {name}.")
        except DeliveryFailed:
            # The message may have arrived, so the offer stands.
            text = _("I don't know whether the question to {name} arrived. If not, offer the place to someone else.")
        await send_ephemeral(command, text.format(**names))

    async def take(self, click: Interaction, pressed: TakePlaceId) -> None:
        """Give a place to the member to whom it is offered."""
        tournament = await self._access.load(click, pressed.tournament)
        player_id, person = pressed.player_id, person_of(click)
        if await self._db.read(offers.find_place, tournament.id, person.id) != player_id:
            raise Refusal(TournamentReason.NOT_OFFERED)
        require_playing(tournament, player_id, TournamentReason.THEY_ARE_NOT_IN_IT)
        await self._require_together(person.id, _opponents(tournament, player_id))
        replaced = await self._service.replace_player(tournament.id, player_id, person, click.id)
        line = N_("{who} took the place of {other} in the tournament {name}.")
        self._access.note(click, tournament, line, other=f"<@{player_id}>")
        with speaking_to_everyone(click):
            text = _("{name} has taken the place.").format(name=escape_name(person.name))
        await edit_clicked_message(click, content=text, view=None)
        # If this fails, the message of the tournament still names the new player.
        with contextlib.suppress(ChannelUnreachable, DeliveryFailed), speaking_to_everyone(click):
            await self._messages.tell_replaced(replaced, player_id, person.id)
        await self._access.show(tournament.id)

    async def prune(self) -> None:
        """Delete closed offers that no longer count towards a limit."""
        await self._db.maintain(offers.prune, self._clock())

    async def _require_together(self, guest_id: UserId, others: list[UserId]) -> None:
        """Refuse, without a reason, if one of two people blocks the other."""
        apart = await self._blocks.between([guest_id, *others])
        if any(guest_id in pair for pair in apart):
            raise Refusal(TournamentReason.PLACE_REFUSED)


def _opponents(tournament: Tournament, player_id: UserId) -> list[UserId]:
    """Return the people whom a player meets in the present round."""
    met: list[Pairing] = [pairing for pairing in tournament.in_play if player_id in pairing.people]
    return [user_id for pairing in met for user_id in pairing.people if user_id != player_id]
