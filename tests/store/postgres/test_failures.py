"""PostgreSQL out of order, and lost connections."""

import asyncio
import os
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from bot.app.databases import migrate
from bot.platform.database import postgres as backend
from bot.platform.database.database import Database
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.database.postgres import ServerWait, make_autocommit_engine
from bot.platform.database.sql import get_value, notes, set_value
from bot.tables import storage as table_storage
from bot.tables.model import TableUpdate
from bot.tables.saving import save_change
from tests.store.postgres.connections import NAME, backend_id, end_session, open_store, over_the_network
from tests.store.samples import ROBIN, add_moves, load_move_texts, make_header, make_move
from tests.support.each_case import each_case
from tests.support.network_ports import reserve_port
from tests.support.postgres import PASSWORD, ROLE, PostgresServer
from tests.support.waiting import DEADLINE_SECONDS, wait_until

pytestmark = pytest.mark.postgres

DISK_FULL = """
CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON moves EXECUTE FUNCTION fill();
"""


DYING_SERVER = """
CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
CREATE TRIGGER dying BEFORE INSERT ON moves EXECUTE FUNCTION die();
"""

WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
CANCEL_WAITS = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
SLEEPING = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND wait_event = 'PgSleep'"


class TestUnavailable:
    @pytest.mark.usefixtures("schema_is_spoilt")
    async def test_a_full_disk_makes_the_store_unavailable(self, db: Database, other: psycopg.Connection[Any]) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        header = await add_moves(db, header, 3)
        other.execute(DISK_FULL)
        after, entry = make_move(header)
        with pytest.raises(StoreUnavailable, match="could not extend"):
            await save_change(db, TableUpdate(after, entry))
        assert len(await load_move_texts(db, header.id)) == 3
        other.execute("DROP TRIGGER full_disk ON moves")
        await save_change(db, TableUpdate(after, entry))
        assert len(await load_move_texts(db, header.id)) == 4

    async def test_a_read_only_database_makes_the_store_unavailable(
        self, db: Database, address: str, altered: Callable[[str], None]
    ) -> None:
        header = await add_moves(db, await db.write(table_storage.open_table, make_header(), [ROBIN]), 1)
        altered("SET default_transaction_read_only = on")
        after, entry = make_move(header)
        async with open_store(address) as readonly:
            with pytest.raises(StoreUnavailable, match="read-only"):
                await save_change(readonly, TableUpdate(after, entry))
            assert len(await load_move_texts(readonly, header.id)) == 1

    async def test_a_server_without_free_connections_makes_the_store_unavailable(
        self, address: str, altered: Callable[[str], None]
    ) -> None:
        altered("CONNECTION LIMIT 0")
        async with open_store(address) as db:
            with pytest.raises(StoreUnavailable, match="too many connections"):
                await migrate(db)

    @pytest.mark.usefixtures("schema_is_spoilt")
    async def test_a_role_without_rights_makes_the_store_unavailable(
        self, empty_address: str, postgres: PostgresServer
    ) -> None:
        with postgres.admin(NAME) as admin:
            admin.execute("ALTER SCHEMA public OWNER TO postgres")
            admin.execute("GRANT USAGE ON SCHEMA public TO PUBLIC")
        async with open_store(empty_address) as db:
            with pytest.raises(StoreUnavailable, match="permission denied"):
                await migrate(db)

    @each_case("password", ["wrong-secret", "half of a secret/:@", PASSWORD[:-1]])
    async def test_a_wrong_password_is_not_in_the_error(self, postgres: PostgresServer, password: str) -> None:
        async with open_store(over_the_network(postgres, password=password)) as db:
            for attempt in (migrate(db), db.read(table_storage.load, 1)):
                with pytest.raises(StoreUnavailable, match="password authentication failed") as refused:
                    await attempt
                said = "".join(traceback.format_exception(refused.value))
                assert password not in said
                assert quote(password, safe="") not in said

    @each_case(
        "url, reason",
        [
            ("postgresql://postgres@/nowhere?host={folder}&port={port}", 'database "nowhere" does not exist'),
            ("postgresql://postgres@/x?host={folder}/nowhere", "No such file"),
            ("postgresql://postgres@/x?host={folder}&port={port}&colour=green", "colour"),
        ],
    )
    async def test_an_unknown_host_database_or_option_makes_the_store_unavailable(
        self, postgres: PostgresServer, url: str, reason: str
    ) -> None:
        async with open_store(url.format(folder=postgres.folder, port=postgres.port)) as db:
            with pytest.raises(StoreUnavailable, match=reason):
                await db.read(table_storage.load, 1)


