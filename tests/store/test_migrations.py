"""Migrations to the current schema."""

import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.pool import NullPool

from bot.app.databases import SCHEMA, migrate
from bot.platform.database import migrate as migrating
from bot.platform.database.address import parse_database_url
from bot.platform.database.database import Database, open_database
from bot.platform.database.errors import StoreUnavailable
from bot.tables import schema, storage as table_storage
from bot.tables.model import Status
from tests.store.samples import (
    ROBIN,
    Connect,
    add_moves,
    make_header,
    start_script,
)
from tests.support.databases import Databases

NewAddress = Callable[[], str]

DESCRIPTIONS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'",
    "postgresql": """
        SELECT table_name || '.' || column_name, concat_ws(' ', data_type, is_nullable, column_default, is_identity)
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    """,
}


@pytest.fixture
def address(new_address: NewAddress) -> str:
    """The address of a database without tables."""
    return new_address()


@pytest.fixture
def migrated(databases: Databases) -> str:
    """The address of a copy of a database that was upgraded."""
    return databases.migrated()


@pytest.fixture
async def db(migrated: str) -> AsyncIterator[Database]:
    """A store over that copy."""
    made = open_database(migrated)
    yield made
    await made.close()


@pytest.fixture
async def upgraded(connect: Connect) -> Database:
    """A store that has upgraded a database of its own, whose version a test may change: copies are used again."""
    made = await connect()
    await migrate(made)
    return made


@contextmanager
def open_connection(address: str) -> Iterator[Connection]:
    """A connection that is none of a store's."""
    engine = create_engine(parse_database_url(address), poolclass=NullPool)
    with engine.begin() as connection:
        yield connection


def describe_schema(address: str) -> dict[str, str]:
    """What the database says it holds, without Alembic's own table and without layout."""
    with open_connection(address) as connection:
        rows = connection.exec_driver_sql(DESCRIPTIONS[connection.dialect.name])
        return {name: re.sub(r"\s+", "", text) for name, text in rows if not name.startswith("alembic")}


def test_migrations_create_exactly_the_schema_of_the_code(migrated: str, address: str) -> None:
    with open_connection(address) as connection:
        SCHEMA.create_all(connection)
    assert describe_schema(migrated) == describe_schema(address)


def test_the_index_of_open_tables_covers_every_open_status() -> None:
    named = re.findall(r"'(\w+)'", str(schema.IS_OPEN))
    assert {Status(name) for name in named} == {status for status in Status if status.is_open}


async def test_migrations_are_part_of_the_transaction(connect: Connect) -> None:
    def migrate_in_vain(connection: Connection) -> None:
        migrating.run_migrations(connection)
        raise ZeroDivisionError

    db = await connect()
    with pytest.raises(ZeroDivisionError):
        await db.run_exclusively(migrate_in_vain)
    assert await db.run_exclusively(lambda connection: inspect(connection).get_table_names()) == []


async def test_a_table_of_another_program_makes_the_store_unavailable(new_address: NewAddress) -> None:
    db = open_database(new_address())
    await db.run_exclusively(lambda connection: connection.execute(text("CREATE TABLE tables (id INT)")))
    with pytest.raises(StoreUnavailable, match="has tables that Parlour did not make, such as tables"):
        await migrate(db)
    await db.close()


async def test_a_current_schema_is_recognised_without_alembic(
    upgraded: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Mock()
    monkeypatch.setattr("bot.platform.database.migrate.run_migrations", run)
    await migrate(upgraded)
    run.assert_not_called()


@pytest.mark.slow
async def test_processes_that_start_simultaneously_all_succeed(new_address: NewAddress) -> None:
    address = new_address()
    processes = [await start_script("upgrade_database.py", address) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
    assert [(await process.communicate(), process.returncode)[1] for process in processes] == [0, 0]
    assert {"tables_open", "tables_unshown"} <= set(describe_schema(address))


@pytest.mark.parametrize(
    ("version", "refusal"),
    [
        ("0099_since_0001", None),
        ("0099_since_0098", r"newer version of Parlour \(its schema is 0099, and this one knows 0001\)"),
        ("9999", r"newer version of Parlour \(its schema is 9999,"),
        ("1a2b3c4d5e6f", "belongs to another program, whose schema is 1a2b3c4d5e6f"),
    ],
)
async def test_a_database_of_another_version_is_left_alone(
    upgraded: Database, address: str, version: str, refusal: str | None
) -> None:
    with open_connection(address) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    before = describe_schema(address)
    with nullcontext() if refusal is None else pytest.raises(StoreUnavailable, match=refusal):
        await migrate(upgraded)
    assert describe_schema(address) == before


def add_migration(monkeypatch: pytest.MonkeyPatch, folder: Path, *statements: str) -> None:
    """Let the newest migration be one that executes these statements."""
    shutil.copytree(migrating.MIGRATIONS, folder)
    head = ScriptDirectory(str(folder)).get_current_head()
    assert head == migrating.newest_version(), "files are named by their versions"
    lines = ['"""A later version."""', "from alembic import op", 'revision = "0098_since_0001"']
    lines += [f'down_revision = "{head}"', "", "def upgrade():", *(f"    op.execute({each!r})" for each in statements)]
    (folder / "versions" / "0098_since_0001_later.py").write_text("\n".join(lines))
    monkeypatch.setattr(migrating, "MIGRATIONS", folder)


async def test_a_missing_migration_runs_and_tables_stay(
    upgraded: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    header = await add_moves(upgraded, await upgraded.write(table_storage.open_table, make_header(), [ROBIN]), 2)
    before = await upgraded.read(table_storage.load, header.id)
    add_migration(monkeypatch, tmp_path / "later", "CREATE TABLE later (a INTEGER)")
    await migrate(upgraded)
    assert any(name.startswith("later") for name in describe_schema(address))
    assert await upgraded.read(table_storage.load, header.id) == before


async def test_a_failed_migration_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str) -> None:
    add_migration(monkeypatch, tmp_path / "100% migrations", "CREATE TABLE half (a INTEGER)", "NONSENSE")
    db = open_database(address)
    with pytest.raises(StoreUnavailable, match="syntax error"):
        await migrate(db)
    assert describe_schema(address) == {}
    monkeypatch.undo()
    await migrate(db)
    assert await db.read(table_storage.find_open, 7) is None
    await db.close()
