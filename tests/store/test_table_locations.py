"""Locations and seats in the store, on every database: who is seated, where, and with what effect."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, update

from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import Header, SeriesLink, SeriesLinkKind, Status, TableUpdate
from bot.tables.saving import save_change
from bot.tables.schema import tables
from bot.tables.storage import AlreadyContinued, ChannelTaken, Conflict
from tests.store.samples import (
    ROBIN,
    WREN,
    Connect,
    load_header,
    make_header,
    make_move,
    revise,
)

OPEN = [Status.LOBBY, Status.PLAYING, Status.HELD]


class TestChannels:
    async def test_only_an_open_table_occupies_its_channel(self, db: Database) -> None:
        for channel, status in enumerate(Status, 7):
            assert await db.read(table_storage.find_open, channel) is None
            header = await db.write(table_storage.open_table, make_header(channel), [ROBIN])
            await save_change(db, TableUpdate(revise(header, status)))
            if status in OPEN:
                assert await db.read(table_storage.find_open, channel) == header.id
                with pytest.raises(ChannelTaken) as taken:
                    await db.write(table_storage.open_table, make_header(channel), [WREN])
                assert taken.value.table_id == header.id
            else:
                assert await db.read(table_storage.find_open, channel) is None
                new = await db.write(table_storage.open_table, make_header(channel), [WREN])
                assert await db.read(table_storage.find_open, channel) == new.id > header.id

    async def test_a_channel_is_taken_even_if_the_table_in_the_way_was_closed_twice_meanwhile(
        self, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        open_now = await db.write(table_storage.open_table, make_header(7), [ROBIN])
        found = iter([None, None, open_now.id])
        monkeypatch.setattr(table_storage, "find_open", lambda *_: next(found))
        with pytest.raises(ChannelTaken) as taken:
            await db.write(table_storage.open_table, make_header(7), [WREN])
        assert taken.value.table_id == open_now.id

    async def test_solo_games_do_not_occupy_the_channel(self, db: Database) -> None:
        shared = await db.write(table_storage.open_table, make_header(7), [ROBIN])
        own = {}
        for player in (1, 2):
            header = make_header(7)
            location = replace(header.location, solo_id=player)
            own[player] = await db.write(table_storage.open_table, replace(header, location=location), [ROBIN])
            with pytest.raises(ChannelTaken) as taken:
                await db.write(table_storage.open_table, replace(header, location=location), [ROBIN])
            assert taken.value.table_id == own[player].id
        assert await db.read(table_storage.find_open, 7) == shared.id
        assert [await db.read(table_storage.find_open, 7, player) for player in (1, 2, 3)] == [
            own[1].id,
            own[2].id,
            None,
        ]
        assert (await load_header(db, own[2].id)).location.solo_id == 2

    async def test_the_newest_table_of_a_channel_may_be_open_or_over(self, db: Database) -> None:
        await db.write(table_storage.open_table, make_header(8), [ROBIN])
        for channel, status in enumerate(Status, 10):
            await db.write(table_storage.open_table, make_header(channel, Status.FINISHED), [ROBIN])
            header = make_header(channel, status)
            newest = await db.write(table_storage.open_table, header, [ROBIN])
            solo = await db.write(
                table_storage.open_table, replace(header, location=Location(3, channel, solo_id=5)), [ROBIN]
            )
            assert await db.read(table_storage.find_newest, channel) == newest.id
            assert await db.read(table_storage.find_newest, channel, 6) == newest.id
            assert await db.read(table_storage.find_newest, channel, 5) == solo.id
        assert await db.read(table_storage.find_newest, 9) is None

    async def test_of_two_openers_one_wins(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for channel_id in range(1, 6):
            results = await asyncio.gather(
                *(s.write(table_storage.open_table, make_header(channel_id), [ROBIN]) for s in stores),
                return_exceptions=True,
            )
            (opened,) = (result for result in results if isinstance(result, Header))
            (taken,) = (result for result in results if isinstance(result, ChannelTaken))
            assert taken.table_id == opened.id

    async def test_resuming_conflicts_if_the_table_in_its_place_has_just_closed(
        self, monkeypatch: pytest.MonkeyPatch, db: Database
    ) -> None:
        aside = await db.write(table_storage.open_table, make_header(7, Status.ASIDE), [ROBIN])
        await db.write(table_storage.open_table, make_header(7), [WREN])
        for found in (None, 1):
            monkeypatch.setattr(table_storage, "find_open", lambda *_, found=found: found)
            with pytest.raises(Conflict):
                await save_change(db, TableUpdate(revise(aside, Status.PLAYING)))

    async def test_a_table_closed_at_the_same_moment_does_not_block_the_channel(
        self, monkeypatch: pytest.MonkeyPatch, db: Database
    ) -> None:
        await db.write(table_storage.open_table, make_header(7), [ROBIN])

        def too_late(connection: Connection, *_: int) -> None:
            connection.execute(update(tables).values(status=Status.FINISHED.value))

        with monkeypatch.context() as patch:
            patch.setattr(table_storage, "find_open", too_late)
            opened = await db.write(table_storage.open_table, make_header(7), [WREN])
        assert await db.read(table_storage.find_open, 7) == opened.id


class TestSeries:
    LINK = SeriesLink(1, SeriesLinkKind.TOURNAMENT, 2, (12, 0, 300))

    async def linked(self, db: Database, channel_id: int = 8, **other: Any) -> Header:
        return await db.write(
            table_storage.open_table, replace(make_header(channel_id), link=replace(self.LINK, **other)), [ROBIN]
        )

    async def test_a_link_is_stored_and_never_changes(self, db: Database) -> None:
        header = await self.linked(db)
        assert (await load_header(db, header.id)).link == self.LINK
        after, entry = make_move(replace(header, link=None))
        await save_change(db, TableUpdate(after, entry))
        assert (await load_header(db, header.id)).link == self.LINK
        tie_break = await self.linked(db, 9, kind=SeriesLinkKind.TIE_BREAK, carried=())
        assert (await load_header(db, tie_break.id)).link == SeriesLink(1, SeriesLinkKind.TIE_BREAK, 2)
        single = await db.write(table_storage.open_table, make_header(10), [ROBIN])
        assert (await load_header(db, single.id)).link is None

    async def test_a_part_of_a_series_has_one_table(self, db: Database) -> None:
        header = await self.linked(db)
        for channel_id in (8, 9):
            with pytest.raises(AlreadyContinued) as continued:
                await self.linked(db, channel_id, carried=(1,))
            assert continued.value.table_id == header.id
        await self.linked(db, 10, part=3)
        await self.linked(db, 11, first_id=2)
        await self.linked(db, 12, kind=SeriesLinkKind.TIE_BREAK)

    async def test_a_part_that_was_cancelled_can_be_opened_again(self, db: Database) -> None:
        for part, status in enumerate(Status):
            header = await self.linked(db, 10 + part, part=part)
            await save_change(db, TableUpdate(revise(header, status)))
            if status in (Status.CANCELLED, Status.EXPIRED, Status.ABANDONED):
                assert (await self.linked(db, 10 + part, part=part)).id != header.id
            else:
                with pytest.raises(AlreadyContinued):
                    await self.linked(db, 9, part=part)

    async def test_the_channel_may_be_taken_by_another_table(self, db: Database) -> None:
        await db.write(table_storage.open_table, make_header(8), [ROBIN])
        with pytest.raises(ChannelTaken):
            await self.linked(db)

    async def test_of_two_processes_one_continues_a_series(self, connect: Connect) -> None:
        stores = [await connect(), await connect()]
        results = await asyncio.gather(*(self.linked(db, at) for at, db in enumerate(stores)), return_exceptions=True)
        (opened,) = (result for result in results if isinstance(result, Header))
        (continued,) = (result for result in results if isinstance(result, AlreadyContinued))
        assert continued.table_id == opened.id
