"""What holds for PostgreSQL: its sessions, and what is said when the server is out of order."""

import asyncio
import os
import signal
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import Connection, event

from bot.store import store as statements
from bot.store.postgres import database as backend
from bot.store.postgres.atomic_move import save_move
from bot.store.schema import notes
from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Place, PublishedRevision, StoredTable
from bot.tables.ports import Conflict, OutcomeUnknown, StoreUnavailable
from tests.store.samples import ROBIN, add_moves, load_move_texts, make_header, make_move
from tests.support.postgres import PASSWORD, ROLE, PostgresServer
from tests.support.timeouts import DEADLINE_SECONDS
from tests.support.waiting import wait_until

pytestmark = pytest.mark.postgres

NAME = "parlour"
DISK_FULL = """
CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON moves EXECUTE FUNCTION fill();
"""


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    return postgres.empty_database(NAME)


@pytest.fixture
def other(postgres: PostgresServer, store: SqlStore) -> Iterator[psycopg.Connection[Any]]:  # noqa: ARG001 - its tables
    """Another session on the store's database, where everything is allowed."""
    with postgres.admin(NAME) as connection:
        yield connection


@pytest.fixture
def altered(postgres: PostgresServer, address: str) -> Iterator[Callable[[str], None]]:  # noqa: ARG001 - must exist
    """Changes how the server treats the database; undone after the test."""
    with postgres.admin() as admin:

        def alter(how: str) -> None:
            admin.execute(f"ALTER DATABASE {NAME} {how}")

        yield alter
        alter("RESET ALL")
        alter("CONNECTION LIMIT -1")


@asynccontextmanager
async def connect_error(address: str) -> AsyncIterator[SqlStore]:
    store = SqlStore(address)
    try:
        yield store
    finally:
        await store.close()


def setting(connection: Connection, name: str) -> str:
    return str(connection.exec_driver_sql(f"SHOW {name}").scalar_one())


