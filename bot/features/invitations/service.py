"""Sends invitations, and deletes them when the lobby is full, started or closed."""

import contextlib
import logging
from dataclasses import replace
from typing import Final, Protocol

from cachetools import LRUCache

from bot.features.invitations import storage
from bot.features.invitations.model import (
    INVITE_AGAIN_AFTER,
    MAX_INVITATIONS,
    AlreadyInvited,
    NotInvitable,
    readmit,
    require_invitable,
)
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.jobs.looks import Look
from bot.platform.observability.trace import note_begun
from bot.platform.places import Person
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal
from bot.tables.delivery import MessageRemover, RestoreTable
from bot.tables.model import Status, TableId
from bot.tables.notifications import Invitation
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

_BATCH_SIZE = 50

_MAX_REMEMBERED: Final = 4096
"""Tables whose invitations are deleted at once."""


class InvitationSender(MessageRemover, Protocol):
    """Posts, finds and deletes invitation messages."""

    async def invite(self, table: Table, inviter: Person, guest: Person) -> int:
        """Post an invitation to a table and return the message's id.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: It is unknown whether the message was sent.
        """

    async def find_invitation(self, invitation: Invitation) -> int | None:
        """Look for the message of an invitation whose id was lost.

        Raises:
            DeliveryFailed: The search failed for now.
        """


class Invitations:
    """Sends and deletes invitations.

    An invitation is stored before its message is sent. If the message's id was lost, the message is searched for.
    """

    def __init__(self, service: TableService, db: Database, sender: InvitationSender, restore: RestoreTable) -> None:
        self._service = service
        self._restore = restore
        self._db = db
        self._sender = sender
        self._sent: LRUCache[TableId, dict[int, Invitation]] = LRUCache(_MAX_REMEMBERED)
        """This process's newest invitations by table and guest, deleted at once; others wait for a check."""
        self._tasks = TaskSet("invitation")

    async def invite(self, table_id: TableId, inviter: Person, guest: Person, click_id: int) -> None:
        """Invite a person to a free seat, on behalf of a seated person.

        Raises:
            Refusal: The person can't be invited.
            Stale: Another process handled the same interaction.
            ChannelUnreachable: The message was not sent.
            DeliveryFailed: It is unknown whether the message was sent.
        """
        invitation = await store_invitation(self._service, self._db, table_id, inviter, guest.id, click_id)
        # The invitation links to the table's message, which somebody may have deleted.
        table = await self._restore(table_id)
        try:
            message_id = await self._sender.invite(table, inviter, guest)
        except ChannelUnreachable:
            # That it could not be sent is what the person has to know.
            with contextlib.suppress(StoreUnavailable):
                await self._db.maintain(storage.withdraw, invitation)
            raise
        await self._save_message(replace(invitation, message_id=message_id))

    def look(self) -> Look:
        """Return the look that finds work for this feature."""
        return Look("invitations", storage.SELECT_LAPSED.exists(), lambda _now: {"most": 1}, self.check)

    async def check(self) -> None:
        """Start deleting a batch of lapsed invitations, of any process."""
        for invitation in await self._db.read(storage.find_lapsed, self._db.shards, _BATCH_SIZE):
            self._start_removal(invitation)

    async def prune(self) -> None:
        """Delete stored invitations that no limit counts any more."""
        await self._db.maintain(storage.prune, self._service.clock() - INVITE_AGAIN_AFTER)

    def on_table_changed(self, table: Table) -> None:
        """Delete a table's lapsed invitations."""
        sent = self._sent.get(table.id, {})
        for invitation in [each for each in sent.values() if not _is_open(table, each)]:
            self._start_removal(invitation)

    async def refuses(self, user_id: int) -> bool:
        """Return whether a person refuses invitations."""
        return await self._db.read(storage.refuses_invitations, user_id)

    async def set_refuses(self, user_id: int, *, refuses: bool) -> None:
        """Store whether a person refuses invitations, and delete their pending ones if so."""
        await self._db.write(storage.set_refuses_invitations, user_id, refuses=refuses)
        if refuses:
            await self.check_early()

    async def check_early(self) -> None:
        """Start deleting lapsed invitations now if that is possible; otherwise the next check will."""
        with contextlib.suppress(StoreUnavailable):
            await self.check()

    async def close(self, seconds: float | None = None) -> None:
        """Finish running deletions; after some seconds, cancel them."""
        await self._tasks.close(seconds)

    async def _save_message(self, invitation: Invitation) -> None:
        self._sent.setdefault(invitation.table_id, {})[invitation.user_id] = invitation
        try:
            is_open = await self._db.maintain(storage.set_message, invitation)
            # The table may have changed while the message was being sent.
            is_open = is_open and _is_open(await self._service.table(invitation.table_id), invitation)
        except StoreUnavailable as fault:
            log.debug("the message of an invitation could not be stored: %s", fault)
            return
        if not is_open:
            self._start_removal(invitation)

    def _start_removal(self, invitation: Invitation) -> None:
        self._tasks.start((invitation.table_id, invitation.user_id), self._remove(invitation))

    async def _remove(self, invitation: Invitation) -> None:
        try:
            if invitation.message_id is None:
                invitation = replace(invitation, message_id=await self._sender.find_invitation(invitation))
            if invitation.message_id is not None:
                await self._sender.remove(invitation)
            self._forget(invitation)
            await self._db.maintain(storage.mark_removed, invitation)
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("an invitation to table %s was not deleted: %s", invitation.table_id, fault)

    def _forget(self, invitation: Invitation) -> None:
        sent = self._sent.get(invitation.table_id, {})
        sent.pop(invitation.user_id, None)
        if not sent:
            self._sent.pop(invitation.table_id, None)


async def store_invitation(
    service: TableService, db: Database, table_id: TableId, person: Person, guest_id: int, click_id: int
) -> Invitation:
    """Store an invitation before it is sent; if it is the host's, a guest who was removed may sit down again.

    Raises:
        Refusal: The person can't be invited.
        Stale: Another process handled the same interaction.
    """
    refusal: Refusal | None = None
    # As it is on disk, because no save follows that would detect another process's change.
    async with service.locked(table_id) as table:
        require_invitable(table, person, guest_id)
        now, most_seats = service.clock(), table.package.game.info.most_seats
        invitation = Invitation(table_id, table.header.location, person.id, guest_id, click_id, most_seats, now)
        try:
            await db.write(storage.add, invitation, now - INVITE_AGAIN_AFTER, MAX_INVITATIONS)
        except NotInvitable as obstacle:
            raise Refusal(obstacle.reason, TableFacts(table)) from obstacle
        except AlreadyInvited as earlier:
            if earlier.click_id == click_id:
                raise Stale(table_id) from earlier
            refusal = Refusal(HostReason.ALREADY_INVITED, TableFacts(table))
    if guest_id in table.header.kicked:
        note_begun()
        await service.replace(table_id, lambda table: readmit(table, person, guest_id), person.id)
    if refusal is not None:
        # What it says is true, whether or not the guest was let in again.
        note_begun()
        raise refusal
    return invitation


def _is_open(table: Table, invitation: Invitation) -> bool:
    """Return whether the guest can still take a seat."""
    is_free = len(table.seats) < invitation.most_seats and table.seat_of(invitation.user_id) is None
    return table.header.status is Status.LOBBY and is_free
