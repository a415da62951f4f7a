"""Idle tables in the store: put aside, resumed, announced and abandoned."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from bot.features.idle_tables import storage as idle_table_storage
from bot.features.idle_tables.storage import CLOSING, Announcement
from bot.platform.database.database import Database
from bot.platform.notices import storage as notice_storage
from bot.tables import storage as table_storage
from bot.tables.model import AsideTable, Header, Status, TableUpdate
from bot.tables.saving import save_change
from bot.tables.storage import ChannelTaken
from tests.store.samples import (
    COMPUTER,
    NOON,
    ROBIN,
    WREN,
    Connect,
    load_header,
    make_header,
    revise,
)

HOUR = timedelta(hours=1)
GAMES = {"magpie"}


def make_announcement(header: Header, at: datetime = NOON, message_id: int | None = None) -> Announcement:
    return Announcement(header.id, header.location.channel_id, header.updated_at, noted_at=at, message_id=message_id)


async def open_table(db: Database, channel: int, status: Status, hours: int = 0) -> Header:
    """Open a table that was last changed this many hours after noon."""
    return await db.write(
        table_storage.open_table, make_header(channel, status, at=NOON + hours * HOUR), [ROBIN, WREN, COMPUTER]
    )


async def unannounced(db: Database, hours: int = 0, most: int = 9) -> list[int]:
    return list(await db.read(idle_table_storage.find_unannounced, db.shards, GAMES, NOON + hours * HOUR, most))


async def announced(db: Database, idle_since: datetime, noted_until: datetime, games: set[str] = GAMES) -> list[int]:
    return list(await db.read(idle_table_storage.find_announced, db.shards, games, idle_since, noted_until, 9))


async def lapsed(db: Database, most: int = 9) -> list[Announcement]:
    return list(await db.read(notice_storage.find_lapsed, db.shards, CLOSING, most))


async def test_tables_put_aside_are_listed_by_channel_newest_first(db: Database) -> None:
    first = await open_table(db, 7, Status.ASIDE, 1)
    second = await open_table(db, 7, Status.HELD_ASIDE, 2)
    await open_table(db, 8, Status.ASIDE)
    for status in (Status.PLAYING, Status.FINISHED, Status.ABANDONED):
        await open_table(db, 7, status)
    names, people = ("Robin", "Wren", "Pip"), frozenset({11, 12})
    assert list(await db.read(table_storage.find_put_aside, 7, 9)) == [
        AsideTable(second.id, "magpie", names, people, NOON + 2 * HOUR),
        AsideTable(first.id, "magpie", names, people, NOON + HOUR),
    ]
    assert [aside.table_id for aside in await db.read(table_storage.find_put_aside, 7, 1)] == [second.id]


async def test_of_simultaneous_opening_and_resuming_one_succeeds(connect: Connect) -> None:
    one, other = await connect(), await connect()
    for channel in range(1, 6):
        aside = await open_table(one, channel, Status.ASIDE)
        done = await asyncio.gather(
            save_change(one, TableUpdate(revise(aside, Status.PLAYING))),
            open_table(other, channel, Status.LOBBY),
            return_exceptions=True,
        )
        (failed,) = [each for each in done if isinstance(each, BaseException)]
        assert isinstance(failed, ChannelTaken)


async def test_announcements_are_due_for_unfinished_tables_longest_silence_first(db: Database) -> None:
    unfinished = [(Status.ASIDE, 3), (Status.PLAYING, 1), (Status.HELD, 2), (Status.HELD_ASIDE, 0)]
    due = [(await open_table(db, 10 + at, status, hours)).id for at, (status, hours) in enumerate(unfinished)]
    for at, status in enumerate(status for status in Status if not status.is_unfinished):
        await open_table(db, 20 + at, status)
    await db.write(table_storage.open_table, replace(make_header(30, Status.PLAYING), game="chess"), [ROBIN])
    await open_table(db, 31, Status.PLAYING, 4)
    in_order = [due[3], due[1], due[2], due[0]]
    assert await unannounced(db, 3) == in_order
    assert await unannounced(db, 3, 2) == in_order[:2]


async def test_a_table_outside_is_due_for_closing_unannounced(db: Database) -> None:
    header = make_header(7, guild_id=None)
    place = replace(header.location, solo_id=11, is_outside=True)
    outside = await db.write(table_storage.open_table, replace(header, location=place), [ROBIN])
    assert await unannounced(db) == []
    assert await announced(db, NOON, NOON) == [outside.id]
    assert (await load_header(db, outside.id)).location == place


async def test_each_silence_is_announced_once_and_due_for_closing_after_its_time(db: Database) -> None:
    header = await open_table(db, 7, Status.PLAYING)
    announcement = make_announcement(header, NOON + HOUR)
    assert await db.maintain(idle_table_storage.claim, announcement)
    assert not await db.maintain(idle_table_storage.claim, announcement)
    assert await unannounced(db) == []
    assert await announced(db, NOON, NOON + HOUR) == [header.id]
    assert await announced(db, NOON, NOON) == [], "not yet for long enough"
    assert await announced(db, NOON - HOUR, NOON + HOUR) == [], "not silent for long enough"
    assert await announced(db, NOON, NOON + HOUR, {"chess"}) == []
    later = replace(revise(header, Status.PLAYING), updated_at=NOON + HOUR)
    await save_change(db, TableUpdate(later))
    assert not await db.maintain(idle_table_storage.claim, announcement), "the silence has ended"
    assert await unannounced(db, 1) == [header.id]
    assert await db.maintain(idle_table_storage.claim, make_announcement(later))


async def test_of_two_processes_one_notes_the_announcement(connect: Connect) -> None:
    stores = await connect(), await connect()
    for channel in range(1, 6):
        wanted = make_announcement(await open_table(stores[0], channel, Status.PLAYING))
        claims = (each.maintain(idle_table_storage.claim, wanted) for each in stores)
        assert sorted(await asyncio.gather(*claims)) == [False, True]


async def test_an_announcement_lapses_when_the_silence_or_the_table_ends(db: Database) -> None:
    silent, heard, over = [await open_table(db, channel, Status.PLAYING) for channel in (7, 8, 9)]
    for header in (silent, heard, over):
        sent = make_announcement(header, message_id=70 + header.id)
        await db.maintain(idle_table_storage.claim, make_announcement(header))
        assert await db.maintain(notice_storage.set_message, CLOSING, sent)
    await save_change(db, TableUpdate(replace(revise(heard, Status.PLAYING), updated_at=NOON + HOUR)))
    await save_change(db, TableUpdate(revise(over, Status.ABANDONED)))
    ended = [make_announcement(header, message_id=70 + header.id) for header in (heard, over)]
    assert await lapsed(db) == ended
    assert await lapsed(db, 1) == ended[:1]
    for each in ended:
        await db.maintain(notice_storage.note_removed, CLOSING, each)
    assert await lapsed(db) == []
    assert not await db.maintain(notice_storage.set_message, CLOSING, ended[0])
    assert await announced(db, NOON, NOON) == [silent.id]
