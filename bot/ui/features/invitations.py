"""Inviting people to a table, and what those who are invited press."""

import logging
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.invitations import Invitations
from bot.tables.runtime.publisher import NotShown, OutOfReach
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.ui.custom_ids import InviteAction, InviteId
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.context import guest_of, person_of, require_permissions
from bot.ui.interactions.responses import acknowledge, promptly, whisper
from bot.ui.render.links import safe
from bot.words import gettext as _, listed

log = logging.getLogger(__name__)

Asked = discord.Interaction[Any]


class InvitationDesk:
    """Lets people ask others to a table, and lets these answer."""

    def __init__(self, invitations: Invitations, service: TableService, desk: Desk) -> None:
        self._invitations = invitations
        self._service = service
        self._desk = desk

    async def invite(self, command: Asked, person: discord.Member | discord.User) -> None:
        """Ask somebody to the table."""
        await promptly(command, self._invite(command, person))

    async def _invite(self, command: Asked, person: discord.Member | discord.User) -> None:
        table = await self._desk.common_table(command)
        host, guest = person_of(command), guest_of(command, person)
        require_permissions(command)
        told = _("{name} is invited. If there is still a seat, they can press *Join* at the table.")
        try:
            await self._invitations.invite(table.id, host, guest, command.id)
        except Stale:
            return  # The process that has noted it asks and answers.
        except OutOfReach as fault:
            needed = listed([_("View Channel"), _("Send Messages")])
            raise Refusal(HostReason.MISSING_PERMISSIONS, permissions=needed) from fault
        except NotShown as fault:
            # It may have arrived all the same, and nobody is to be asked twice.
            log.warning("an invitation to table %s may be lost: %s", table.id, fault)
            told = _("I can't tell whether the invitation arrived. If it is not in the channel, ask {name} yourself.")
        await whisper(command, told.format(name=safe(guest.name)))

    async def press(self, click: Asked, table: Table, pressed: InviteId) -> None:
        """Seat whoever is invited, or note that they want no invitations; refuses everybody else."""
        if pressed.guest_id != click.user.id:
            raise Refusal(HostReason.NOT_YOUR_INVITATION, table=table)
        if pressed.action is InviteAction.REFUSE:
            await self._invitations.refuse(click.user.id, refuses=True)
            told = _(
                "Nobody can invite you to a table any more, in any server. "
                "If you change your mind, type `/settings invitations:True` in a direct message with me."
            )
            await whisper(click, told)
            return
        try:
            await self._service.join(table.id, person_of(click), click.id)
        except Refusal as refusal:
            if refusal.reason is not HostReason.ALREADY_SEATED:
                raise
        await acknowledge(click)
