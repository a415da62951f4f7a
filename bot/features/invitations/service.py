"""Sends invitations, and deletes them when the lobby is full, started or closed."""

import contextlib
from functools import partial

from bot.features.invitations import storage
from bot.features.invitations.messages import invite_guest
from bot.features.invitations.model import (
    INVITE_AGAIN_AFTER,
    MAX_INVITATIONS,
    AlreadyInvited,
    Invitation,
    InvitationReason,
    NotInvitable,
    readmit,
    require_invitable,
)
from bot.features.invitations.storage import INVITATION
from bot.languages import speaking
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs.looks import Look
from bot.platform.notices.notices import Notices
from bot.platform.notices.sending import MessageSender
from bot.platform.observability.trace import note_begun
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Status, TableId
from bot.tables.publisher import RestoreTable
from bot.tables.refusals import DuplicateInteraction, Stale, TableFacts
from bot.tables.service import TableService
from bot.tables.table import Table


class Invitations(Notices[Invitation]):
    """Sends and deletes invitations."""

    outdated = (Refusal, Stale)

    def __init__(self, service: TableService, db: Database, sender: MessageSender, restore: RestoreTable) -> None:
        super().__init__(db, sender, INVITATION)
        self._service = service
        self._restore = restore

    async def invite(self, table_id: TableId, inviter: Person, guest: Person, click_id: int) -> None:
        """Invite a person to a free seat, on behalf of a seated person.

        Raises:
            Refusal: The person can't be invited.
            DuplicateInteraction: Another process handled the same interaction.
            ChannelUnreachable: The message was not sent.
            DeliveryFailed: It is unknown whether the message was sent.
        """
        invitation = await store_invitation(self._service, self._db, table_id, inviter, guest.id, click_id)
        await self.send(invitation, partial(self._post, inviter, guest))

    async def _post(self, inviter: Person, guest: Person, invitation: Invitation) -> Invitation:
        # The invitation links to the table's message, which somebody may have deleted.
        table = await self._restore(invitation.table_id)
        with speaking(await self._sender.languages.of_place(table.header.location, table.header.opener_id)):
            line = invite_guest(table, inviter, guest)
        return await self._sender.post(invitation, line)

    async def _is_over(self, notice: Invitation) -> bool:
        return not _is_open(await self._service.table(notice.table_id), notice)

    def on_table_changed(self, table: Table) -> None:
        """Delete a table's lapsed invitations."""
        self._remove_sent(table.id, lambda invitation: not _is_open(table, invitation))

    def look(self) -> Look:
        """Return the look that finds work for this feature."""
        return Look("invitations", INVITATION.lapsed.exists(), lambda _now: {"most": 1}, self.check)

    async def check_early(self) -> None:
        """Start deleting lapsed invitations now if possible; otherwise the next check does so."""
        with contextlib.suppress(StoreUnavailable):
            await self.check()

    async def prune(self) -> None:
        """Delete stored invitations that no longer count towards a limit."""
        await self._db.maintain(storage.prune, self._service.clock() - INVITE_AGAIN_AFTER)


async def store_invitation(
    service: TableService, db: Database, table_id: TableId, inviter: Person, guest_id: int, click_id: int
) -> Invitation:
    """Store an invitation before it is sent; if the opener invites, a removed guest may sit down again.

    Raises:
        Refusal: The person can't be invited.
        DuplicateInteraction: Another process handled the same interaction.
    """
    refusal: Refusal | None = None
    # Lock and read the stored table, because no save follows that would detect another process's change.
    async with service.locked(table_id) as table:
        require_invitable(table, inviter, guest_id)
        now, channel_id = service.clock(), table.header.location.channel_id
        most_seats = table.package.game.info.most_seats
        invitation = Invitation(table_id, channel_id, inviter.id, guest_id, click_id, most_seats, noted_at=now)
        try:
            await db.write(storage.add, invitation, now - INVITE_AGAIN_AFTER, MAX_INVITATIONS)
        except NotInvitable as obstacle:
            raise Refusal(obstacle.reason, TableFacts(table)) from obstacle
        except AlreadyInvited as earlier:
            if earlier.click_id == click_id:
                raise DuplicateInteraction(table_id) from earlier
            refusal = Refusal(InvitationReason.ALREADY_INVITED, TableFacts(table))
    if guest_id in table.header.kicked:
        note_begun()
        await service.replace(table_id, lambda table: readmit(table, inviter, guest_id), inviter.id)
    if refusal is not None:
        # The refusal is true, whether or not the guest was readmitted.
        note_begun()
        raise refusal
    return invitation


def _is_open(table: Table, invitation: Invitation) -> bool:
    """Return whether the guest can still take a seat."""
    is_free = len(table.seats) < invitation.most_seats and table.seat_of(invitation.user_id) is None
    return table.header.status is Status.LOBBY and is_free