def backend_id(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


def end_session(admin: psycopg.Connection[Any], process: int) -> None:
    assert admin.execute("SELECT pg_terminate_backend(%s, 5000)", [process]).fetchone() == (True,)


def is_blocking(connection: psycopg.Connection[Any]) -> bool:
    """Tell whether another session waits for a lock that this one holds."""
    waiting = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return connection.execute(waiting).fetchone() is not None


def over_the_network(server: PostgresServer, *, password: str = PASSWORD, port: int | None = None) -> str:
    return f"postgresql+asyncpg://{ROLE}:{quote(password, safe='')}@127.0.0.1:{port or server.port}/{NAME}"


class TestSessions:
    async def test_writes_are_on_disk_once_acknowledged(self, address: str, altered: Callable[[str], None]) -> None:
        altered("SET synchronous_commit = off")
        async with connect_error(address) as store:
            assert await store.database.write(setting, "synchronous_commit") == "on"

    async def test_a_stronger_guarantee_of_the_server_is_kept(
        self, address: str, altered: Callable[[str], None]
    ) -> None:
        altered("SET synchronous_commit = remote_apply")
        async with connect_error(address) as store:
            assert await store.database.write(setting, "synchronous_commit") == "remote_apply"

    async def test_statements_and_locks_have_time_limits(self, store: SqlStore) -> None:
        assert await store.database.write(setting, "lock_timeout") == "2s"
        assert await store.database.write(setting, "statement_timeout") == "5s"
        assert await store.database.write(setting, "idle_in_transaction_session_timeout") == "5s"

    async def test_the_address_may_set_server_options(self, address: str) -> None:
        async with connect_error(f"{address}&application_name=the_second") as store:
            assert await store.database.read(setting, "application_name") == "the_second"

    async def test_a_password_is_accepted_over_the_network(self, store: SqlStore, postgres: PostgresServer) -> None:
        await store.set_value("a", "b")
        async with connect_error(over_the_network(postgres)) as networked:
            assert await networked.get_value("a") == "b"

    async def test_writers_work_concurrently(self, store: SqlStore) -> None:
        meeting = threading.Barrier(2)
        await asyncio.gather(*(store.database.write(lambda _: meeting.wait(DEADLINE_SECONDS)) for _ in range(2)))


async def test_rows_are_locked_in_one_order(store: SqlStore) -> None:
    """Two processes that lock the same rows crosswise would wait for each other."""
    database, locked = store.database, list[list[int]]()
    assert isinstance(database, backend.PostgresDatabase)
    ids = [
        (await store.open_table(replace(make_header(), place=Place(1, channel)), [ROBIN])).id for channel in (1, 2, 3)
    ]

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.startswith("UPDATE tables"):
            locked.append([each["table_id"] for each in parameters])

    event.listen(database.write_engine, "before_cursor_execute", note)
    await store.mark_published([PublishedRevision(table_id, 1, 70) for table_id in (ids[1], ids[2], ids[0])])
    assert locked == [sorted(ids)]


class TestMoves:
    """A move is one statement, and its own transaction."""

    async def test_a_move_makes_one_round_trip(self, store: SqlStore) -> None:
        database = store.database
        assert isinstance(database, backend.PostgresDatabase)
        header = await add_moves(store, await store.open_table(make_header(), [ROBIN]), 1)
        sent: list[str] = []
        event.listen(database.autocommit_engine, "before_cursor_execute", lambda *arguments: sent.append(arguments[2]))
        await add_moves(store, header, 3)
        assert len(sent) == 3
        assert len(await load_move_texts(store, header.id)) == 4

    async def test_a_move_whose_answer_was_lost_is_not_made_twice(
        self, monkeypatch: pytest.MonkeyPatch, store: SqlStore, other: psycopg.Connection[Any]
    ) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        after, entry = make_move(header)
        attempts = []

        def lost_once(connection: Connection, header: Header, entry: Entry) -> None:
            attempts.append(backend_id(connection))
            save_move(connection, header, entry)
            if len(attempts) == 1:
                end_session(other, attempts[0])
                backend_id(connection)

        monkeypatch.setattr(statements, "save_move", lost_once)
        await store.save(after, None, entry)
        assert len(attempts) == 2
        assert await load_move_texts(store, header.id) == [entry.text]
        assert await store.load(header.id) == StoredTable(after, (ROBIN,), (entry,))

    async def test_a_click_made_by_another_process_conflicts(self, store: SqlStore) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        after, entry = make_move(header)
        await store.save(after, None, entry)
        with pytest.raises(Conflict):
            await store.save(after, None, replace(entry, at=entry.at + timedelta(microseconds=1)))
        assert await load_move_texts(store, header.id) == [entry.text]


class TestLocks:
    async def test_a_held_lock_times_out(
        self, monkeypatch: pytest.MonkeyPatch, address: str, other: psycopg.Connection[Any]
    ) -> None:
        monkeypatch.setattr(backend, "LOCK_SECONDS", 0.05)
        async with connect_error(address) as store:
            header = await store.open_table(make_header(), [ROBIN])
            after, entry = make_move(header)
            with other.transaction():
                other.execute("SELECT * FROM tables FOR UPDATE")
                with pytest.raises(StoreUnavailable, match="lock timeout"):
                    await store.save(after, None, entry)
            assert await load_move_texts(store, header.id) == []
            await store.save(after, None, entry)
            assert await load_move_texts(store, header.id) == [entry.text]

    async def test_a_released_lock_lets_the_waiter_go_on(self, store: SqlStore, other: psycopg.Connection[Any]) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        after, entry = make_move(header)
        with other.transaction():
            other.execute("SELECT * FROM tables FOR UPDATE")
            write = asyncio.create_task(store.save(after, None, entry))
            await wait_until(lambda: is_blocking(other))
            assert not write.done()
        await write

    async def test_migrations_hold_an_exclusive_lock(
        self, monkeypatch: pytest.MonkeyPatch, address: str, postgres: PostgresServer
    ) -> None:
        async with connect_error(address) as store:
            with postgres.admin(NAME) as migrating, migrating.transaction():
                migrating.execute("SELECT pg_advisory_xact_lock(%s)", [backend.MIGRATION_LOCK_ID])
                with monkeypatch.context() as patch:
                    patch.setattr(backend, "MIGRATION_LOCK_SECONDS", 0.05)
                    with pytest.raises(StoreUnavailable, match="lock timeout"):
                        await store.upgrade()
                upgrade = asyncio.create_task(store.upgrade())
                await wait_until(lambda: is_blocking(migrating))
                assert not upgrade.done()
            await upgrade
            assert await store.find_open(7) is None

    async def test_an_idle_transaction_is_cut_off(
        self, monkeypatch: pytest.MonkeyPatch, address: str, store: SqlStore
    ) -> None:
        monkeypatch.setattr(backend, "STATEMENT_SECONDS", 0.1)
        header = await store.open_table(make_header(), [ROBIN])
        after, entry = make_move(header)
        asleep, woken = threading.Event(), threading.Event()

        def sleepily(connection: Connection) -> None:
            connection.exec_driver_sql("SELECT * FROM tables FOR UPDATE")
            asleep.set()
            woken.wait(DEADLINE_SECONDS)

        async with connect_error(address) as sleeper:
            sleeping = asyncio.create_task(sleeper.database.write(sleepily))
            await asyncio.to_thread(asleep.wait, DEADLINE_SECONDS)
            await store.save(after, None, entry)
            woken.set()
            with pytest.raises(StoreUnavailable):
                await sleeping


class TestOutOfOrder:
    async def test_a_full_disk_makes_the_store_unavailable(
        self, store: SqlStore, other: psycopg.Connection[Any]
    ) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        header = await add_moves(store, header, 3)
        other.execute(DISK_FULL)
        after, entry = make_move(header)
        with pytest.raises(StoreUnavailable, match="could not extend"):
            await store.save(after, None, entry)
        assert len(await load_move_texts(store, header.id)) == 3
        other.execute("DROP TRIGGER full_disk ON moves")
        await store.save(after, None, entry)
        assert len(await load_move_texts(store, header.id)) == 4

    async def test_a_read_only_database_makes_the_store_unavailable(
        self, store: SqlStore, address: str, altered: Callable[[str], None]
    ) -> None:
        header = await add_moves(store, await store.open_table(make_header(), [ROBIN]), 1)
        altered("SET default_transaction_read_only = on")
        after, entry = make_move(header)
        async with connect_error(address) as readonly:
            with pytest.raises(StoreUnavailable, match="read-only"):
                await readonly.save(after, None, entry)
            assert len(await load_move_texts(readonly, header.id)) == 1

    async def test_a_server_without_free_connections_makes_the_store_unavailable(
        self, address: str, altered: Callable[[str], None]
    ) -> None:
        altered("CONNECTION LIMIT 0")
        async with connect_error(address) as store:
            with pytest.raises(StoreUnavailable, match="too many connections"):
                await store.upgrade()

    async def test_a_role_without_rights_makes_the_store_unavailable(
        self, address: str, postgres: PostgresServer
    ) -> None:
        with postgres.admin(NAME) as admin:
            admin.execute("ALTER SCHEMA public OWNER TO postgres")
            admin.execute("GRANT USAGE ON SCHEMA public TO PUBLIC")
        async with connect_error(address) as store:
            with pytest.raises(StoreUnavailable, match="permission denied"):
                await store.upgrade()

    async def test_foreign_tables_make_the_store_unavailable(
        self, store: SqlStore, other: psycopg.Connection[Any]
    ) -> None:
        other.execute(f"REVOKE ALL ON tables FROM {ROLE}; ALTER TABLE tables OWNER TO postgres")
        with pytest.raises(StoreUnavailable, match="permission denied"):
            await store.load(1)

    @pytest.mark.parametrize("password", ["wrong-secret", "half of a secret/:@", PASSWORD[:-1]])
    async def test_a_wrong_password_is_not_in_the_error(self, postgres: PostgresServer, password: str) -> None:
        async with connect_error(over_the_network(postgres, password=password)) as store:
            for attempt in (store.upgrade(), store.load(1)):
                with pytest.raises(StoreUnavailable, match="password authentication failed") as refused:
                    await attempt
                said = "".join(traceback.format_exception(refused.value))
                assert password not in said
                assert quote(password, safe="") not in said

    async def test_an_unknown_host_or_database_makes_the_store_unavailable(self, postgres: PostgresServer) -> None:
        async with connect_error(
            f"postgresql://postgres@/nowhere?host={postgres.folder}&port={postgres.port}"
        ) as store:
            with pytest.raises(StoreUnavailable, match='database "nowhere" does not exist'):
                await store.load(1)
        async with connect_error(f"postgresql://postgres@/x?host={postgres.folder / 'nowhere'}") as store:
            with pytest.raises(StoreUnavailable, match="No such file"):
                await store.load(1)

    async def test_an_unknown_option_makes_the_store_unavailable(self, address: str) -> None:
        async with connect_error(f"{address}&colour=green") as store:
            with pytest.raises(StoreUnavailable, match="colour"):
                await store.load(1)


class TestLostConnections:
    async def test_a_restart_of_the_server_causes_no_errors(self, store: SqlStore, postgres: PostgresServer) -> None:
        header = await add_moves(store, await store.open_table(make_header(), [ROBIN]), 1)
        await asyncio.gather(*(store.load(header.id) for _ in range(20)))
        for again in (
            lambda: add_moves(store, header, 1),
            lambda: store.open_table(make_header(8), [ROBIN]),
            lambda: store.load(header.id),
            lambda: asyncio.gather(*(store.set_value(f"{n}", "there") for n in range(20))),
        ):
            postgres.stop()
            postgres.start()
            await again()
        assert len(await load_move_texts(store, header.id)) == 2

    async def test_a_stopped_server_makes_the_store_unavailable_until_it_is_back(
        self, store: SqlStore, postgres: PostgresServer
    ) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        after, entry = make_move(header)
        postgres.stop()
        try:
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match="connect"):
                    await store.save(after, None, entry)
        finally:
            postgres.start()
        await store.save(after, None, entry)
        assert await load_move_texts(store, header.id) == [entry.text]

    async def test_a_move_interrupted_by_a_stopping_server_has_an_unknown_outcome(
        self, store: SqlStore, other: psycopg.Connection[Any], altered: Callable[[str], None]
    ) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        after, entry = make_move(header)

        def go_away(connection: Connection) -> None:
            altered("CONNECTION LIMIT 0")
            end_session(other, backend_id(connection))
            save_move(connection, after, entry)

        with pytest.raises(OutcomeUnknown, match="too many connections"):
            async with store.database.committing(go_away, go_away):
                pytest.fail("nothing is on its way")

    async def test_a_connection_lost_within_a_transaction_is_retried(
        self, store: SqlStore, other: psycopg.Connection[Any]
    ) -> None:
        attempts = []

        def cut_off_once(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "a", "value": "b"})
            attempts.append(backend_id(connection))
            if len(attempts) == 1:
                end_session(other, attempts[0])
            connection.execute(notes.insert(), {"key": "c", "value": "d"})

        await store.database.write(cut_off_once)
        assert len(attempts) == 2
        assert [await store.get_value(key) for key in "ac"] == ["b", "d"]

    async def test_a_connection_lost_at_the_commit_is_not_retried(
        self, store: SqlStore, other: psycopg.Connection[Any]
    ) -> None:
        attempts = []

        def cut_off_at_the_end(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "a", "value": "b"})
            attempts.append(backend_id(connection))
            end_session(other, attempts[-1])

        with pytest.raises(OutcomeUnknown):
            await store.database.write(cut_off_at_the_end)
        assert len(attempts) == 1
        assert await store.get_value("a") is None

    async def test_closing_does_not_wait_for_a_frozen_server(
        self, monkeypatch: pytest.MonkeyPatch, address: str
    ) -> None:
        monkeypatch.setattr(backend, "CLOSE_SECONDS", 0.05)
        async with connect_error(address) as store:
            await store.upgrade()
            frozen = await store.database.write(backend_id)
            others = set(threading.enumerate()) - {each for each in threading.enumerate() if "postgres" in each.name}
            os.kill(frozen, signal.SIGSTOP)
            try:
                hanging = asyncio.create_task(store.set_value("a", "b"))
                await asyncio.sleep(0)
                await store.close()
                await wait_until(lambda: set(threading.enumerate()) <= others)
            finally:
                os.kill(frozen, signal.SIGCONT)
            with pytest.raises(StoreUnavailable, match="closed"):
                await hanging
