"""Idle tables in the store: put aside, resumed, announced and abandoned."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.features.idle_tables import storage as idle_table_storage
from bot.features.idle_tables.storage import CLOSING, Announcement
from bot.platform.database.database import Database
from bot.platform.notices import storage as notice_storage
from bot.tables import storage as table_storage
from bot.tables.model import AsideTable, Header, Status, TableUpdate
from bot.tables.service import save_change
from bot.tables.storage import ChannelTaken, Conflict
from tests.store.samples import COMPUTER, LEARNER, NOON, ROBIN, WREN, Connect, load_header, make_header, revise

HOUR = timedelta(hours=1)
GAMES = {"magpie"}


def make_announcement(header: Header, at: datetime = NOON, message_id: int | None = None) -> Announcement:
    return Announcement(header.id, header.location.channel_id, header.updated_at, noted_at=at, message_id=message_id)


async def open_table(db: Database, channel: int, status: Status, hours: int = 0) -> Header:
    """Open a table that was last changed this many hours after noon."""
    return await db.write(
        table_storage.open_table, make_header(channel, status, at=NOON + hours * HOUR), [ROBIN, WREN, COMPUTER]
    )


class TestAsideTables:
    async def test_tables_put_aside_are_listed_by_channel_newest_first(self, db: Database) -> None:
        first = await open_table(db, 7, Status.ASIDE, 1)
        second = await open_table(db, 7, Status.HELD_ASIDE, 2)
        await open_table(db, 8, Status.ASIDE)
        for status in (Status.PLAYING, Status.FINISHED, Status.ABANDONED):
            await open_table(db, 7, status)
        names, people = ("Robin", "Wren", "Computer"), frozenset({11, 12})
        assert list(await db.read(table_storage.find_put_aside, 7, 9)) == [
            AsideTable(second.id, "magpie", names, people, NOON + 2 * HOUR),
            AsideTable(first.id, "magpie", names, people, NOON + HOUR),
        ]
        assert [aside.table_id for aside in await db.read(table_storage.find_put_aside, 7, 1)] == [second.id]
        assert list(await db.read(table_storage.find_put_aside, 9, 9)) == []


class TestResuming:
    async def test_a_resumed_table_takes_its_channel_if_that_is_free(self, db: Database) -> None:
        aside = await open_table(db, 7, Status.ASIDE)
        there = await open_table(db, 7, Status.LOBBY)
        resumed = revise(aside, Status.PLAYING)
        with pytest.raises(ChannelTaken) as taken:
            await save_change(db, TableUpdate(resumed))
        assert taken.value.table_id == there.id
        assert (await load_header(db, aside.id)).status is Status.ASIDE
        await save_change(db, TableUpdate(revise(there, Status.CANCELLED)))
        await save_change(db, TableUpdate(resumed))
        assert await db.read(table_storage.find_open, 7) == aside.id
        with pytest.raises(Conflict):
            await save_change(db, TableUpdate(resumed))

    async def test_of_simultaneous_opening_and_resuming_one_succeeds(self, connect: Connect) -> None:
        one, other = await connect(), await connect()
        for channel in range(1, 11):
            aside = await open_table(one, channel, Status.ASIDE)
            done = await asyncio.gather(
                save_change(one, TableUpdate(revise(aside, Status.PLAYING))),
                open_table(other, channel, Status.LOBBY),
                return_exceptions=True,
            )
            (failed,) = [each for each in done if isinstance(each, BaseException)]
            assert isinstance(failed, ChannelTaken)


class TestAnnouncements:
    async def test_announcements_are_due_for_unfinished_tables_longest_silence_first(self, db: Database) -> None:
        due = [
            (await open_table(db, 10 + at, status, hours)).id
            for at, (status, hours) in enumerate(
                [(Status.ASIDE, 3), (Status.PLAYING, 1), (Status.HELD, 2), (Status.HELD_ASIDE, 0)]
            )
        ]
        for at, status in enumerate(status for status in Status if not status.is_unfinished):
            await open_table(db, 20 + at, status)
        await db.write(table_storage.open_table, replace(make_header(30, Status.PLAYING), game="chess"), [ROBIN])
        await open_table(db, 31, Status.PLAYING, 4)
        in_order = [due[3], due[1], due[2], due[0]]
        assert (
            list(await db.read(idle_table_storage.find_unannounced, db.shards, GAMES, NOON + 3 * HOUR, 9)) == in_order
        )
        assert (
            list(await db.read(idle_table_storage.find_unannounced, db.shards, GAMES, NOON + 3 * HOUR, 2))
            == in_order[:2]
        )

    async def test_each_silence_is_announced_once(self, db: Database) -> None:
        header = await open_table(db, 7, Status.PLAYING)
        assert await db.maintain(idle_table_storage.claim, make_announcement(header))
        assert not await db.maintain(idle_table_storage.claim, make_announcement(header))
        assert list(await db.read(idle_table_storage.find_unannounced, db.shards, GAMES, NOON, 9)) == []
        later = replace(revise(header, Status.PLAYING), updated_at=NOON + HOUR)
        await save_change(db, TableUpdate(later))
        assert not await db.maintain(idle_table_storage.claim, make_announcement(header)), "the silence has ended"
        assert list(await db.read(idle_table_storage.find_unannounced, db.shards, GAMES, NOON + HOUR, 9)) == [header.id]
        assert await db.maintain(idle_table_storage.claim, make_announcement(later))

    async def test_of_two_processes_one_notes_the_announcement(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for channel in range(1, 11):
            header = await open_table(stores[0], channel, Status.PLAYING)
            assert sorted(
                await asyncio.gather(
                    *(each.maintain(idle_table_storage.claim, make_announcement(header)) for each in stores)
                )
            ) == [
                False,
                True,
            ]

    async def test_an_announced_table_is_due_for_closing_after_its_time(self, db: Database) -> None:
        header = await open_table(db, 7, Status.PLAYING)
        await db.maintain(idle_table_storage.claim, make_announcement(header, NOON + HOUR))
        assert list(await db.read(idle_table_storage.find_announced, db.shards, GAMES, NOON, NOON + HOUR, 9)) == [
            header.id
        ]
        assert list(await db.read(idle_table_storage.find_announced, db.shards, GAMES, NOON, NOON, 9)) == [], (
            "not yet for long enough"
        )
        assert (
            list(await db.read(idle_table_storage.find_announced, db.shards, GAMES, NOON - HOUR, NOON + HOUR, 9)) == []
        ), "not silent for long enough"
        assert list(await db.read(idle_table_storage.find_announced, db.shards, {"chess"}, NOON, NOON + HOUR, 9)) == []

    async def test_a_lesson_is_closed_after_its_time_without_an_announcement(self, db: Database) -> None:
        lesson = await db.write(table_storage.open_table, make_header(7, Status.PLAYING, at=NOON), [LEARNER, COMPUTER])
        await open_table(db, 8, Status.PLAYING, 1)
        assert list(await db.read(idle_table_storage.find_unannounced, db.shards, GAMES, NOON, 9)) == []
        assert list(await db.read(idle_table_storage.find_announced, db.shards, GAMES, NOON, NOON, 9)) == [lesson.id]
        assert list(await db.read(idle_table_storage.find_announced, db.shards, GAMES, NOON - HOUR, NOON, 9)) == []

    async def test_an_announcement_lapses_when_the_silence_or_the_table_ends(self, db: Database) -> None:
        silent, heard, over = [await open_table(db, channel, Status.PLAYING) for channel in (7, 8, 9)]
        for header in (silent, heard, over):
            await db.maintain(idle_table_storage.claim, make_announcement(header))
            assert await db.maintain(
                notice_storage.set_message, CLOSING, make_announcement(header, message_id=70 + header.id)
            )
        await save_change(db, TableUpdate(replace(revise(heard, Status.PLAYING), updated_at=NOON + HOUR)))
        await save_change(db, TableUpdate(revise(over, Status.ABANDONED)))
        lapsed = [make_announcement(header, message_id=70 + header.id) for header in (heard, over)]
        assert list(await db.read(notice_storage.find_lapsed, db.shards, CLOSING, 9)) == lapsed
        assert list(await db.read(notice_storage.find_lapsed, db.shards, CLOSING, 1)) == lapsed[:1]
        for each in lapsed:
            await db.maintain(notice_storage.note_removed, CLOSING, each)
        assert list(await db.read(notice_storage.find_lapsed, db.shards, CLOSING, 9)) == []
        assert not await db.maintain(notice_storage.set_message, CLOSING, lapsed[0])
        assert list(await db.read(idle_table_storage.find_announced, db.shards, GAMES, NOON, NOON, 9)) == [silent.id]
