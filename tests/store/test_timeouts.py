"""Waiting for a database has limits, and the outcome of a write is reported only if it is certain."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine

from bot.platform.database import postgres, sqlite as sqlite_lane
from bot.platform.database.database import Database, open_database
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.database.sql import get_value, set_value
from bot.platform.database.sqlite import DriverConnection, connect
from bot.tables import storage as table_storage
from bot.tables.model import TableUpdate
from bot.tables.saving import save_change
from tests.store.samples import Connect, make_header, make_move
from tests.support.databases import SqliteFiles
from tests.support.waiting import DEADLINE_SECONDS

ENDLESS_QUERY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
BACKENDS = (postgres, sqlite_lane)


class HeldTransaction:
    """A transaction that takes as long as the test wants."""

    def __init__(self) -> None:
        self.begun, self.gate = threading.Event(), threading.Event()

    def __call__(self, connection: Connection) -> None:
        connection.exec_driver_sql("SELECT 1")
        self.begun.set()
        self.gate.wait(DEADLINE_SECONDS)


@contextmanager
def shorten_timeout(name: str, seconds: float = 0.05) -> Iterator[None]:
    """Let one of the waits be over soon."""
    with pytest.MonkeyPatch.context() as patch:
        for backend in BACKENDS:
            patch.setattr(backend, name, seconds)
        yield


@pytest.fixture
def hold() -> Iterator[HeldTransaction]:
    held = HeldTransaction()
    yield held
    held.gate.set()


class TestOnEveryDatabase:
    async def test_work_that_waited_too_long_is_never_done(self, db: Database, hold: HeldTransaction) -> None:
        holding = [asyncio.create_task(db.write(hold)) for _ in range(postgres.POOL_SIZE)]
        await asyncio.to_thread(hold.begun.wait, DEADLINE_SECONDS)
        with shorten_timeout("QUEUE_SECONDS", 0):
            late = asyncio.create_task(db.maintain(set_value, "late", "there"))
            for _ in range(3):
                await asyncio.sleep(0)  # its time is over
        hold.gate.set()
        with pytest.raises(StoreUnavailable, match="waiting") as caught:
            await late
        assert not isinstance(caught.value, OutcomeUnknown)
        await asyncio.gather(*holding)
        assert await db.read(get_value, "late") is None

    async def test_a_write_that_was_given_up_on_has_an_unknown_outcome(
        self, db: Database, connect: Connect, hold: HeldTransaction
    ) -> None:
        def slowly(connection: Connection) -> None:
            hold(connection)
            connection.exec_driver_sql("INSERT INTO notes (key, value) VALUES ('slow', 'there')")

        # What takes too long is the transaction, and not connecting.
        assert await db.read(get_value, "slow") is None
        with shorten_timeout("TRANSACTION_SECONDS"), pytest.raises(OutcomeUnknown, match="does not answer"):
            await db.write(slowly)
        hold.gate.set()
        await db.close()
        # PostgreSQL's connection is cut off, so that the thread is free for others.
        is_undone = isinstance(db, postgres.PostgresDatabase)
        assert await (await connect()).read(get_value, "slow") == (None if is_undone else "there")

    async def test_a_read_that_is_not_answered_has_a_known_outcome(self, db: Database, hold: HeldTransaction) -> None:
        with shorten_timeout("TRANSACTION_SECONDS"), pytest.raises(StoreUnavailable, match="does not answer") as caught:
            await db.read(hold)
        assert not isinstance(caught.value, OutcomeUnknown)


class TestPostgres:
    @pytest.fixture
    async def db(self, connect: Connect) -> Database:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(postgres, "STATEMENT_SECONDS", 0.05)
            patch.setattr(postgres, "LOCK_SECONDS", 0.05)
            db = await connect()
        if not isinstance(db, postgres.PostgresDatabase):
            pytest.skip("holds for PostgreSQL alone")
        return db

    async def test_a_slow_statement_is_ended(self, db: Database) -> None:
        with pytest.raises(StoreUnavailable, match="statement timeout") as caught:
            await db.write(lambda connection: connection.exec_driver_sql("SELECT pg_sleep(10)"))
        assert not isinstance(caught.value, OutcomeUnknown)

    async def test_waiting_for_a_connection_has_a_limit(self, db: Database) -> None:
        database = db
        assert isinstance(database, postgres.PostgresDatabase)
        taken = [database.write_engine.connect() for _ in range(postgres.POOL_SIZE)]
        try:
            with pytest.raises(StoreUnavailable, match="no connection is free"):
                await db.read(get_value, "a")
        finally:
            for each in taken:
                each.close()

    async def test_a_migration_without_an_answer_is_cut_off(
        self, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun, cut_off, limits = threading.Event(), threading.Event(), list[asyncio.Timeout]()

        def hang(connection: Connection) -> None:
            begun.set()
            try:
                connection.exec_driver_sql("SELECT pg_sleep(60)")
            finally:
                cut_off.set()

        def limit(_seconds: float) -> asyncio.Timeout:
            limits.append(asyncio.Timeout(None))
            return limits[-1]

        monkeypatch.setattr(asyncio, "timeout", limit)
        migrating = asyncio.create_task(db.run_exclusively(hang))
        assert await asyncio.to_thread(begun.wait, DEADLINE_SECONDS)
        limits[0].reschedule(0)
        with pytest.raises(OutcomeUnknown, match="does not answer"):
            await migrating
        assert await asyncio.to_thread(cut_off.wait, DEADLINE_SECONDS)


class TestSqlite:
    @pytest.fixture
    async def db(self, tmp_path: Path) -> AsyncIterator[Database]:
        db = open_database(SqliteFiles(tmp_path).migrated())
        yield db
        await db.close()

    async def test_slow_work_is_interrupted_and_leaves_nothing(self, db: Database) -> None:
        def work(connection: Connection) -> None:
            connection.exec_driver_sql("INSERT INTO notes (key, value) VALUES ('half', 'there')")
            connection.exec_driver_sql(ENDLESS_QUERY).scalar_one()

        with shorten_timeout("STATEMENT_SECONDS"), pytest.raises(StoreUnavailable, match="interrupted") as caught:
            await db.write(work)
        assert not isinstance(caught.value, OutcomeUnknown)
        with shorten_timeout("STATEMENT_SECONDS"), pytest.raises(StoreUnavailable, match="interrupted"):
            await db.read(lambda connection: connection.exec_driver_sql(ENDLESS_QUERY).scalar_one())
        await db.maintain(set_value, "whole", "there")
        assert [await db.read(get_value, key) for key in ("half", "whole")] == [None, "there"]

    async def test_work_queued_behind_a_frozen_disk_fails_undone(self, db: Database, hold: HeldTransaction) -> None:
        with shorten_timeout("TRANSACTION_SECONDS"):
            stuck = asyncio.create_task(db.write(hold))
            await asyncio.to_thread(hold.begun.wait, DEADLINE_SECONDS)
            with shorten_timeout("QUEUE_SECONDS"), pytest.raises(StoreUnavailable, match="waiting") as caught:
                await db.maintain(set_value, "behind", "there")
            assert not isinstance(caught.value, OutcomeUnknown)
            with pytest.raises(OutcomeUnknown):
                await stuck
        hold.gate.set()
        await db.maintain(set_value, "later", "there")
        assert [await db.read(get_value, key) for key in ("behind", "later")] == [None, "there"]

    async def test_a_file_that_does_not_open_times_out(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hold: HeldTransaction
    ) -> None:
        def slowly(engine: Engine) -> Connection:
            hold.gate.wait(DEADLINE_SECONDS)
            return connect(engine)

        db = open_database(SqliteFiles(tmp_path).migrated())
        monkeypatch.setattr(sqlite_lane, "connect", slowly)
        with shorten_timeout("QUEUE_SECONDS"), pytest.raises(StoreUnavailable, match="waiting"):
            await db.maintain(set_value, "a", "b")
        hold.gate.set()
        assert await db.read(get_value, "a") is None
        await db.maintain(set_value, "c", "d")
        await db.close()

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            (sqlite3.SQLITE_IOERR_FSYNC, OutcomeUnknown),
            (sqlite3.SQLITE_FULL, StoreUnavailable),
            (sqlite3.SQLITE_BUSY, StoreUnavailable),
        ],
    )
    async def test_only_a_disk_error_at_the_commit_leaves_an_unknown_outcome(
        self, db: Database, monkeypatch: pytest.MonkeyPatch, code: int, expected: type[Exception]
    ) -> None:
        """With a full disk, SQLite has rolled the transaction back."""

        def fail(_: DriverConnection) -> None:
            fault = sqlite3.OperationalError("it failed")
            fault.sqlite_errorcode = code
            raise fault

        after, entry = make_move(await db.write(table_storage.open_table, make_header(), []))
        with monkeypatch.context() as patch:
            patch.setattr(DriverConnection, "commit", fail, raising=False)
            with pytest.raises(StoreUnavailable, match="it failed") as alone:
                await db.write(lambda _: None)
            with pytest.raises(StoreUnavailable, match="it failed") as together:
                await save_change(db, TableUpdate(after, entry))
        assert [alone.type, together.type] == [expected] * 2
        await db.maintain(set_value, "a", "b")
        assert await db.read(get_value, "a") == "b"

    async def test_closing_does_not_wait_for_a_frozen_disk(self, db: Database, hold: HeldTransaction) -> None:
        stuck = asyncio.create_task(db.write(hold))
        await asyncio.to_thread(hold.begun.wait, DEADLINE_SECONDS)
        with shorten_timeout("CLOSE_SECONDS"):
            await db.close()
        assert not stuck.done()
        hold.gate.set()
        await stuck

    async def test_a_slow_migration_is_interrupted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bot.platform.database.sqlite.MIGRATION_TIMEOUT_SECONDS", 0.05)
        db = open_database(f"sqlite:///{tmp_path / 'migrated.db'}")
        with pytest.raises(StoreUnavailable, match="interrupted"):
            await db.run_exclusively(lambda connection: connection.exec_driver_sql(ENDLESS_QUERY).scalar_one())
        with closing(sqlite3.connect(tmp_path / "migrated.db")) as other_process:
            other_process.execute("BEGIN IMMEDIATE")
        await db.close()
