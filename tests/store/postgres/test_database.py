"""Sessions, moves and locks on PostgreSQL."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, event

from bot.app.databases import migrate
from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.model import Invitation
from bot.platform.database import postgres as backend
from bot.platform.database.database import LOCK_SECONDS, Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import get_value, set_value
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import Entry, Header, OpeningLimits, PublishedRevision, StoredTable, TableUpdate
from bot.tables.saving import save_change
from tests.store.postgres.connections import NAME, backend_id, end_session, open_store, over_the_network
from tests.store.samples import NOON, ROBIN, add_moves, load_move_texts, make_header, make_move
from tests.support.each_case import each_case
from tests.support.postgres import PostgresServer
from tests.support.waiting import DEADLINE_SECONDS, wait_until

pytestmark = pytest.mark.postgres


def setting(connection: Connection, name: str) -> str:
    return str(connection.exec_driver_sql(f"SHOW {name}").scalar_one())


def is_blocking(connection: psycopg.Connection[Any]) -> bool:
    """Tell whether another session waits for a lock that this one holds."""
    waiting = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return connection.execute(waiting).fetchone() is not None


class TestSessions:
    @each_case("of_server, of_store", [("off", "on"), ("remote_apply", "remote_apply")])
    async def test_writes_are_on_disk_once_acknowledged_or_more_if_the_server_guarantees_more(
        self, address: str, altered: Callable[[str], None], of_server: str, of_store: str
    ) -> None:
        altered(f"SET synchronous_commit = {of_server}")
        async with open_store(address) as db:
            assert await db.write(setting, "synchronous_commit") == of_store

    async def test_statements_and_locks_have_time_limits_and_sessions_a_name(self, db: Database) -> None:
        names = "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "application_name"
        of_transactions = f"{DEADLINE_SECONDS:g}s"
        expected = [f"{LOCK_SECONDS:g}s", of_transactions, of_transactions, "parlour"]
        assert [await db.write(setting, name) for name in names] == expected

    async def test_the_address_may_set_server_options(self, address: str) -> None:
        async with open_store(f"{address}&application_name=the_second") as db:
            assert await db.read(setting, "application_name") == "the_second"

    async def test_a_password_is_accepted_over_the_network(self, db: Database, postgres: PostgresServer) -> None:
        await db.maintain(set_value, "a", "b")
        async with open_store(over_the_network(postgres)) as networked:
            assert await networked.read(get_value, "a") == "b"

    async def test_writers_work_concurrently(self, db: Database) -> None:
        meeting = threading.Barrier(2)
        await asyncio.gather(*(db.write(lambda _: meeting.wait(DEADLINE_SECONDS)) for _ in range(2)))


async def test_rows_are_locked_in_one_order(db: Database) -> None:
    """Two processes that lock the same rows crosswise would wait for each other."""
    database, locked = db, list[list[int]]()
    assert isinstance(database, backend.PostgresDatabase)
    ids = [
        (await db.write(table_storage.open_table, replace(make_header(), location=Location(1, channel)), [ROBIN])).id
        for channel in (1, 2, 3)
    ]

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.startswith("UPDATE tables"):
            locked.append([each["table_id"] for each in parameters])

    event.listen(database.write_engine, "before_cursor_execute", note)
    await db.maintain(
        table_storage.mark_published, [PublishedRevision(table_id, 1, 70) for table_id in (ids[1], ids[2], ids[0])]
    )
    assert locked == [sorted(ids)]


class TestMoves:
    async def test_a_move_is_one_statement_in_one_round_trip(self, db: Database, tmp_path: Path) -> None:
        # So often that psycopg prepares the statement.
        header = await add_moves(db, await db.write(table_storage.open_table, make_header(), [ROBIN]), 7)
        # Whatever runs alone gets the same connection.
        driver = await db.write(lambda connection: connection.connection.driver_connection)
        assert isinstance(driver, psycopg.Connection)
        with (tmp_path / "trace").open("w") as trace:
            driver.pgconn.trace(trace.fileno())
            await add_moves(db, header, 1)
            driver.pgconn.untrace()
        messages = [line.split("\t") for line in (tmp_path / "trace").read_text().splitlines()]
        assert [kind for _, origin, _, kind, *_ in messages if origin == "F"] == ["Bind", "Describe", "Execute", "Sync"]

    async def test_a_move_whose_answer_was_lost_is_not_made_twice(
        self, db: Database, other: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        attempts, save_move = list[int](), table_storage.save_move

        def lose_first_answer(connection: Connection, header: Header, entry: Entry) -> None:
            save_move(connection, header, entry)
            attempts.append(backend_id(connection))
            if len(attempts) == 1:
                end_session(other, attempts[0])
                connection.exec_driver_sql("SELECT 1")

        monkeypatch.setattr(table_storage, "save_move", lose_first_answer)
        await save_change(db, TableUpdate(after, entry))
        assert len(attempts) == 2
        assert await db.read(table_storage.load, header.id) == StoredTable(after, (ROBIN,), (entry,))


class TestLocks:
    async def test_a_held_lock_times_out_and_a_released_one_lets_the_waiter_go_on(
        self, monkeypatch: pytest.MonkeyPatch, address: str, other: psycopg.Connection[Any]
    ) -> None:
        monkeypatch.setattr(backend, "LOCK_SECONDS", 0.05)
        async with open_store(address) as db:
            header = await db.write(table_storage.open_table, make_header(), [ROBIN])
            after, entry = make_move(header)
            with other.transaction():
                other.execute("SELECT * FROM tables FOR UPDATE")
                with pytest.raises(StoreUnavailable, match="lock timeout"):
                    await save_change(db, TableUpdate(after, entry))
            assert await load_move_texts(db, header.id) == []
            monkeypatch.undo()
        async with open_store(address) as db:
            with other.transaction():
                other.execute("SELECT * FROM tables FOR UPDATE")
                write = asyncio.create_task(save_change(db, TableUpdate(after, entry)))
                await wait_until(lambda: is_blocking(other))
                assert not write.done()
            await write
            assert await load_move_texts(db, header.id) == [entry.text]

    @pytest.mark.parametrize("is_invitation", [False, True], ids=["opening", "inviting"])
    async def test_one_person_is_limited_over_all_processes(
        self, db: Database, other: psycopg.Connection[Any], is_invitation: bool
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        with other.transaction():
            other.execute("SELECT pg_advisory_xact_lock(%s)", [header.opener_id])
            invitation = Invitation(header.id, header.location.channel_id, header.opener_id, 13, 5, 4, noted_at=NOON)
            limited = asyncio.create_task(
                db.write(invitation_storage.add, invitation, NOON, 1)
                if is_invitation
                else db.write(table_storage.open_table, make_header(8), [], OpeningLimits(2))
            )
            await wait_until(lambda: is_blocking(other))
        await limited

    async def test_migrations_hold_an_exclusive_lock(
        self, monkeypatch: pytest.MonkeyPatch, empty_address: str, postgres: PostgresServer
    ) -> None:
        async with open_store(empty_address) as db:
            with postgres.admin(NAME) as migrating, migrating.transaction():
                migrating.execute("SELECT pg_advisory_xact_lock(%s)", [backend.MIGRATION_LOCK_ID])
                with monkeypatch.context() as patch:
                    patch.setattr(backend, "MIGRATION_LOCK_SECONDS", 0.05)
                    with pytest.raises(StoreUnavailable, match="lock timeout"):
                        await migrate(db)
                upgrade = asyncio.create_task(migrate(db))
                await wait_until(lambda: is_blocking(migrating))
                assert not upgrade.done()
            await upgrade
            assert await db.read(table_storage.find_open, 7) is None

    async def test_an_idle_transaction_is_cut_off(
        self, monkeypatch: pytest.MonkeyPatch, address: str, db: Database
    ) -> None:
        monkeypatch.setattr(backend, "STATEMENT_SECONDS", 0.1)
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        asleep, woken = threading.Event(), threading.Event()

        def sleepily(connection: Connection) -> None:
            connection.exec_driver_sql("SELECT * FROM tables FOR UPDATE")
            asleep.set()
            woken.wait(DEADLINE_SECONDS)

        async with open_store(address) as sleeper:
            sleeping = asyncio.create_task(sleeper.write(sleepily))
            await asyncio.to_thread(asleep.wait, DEADLINE_SECONDS)
            await save_change(db, TableUpdate(after, entry))
            woken.set()
            with pytest.raises(StoreUnavailable):
                await sleeping
