"""The SQLite file: its setup, and its errors."""

import asyncio
import gc
import sqlite3
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.app.databases import migrate
from bot.platform.database import sqlite
from bot.platform.database.address import parse_database_url
from bot.platform.database.database import Database, open_database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import get_value, notes, set_value
from bot.platform.database.sqlite import (
    BEGIN_READING,
    driver_connection_of,
    enable_wal,
    make_engine,
    transact,
)
from bot.tables import storage as table_storage
from bot.tables.model import TableUpdate
from bot.tables.saving import save_change
from bot.tables.storage import add_seats
from tests.store.samples import ROBIN, Connect, add_moves, load_move_texts, make_header, make_move
from tests.support.databases import create_schema
from tests.support.waiting import DEADLINE_SECONDS, wait_until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "var" / "parlour.db"


@pytest.fixture
def address(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.fixture
async def db(connect: Connect, file: Path) -> Database:
    create_schema(file)
    return await connect()


@pytest.fixture
def other_process(db: Database) -> Iterator[sqlite3.Connection]:
    """A connection to the store's file that is none of the store's."""
    file = str(db.url.database)
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0, check_same_thread=False)) as connection:
        yield connection


def write_text_file(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("something else entirely" * 100)


def make_folder_at_file(file: Path) -> None:
    file.mkdir(parents=True)


def make_file_at_folder(file: Path) -> None:
    file.parent.write_text("")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def pragma(connection: Connection, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


class TestSetUp:
    @pytest.fixture
    async def db(self, connect: Connect) -> Database:
        """A store that has made its file."""
        made = await connect()
        await migrate(made)
        return made

    async def test_the_folder_is_created_and_one_file_is_left_that_only_the_owner_can_read(
        self, db: Database, file: Path
    ) -> None:
        await db.write(table_storage.open_table, make_header(), [ROBIN])
        await db.read(table_storage.load, 1)
        modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
        assert modes == {"parlour.db": 0o600, "parlour.db-wal": 0o600, "parlour.db-shm": 0o600}
        await db.close()
        assert [path.name for path in file.parent.iterdir()] == ["parlour.db"]

    async def test_writes_are_on_disk_once_acknowledged(self, db: Database) -> None:
        assert await db.write(pragma, "journal_mode") == "wal"
        assert await db.write(pragma, "synchronous") == 2
        assert await db.write(pragma, "foreign_keys") == 1

    async def test_a_writer_locks_the_file_from_its_beginning(
        self, db: Database, other_process: sqlite3.Connection
    ) -> None:
        with pytest.raises(StoreUnavailable, match="locked"):
            await db.write(lambda _: other_process.execute("BEGIN IMMEDIATE"))


async def test_nothing_of_a_write_is_kept(db: Database) -> None:
    kept = weakref.ref(await db.write(lambda _: threading.Event()))
    # The thread remembers its last call.
    await db.maintain(set_value, "next", "there")
    await wait_until(lambda: kept() is None)


class TestSharedCommits:
    """What waits for the writer at the same moment is committed together."""

    @pytest.fixture
    async def gate(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[threading.Event]:
        """Keeps the writer busy until it is set, however slow the machine is."""
        for patience in ("QUEUE_SECONDS", "TRANSACTION_SECONDS"):
            monkeypatch.setattr(sqlite, patience, 2 * DEADLINE_SECONDS)
        held, gate = threading.Event(), threading.Event()

        def hold(_: Connection) -> None:
            held.set()
            gate.wait(DEADLINE_SECONDS)

        holding = asyncio.create_task(db.write(hold))
        await asyncio.to_thread(held.wait, DEADLINE_SECONDS)
        yield gate
        gate.set()
        await holding

    @pytest.fixture
    async def statements(self, db: Database) -> list[str]:
        """The statements that the writer executes."""
        seen: list[str] = []
        await db.write(lambda connection: driver_connection_of(connection).set_trace_callback(seen.append))
        seen.clear()
        return seen

    async def test_a_commit_is_shared_by_a_limited_number_of_writes(
        self, db: Database, statements: list[str], gate: threading.Event
    ) -> None:
        keys = [f"{number}" for number in range(sqlite.BATCH_SIZE + 1)]
        writes = asyncio.gather(*(db.maintain(set_value, key, "there") for key in keys))
        await asyncio.sleep(0)
        gate.set()
        await writes
        # The write that held the gate, a full batch, and the one write above the batch size.
        assert statements.count("COMMIT") == 3
        assert {await db.read(get_value, key) for key in keys} == {"there"}

    async def test_no_write_is_acknowledged_before_the_commit(self, db: Database, gate: threading.Event) -> None:
        halfway, go_on = threading.Event(), threading.Event()

        def slowly(_: Connection) -> None:
            halfway.set()
            go_on.wait(DEADLINE_SECONDS)

        first, second = (
            asyncio.create_task(work) for work in (db.maintain(set_value, "first", "there"), db.write(slowly))
        )
        await asyncio.sleep(0)
        gate.set()
        await asyncio.to_thread(halfway.wait, DEADLINE_SECONDS)
        assert await db.read(get_value, "first") is None
        assert not first.done()
        go_on.set()
        await asyncio.gather(first, second)
        assert await db.read(get_value, "first") == "there"

    async def test_a_failing_write_gets_its_own_error_and_does_not_affect_others(
        self, db: Database, gate: threading.Event
    ) -> None:
        def stumble(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "third", "value": "half"})
            raise RuntimeError("stumbled")

        writes = asyncio.gather(
            db.maintain(set_value, "first", "there"),
            db.write(stumble),
            db.maintain(set_value, "second", "there"),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
        gate.set()
        first, stumbled, second = await writes
        assert (first, second) == (None, None)
        assert isinstance(stumbled, RuntimeError)
        assert [await db.read(get_value, key) for key in ("first", "second", "third")] == [
            "there",
            "there",
            None,
        ]

    async def test_a_cancelled_write_is_written_with_the_others(self, db: Database, gate: threading.Event) -> None:
        first, second = (asyncio.create_task(db.maintain(set_value, key, "there")) for key in ("first", "second"))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        gate.set()
        await second
        assert [await db.read(get_value, key) for key in ("first", "second")] == ["there", "there"]

    async def test_an_error_whose_caller_was_cancelled_is_not_reported_as_unhandled(
        self, monkeypatch: pytest.MonkeyPatch, db: Database, gate: threading.Event
    ) -> None:
        unhandled: list[object] = []
        monkeypatch.setattr(asyncio.get_running_loop(), "call_exception_handler", unhandled.append)

        def stumble(_: Connection) -> None:
            raise RuntimeError("stumbled")

        write = asyncio.create_task(db.write(stumble))
        await asyncio.sleep(0)
        write.cancel()
        await asyncio.gather(write, return_exceptions=True)
        del write
        gate.set()
        await db.maintain(set_value, "next", "there")
        gc.collect()
        assert unhandled == []

    async def test_a_write_that_waited_too_long_does_not_affect_others(
        self, monkeypatch: pytest.MonkeyPatch, db: Database, gate: threading.Event
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "QUEUE_SECONDS", -1.0)
            late = asyncio.create_task(db.maintain(set_value, "late", "there"))
            await asyncio.sleep(0)
        in_time = asyncio.create_task(db.maintain(set_value, "in time", "there"))
        await asyncio.sleep(0)
        gate.set()
        await in_time
        with pytest.raises(StoreUnavailable, match="waiting"):
            await late
        assert [await db.read(get_value, key) for key in ("late", "in time")] == [None, "there"]

    async def test_a_broken_file_fails_all_writes_at_once(
        self, monkeypatch: pytest.MonkeyPatch, db: Database, gate: threading.Event
    ) -> None:
        begun: list[Connection] = []

        def counted(connection: Connection, work: Callable[[Connection], object]) -> object:
            begun.append(connection)
            return transact(connection, work)

        def lock_up(connection: Connection) -> None:
            connection.exec_driver_sql("PRAGMA query_only=ON")

        monkeypatch.setattr("bot.platform.database.sqlite.transact", counted)
        writes = asyncio.gather(
            db.write(lock_up),
            *(db.maintain(set_value, key, "there") for key in "abc"),
            return_exceptions=True,
        )
        await asyncio.sleep(0)
        gate.set()
        answers = await writes
        assert {type(answer) for answer in answers} == {StoreUnavailable}
        assert len(begun) == 1
        assert {await db.read(get_value, key) for key in "abc"} == {None}


class TestOutOfOrder:
    async def test_a_held_lock_times_out(
        self, monkeypatch: pytest.MonkeyPatch, address: str, other_process: sqlite3.Connection
    ) -> None:
        monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.05)
        db = open_database(address)
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        other_process.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked") as unavailable:
            await save_change(db, TableUpdate(after, entry))
        assert unavailable.value.__cause__ is not None
        assert await load_move_texts(db, header.id) == []
        other_process.execute("ROLLBACK")
        await save_change(db, TableUpdate(after, entry))
        assert await load_move_texts(db, header.id) == [entry.text]
        await db.close()

    async def test_a_lock_held_during_creation_times_out(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(sqlite, "MIGRATION_LOCK_SECONDS", 0.05)
        with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other_process:
            other_process.execute("BEGIN EXCLUSIVE")
            db = open_database(f"sqlite:///{tmp_path / 'x.db'}")
            with pytest.raises(StoreUnavailable, match="locked"):
                await migrate(db)
            other_process.execute("ROLLBACK")
            await migrate(db)
        await db.close()

    def test_enabling_the_write_ahead_log_is_retried(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        url = parse_database_url(f"sqlite:///{tmp_path / 'x.db'}")
        engine = make_engine(url, begin=BEGIN_READING, pragmas=(), lock_seconds=0)
        with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other_process:
            other_process.execute("BEGIN EXCLUSIVE")
            monkeypatch.setattr(time, "sleep", lambda _: other_process.execute("ROLLBACK"))
            assert enable_wal(engine, time.monotonic() + DEADLINE_SECONDS) == "wal"
        engine.dispose()

    async def test_a_disk_without_shared_memory_is_reported(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(tmp_path)
        db = open_database(f"sqlite:///file:{tmp_path / 'x.db'}?vfs=unix-dotfile&uri=true")
        with pytest.raises(StoreUnavailable, match="local disk"):
            await migrate(db)
        await db.close()
        assert names(tmp_path) <= {"x.db"}, "a URI is no path"

    async def test_a_refused_commit_leaves_no_data_and_no_lock(self, db: Database) -> None:
        attempts: list[Connection] = []

        def sit_at_no_table(connection: Connection) -> None:
            attempts.append(connection)
            connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
            add_seats(connection, 12345, [ROBIN])

        with pytest.raises(IntegrityError, match="FOREIGN KEY"):
            await db.write(sit_at_no_table)
        assert len(attempts) == 1
        await db.maintain(set_value, "a", "b")
        assert await db.read(get_value, "a") == "b"

    async def test_a_full_disk_in_a_savepoint_is_named(self, db: Database) -> None:
        def fill(connection: Connection) -> None:
            with connection.begin_nested():
                connection.execute(notes.insert(), {"key": "a", "value": "b" * 1_000_000})

        await db.write(pragma, "max_page_count=1")
        with pytest.raises(StoreUnavailable, match="full"):
            await db.write(fill)
        await db.write(pragma, "max_page_count=100000")
        await db.maintain(set_value, "a", "b")

    async def test_a_full_disk_makes_the_store_unavailable(self, db: Database) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        header = await add_moves(db, header, 3)
        pages = await db.write(pragma, "page_count")
        await db.write(pragma, f"max_page_count={pages}")
        after, entry = make_move(header, "x" * 20_000)
        with pytest.raises(StoreUnavailable, match="full"):
            await save_change(db, TableUpdate(after, entry))
        assert len(await load_move_texts(db, header.id)) == 3
        await db.write(pragma, "max_page_count=100000")
        await save_change(db, TableUpdate(after, entry))
        assert len(await load_move_texts(db, header.id)) == 4

    async def test_a_read_only_file_makes_the_store_unavailable(self, db: Database, file: Path) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        header = await add_moves(db, header, 1)
        readonly = open_database(f"sqlite:///file:{file}?mode=ro&uri=true")
        after, entry = make_move(header)
        with pytest.raises(StoreUnavailable, match="readonly"):
            await save_change(readonly, TableUpdate(after, entry))
        assert len(await load_move_texts(readonly, header.id)) == 1
        await readonly.close()

    @pytest.mark.parametrize(
        ("spoil", "reason"),
        [
            (write_text_file, "not a database"),
            (make_folder_at_file, "unable to open"),
            (make_file_at_folder, "var"),
        ],
    )
    async def test_a_file_that_is_no_database_makes_the_store_unavailable(
        self, address: str, file: Path, spoil: Callable[[Path], None], reason: str
    ) -> None:
        spoil(file)
        db = open_database(address)
        with pytest.raises(StoreUnavailable, match=reason):
            await migrate(db)
        await db.close()
