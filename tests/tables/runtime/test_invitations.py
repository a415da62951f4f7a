"""Invitations to a table: who may invite, who can be invited, and how often."""

import pytest

from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.model import InvitationReason, require_invitable
from bot.features.invitations.service import store_invitation
from bot.features.invitations.storage import INVITATION
from bot.platform.database.errors import StoreUnavailable
from bot.platform.notices import storage as notice_storage
from bot.platform.places import Person
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, as_solo, make_service, make_table, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for

FULL = make_table(*(lobby_actions.make_occupant(Person(at, f"P{at}"), at) for at in range(1, 7)))


class TestWhoMayInviteWhom:
    @each_case("person", [ROBIN, WREN])
    def test_any_player_invites_anyone_without_a_seat(self, person: Person) -> None:
        require_invitable(make_table(), person, STRANGER.id)

    @each_case(
        "table, person, guest, reason",
        [
            (make_table(), STRANGER, ROBIN, InvitationReason.NO_SEAT_TO_INVITE_FROM),
            (make_table(), ROBIN, ROBIN, InvitationReason.INVITED_YOURSELF),
            (make_table(), ROBIN, JAY, HostReason.THEY_HAVE_A_SEAT),
            (FULL, Person(1, "P1"), STRANGER, HostReason.TABLE_FULL),
            (as_solo(make_table()), ROBIN, STRANGER, HostReason.TABLE_FULL),
            (make_table(status=Status.PLAYING), ROBIN, STRANGER, HostReason.ALREADY_STARTED),
            (make_table(status=Status.HELD), ROBIN, STRANGER, HostReason.ALREADY_STARTED),
            (make_table(status=Status.CANCELLED), ROBIN, STRANGER, HostReason.TABLE_OVER),
        ],
    )
    def test_other_invitations_are_refused(
        self, table: Table, person: Person, guest: Person, reason: HostReason
    ) -> None:
        with refused_for(reason):
            require_invitable(table, person, guest.id)


class TestInvitationLimits:
    async def test_a_guest_is_invited_once_per_table_also_after_a_restart(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(service, ROBIN, WREN)
        await store_invitation(service, db, table.id, ROBIN, JAY.id, 7)
        assert await service.table(table.id) == table
        with pytest.raises(Stale):
            await store_invitation(make_service(db), db, table.id, ROBIN, JAY.id, 7)
        for again, person in ((service, ROBIN), (service, WREN), (make_service(db), WREN)):
            with refused_for(InvitationReason.ALREADY_INVITED):
                await store_invitation(again, db, table.id, person, JAY.id, 8)
        await store_invitation(service, db, table.id, WREN, STRANGER.id, 9)

    async def test_a_guest_who_joined_in_another_process_is_not_invited(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table, other = await open_lobby(service, ROBIN), make_service(db)
        await other.join(table.id, JAY, 7)
        with refused_for(HostReason.THEY_HAVE_A_SEAT):
            await store_invitation(service, db, table.id, ROBIN, JAY.id, 8)
        await other.start(table.id, ROBIN, 9)
        with refused_for(HostReason.ALREADY_STARTED):
            await store_invitation(service, db, table.id, ROBIN, STRANGER.id, 10)
        assert db.invitations == []

    async def test_an_invitation_that_was_withdrawn_or_not_stored_can_be_made_again(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(service, ROBIN)
        db.broken = {invitation_storage.add}
        with pytest.raises(StoreUnavailable):
            await store_invitation(service, db, table.id, ROBIN, JAY.id, 7)
        db.broken = set()
        invitation = await store_invitation(service, db, table.id, ROBIN, JAY.id, 7)
        await db.maintain(notice_storage.withdraw, INVITATION, invitation)
        await store_invitation(service, db, table.id, ROBIN, JAY.id, 8)
