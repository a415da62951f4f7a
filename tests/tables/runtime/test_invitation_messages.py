"""Invitations to a table: who may invite whom, and messages that are deleted once they are of no use."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.features.invitations.model import InvitationReason, require_invitable
from bot.features.invitations.service import store_invitation
from bot.features.invitations.storage import INVITATION
from bot.features.settings.all_settings import INVITATIONS
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.notices import storage as notice_storage
from bot.platform.places import Person
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status, TableId
from bot.tables.refusals import HostReason
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fakes import (
    HERE,
    JAY,
    ROBIN,
    STRANGER,
    WREN,
    FakeClock,
    as_solo,
    make_service,
    make_table,
    open_lobby,
)
from tests.support.hosts import Host, MakeHost
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.tables.refusals import refused_for

End = Callable[[Host, TableId], Awaitable[None]]


async def invite(host: Host, *seated: Person, guest: Person = JAY) -> Table:
    table = await open_lobby(host.service, *(seated or (ROBIN, WREN)))
    await host.invitations.invite(table.id, ROBIN, guest, 7)
    return table


async def start(host: Host, table_id: TableId) -> None:
    await host.service.start(table_id, ROBIN, 8)


async def fill_up(host: Host, table_id: TableId) -> None:
    for at in range(4):
        await host.service.join(table_id, Person(100 + at, f"P{at}"), 100 + at)


async def close(host: Host, table_id: TableId) -> None:
    await host.service.cancel(table_id, ROBIN, is_moderator=False)


async def expire(host: Host, table_id: TableId) -> None:
    clock = host.service.clock
    assert isinstance(clock, FakeClock)
    clock.tick(3600)
    await host.service.expire(table_id)


async def sit_down(host: Host, table_id: TableId) -> None:
    await host.service.join(table_id, JAY, 9)


ENDS = [start, fill_up, close, expire, sit_down]


async def test_an_invitation_is_stored_before_it_is_sent(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender
) -> None:
    sender.gate = Gate()
    table = await open_lobby(host.service, ROBIN)
    asking = asyncio.create_task(host.invitations.invite(table.id, ROBIN, JAY, 7))
    await sender.gate.reached.wait()
    (noted,) = db.invitations
    assert (noted.user_id, noted.message_id, sender.invited) == (JAY.id, None, [])
    sender.gate.open()
    await asking
    (kept,) = db.invitations
    assert list(sender.messages) == [kept.message_id]


@pytest.mark.parametrize("end", ENDS)
async def test_a_lapsed_invitation_is_deleted_at_once(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender, end: End
) -> None:
    table = await invite(host)
    assert len(sender.messages) == 1
    await end(host, table.id)
    await wait_until(lambda: not sender.messages)
    await host.invitations.close()
    (kept,) = db.invitations
    assert not kept.stands


async def test_a_lapsed_invitation_is_deleted_after_a_restart_too(
    host: Host, make_host: MakeHost, db: MemoryDatabase, sender: FakeMessageSender
) -> None:
    table = await invite(host)
    await host.close()
    late = make_host()
    await start(late, table.id)
    assert len(sender.messages) == 1
    await late.invitations.check()
    await late.close()
    assert not sender.messages
    assert await db.read(notice_storage.find_lapsed, db.shards, INVITATION, 9) == []


@pytest.mark.parametrize("reason", ["the game has started", "another look has seen that", "the guest refuses"])
async def test_an_invitation_that_lapses_while_it_is_sent_is_deleted(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender, reason: str
) -> None:
    sender.gate = Gate()
    table = await open_lobby(host.service, ROBIN, WREN)
    asking = asyncio.create_task(host.invitations.invite(table.id, ROBIN, JAY, 7))
    await sender.gate.reached.wait()
    if reason == "the guest refuses":
        await refuse_invitations(host, db, JAY)
    else:
        await start(host, table.id)
    if reason == "another look has seen that":
        await host.invitations.check()
    sender.gate.open()
    await asking
    await host.invitations.close()
    await wait_until(lambda: not sender.messages)
    assert await db.read(notice_storage.find_lapsed, db.shards, INVITATION, 9) == []


async def refuse_invitations(host: Host, db: MemoryDatabase, who: Person) -> None:
    db.chosen[who.id] = chosen({INVITATIONS: False})
    await host.invitations.check_early()


async def test_a_deleted_invitation_is_not_deleted_again(host: Host, sender: FakeMessageSender) -> None:
    table = await invite(host)
    await sit_down(host, table.id)
    await wait_until(lambda: not sender.messages)
    sender.faults = [DeliveryFailed("asked again")]
    await start(host, table.id)
    await host.invitations.close()
    assert len(sender.faults) == 1


@pytest.mark.parametrize(("fault", "kept"), [(ChannelUnreachable("403"), 0), (DeliveryFailed("503"), 1)])
async def test_an_invitation_that_was_not_sent_is_withdrawn_unless_it_may_have_arrived(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender, fault: Exception, kept: int
) -> None:
    sender.faults = [fault]
    with pytest.raises(type(fault)):
        await invite(host)
    assert len(db.invitations) == kept


async def test_refusing_invitations_deletes_the_open_ones(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender
) -> None:
    table = await invite(host)
    await host.invitations.invite(table.id, ROBIN, STRANGER, 10)
    await refuse_invitations(host, db, JAY)
    await wait_until(lambda: len(sender.messages) == 1)


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
            (make_table(location=replace(HERE, solo_id=ROBIN.id)), ROBIN, STRANGER, HostReason.FOR_ONE_PERSON),
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
