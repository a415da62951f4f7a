"""Invites people to a table, and handles the buttons of invitations."""

import logging

import discord

from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import Invitations
from bot.features.settings.all_settings import INVITATIONS
from bot.features.settings.service import ServerRules, SettingsCache
from bot.platform.discord.answers import Interaction, acknowledge, deferred_if_slow, send_ephemeral
from bot.platform.discord.context import guest_of, person_of, require_permissions, require_presence
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.discord.refusals import ClickReason, PermissionFacts
from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import TableCommands
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.service import TableService
from bot.tables.shown.links import escape_name
from bot.tables.table import Table
from bot.words import gettext as _, join_items

log = logging.getLogger(__name__)


class InvitationCommands:
    """Sends invitations and handles the clicks on them."""

    def __init__(
        self,
        invitations: Invitations,
        service: TableService,
        table_commands: TableCommands,
        *,
        rules: ServerRules,
        settings: SettingsCache,
    ) -> None:
        self._invitations = invitations
        self._settings = settings
        self._rules = rules
        self._service = service
        self._table_commands = table_commands

    @deferred_if_slow
    async def invite(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Invite a person to this channel's table."""
        require_presence(command)
        table = await self._table_commands.common_table(command)
        inviter, guest = person_of(command), guest_of(command, person)
        require_permissions(command)
        await self._rules.require_place(command)
        text = _("{name} is invited. If a seat is free, they can press *Join* at the table.")
        try:
            await self._invitations.invite(table.id, inviter, guest, command.id)
        except Stale:
            return  # another process handles the command
        except ChannelUnreachable as fault:
            permissions = join_items([_("View Channel"), _("Send Messages")])
            raise Refusal(ClickReason.MISSING_PERMISSIONS, PermissionFacts(permissions)) from fault
        except DeliveryFailed as fault:
            # The message may have arrived, and a guest must not be invited twice.
            log.warning("an invitation to table %s may not have arrived: %s", table.id, fault)
            text = _("I don't know whether the invitation arrived. If it's not in the channel, ask {name} yourself.")
        await send_ephemeral(command, text.format(name=escape_name(guest.name)))

    async def press(self, click: Interaction, table: Table, invitation_id: InvitationId) -> None:
        """Seat the guest, or store that they refuse further invitations.

        Raises:
            Refusal: The click is not the guest's.
        """
        if invitation_id.guest_id != click.user.id:
            raise Refusal(InvitationReason.NOT_YOUR_INVITATION, TableFacts(table))
        if invitation_id.button is InvitationButton.REFUSE:
            await self._settings.choose_for(click.user.id, INVITATIONS, value=False)
            text = _(
                "No one can invite you to a table any more, in any server. If you change your mind, type "
                "`/settings show` in a direct message with me."
            )
            await send_ephemeral(click, text)
            return
        try:
            await self._service.join(table.id, person_of(click), click.id)
        except Refusal as refusal:
            if refusal.reason is not HostReason.ALREADY_SEATED:
                raise
        await acknowledge(click)
