"""A person's unfinished tables, on every database."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.my_tables import storage as my_table_storage
from bot.features.my_tables.model import MOST_TABLES, PAGE_SIZE, Awaited, page_of_tables
from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import ClockState, Entry, Header, Status, TableUpdate, TurnClock
from bot.tables.saving import save_change
from tests.store.samples import COMPUTER, NOON, ROBIN, WREN, make_header, revise

ME, OTHER, STRANGER = 11, 12, 99
HOUR = timedelta(hours=1)


async def open_table(db: Database, channel_id: int, status: Status = Status.PLAYING, **changes: object) -> Header:
    header = replace(make_header(channel_id, status), step=3, salt="ab", **changes)  # type: ignore[arg-type]
    return await db.write(table_storage.open_table, header, [ROBIN, WREN, COMPUTER])


@pytest.mark.every_database
async def test_every_unfinished_table_of_a_person_is_found_with_whom_it_waits_for(db: Database) -> None:
    clock = ClockState(TurnClock.ONE_DAY, NOON + HOUR)
    theirs = await open_table(db, 1, to_move=1, awaited_since=NOON + HOUR)
    mine = await open_table(db, 2, to_move=0, clock=clock, awaited_since=NOON - HOUR)
    newer = await open_table(db, 3, to_move=0, location=Location(None, 3), opener_id=OTHER)
    lobby = await open_table(db, 4, Status.LOBBY, location=Location(5, 4), awaited_since=NOON - 2 * HOUR)
    computers = await open_table(db, 6, to_move=2, awaits_computer=True, awaited_since=NOON + 2 * HOUR)
    forced = await open_table(db, 7, to_move=0, awaits_computer=True, awaited_since=NOON + 3 * HOUR)
    aside = await open_table(db, 8, Status.ASIDE, updated_at=NOON + 4 * HOUR, awaited_since=NOON - 4 * HOUR)
    found = await db.read(my_table_storage.find, ME, 99)
    assert [(each.table_id, each.awaited, each.awaited_name) for each in found] == [
        (newer.id, Awaited.YOU, "Robin"),
        (mine.id, Awaited.YOU, "Robin"),
        (lobby.id, Awaited.YOU, "Robin"),
        (forced.id, Awaited.NOBODY, ""),
        (computers.id, Awaited.NOBODY, ""),
        (theirs.id, Awaited.ANOTHER, "Wren"),
        (aside.id, Awaited.NOBODY, ""),
    ]
    assert [each.location for each in found[:3]] == [Location(None, 3), mine.location, Location(5, 4)]
    assert (found[1].since, found[1].clock_ends_at) == (NOON - HOUR, NOON + HOUR)
    assert found[-1].since == NOON + 4 * HOUR
    assert [each.table_id for each in await db.read(my_table_storage.find, OTHER, 2)] == [theirs.id, forced.id]
    assert await db.read(my_table_storage.find, STRANGER, 99) == []


async def test_tables_that_are_over_or_left_are_not_listed(db: Database) -> None:
    for status in Status:
        if not (status.is_open or status.is_aside):
            await save_change(db, TableUpdate(revise(await open_table(db, 1), status)))
    left = await open_table(db, 1, to_move=1)
    await save_change(db, TableUpdate(replace(left, step=4, revision=2), Entry(4, 0, "!resign", "d", 1, NOON)))
    assert await db.read(my_table_storage.find, ME, 99) == []
    assert [each.table_id for each in await db.read(my_table_storage.find, OTHER, 99)] == [left.id]


async def test_pages_are_clamped_and_count_what_waits(db: Database) -> None:
    for channel_id in range(PAGE_SIZE + 1):
        await open_table(db, channel_id + 1, to_move=channel_id % 2)
    last = page_of_tables(await db.read(my_table_storage.find, ME, MOST_TABLES), 99)
    assert (len(last.tables), last.page.number, last.page.count, last.yours) == (1, 2, 2, 5)
    empty = page_of_tables([], 0)
    assert (list(empty.tables), empty.page.count, empty.yours) == ([], 1, 0)
