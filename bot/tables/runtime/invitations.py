"""Invites people to tables, and takes the messages away that are of no more use: full, started or closed."""

import logging
from dataclasses import replace
from typing import Protocol

from bot.tables.actions.lobby import INVITE_AGAIN_AFTER
from bot.tables.model import Person, Status, TableId
from bot.tables.notifications import Invitation
from bot.tables.ports import HostStore, StoreUnavailable
from bot.tables.runtime.publisher import ChannelUnreachable, DeliveryFailed
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

_BATCH_SIZE = 50


class InvitationSender(Protocol):
    """How people are invited."""

    async def invite(self, table: Table, host: Person, guest: Person) -> int:
        """Ask somebody to a table and return the id of the message; raises ChannelUnreachable and DeliveryFailed."""
        ...

    async def find_invitation(self, invitation: Invitation) -> int | None:
        """Look for the message of an invitation whose id was lost; raises DeliveryFailed."""
        ...

    async def remove_invitation(self, invitation: Invitation) -> None:
        """Delete the message of an invitation, if it is still there and can be deleted; raises DeliveryFailed."""
        ...


class Invitations:
    """Sends invitations, and deletes them.

    Like a reminder an invitation is written down first, and a message whose id could not be written down is looked for.
    """

    def __init__(self, service: TableService, store: HostStore, sender: InvitationSender) -> None:
        self._service = service
        self._store = store
        self._sender = sender
        self._sent: dict[TableId, dict[int, Invitation]] = {}
        """The messages of this process, so that they go at once; those of others wait for a check."""
        self._tasks = TaskSet("invitation")

    async def invite(self, table_id: TableId, host: Person, guest: Person, click_id: int) -> None:
        """Let somebody who has a seat ask another person to a free one.

        Raises what the service raises, ChannelUnreachable where nobody was asked, and DeliveryFailed where that is not
        known.
        """
        invitation = await self._service.invite(table_id, host, guest.id, click_id)
        # It was read anew meanwhile: another process may have posted it elsewhere.
        table = await self._service.table(table_id)
        try:
            message_id = await self._sender.invite(table, host, guest)
        except ChannelUnreachable:
            await self._service.withdraw_invitation(invitation)
            raise
        await self._save_message(replace(invitation, message_id=message_id))

    async def check(self) -> None:
        """Take away what is of no more use, be it of another process: a bounded number at a time."""
        for invitation in await self._store.lapsed_invitations(_BATCH_SIZE):
            self._start(invitation)

    async def prune(self) -> None:
        """Forget invitations that count for nothing any more."""
        await self._store.prune_invitations(self._service.clock() - INVITE_AGAIN_AFTER)

    def on_table_changed(self, table: Table) -> None:
        """Take a table's invitations away that are of no more use."""
        standing = self._sent.get(table.id, {})
        for invitation in [each for each in standing.values() if not _is_open(table, each)]:
            self._start(invitation)

    async def refuses(self, user_id: int) -> bool:
        """Tell whether somebody wants no invitations."""
        return await self._store.refuses_invitations(user_id)

    async def set_refuses(self, user_id: int, *, refuses: bool) -> None:
        """Note whether somebody wants no invitations; those that ask them now go away."""
        await self._store.set_refuses_invitations(user_id, refuses=refuses)
        if refuses:
            await self.check()

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is being taken away, or stop it after some seconds."""
        await self._tasks.close(seconds)

    async def _save_message(self, invitation: Invitation) -> None:
        self._sent.setdefault(invitation.table_id, {})[invitation.user_id] = invitation
        try:
            is_standing = await self._store.set_invitation_message(invitation)
            # The table may have changed while the message was on its way.
            is_standing = is_standing and _is_open(await self._service.table(invitation.table_id), invitation)
        except StoreUnavailable as fault:
            log.debug("the message of an invitation could not be written down: %s", fault)
            return
        if not is_standing:
            self._start(invitation)

    def _start(self, invitation: Invitation) -> None:
        self._tasks.start((invitation.table_id, invitation.user_id), self._remove(invitation))

    async def _remove(self, invitation: Invitation) -> None:
        try:
            if invitation.message_id is None:
                invitation = replace(invitation, message_id=await self._sender.find_invitation(invitation))
            if invitation.message_id is not None:
                await self._sender.remove_invitation(invitation)
            self._forget(invitation)
            await self._store.mark_invitation_removed(invitation)
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("an invitation to table %s stays for now: %s", invitation.table_id, fault)
        except StoreUnavailable as fault:
            log.debug("an invitation to table %s stays for now: %s", invitation.table_id, fault)

    def _forget(self, invitation: Invitation) -> None:
        standing = self._sent.get(invitation.table_id, {})
        standing.pop(invitation.user_id, None)
        if not standing:
            self._sent.pop(invitation.table_id, None)


def _is_open(table: Table, invitation: Invitation) -> bool:
    """Tell whether an invitation to a table can still be taken up."""
    is_free = len(table.seats) < invitation.most_seats and table.seat_of(invitation.user_id) is None
    return table.header.status is Status.LOBBY and is_free
