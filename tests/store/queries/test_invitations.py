"""Invitations, on every database."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.model import (
    MAX_INVITATIONS_A_DAY,
    AlreadyInvited,
    Invitation,
    InvitationReason,
    NotInvitable,
)
from bot.features.invitations.storage import INVITATION
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import INVITATIONS
from bot.platform.database.database import Database
from bot.platform.notices import storage as notice_storage
from bot.platform.places import Location
from bot.rules.refusals import RefusalReason
from bot.tables import storage as table_storage
from bot.tables.model import Header, Occupant, Status, TableUpdate
from bot.tables.saving import save_change
from tests.store.samples import LARGEST_ID, NOON, ROBIN, WREN, Connect, make_lobby_header, revise

DAY = timedelta(days=1)
MAX_INVITATIONS = 5
JAY_ID, LINNET_ID = 13, 14


def make_invitation(
    header: Header, guest_id: int, *, by: int = 11, click_id: int = 5, at: datetime = NOON
) -> Invitation:
    return Invitation(header.id, header.location.channel_id, by, guest_id, click_id, 4, noted_at=at)


async def invite(db: Database, invitation: Invitation) -> Invitation:
    await db.write(invitation_storage.add, invitation, invitation.noted_at - DAY, MAX_INVITATIONS)
    return invitation


async def refusal_reason(db: Database, invitation: Invitation) -> RefusalReason:
    with pytest.raises(NotInvitable) as caught:
        await invite(db, invitation)
    return caught.value.reason


async def open_lobby(db: Database, channel_id: int = 7) -> Header:
    return await db.write(table_storage.open_table, make_lobby_header(channel_id), [ROBIN])


async def lapsed(db: Database, most: int = 9) -> list[Invitation]:
    return list(await db.read(notice_storage.find_lapsed, db.shards, INVITATION, most))


class TestInvitationLimits:
    async def test_a_person_is_invited_once_per_table_whoever_invites(self, connect: Connect) -> None:
        db, other = await connect(), await connect()
        one = await open_lobby(db, 1)
        await invite(db, make_invitation(one, LARGEST_ID, click_id=LARGEST_ID - 1))
        for again in (LARGEST_ID - 1, 5):
            with pytest.raises(AlreadyInvited) as earlier:
                await invite(other, make_invitation(one, LARGEST_ID, by=12, click_id=again, at=NOON + 9 * DAY))
            assert earlier.value.click_id == LARGEST_ID - 1

    async def test_the_same_person_is_invited_once_a_day_over_all_tables_and_servers(self, connect: Connect) -> None:
        db, other = await connect(), await connect()
        one = await open_lobby(db, 1)
        elsewhere = replace(make_lobby_header(2), location=Location(guild_id=4, channel_id=2))
        two, three = await db.write(table_storage.open_table, elsewhere, [ROBIN]), await open_lobby(db, 3)
        await invite(db, make_invitation(one, JAY_ID))
        assert await refusal_reason(other, make_invitation(two, JAY_ID)) is InvitationReason.INVITED_TODAY
        await invite(other, make_invitation(two, LINNET_ID))
        await invite(other, make_invitation(two, JAY_ID, by=12))
        await save_change(db, TableUpdate(revise(one, Status.EXPIRED)))
        late = NOON + DAY - timedelta(seconds=1)
        assert await refusal_reason(other, make_invitation(three, JAY_ID, at=late)) is InvitationReason.INVITED_TODAY
        await invite(other, make_invitation(three, JAY_ID, at=NOON + DAY))

    async def test_a_table_makes_five_invitations(self, db: Database) -> None:
        header, other = await open_lobby(db, 1), await open_lobby(db, 2)
        for guest_id in range(100, 100 + MAX_INVITATIONS):
            await invite(db, make_invitation(header, guest_id, by=guest_id - 80))
        assert await refusal_reason(db, make_invitation(header, 200)) is InvitationReason.TOO_MANY_INVITATIONS
        await invite(db, make_invitation(other, 200))

    async def test_a_person_makes_a_limited_number_of_invitations_a_day(self, db: Database) -> None:
        for channel_id in range(MAX_INVITATIONS_A_DAY // MAX_INVITATIONS):
            header = await open_lobby(db, 10 + channel_id)
            for guest in range(MAX_INVITATIONS):
                await invite(db, make_invitation(header, 100 + channel_id * MAX_INVITATIONS + guest))
        other = await open_lobby(db, 1)
        assert await refusal_reason(db, make_invitation(other, 200)) is InvitationReason.INVITED_MANY_TODAY
        await invite(db, make_invitation(other, 200, by=12))
        await invite(db, make_invitation(other, 201, at=NOON + DAY))

    async def test_of_many_simultaneous_invitations_a_table_makes_five(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        header = await open_lobby(stores[0])
        many = (invite(stores[at % 2], make_invitation(header, 100 + at, by=at)) for at in range(12))
        results = await asyncio.gather(*many, return_exceptions=True)
        assert sum(isinstance(result, Invitation) for result in results) == MAX_INVITATIONS

    async def test_a_withdrawn_invitation_does_not_count(self, db: Database) -> None:
        header, other = await open_lobby(db, 1), await open_lobby(db, 2)
        invitation = await invite(db, make_invitation(header, JAY_ID))
        await db.maintain(notice_storage.withdraw, INVITATION, replace(invitation, click_id=6))
        with pytest.raises(AlreadyInvited):
            await invite(db, invitation)
        await db.maintain(notice_storage.withdraw, INVITATION, invitation)
        await invite(db, make_invitation(other, JAY_ID))


class TestRefusedInvitations:
    async def test_a_person_who_refuses_invitations_is_not_invited_until_they_allow_them(
        self, connect: Connect
    ) -> None:
        db, other = await connect(), await connect()
        header = await open_lobby(db)
        await db.write(setting_storage.change, JAY_ID, INVITATIONS, lambda _: False)
        assert await refusal_reason(other, make_invitation(header, JAY_ID)) is InvitationReason.INVITATIONS_REFUSED
        await invite(other, make_invitation(header, LINNET_ID))
        await other.write(setting_storage.change, JAY_ID, INVITATIONS, lambda _: True)
        await invite(db, make_invitation(header, JAY_ID))

    async def test_a_server_that_refuses_invitations_has_none(self, db: Database) -> None:
        header = await open_lobby(db)
        await db.write(setting_storage.change, 3, INVITATIONS, lambda _: False)
        assert await refusal_reason(db, make_invitation(header, JAY_ID)) is InvitationReason.INVITATIONS_OFF
        await db.write(setting_storage.change, 3, INVITATIONS, lambda _: True)
        await db.write(setting_storage.change, 4, INVITATIONS, lambda _: False)
        await invite(db, make_invitation(header, JAY_ID))


class TestMessages:
    async def standing(self, db: Database) -> tuple[Header, Invitation]:
        header = await open_lobby(db)
        invitation = replace(await invite(db, make_invitation(header, JAY_ID)), message_id=70)
        assert await db.maintain(notice_storage.set_message, INVITATION, invitation)
        assert await lapsed(db) == []
        return header, invitation

    async def test_invitations_lapse_at_a_full_table_and_when_the_lobby_is_over(self, db: Database) -> None:
        header, invitation = await self.standing(db)
        more = [Occupant(f"P{at}", user_id=at, contribution="1") for at in range(21, 24)]
        changes = [(Status.LOBBY, [ROBIN, WREN]), (Status.LOBBY, [ROBIN, *more])]
        changes += [(status, [ROBIN]) for status in Status if status is not Status.LOBBY]
        for status, seats in changes:
            header = revise(header, status)
            await save_change(db, TableUpdate(header, seats=seats))
            is_over = status is not Status.LOBBY or len(seats) == 4
            assert await lapsed(db) == ([invitation] if is_over else []), status

    async def test_invitations_lapse_when_the_guest_joins_or_refuses_invitations(self, db: Database) -> None:
        header, invitation = await self.standing(db)
        other = replace(await invite(db, make_invitation(header, LINNET_ID)), message_id=71)
        await db.maintain(notice_storage.set_message, INVITATION, other)
        joined = [ROBIN, Occupant("J", user_id=JAY_ID, contribution="1")]
        await save_change(db, TableUpdate(revise(header, Status.LOBBY), seats=joined))
        assert await lapsed(db) == [invitation]
        await db.write(setting_storage.change, LINNET_ID, INVITATIONS, lambda _: False)
        assert await lapsed(db) == [invitation, other]
        assert await lapsed(db, 1) == [invitation]

    async def test_a_lapsed_message_is_deleted_once_and_still_counts_for_the_day(self, connect: Connect) -> None:
        db, other = await connect(), await connect()
        header, invitation = await self.standing(db)
        await save_change(db, TableUpdate(revise(header, Status.EXPIRED)))
        await db.maintain(notice_storage.note_removed, INVITATION, invitation)
        assert await lapsed(other) == []
        assert not await other.maintain(notice_storage.set_message, INVITATION, replace(invitation, message_id=72))
        new = await open_lobby(db, 2)
        assert await refusal_reason(db, make_invitation(new, JAY_ID)) is InvitationReason.INVITED_TODAY

    async def test_a_message_whose_id_came_late_is_not_forgotten(self, db: Database) -> None:
        header, invitation = await self.standing(db)
        await save_change(db, TableUpdate(revise(header, Status.EXPIRED)))
        # Another process has looked for the message before it was there.
        await db.maintain(notice_storage.note_removed, INVITATION, replace(invitation, message_id=None))
        assert await lapsed(db) == [invitation]

    async def test_invitations_are_forgotten_a_day_after_the_lobby_is_over(self, db: Database) -> None:
        header, invitation = await self.standing(db)
        await db.maintain(notice_storage.note_removed, INVITATION, invitation)
        await db.maintain(invitation_storage.prune, NOON)
        with pytest.raises(AlreadyInvited):
            await invite(db, make_invitation(header, JAY_ID, by=12))
        await save_change(db, TableUpdate(revise(header, Status.EXPIRED)))
        await db.maintain(invitation_storage.prune, NOON - timedelta(seconds=1))
        new = await open_lobby(db, 2)
        assert await refusal_reason(db, make_invitation(new, JAY_ID)) is InvitationReason.INVITED_TODAY
        await db.maintain(invitation_storage.prune, NOON)
        await invite(db, make_invitation(new, JAY_ID))
