"""Work done while an SQLite file saves a move."""

import asyncio
import gc
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bot.app.store import SqlStore
from bot.platform.database.sqlite.compiled_move import save_move
from bot.platform.database.sqlite.connection import DriverConnection
from bot.tables.model import Entry, Header, Location, TableUpdate
from bot.tables.ports import Conflict
from tests.store.samples import ROBIN, load_move_texts, make_header, make_move
from tests.support.databases import SqliteFiles
from tests.support.timeouts import DEADLINE_SECONDS


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    store = SqlStore(SqliteFiles(tmp_path).migrated())
    yield store
    await store.close()


@pytest.fixture
def other_process(store: SqlStore) -> Iterator[sqlite3.Connection]:
    """A connection to the store's file that is none of the store's."""
    with closing(sqlite3.connect(str(store.database.url.database), check_same_thread=False)) as connection:
        yield connection


def count_moves(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM moves").fetchone()[0])


async def test_a_single_move_leaves_time_before_its_commit(
    store: SqlStore, other_process: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    gate = threading.Event()

    def commit_later(driver: DriverConnection) -> None:
        gate.wait(DEADLINE_SECONDS)
        sqlite3.Connection.commit(driver)

    monkeypatch.setattr(DriverConnection, "commit", commit_later, raising=False)
    committing = asyncio.get_running_loop().create_future()
    saving = asyncio.create_task(store.save(TableUpdate(header, entry), committing=committing))
    await committing
    assert count_moves(other_process) == 0
    assert not saving.done()
    gate.set()
    await saving
    assert count_moves(other_process) == 1


async def test_moves_that_share_a_commit_leave_no_time(store: SqlStore) -> None:
    held, gate = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        held.set()
        gate.wait(DEADLINE_SECONDS)

    moves = [
        make_move(await store.open_table(replace(make_header(), location=Location(1, channel_id)), [ROBIN]))
        for channel_id in (1, 2)
    ]
    loop = asyncio.get_running_loop()
    committing = [loop.create_future() for _ in moves]
    holding = asyncio.create_task(store.database.write(hold))
    await asyncio.to_thread(held.wait, DEADLINE_SECONDS)
    saves = asyncio.gather(
        *(
            store.save(TableUpdate(header, entry), committing=each)
            for (header, entry), each in zip(moves, committing, strict=True)
        )
    )
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(holding, saves)
    assert [each.done() for each in committing] == [False, False]


async def test_a_conflicting_move_is_never_committed(store: SqlStore) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    committing = asyncio.get_running_loop().create_future()
    with pytest.raises(Conflict):
        await store.save(TableUpdate(replace(header, revision=9), entry), committing=committing)
    assert not committing.done()


async def test_a_caller_that_stops_waiting_leaves_no_unretrieved_error(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    unheard: list[object] = []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_exception_handler", unheard.append)
    held, gate = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        held.set()
        gate.wait(DEADLINE_SECONDS)

    holding = asyncio.create_task(store.database.write(hold))
    await asyncio.to_thread(held.wait, DEADLINE_SECONDS)
    saving = asyncio.create_task(store.save(TableUpdate(replace(header, revision=9), entry)))
    await asyncio.sleep(0)
    saving.cancel()
    gate.set()
    await asyncio.gather(holding, saving, return_exceptions=True)
    del saving
    await store.set_value("a", "b")
    gc.collect()
    assert unheard == []


async def test_a_move_is_committed_even_if_the_event_loop_closes_meanwhile(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(*_: object) -> None:
        monkeypatch.undo()
        raise RuntimeError("Event loop is closed")

    def write(connection: Connection, header: Header, entry: Entry) -> None:
        save_move(connection, header, entry)
        monkeypatch.setattr(loop, "call_soon_threadsafe", close)

    loop = asyncio.get_running_loop()
    after, entry = make_move(await store.open_table(make_header(), []))
    monkeypatch.setattr("bot.platform.database.sqlite.database.save_move", write)
    await store.save(TableUpdate(after, entry), loop.create_future())
    assert await load_move_texts(store, after.id) == [entry.text]
