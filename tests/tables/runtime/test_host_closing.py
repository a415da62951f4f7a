"""The host: finishing what is under way when it closes."""

import asyncio

import pytest

import bot.tables.host
from bot.tables import storage as table_storage
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import (
    GAMES,
    NEW_CLICKS,
    ROBIN,
    WREN,
    FakeClock,
    open_lobby,
    start_game,
)
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import DAY
from tests.support.waiting import Gate


class TestClosing:
    async def test_closing_finishes_edits_and_writes_their_notes(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        host.start()
        table = await open_lobby(host.service, ROBIN)
        await host.close()
        assert (db.header(table.id).published, db.header(table.id).message_id) == (
            1,
            table_messages.shown[0].message_id,
        )
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert {task.get_name() for task in others if not task.done()} == set()

    async def test_closing_shows_a_change_being_saved_for_a_cancelled_caller(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "FINISH_SECONDS", 60.0)
        monkeypatch.setattr(bot.tables.host, "SHOW_SECONDS", 60.0)
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        table = await open_lobby(host.service, ROBIN)
        await host.publisher.tasks.finish()
        gate = db.after[table_storage.save] = Gate()
        joining = asyncio.create_task(host.service.join(table.id, WREN, next(NEW_CLICKS)))
        await gate.reached.wait()
        joining.cancel()
        closing = asyncio.create_task(host.close())
        for _ in range(20):
            await asyncio.sleep(0)
        gate.open()
        await closing
        assert table_messages.revisions[-1] == 2

    async def test_closing_finishes_an_announcement_being_sent(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        clock, sender = FakeClock(), FakeMessageSender()
        host = Host(db, GAMES, table_messages, sender, clock=clock)
        table = await start_game(host.service)
        clock.tick(28 * DAY)
        sender.gate = Gate()
        await host.announcements.check()
        await sender.gate.reached.wait()
        closing = asyncio.create_task(host.close())
        for _ in range(20):
            await asyncio.sleep(0)
        sender.gate.open()
        await closing
        assert db.announcements[table.id].message_id in sender.messages

    @pytest.mark.parametrize("is_broken", [True, False])
    async def test_closing_without_the_database_says_what_is_not_stored(
        self,
        db: MemoryDatabase,
        table_messages: FakeTableMessages,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
        *,
        is_broken: bool,
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "WRITE_SECONDS", 0.01)
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        table = await open_lobby(host.service, ROBIN)
        await host.publisher.close()
        host.service.note_published(table, 70)
        if is_broken:
            db.broken = {table_storage.mark_published}
        else:
            db.before[table_storage.mark_published] = Gate()
        await host.close()
        reason = "mark_published is broken" if is_broken else "the database did not answer in time"
        assert caplog.messages == [
            f"what is shown could not be stored; the next start refreshes those tables: {reason}"
        ]

    async def test_a_host_that_was_never_started_closes(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        await Host(db, GAMES, table_messages, FakeMessageSender()).close()
        assert db.calls == []
