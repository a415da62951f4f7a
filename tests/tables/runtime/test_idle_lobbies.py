"""Lobbies that wait: for an opener who is away, and for anyone at all."""

import pytest

from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale
from bot.tables.service import TableService
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, JAY, ROBIN, STRANGER, WREN, FakeClock, make_service, open_lobby
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for


@pytest.fixture
def service(db: MemoryDatabase, clock: FakeClock) -> TableService:
    return make_service(db, clock=clock)


class TestStarting:
    async def test_any_player_starts_once_the_opener_has_been_away(
        self, service: TableService, clock: FakeClock
    ) -> None:
        table = await open_lobby(service, ROBIN, WREN)
        clock.tick(299)
        table = await service.join(table.id, JAY, 1)  # what others do does not break the silence
        with refused_for(HostReason.NOT_STARTER):
            await service.start(table.id, WREN, 2)
        clock.tick(1)
        with refused_for(HostReason.NOT_SEATED):
            await service.start(table.id, STRANGER, 2)
        table = await service.start(table.id, WREN, 2)
        assert table.header.status is Status.PLAYING
        assert table.header.awaited_since == clock()

    async def test_an_action_of_the_opener_ends_the_silence_and_a_new_opener_gets_the_full_time(
        self, service: TableService, clock: FakeClock
    ) -> None:
        table = await open_lobby(service, ROBIN, WREN, JAY)
        clock.tick(299)
        table = await service.add_computer(table.id, ROBIN, table.header.revision, "easy")
        clock.tick(299)
        with refused_for(HostReason.NOT_STARTER):
            await service.start(table.id, WREN, 2)
        clock.tick(1)
        await service.leave(table.id, ROBIN)
        with refused_for(HostReason.NOT_STARTER):
            await service.start(table.id, JAY, 2)


class TestExpiring:
    async def test_an_unchanged_lobby_is_closed_by_the_sweep(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, clock: FakeClock
    ) -> None:
        host = Host(db, GAMES, table_messages, FakeMessageSender(), clock=clock)
        table = await open_lobby(host.service, ROBIN, WREN)
        clock.tick(3599)
        await host.sweep()
        assert db.header(table.id).status is Status.LOBBY
        clock.tick(1)
        await host.sweep()
        await host.close()
        assert db.header(table.id).status is Status.EXPIRED
        assert table_messages.shown[-1].status is Status.EXPIRED
        assert not db.header(table.id).status.is_seed_secret
        assert await host.service.open_table_in(table.header.location.channel_id) is None

    async def test_joining_keeps_a_lobby_open_and_a_running_game_does_not_expire(
        self, service: TableService, clock: FakeClock
    ) -> None:
        table = await open_lobby(service, ROBIN)
        clock.tick(3599)
        await service.join(table.id, WREN, 1)
        clock.tick(1)
        with pytest.raises(Stale):
            await service.expire(table.id)
        await service.start(table.id, ROBIN, 2)
        clock.tick(100_000)
        with pytest.raises(Stale):
            await service.expire(table.id)
