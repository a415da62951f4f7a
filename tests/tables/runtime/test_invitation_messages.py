"""The messages that invite people: noted first, and taken away as soon as they are of no use."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bot.tables.model import Person, TableId
from bot.tables.runtime.host import Host
from bot.tables.runtime.publisher import NotShown, OutOfReach
from bot.tables.table import Table
from tests.support.bell import FakeBell
from tests.support.fakes import GAMES, JAY, ROBIN, STRANGER, WREN, Clock, FakeBoard, FakeStore, Gate, a_lobby, until

End = Callable[[Host, TableId], Awaitable[None]]


@pytest.fixture
def bell() -> FakeBell:
    return FakeBell()


@pytest.fixture
async def host(store: FakeStore, board: FakeBoard, bell: FakeBell) -> AsyncIterator[Host]:
    made = a_host(store, board, bell)
    yield made
    await made.close()


def a_host(store: FakeStore, board: FakeBoard, bell: FakeBell) -> Host:
    return Host(store, GAMES, board, bell, pause=0, clock=Clock())


async def inviting(host: Host, *seated: Person, guest: Person = JAY) -> Table:
    table = await a_lobby(host.service, *(seated or (ROBIN, WREN)))
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
    assert isinstance(clock, Clock)
    clock.tick(3600)
    await host.service.expire(table_id)


async def sit_down(host: Host, table_id: TableId) -> None:
    await host.service.join(table_id, JAY, 9)


ENDS = [start, fill_up, close, expire, sit_down]


async def test_it_is_written_down_before_anybody_is_asked(host: Host, store: FakeStore, bell: FakeBell) -> None:
    bell.gate = Gate()
    table = await a_lobby(host.service, ROBIN)
    asking = asyncio.create_task(host.invitations.invite(table.id, ROBIN, JAY, 7))
    await bell.gate.reached.wait()
    (noted,) = store.invitations.kept.values()
    assert (noted.user_id, noted.message_id, bell.invited) == (JAY.id, None, [])
    bell.gate.open()
    await asking
    (kept,) = store.invitations.kept.values()
    assert list(bell.messages) == [kept.message_id]


@pytest.mark.parametrize("end", ENDS)
async def test_it_goes_at_once(host: Host, store: FakeStore, bell: FakeBell, end: End) -> None:
    table = await inviting(host)
    assert len(bell.messages) == 1
    await end(host, table.id)
    await until(lambda: not bell.messages)
    await host.invitations.close()
    (kept,) = store.invitations.kept.values()
    assert not kept.stands


@pytest.mark.parametrize("end", ENDS)
async def test_it_goes_after_a_restart_too(
    host: Host, store: FakeStore, board: FakeBoard, bell: FakeBell, end: End
) -> None:
    table = await inviting(host)
    await host.close()
    late = a_host(store, board, bell)
    await end(late, table.id)
    assert len(bell.messages) == 1
    await late.invitations.check()
    await late.close()
    assert not bell.messages
    assert await store.lapsed_invitations(9) == []


async def test_its_message_is_found_after_a_crash_in_between(
    host: Host, store: FakeStore, board: FakeBoard, bell: FakeBell
) -> None:
    store.broken = {"keep_invitation"}
    table = await inviting(host)
    store.broken = set()
    late = a_host(store, board, bell)
    await start(late, table.id)
    await late.invitations.check()
    await late.close()
    assert not bell.messages


async def test_what_changes_while_it_is_on_its_way_takes_it_away(host: Host, store: FakeStore, bell: FakeBell) -> None:
    bell.gate = Gate()
    table = await a_lobby(host.service, ROBIN, WREN)
    asking = asyncio.create_task(host.invitations.invite(table.id, ROBIN, JAY, 7))
    await bell.gate.reached.wait()
    await start(host, table.id)
    await host.invitations.check()
    bell.gate.open()
    await asking
    await until(lambda: not bell.messages)
    await host.invitations.close()
    assert await store.lapsed_invitations(9) == []


async def test_one_that_can_not_be_deleted_now_is_later(host: Host, bell: FakeBell) -> None:
    table = await inviting(host)
    bell.faults = [NotShown("503")]
    await start(host, table.id)
    await until(lambda: not bell.faults)
    assert len(bell.messages) == 1
    await host.invitations.check()
    await until(lambda: not bell.messages)


async def test_where_nobody_could_be_asked_nothing_is_noted(host: Host, store: FakeStore, bell: FakeBell) -> None:
    bell.faults = [OutOfReach("403")]
    with pytest.raises(OutOfReach):
        await inviting(host)
    assert store.invitations.kept == {}


async def test_what_may_have_arrived_counts(host: Host, store: FakeStore, bell: FakeBell) -> None:
    bell.faults = [NotShown("503")]
    with pytest.raises(NotShown):
        await inviting(host)
    assert len(store.invitations.kept) == 1


async def test_who_wants_none_is_asked_no_more_and_what_asks_them_goes(host: Host, bell: FakeBell) -> None:
    table = await inviting(host)
    await host.invitations.invite(table.id, ROBIN, STRANGER, 10)
    await host.invitations.refuse(JAY.id, refuses=True)
    await until(lambda: len(bell.messages) == 1)
    assert await host.invitations.refuses(JAY.id)
    assert not await host.invitations.refuses(STRANGER.id)


async def test_the_sweep_forgets_what_counts_no_more(host: Host, store: FakeStore, bell: FakeBell) -> None:
    table = await inviting(host)
    await start(host, table.id)
    await until(lambda: not bell.messages)
    await host.invitations.close()
    clock = host.service.clock
    assert isinstance(clock, Clock)
    clock.tick(24 * 3600 - 1)
    await host.sweep()
    assert len(store.invitations.kept) == 1
    clock.tick(1)
    await host.sweep()
    assert store.invitations.kept == {}
