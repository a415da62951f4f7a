"""What a store tells of itself, on both databases."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from bot.store.watched import WatchedStore
from bot.tables.model import Place, Published
from bot.tables.ports import StoreUnavailable
from bot.tables.service import TableService
from bot.watch.watch import Watch
from tests.support.fakes import GAMES, ROBIN, WREN, Clock, a_lobby, roll, under_way

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
async def store(address: str) -> AsyncIterator[WatchedStore]:
    made = WatchedStore(address, Watch())
    await made.upgrade()
    yield made
    await made.close()


async def test_an_empty_database_answers(store: WatchedStore) -> None:
    await store.ping()
    pulse = await store.pulse()
    assert (pulse.open_tables, pulse.unshown, pulse.unshown_since) == ({}, 0, None)


async def test_tables_are_counted(store: WatchedStore) -> None:
    service = TableService(store, GAMES, clock=Clock(NOON))
    lobby = await a_lobby(service, ROBIN)
    await under_way(service, ROBIN, WREN, place=Place(1, 2001))
    closed = await a_lobby(service, ROBIN, place=Place(1, 2002))
    await service.cancel(closed.id, ROBIN, is_moderator=False)
    await store.mark_published([Published(lobby.id, lobby.header.revision, 7)])
    pulse = await store.pulse()
    assert pulse.open_tables == {"lobby": 1, "playing": 1}
    assert (pulse.unshown, pulse.unshown_since) == (2, NOON)


async def test_moves_are_counted_once_they_are_on_disk(address: str) -> None:
    watch = Watch()
    counting = WatchedStore(address, watch)
    await counting.upgrade()
    service = TableService(counting, GAMES)
    table = await under_way(service, ROBIN, WREN)
    await roll(service, table)
    await counting.close()
    with pytest.raises(StoreUnavailable):
        await counting.ping()
    assert b'parlour_moves_saved_total{game="magpie"} 1.0\n' in watch.text(NOON, None)
