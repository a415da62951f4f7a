"""A failure at one table, or a removed game, neither stops the others nor is forgotten."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest

import bot.platform.jobs.looks
import bot.tables.host
from bot.platform.database.errors import OutcomeUnknown
from bot.platform.places import Location
from bot.tables import storage as table_storage, sweep
from bot.tables.aside import close_orphan
from bot.tables.model import PublishedRevision, Status, TableId
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, ROBIN, WREN, FakeClock, make_service, open_lobby, roll, start_game
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until

ELSEWHERE = Location(3, 71)


def errors_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_table_is_reloaded_after_a_cancelled_save(db: MemoryDatabase) -> None:
    service = make_service(db)
    table = await start_game(service)
    db.before[table_storage.save] = gate = Gate()
    moving = asyncio.create_task(roll(service, table))
    await gate.reached.wait()
    (change,) = service.running_changes
    change.cancel()
    with pytest.raises(asyncio.CancelledError):
        await moving
    assert service.cache.get(table.id) is None


async def test_a_lobby_that_has_just_changed_does_not_expire(
    host: Host, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.tables.host")
    table = await open_lobby(host.service, ROBIN)
    monkeypatch.setattr(sweep, "idle_lobbies", lambda *_: [table.id])
    await host.sweep()
    assert db.header(table.id).status is Status.LOBBY
    assert "has changed meanwhile" in caplog.text


async def test_an_error_at_one_table_does_not_affect_others(
    host: Host,
    db: MemoryDatabase,
    table_messages: FakeTableMessages,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    bad = await open_lobby(make_service(db), ROBIN)
    good = await open_lobby(make_service(db), WREN, location=ELSEWHERE)
    sound = host.service.table

    async def table(table_id: TableId, **more: Any) -> Table:
        if table_id == bad.id:
            raise RuntimeError("a fault of ours")
        return await sound(table_id, **more)

    monkeypatch.setattr(host.service, "table", table)
    await host.sweep()
    await host.publisher.close()
    assert [shown.table_id for shown in table_messages.shown] == [good.id]
    assert errors_in(caplog) == [f"a chore for table {bad.id} failed"]
    caplog.clear()


async def test_background_work_goes_on_after_an_error_and_holds_up_no_other(
    host: Host, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
    monkeypatch.setattr(bot.tables.host, "SWEEP_SECONDS", 0.01)
    sound, is_checked = host.sweep, asyncio.Event()

    async def sweep() -> None:
        if not is_checked.is_set():
            raise RuntimeError("a fault of ours")
        await sound()

    async def fail() -> None:
        raise RuntimeError("a fault of ours")

    async def note() -> None:
        is_checked.set()

    monkeypatch.setattr(host, "sweep", sweep)
    host.each_minute.extend([fail, note])
    table = await open_lobby(make_service(db), ROBIN)
    host.start()
    await wait_until(lambda: db.header(table.id).message_id)
    assert is_checked.is_set()
    assert set(errors_in(caplog)) == {"a chore failed; it is done again"}
    caplog.clear()


async def test_a_move_with_unknown_outcome_is_shown_once_the_disk_has_it(
    host: Host, db: MemoryDatabase, table_messages: FakeTableMessages
) -> None:
    table = await start_game(host.service)
    await host.publisher.close()
    shown = table_messages.revisions[-1]
    await host.service.flush()
    before = db.records[table.id]
    db.unanswered = {table_storage.save}
    with pytest.raises(OutcomeUnknown):
        await roll(host.service, table)
    db.unanswered = set()
    late, db.records[table.id] = db.records[table.id], before
    # Another task reads the table before the move is on disk.
    assert (await host.service.table(table.id)).header.step == 0
    db.records[table.id] = late
    await host.sweep()
    await host.publisher.close()
    assert table_messages.revisions[-1] == shown + 1


async def test_what_was_saved_without_an_answer_is_shown_before_the_next_regular_sweep(
    host: Host, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
    table = await start_game(host.service)
    host.start()
    await wait_until(lambda: db.header(table.id).published == table.header.revision)
    db.unanswered = {table_storage.save, table_storage.open_table}
    with pytest.raises(OutcomeUnknown):
        await roll(host.service, table)
    with pytest.raises(OutcomeUnknown):
        await open_lobby(host.service, WREN, location=ELSEWHERE)
    db.unanswered = set()
    await wait_until(lambda: [header.published for header in map(db.header, (1, 2))] == [table.header.revision + 1, 1])


async def test_a_message_that_could_not_be_noted_is_noted_later_and_not_posted_twice(
    host: Host, db: MemoryDatabase, table_messages: FakeTableMessages
) -> None:
    db.broken = {table_storage.mark_published}
    table = await open_lobby(host.service, ROBIN)
    await host.publisher.close()
    assert [shown.table_id for shown in table_messages.shown] == [table.id]
    assert db.header(table.id).message_id is None
    db.broken = set()
    await host.sweep()
    await host.publisher.close()
    assert db.header(table.id).message_id == table_messages.shown[0].message_id
    assert len(table_messages.asked) == 1


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
