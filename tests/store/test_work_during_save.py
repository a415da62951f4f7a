"""What is got ready while a move is on its way to an SQLite file."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bot.store.sqlite import connection_queue as sqlite_lane
from bot.store.store import SqlStore
from bot.tables.model import Place
from bot.tables.ports import Conflict
from tests.store.samples import ROBIN, load_move_texts, make_header, make_move
from tests.support.timeouts import DEADLINE_SECONDS


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    store = SqlStore(f"sqlite:///{tmp_path / 'parlour.db'}")
    await store.upgrade()
    yield store
    await store.close()


@pytest.fixture
def other_process(store: SqlStore) -> Iterator[sqlite3.Connection]:
    """A connection to the store's file that is none of the store's."""
    with closing(sqlite3.connect(str(store._database.url.database), check_same_thread=False)) as connection:
        yield connection


async def test_a_move_alone_leaves_time_for_something_before_it_is_acknowledged(store: SqlStore) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    done: list[str] = []
    await store.save(header, None, entry, (), lambda: done.append("meanwhile"))
    assert done == ["meanwhile"]


async def test_it_is_called_for_before_the_commit(
    store: SqlStore, other_process: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    seen: list[int] = []
    let_be_done = sqlite_lane._schedule_meanwhile

    def note(work: sqlite_lane.Job) -> None:
        seen.append(other_process.execute("SELECT count(*) FROM moves").fetchone()[0])
        let_be_done(work)

    monkeypatch.setattr(sqlite_lane, "_schedule_meanwhile", note)
    await store.save(header, None, entry, (), lambda: None)
    assert seen == [0]
    assert other_process.execute("SELECT count(*) FROM moves").fetchone() == (1,)


def test_a_move_is_written_though_the_event_loop_has_gone() -> None:
    loop = asyncio.new_event_loop()
    called: list[str] = []
    waiting = sqlite_lane.Job(
        lambda _: None, loop.create_future(), by_driver=True, meanwhile=lambda: called.append("meanwhile")
    )
    loop.close()
    sqlite_lane._schedule_meanwhile(waiting)
    assert called == []


async def test_several_that_share_a_commit_leave_none(store: SqlStore) -> None:
    held, gate = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        held.set()
        gate.wait(DEADLINE_SECONDS)

    moves = [
        make_move(await store.open_table(replace(make_header(), place=Place(1, place)), [ROBIN])) for place in (1, 2)
    ]
    holding = asyncio.create_task(store._database.write(hold))
    await asyncio.to_thread(held.wait, DEADLINE_SECONDS)
    done: list[int] = []
    saves = asyncio.gather(*(store.save(header, None, entry, (), lambda: done.append(1)) for header, entry in moves))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(holding, saves)
    assert done == []


async def test_a_move_in_conflict_gets_nothing_ready(store: SqlStore) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    done: list[str] = []
    with pytest.raises(Conflict):
        await store.save(replace(header, revision=9), None, entry, (), lambda: done.append("meanwhile"))
    assert done == []


async def test_a_fault_of_what_is_done_meanwhile_is_none_of_the_move(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, entry = make_move(await store.open_table(make_header(), [ROBIN]))
    told: list[object] = []
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "call_exception_handler", told.append)

    def fail() -> None:
        raise RuntimeError("meanwhile")

    await store.save(header, None, entry, (), fail)
    assert len(await load_move_texts(store, header.id)) == 1
    assert len(told) == 1
