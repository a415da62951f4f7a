"""Tables of removed games: they delay no others, and their lobbies close."""

import asyncio
from dataclasses import replace

import pytest

import bot.platform.jobs.looks
import bot.tables.host
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.aside import close_orphan
from bot.tables.model import PublishedRevision, Status, TableId
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, ROBIN, WREN, FakeClock, make_service, open_lobby, start_game
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until

ELSEWHERE = Location(3, 71)


def remove_game(db: MemoryDatabase, table_id: TableId) -> None:
    """Let a table be one of a game that is not here."""
    db.tamper(table_id, lambda record: replace(record, header=replace(record.header, game="chess")))


async def games_under_way(db: MemoryDatabase, count: int) -> list[TableId]:
    """Begin games in channels of their own that are removed afterwards."""
    tables = [await start_game(make_service(db), location=Location(3, 100 + at)) for at in range(count)]
    for table in tables:
        remove_game(db, table.id)
    return [table.id for table in tables]


async def test_removed_games_do_not_affect_showing_tables_and_are_logged_once(
    host: Host,
    db: MemoryDatabase,
    table_messages: FakeTableMessages,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(bot.tables.host, "PAGE_SIZE", 5)
    await games_under_way(db, 6)
    good = await open_lobby(make_service(db), WREN, location=ELSEWHERE)
    for _ in range(3):
        await host.sweep()
        await host.publisher.close()
    assert [shown.table_id for shown in table_messages.shown] == [good.id]
    assert caplog.messages == ["the game chess is not here; its 6 open tables are left alone"]


async def test_removed_games_do_not_affect_showing_tables_again(
    host: Host, db: MemoryDatabase, table_messages: FakeTableMessages, caplog: pytest.LogCaptureFixture
) -> None:
    good = await open_lobby(host.service, WREN, location=ELSEWHERE)
    await host.publisher.close()
    removed = await games_under_way(db, 1)
    host.publisher.refresh([*removed, good.id])
    await host.publisher.close()
    assert [shown.table_id for shown in table_messages.shown] == [good.id] * 2
    assert len(caplog.messages) == 1
    assert f"table {removed[0]} can't be refreshed" in caplog.text


async def test_removed_games_do_not_affect_reminders(
    host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
) -> None:
    await games_under_way(db, 6)
    clock.tick(1)
    good = await start_game(host.service, location=ELSEWHERE)
    clock.tick(120)
    await host.reminders.check()
    await host.reminders.close()
    assert [table_id for table_id, _ in sender.reminded] == [good.id]


@pytest.mark.usefixtures("caplog")
class TestLobbies:
    async def test_lobbies_of_removed_games_close_after_an_hour_and_say_so(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages, clock: FakeClock
    ) -> None:
        lobby = await open_lobby(make_service(db), WREN)
        remove_game(db, lobby.id)
        await db.maintain(table_storage.mark_published, [PublishedRevision(lobby.id, 1, 70)])
        clock.tick(3599)
        await host.sweep()
        assert db.header(lobby.id).status is Status.LOBBY
        clock.tick(1)
        await host.sweep()
        await wait_until(lambda: table_messages.marked_closed)
        closed = db.header(lobby.id)
        assert (closed.status, closed.published) == (Status.EXPIRED, closed.revision)
        assert (closed.to_move, closed.awaits_computer) == (None, False)
        assert [(struck.message_id, struck.status) for struck in table_messages.marked_closed] == [(70, Status.EXPIRED)]
        await open_lobby(host.service, ROBIN)

    async def test_lobbies_of_removed_games_that_were_just_closed_stay_unchanged(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages, clock: FakeClock
    ) -> None:
        lobby = await open_lobby(make_service(db), WREN)
        remove_game(db, lobby.id)
        clock.tick(3600)
        db.before[table_storage.save] = gate = Gate()
        other = Host(db, GAMES, table_messages, FakeMessageSender(), clock=clock)
        closing = [close_orphan(host.service, lobby.id, WREN, is_moderator=False), other.sweep(), host.sweep()]
        tasks = [asyncio.create_task(each) for each in closing]
        await gate.reached.wait()
        gate.open()
        for task in tasks:
            await task
        assert db.header(lobby.id).revision == 2
        await other.close()

    async def test_lobbies_that_cannot_be_closed_do_not_delay_others(
        self,
        host: Host,
        db: MemoryDatabase,
        clock: FakeClock,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "PAGE_SIZE", 2)
        lobbies = [await open_lobby(make_service(db), WREN, location=Location(3, channel)) for channel in range(5)]
        bad = {lobby.id for lobby in lobbies[:2]}
        sound = host.service.expire

        async def expire(table_id: TableId) -> object:
            if table_id in bad:
                raise RuntimeError("a fault of ours")
            return await sound(table_id)

        monkeypatch.setattr(host.service, "expire", expire)
        clock.tick(3600)
        assert await host.sweep(), "there is another page"
        assert await host.sweep()
        assert not await host.sweep()
        statuses = {lobby.id: db.header(lobby.id).status for lobby in lobbies}
        assert {table_id for table_id, status in statuses.items() if status is Status.LOBBY} == bad
        caplog.clear()


async def test_full_pages_are_processed_without_a_pause(
    db: MemoryDatabase, table_messages: FakeTableMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.tables.host, "PAGE_SIZE", 2)
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
    clock = FakeClock()
    for channel in range(7):
        await open_lobby(make_service(db, clock=clock), ROBIN, location=Location(3, channel))
    host = Host(db, GAMES, table_messages, FakeMessageSender(), clock=clock)
    host.start()
    await wait_until(lambda: len(table_messages.shown) == 7)
    await host.close()
