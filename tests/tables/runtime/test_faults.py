"""A failure at one table neither stops the others nor is forgotten."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

import bot.platform.jobs.looks
import bot.tables.host
from bot.platform.database.errors import OutcomeUnknown
from bot.platform.places import Location
from bot.tables import storage as table_storage, sweep
from bot.tables.model import Entry, Status, StoredTable, TableId
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, NOON, ROBIN, WREN, FakeClock, make_service, open_lobby, roll, start_game
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until

ELSEWHERE = Location(3, 71)


@pytest.fixture
async def host(db: MemoryDatabase, table_messages: FakeTableMessages) -> AsyncIterator[Host]:
    made = Host(db, GAMES, table_messages, FakeMessageSender(), clock=FakeClock())
    yield made
    db.broken = set()
    await made.close()


def errors_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


async def fail() -> None:
    raise RuntimeError("a fault of ours")


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


async def test_a_table_whose_entries_take_back_too_much_is_held(
    db: MemoryDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    table = await roll(make_service(db), await start_game(make_service(db)))

    def with_undo(record: StoredTable) -> StoredTable:
        (rolled,) = record.entries
        undo = Entry(2, rolled.seat, "!undo", rolled.digest, 1, NOON)
        return replace(record, header=replace(record.header, step=2), entries=(rolled, undo))

    db.tamper(table.id, with_undo)
    assert (await make_service(db).table(table.id)).header.status is Status.HELD
    assert "nothing to take back at step 1" in errors_in(caplog)[0]
    caplog.clear()


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


async def test_background_work_goes_on_after_an_error(
    host: Host, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
    monkeypatch.setattr(bot.tables.host, "SWEEP_SECONDS", 0.01)
    sound, faults = host.sweep, [RuntimeError("a fault of ours")]

    async def sweep() -> None:
        if faults:
            raise faults.pop()
        await sound()

    monkeypatch.setattr(host, "sweep", sweep)
    table = await open_lobby(make_service(db), ROBIN)
    host.start()
    await wait_until(lambda: db.header(table.id).message_id)
    assert errors_in(caplog) == ["a chore failed; it is done again"]
    caplog.clear()


async def test_neither_a_sweep_nor_a_check_that_fails_holds_up_others(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    is_checked = asyncio.Event()

    async def note() -> None:
        is_checked.set()

    monkeypatch.setattr(host, "sweep", fail)
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
    host.each_minute.extend([fail, note])
    host.start()
    await wait_until(is_checked.is_set)
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