async def wait_until_commits_wait(db: Database, other: psycopg.Connection[Any]) -> None:
    """Wait until commits wait for a standby: every session may know of it before the server has begun to."""
    while True:
        writing = asyncio.create_task(db.maintain(set_value, "c", "d"))
        await wait_until(partial(_is_done_or_waits, writing, other))
        if not writing.done():
            break
    other.execute(CANCEL_WAITS)
    with pytest.raises(OutcomeUnknown, match="standby"):
        await writing


def _is_done_or_waits(writing: asyncio.Task[None], other: psycopg.Connection[Any]) -> bool:
    return writing.done() or other.execute(WAITING).fetchone() is not None


class TestStandbys:
    """What the servers of a failover do."""

    @pytest.fixture
    def configure(self, postgres: PostgresServer) -> Iterator[Callable[[str], None]]:
        """Changes a setting of the server under its sessions; undone after the test."""
        with postgres.admin() as admin:

            def alter(how: str) -> None:
                admin.execute(f"ALTER SYSTEM {how}".encode())
                admin.execute("SELECT pg_reload_conf()")

            yield alter
            alter("RESET ALL")

    async def test_a_server_that_has_become_read_only_is_left(
        self, db: Database, configure: Callable[[str], None], other: psycopg.Connection[Any]
    ) -> None:
        before = await db.write(backend_id)
        configure("SET default_transaction_read_only = on")
        await wait_until(lambda: other.execute("SHOW default_transaction_read_only").fetchone() == ("on",))
        with pytest.raises(StoreUnavailable, match="read-only"):
            await db.maintain(set_value, "a", "b")
        assert await db.read(backend_id) != before

    async def test_servers_that_are_down_or_do_not_answer_are_passed_over(
        self, db: Database, postgres: PostgresServer
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        with reserve_port() as down, socket.create_server(("127.0.0.1", 0)) as silent:
            hosts = f"127.0.0.1:{down},127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{postgres.port}"
            async with open_store(f"postgresql://{ROLE}:{quote(PASSWORD, safe='')}@{hosts}/{NAME}") as other:
                await add_moves(other, header, 2)
        assert len(await load_move_texts(db, header.id)) == 2

    @pytest.mark.parametrize("is_move", [False, True])
    async def test_a_commit_that_a_standby_may_lack_has_an_unknown_outcome(
        self, db: Database, configure: Callable[[str], None], other: psycopg.Connection[Any], is_move: bool
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        configure("SET synchronous_standby_names = 'nobody'")
        await wait_until_commits_wait(db, other)
        saving = asyncio.create_task(
            save_change(db, TableUpdate(after, entry)) if is_move else db.maintain(set_value, "a", "b")
        )
        await wait_until(lambda: other.execute(CANCEL_WAITS).fetchone() is not None)
        with pytest.raises(OutcomeUnknown, match="standby"):
            await saving

    async def test_a_move_whose_wait_for_the_standby_was_cut_off_is_not_taken_for_saved(
        self, db: Database, configure: Callable[[str], None], other: psycopg.Connection[Any]
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        configure("SET synchronous_standby_names = 'nobody'")
        await wait_until_commits_wait(db, other)
        saving = asyncio.create_task(save_change(db, TableUpdate(after, entry)))
        await wait_until(lambda: other.execute(WAITING).fetchone() is not None)
        (waiting,) = other.execute(WAITING).fetchone() or (0,)
        end_session(other, waiting)
        await wait_until(lambda: other.execute(WAITING).fetchone() not in (None, (waiting,)) or saving.done())
        other.execute(CANCEL_WAITS)
        with pytest.raises(OutcomeUnknown, match="standby"):
            await saving
        assert await load_move_texts(db, header.id) == [entry.text]

    @pytest.mark.parametrize("is_move", [False, True])
    async def test_a_server_that_does_not_answer_is_left(
        self, db: Database, monkeypatch: pytest.MonkeyPatch, is_move: bool
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        frozen = await db.write(backend_id)
        monkeypatch.setattr(backend, "QUEUE_SECONDS", 0.05)
        monkeypatch.setattr(backend, "TRANSACTION_SECONDS", 0.1)
        os.kill(frozen, signal.SIGSTOP)
        try:
            with pytest.raises(OutcomeUnknown, match="does not answer"):
                await (
                    save_change(db, TableUpdate(*make_move(header))) if is_move else db.maintain(set_value, "a", "b")
                )
            monkeypatch.undo()
            # No thread is waiting any more.
            meeting = threading.Barrier(backend.POOL_SIZE)
            writes = (db.write(lambda _: meeting.wait(DEADLINE_SECONDS)) for _ in range(backend.POOL_SIZE))
            await asyncio.gather(*writes)
        finally:
            os.kill(frozen, signal.SIGCONT)


class TestLostConnections:
    async def test_a_restart_of_the_server_causes_no_errors(self, db: Database, postgres: PostgresServer) -> None:
        header = await add_moves(db, await db.write(table_storage.open_table, make_header(), [ROBIN]), 1)
        await asyncio.gather(*(db.read(table_storage.load, header.id) for _ in range(20)))
        for again in (
            lambda: add_moves(db, header, 1),
            lambda: db.write(table_storage.open_table, make_header(8), [ROBIN]),
            lambda: db.read(table_storage.load, header.id),
            lambda: asyncio.gather(*(db.maintain(set_value, f"{n}", "there") for n in range(20))),
        ):
            postgres.stop()
            postgres.start()
            await again()
        assert len(await load_move_texts(db, header.id)) == 2

    async def test_a_stopped_server_makes_the_store_unavailable_until_it_is_back(
        self, db: Database, postgres: PostgresServer
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        postgres.stop()
        try:
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match="connect") as unavailable:
                    await save_change(db, TableUpdate(after, entry))
                assert unavailable.type is StoreUnavailable, "nothing was sent, so the outcome is known"
        finally:
            postgres.start()
        await save_change(db, TableUpdate(after, entry))
        assert await load_move_texts(db, header.id) == [entry.text]

    @pytest.mark.usefixtures("schema_is_spoilt")
    async def test_a_move_whose_server_dies_for_good_has_an_unknown_outcome(
        self, db: Database, other: psycopg.Connection[Any], altered: Callable[[str], None]
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        other.execute(DYING_SERVER)
        altered("CONNECTION LIMIT 0")
        with pytest.raises(OutcomeUnknown, match="too many connections"):
            await save_change(db, TableUpdate(*make_move(header)))

    async def test_a_connection_lost_within_a_transaction_is_retried(
        self, db: Database, other: psycopg.Connection[Any]
    ) -> None:
        attempts = []

        def cut_off_once(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "a", "value": "b"})
            attempts.append(backend_id(connection))
            if len(attempts) == 1:
                end_session(other, attempts[0])
            connection.execute(notes.insert(), {"key": "c", "value": "d"})

        await db.write(cut_off_once)
        assert len(attempts) == 2
        assert [await db.read(get_value, key) for key in "ac"] == ["b", "d"]

    async def test_a_connection_lost_at_the_commit_is_not_retried(
        self, db: Database, other: psycopg.Connection[Any]
    ) -> None:
        attempts = []

        def cut_off_at_the_end(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "a", "value": "b"})
            attempts.append(backend_id(connection))
            end_session(other, attempts[-1])

        with pytest.raises(OutcomeUnknown):
            await db.write(cut_off_at_the_end)
        assert len(attempts) == 1
        assert await db.read(get_value, "a") is None

    async def test_closing_does_not_wait_for_the_setup_of_a_session(
        self, postgres: PostgresServer, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(backend, "CLOSE_SECONDS", 0.05)
        settings = text("SELECT pg_sleep(60), :lock, :statement, :local")
        monkeypatch.setattr("bot.platform.database.postgres.SETTINGS", settings)
        others = {each for each in threading.enumerate() if "postgres" not in each.name}
        async with open_store(address) as db:
            with postgres.admin() as admin:
                opening = asyncio.create_task(db.read(get_value, "a"))
                await wait_until(lambda: admin.execute(SLEEPING, [NAME]).fetchone() is not None)
            await db.close()
            await wait_until(lambda: set(threading.enumerate()) <= others)
            with pytest.raises(StoreUnavailable, match="closed"):
                await opening

    @pytest.mark.parametrize("is_move", [False, True])
    async def test_closing_does_not_wait_for_a_frozen_server(
        self, monkeypatch: pytest.MonkeyPatch, address: str, is_move: bool
    ) -> None:
        monkeypatch.setattr(backend, "CLOSE_SECONDS", 0.05)
        async with open_store(address) as db:
            header = await db.write(table_storage.open_table, make_header(), [ROBIN])
            frozen = await db.write(backend_id)
            others = set(threading.enumerate()) - {each for each in threading.enumerate() if "postgres" in each.name}
            os.kill(frozen, signal.SIGSTOP)
            try:
                hanging = asyncio.create_task(
                    save_change(db, TableUpdate(*make_move(header))) if is_move else db.maintain(set_value, "a", "b")
                )
                await asyncio.sleep(0)
                await db.close()
                await wait_until(lambda: set(threading.enumerate()) <= others)
            finally:
                os.kill(frozen, signal.SIGCONT)
            with pytest.raises(StoreUnavailable, match="closed") as caught:
                await hanging
            assert isinstance(caught.value, OutcomeUnknown) == is_move

    async def test_work_that_waits_for_a_thread_when_the_store_closes_is_never_done(
        self, monkeypatch: pytest.MonkeyPatch, db: Database, address: str
    ) -> None:
        monkeypatch.setattr(backend, "CLOSE_SECONDS", 0.05)
        held = threading.Event()

        def hold(connection: Connection) -> None:
            held.wait(DEADLINE_SECONDS)
            connection.exec_driver_sql("SELECT 1")

        async with open_store(address) as closing:
            holding = [asyncio.create_task(closing.write(hold)) for _ in range(backend.POOL_SIZE)]
            waiting = asyncio.create_task(closing.maintain(set_value, "late", "there"))
            await asyncio.sleep(0)
            await closing.close()
            held.set()
            with pytest.raises(StoreUnavailable, match="closed"):
                await waiting
            await asyncio.gather(*holding, return_exceptions=True)
        assert await db.read(get_value, "late") is None


def test_a_transaction_that_was_given_up_on_opens_no_connection() -> None:
    url = make_url("postgresql://robin@127.0.0.1:1/parlour")
    engine = make_autocommit_engine(url, connections=1, lock_seconds=1, statement_seconds=1)
    wait = ServerWait()
    with pytest.raises(OperationalError):
        wait.run(engine.connect)
    wait.give_up("the database is closed")
    with pytest.raises(StoreUnavailable, match="the database is closed"):
        wait.run(engine.connect)
