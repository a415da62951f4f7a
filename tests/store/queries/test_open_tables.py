"""How many open tables one person may have, whatever they are kept in."""

import asyncio
from dataclasses import replace

import pytest

from bot.store.store import SqlStore
from bot.tables.model import Header, Place, Status
from bot.tables.ports import ChannelTaken, TooManyTables
from tests.store.samples import ROBIN, Connect, a_header, revised

MOST = 3


def at(place: Place, opener_id: int = 11) -> Header:
    return replace(a_header(), place=place, opener_id=opener_id)


async def test_is_limited_for_each_person_and_server(store: SqlStore) -> None:
    first, *_ = [await store.open(at(Place(3, channel)), [ROBIN], MOST) for channel in range(1, 1 + MOST)]
    for place in (Place(3, 9), Place(3, 1, solo_id=11)):
        with pytest.raises(TooManyTables):
            await store.open(at(place), [ROBIN], MOST)
        assert await store.find_open(place.channel_id, place.solo_id) is None, "nothing of it is kept"
    with pytest.raises(ChannelTaken):
        await store.open(at(Place(3, 1)), [ROBIN], MOST)
    neighbour = await store.open(at(Place(3, 9), opener_id=12), [ROBIN], MOST)
    with pytest.raises(ChannelTaken):
        await store.open(at(neighbour.place), [ROBIN], MOST)
    await store.save(revised(neighbour, Status.PLAYING), None, None)
    with pytest.raises(TooManyTables):
        await store.open(at(neighbour.place), [ROBIN], MOST)
    await store.open(at(Place(4, 10)), [ROBIN], MOST)
    await store.open(at(Place(None, 11)), [ROBIN], MOST)
    await store.open(at(Place(3, 12)), [ROBIN])
    for status in (Status.PLAYING, Status.HELD):
        first = revised(first, status)
        await store.save(first, None, None)
        with pytest.raises(TooManyTables):
            await store.open(at(Place(3, 13)), [ROBIN], MOST + 1)
    await store.save(revised(first, Status.FINISHED), None, None)
    await store.open(at(Place(3, 13)), [ROBIN], MOST + 1)


async def test_direct_messages_are_a_server_of_their_own(store: SqlStore) -> None:
    for channel in range(20, 20 + MOST):
        await store.open(at(Place(None, channel)), [ROBIN], MOST)
    with pytest.raises(TooManyTables):
        await store.open(at(Place(None, 30)), [ROBIN], MOST)
    await store.open(at(Place(3, 31)), [ROBIN], MOST)


async def test_of_many_at_once_in_two_processes_no_more_are_opened(connect: Connect) -> None:
    stores = await connect(), await connect()
    many = (stores[channel % 2].open(at(Place(3, channel)), [ROBIN], MOST) for channel in range(1, 13))
    results = await asyncio.gather(*many, return_exceptions=True)
    assert sum(isinstance(result, Header) for result in results) == MOST
    assert sum(isinstance(result, TooManyTables) for result in results) == len(results) - MOST
    assert len(await stores[0].open_at(3, 99)) == MOST
