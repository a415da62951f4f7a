"""The number of open tables per person, on every database."""

import asyncio
from dataclasses import replace

import pytest

from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.tables import storage as table_storage, sweep
from bot.tables.model import Header, Occupant, OpeningLimits, Status, TableUpdate
from bot.tables.saving import save_change
from bot.tables.storage import (
    ChannelTaken,
    ServerFull,
    TooManyTables,
)
from tests.store.samples import ROBIN, Connect, make_lobby_header, revise

MAX_OPEN_TABLES = 3


async def open_at(
    db: Database,
    location: Location,
    most: int | None = MAX_OPEN_TABLES,
    *,
    opener_id: int = 11,
    seat: Occupant = ROBIN,
) -> Header:
    header = replace(make_lobby_header(), location=location, opener_id=opener_id)
    return await db.write(table_storage.open_table, header, [seat], OpeningLimits(most))


async def test_open_tables_are_limited_per_person_and_server(db: Database) -> None:
    first, *_ = [await open_at(db, Location(3, channel)) for channel in range(1, 1 + MAX_OPEN_TABLES)]
    for location in (Location(3, 9), Location(3, 1, solo_id=11)):
        with pytest.raises(TooManyTables):
            await open_at(db, location)
        assert await db.read(table_storage.find_open, location.channel_id, location.solo_id) is None
    with pytest.raises(ChannelTaken):
        await open_at(db, Location(3, 1))
    neighbour = await open_at(db, Location(3, 9), opener_id=12)
    with pytest.raises(ChannelTaken):
        await open_at(db, neighbour.location)
    await save_change(db, TableUpdate(revise(neighbour, Status.PLAYING)))
    with pytest.raises(ChannelTaken):
        await open_at(db, neighbour.location, None)
    with pytest.raises(TooManyTables):
        await open_at(db, neighbour.location)
    await open_at(db, Location(4, 10))
    await open_at(db, Location(3, 12), None)
    for status in (Status.PLAYING, Status.HELD):
        first = revise(first, status)
        await save_change(db, TableUpdate(first))
        with pytest.raises(TooManyTables):
            await open_at(db, Location(3, 13), MAX_OPEN_TABLES + 1)
    await save_change(db, TableUpdate(revise(first, Status.FINISHED)))
    await open_at(db, Location(3, 13), MAX_OPEN_TABLES + 1)
    # Direct messages count as a server.
    for channel in range(20, 20 + MAX_OPEN_TABLES):
        await open_at(db, Location(None, channel))
    with pytest.raises(TooManyTables):
        await open_at(db, Location(None, 30))


async def test_a_server_has_a_limit_for_everyone(db: Database) -> None:
    async def open_in(guild_id: int, opener_id: int) -> Header:
        location = Location(guild_id, 10 * guild_id + opener_id)
        header = replace(make_lobby_header(), location=location, opener_id=opener_id)
        return await db.write(table_storage.open_table, header, [ROBIN], OpeningLimits(most_in_server=2))

    opened = [await open_in(3, opener_id) for opener_id in (1, 2)]
    with pytest.raises(ServerFull):
        await open_in(3, 4)
    await open_in(4, 4)
    await save_change(db, TableUpdate(revise(opened[0], Status.CANCELLED)))
    await open_in(3, 4)


async def test_the_limit_holds_for_simultaneous_openings_in_two_processes(connect: Connect) -> None:
    stores = await connect(), await connect()
    many = (open_at(stores[channel % 2], Location(3, channel)) for channel in range(1, 13))
    results = await asyncio.gather(*many, return_exceptions=True)
    assert sum(isinstance(result, Header) for result in results) == MAX_OPEN_TABLES
    assert sum(isinstance(result, TooManyTables) for result in results) == len(results) - MAX_OPEN_TABLES
    assert len(await stores[0].read(sweep.find_open_in_scope, 3, 99)) == MAX_OPEN_TABLES
