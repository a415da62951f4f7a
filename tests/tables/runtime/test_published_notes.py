"""Published revisions are kept in memory and saved late."""

import asyncio

import pytest

from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.memory import TableCache, estimate_table_bytes
from bot.tables.model import PublishedRevision
from bot.tables.service import TableService
from tests.support.fakes import JAY, ROBIN, WREN, make_service, make_table, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate

ELSEWHERE = Location(guild_id=3, channel_id=71)


class TestPublishedRevisions:
    async def test_a_shown_revision_is_written_once(self, service: TableService, db: MemoryDatabase) -> None:
        """Also if the first attempt fails."""
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        assert (await service.table(table.id)).header.message_id == 70
        db.broken = {table_storage.mark_published}
        with pytest.raises(StoreUnavailable):
            await service.flush()
        assert db.header(table.id).message_id is None
        db.broken = set()
        for _ in range(2):
            await service.flush()
            assert (db.header(table.id).published, db.header(table.id).message_id) == (1, 70)
        assert db.calls.count(table_storage.mark_published) == 2

    @pytest.mark.parametrize("meanwhile", ["nothing", "another flush", "a cancellation"])
    async def test_a_note_made_during_a_flush_is_written_by_the_next(
        self, service: TableService, db: MemoryDatabase, meanwhile: str
    ) -> None:
        """A flush of unknown outcome and one at the same time are not taken for those of another process."""
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        db.after[table_storage.mark_published] = gate = Gate()
        flush = asyncio.create_task(service.flush())
        await gate.reached.wait()
        if meanwhile == "a cancellation":
            flush.cancel()
            await asyncio.gather(flush, return_exceptions=True)
            del db.after[table_storage.mark_published]
        after = await service.join(table.id, WREN, 1)
        assert (after.header.published, after.header.message_id) == (1, 70), "a change keeps them"
        service.note_published(after, 71)
        others = [asyncio.create_task(service.flush())] if meanwhile == "another flush" else []
        gate.open()
        await asyncio.gather(flush, *others, return_exceptions=True)
        if not others:
            await service.flush()
        assert (db.header(table.id).published, db.header(table.id).message_id) == (2, 71)

    async def test_a_note_made_during_a_change_is_not_forgotten(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(service, ROBIN)
        db.before[table_storage.save] = gate = Gate()
        change = asyncio.create_task(service.join(table.id, WREN, 1))
        await gate.reached.wait()
        service.note_published(table, 70)
        gate.open()
        after = await change
        assert (after.header.published, after.header.message_id) == (1, 70)

    async def test_a_table_dropped_from_memory_is_reloaded_with_its_published_revision(
        self, service: TableService
    ) -> None:
        service.cache = TableCache(estimate_table_bytes(make_table()))
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        await open_lobby(service, WREN, location=ELSEWHERE)
        assert service.cache.get(table.id) is None
        assert (await service.table(table.id)).header.message_id == 70

    async def test_a_note_written_while_the_table_is_read_is_not_lost(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        service.cache.evict(table.id)
        db.after[table_storage.load] = gate = Gate()
        reading = asyncio.create_task(service.table(table.id))
        await gate.reached.wait()
        await service.flush()
        gate.open()
        await reading
        assert db.header(table.id).message_id == 70
        assert (await service.table(table.id)).header.message_id == 70

    async def test_the_published_revision_of_another_process_is_seen_after_a_conflict(self, db: MemoryDatabase) -> None:
        one, two = make_service(db), make_service(db)
        table = await open_lobby(one, ROBIN)
        await two.table(table.id)
        one.note_published(await one.join(table.id, WREN, 1), 70)
        await one.flush()
        after = await two.join(table.id, JAY, 2)
        assert (after.header.published, after.header.message_id) == (2, 70)

    async def test_notes_name_the_revision_that_was_shown(self, service: TableService) -> None:
        table = await open_lobby(service, ROBIN)
        await service.join(table.id, WREN, 1)
        service.note_published(table, 70)
        assert service.cache.unwritten() == [PublishedRevision(table.id, 1, 70, replaces=0)]
        now = await service.table(table.id)
        assert (now.header.published, now.header.revision) == (1, 2)
