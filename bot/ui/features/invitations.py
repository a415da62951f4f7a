"""Inviting people to a table, and what those who are invited press."""

import logging
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.tables.refusal_facts import PermissionFacts, TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.invitations import Invitations
from bot.tables.runtime.publisher import ChannelUnreachable, DeliveryFailed
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.ui.custom_ids import InvitationButton, InvitationId
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.context import guest_of, person_of, require_permissions
from bot.ui.interactions.responses import acknowledge, defer_if_slow, send_ephemeral
from bot.ui.render.links import escape_name
from bot.words import gettext as _, join_items

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]


class InvitationCommands:
    """Lets people ask others to a table, and lets these answer."""

    def __init__(self, invitations: Invitations, service: TableService, table_commands: TableCommands) -> None:
        self._invitations = invitations
        self._service = service
        self._table_commands = table_commands

    async def invite(self, command: Interaction, person: discord.Member | discord.User) -> None:
        """Ask somebody to the table."""
        await defer_if_slow(command, self._invite(command, person))

    async def _invite(self, command: Interaction, person: discord.Member | discord.User) -> None:
        table = await self._table_commands.common_table(command)
        host, guest = person_of(command), guest_of(command, person)
        require_permissions(command)
        told = _("{name} is invited. If there is still a seat, they can press *Join* at the table.")
        try:
            await self._invitations.invite(table.id, host, guest, command.id)
        except Stale:
            return  # The process that has noted it asks and answers.
        except ChannelUnreachable as fault:
            needed = join_items([_("View Channel"), _("Send Messages")])
            raise Refusal(HostReason.MISSING_PERMISSIONS, PermissionFacts(needed)) from fault
        except DeliveryFailed as fault:
            # It may have arrived all the same, and nobody is to be asked twice.
            log.warning("an invitation to table %s may be lost: %s", table.id, fault)
            told = _("I can't tell whether the invitation arrived. If it is not in the channel, ask {name} yourself.")
        await send_ephemeral(command, told.format(name=escape_name(guest.name)))

    async def press(self, click: Interaction, table: Table, pressed: InvitationId) -> None:
        """Seat whoever is invited, or note that they want no invitations; refuses everybody else."""
        if pressed.guest_id != click.user.id:
            raise Refusal(HostReason.NOT_YOUR_INVITATION, TableFacts(table))
        if pressed.button is InvitationButton.REFUSE:
            await self._invitations.set_refuses(click.user.id, refuses=True)
            told = _(
                "Nobody can invite you to a table any more, in any server. "
                "If you change your mind, type `/settings invitations:True` in a direct message with me."
            )
            await send_ephemeral(click, told)
            return
        try:
            await self._service.join(table.id, person_of(click), click.id)
        except Refusal as refusal:
            if refusal.reason is not HostReason.ALREADY_SEATED:
                raise
        await acknowledge(click)
