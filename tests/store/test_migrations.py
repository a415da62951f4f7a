"""Migrations to the current schema."""

import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from types import ModuleType
from unittest.mock import Mock

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import ClauseElement, Connection, Executable, create_engine, inspect, make_url, text
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.app import schema, store as statements
from bot.app.store import SqlStore
from bot.features.blocks import storage as blocks
from bot.features.invitations import storage as invitations
from bot.features.profiles.model import PersonFilter
from bot.features.reminders import storage as reminders
from bot.features.results import storage as archive
from bot.features.settings import storage as preferences
from bot.platform.database import migrate
from bot.platform.database.urls import parse_database_url
from bot.tables import open_tables as opening, writing
from bot.tables.model import Status, TableUpdate
from bot.tables.ports import StoreUnavailable
from tests.store.samples import (
    IN_NEPAL,
    NOON,
    ROBIN,
    Connect,
    add_moves,
    load_header,
    make_header,
    make_move,
    start_script,
)
from tests.support.databases import Databases
from tests.support.sample_results import make_result

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
async def store(migrated: str) -> AsyncIterator[SqlStore]:
    """A store over that copy."""
    made = SqlStore(migrated)
    yield made
    await made.close()


@pytest.fixture
async def upgraded(connect: Connect) -> SqlStore:
    """A store that has upgraded a database of its own, whose version a test may change: copies are used again."""
    made = await connect()
    await made.upgrade()
    return made


@contextmanager
def open_connection(address: str) -> Iterator[Connection]:
    """A connection that is none of a store's."""
    engine = create_engine(parse_database_url(address), poolclass=NullPool)
    with engine.begin() as connection:
        yield connection


def statements_of(module: ModuleType) -> list[ClauseElement]:
    """The statements that a module has built, those in its tuples and dictionaries included."""
    found = [value for name, value in vars(module).items() if not name.startswith("__")]
    for value in found:
        if isinstance(value, dict):
            found.extend(value.values())
        elif isinstance(value, tuple):
            found.extend(value)
    return [part for part in found if isinstance(part, ClauseElement) and isinstance(part, Executable)]


def describe_schema(address: str) -> dict[str, str]:
    """What the database says it holds, without Alembic's own table and without layout."""
    with open_connection(address) as connection:
        rows = connection.exec_driver_sql(DESCRIPTIONS[connection.dialect.name])
        return {name: re.sub(r"\s+", "", text) for name, text in rows if not name.startswith("alembic")}


async def test_migrations_create_what_the_code_expects(store: SqlStore) -> None:
    def differences(connection: Connection) -> list[object]:
        # The next test compares the indexes: Alembic can't read descending ones of SQLite.
        options = {"compare_type": True, "include_object": lambda _, __, kind, *___: kind != "index"}
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, schema.metadata))

    assert await store.database.read(differences) == []


def test_migrations_create_exactly_the_schema_of_the_code(migrated: str, address: str) -> None:
    with open_connection(address) as connection:
        schema.metadata.create_all(connection)
    found = describe_schema(migrated)
    assert found == describe_schema(address)
    named = {name.split(".")[0] for name in found}
    assert named >= {
        "tables", "seats", "moves", "results", "notes", "reminders", "preferences",
        "tables_open", "tables_in", "tables_unshown", "tables_awaiting", "tables_awaited", "tables_linked",
        "tables_opened",
        "results_alone", "results_of_people", "results_of_tables", "boards_of", "totals_by_wins", "totals_of_people",
        "invitations", "invitations_by", "invitations_standing", "invitation_refusals",
    }  # fmt: skip


def test_the_index_of_open_tables_covers_every_open_status() -> None:
    named = re.findall(r"'(\w+)'", str(schema.IS_OPEN))
    assert {Status(name) for name in named} == {status for status in Status if status.is_open}


async def test_migrations_are_part_of_the_transaction(connect: Connect) -> None:
    def migrate_in_vain(connection: Connection) -> None:
        migrate.run_migrations(connection)
        raise ZeroDivisionError

    store = await connect()
    with pytest.raises(ZeroDivisionError):
        await store.database.run_exclusively(migrate_in_vain)
    assert await store.database.run_exclusively(lambda connection: inspect(connection).get_table_names()) == []


async def test_a_table_of_another_program_makes_the_store_unavailable(new_address: NewAddress) -> None:
    store = SqlStore(new_address())
    await store.database.run_exclusively(lambda connection: connection.execute(text("CREATE TABLE tables (id INT)")))
    with pytest.raises(StoreUnavailable, match="has tables that Parlour did not make, such as tables"):
        await store.upgrade()
    await store.close()


async def test_migrating_twice_is_harmless(store: SqlStore, migrated: str) -> None:
    header = await store.open_table(make_header(), [ROBIN])
    await add_moves(store, header, 2)
    before = await store.load(header.id)
    await store.upgrade()
    again = SqlStore(migrated)
    await again.upgrade()
    assert await again.load(header.id) == before
    await again.close()


async def test_a_current_schema_is_recognised_without_alembic(
    upgraded: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Mock()
    monkeypatch.setattr("bot.platform.database.migrate.run_migrations", run)
    await upgraded.upgrade()
    run.assert_not_called()
    older = text("UPDATE alembic_version SET version_num = '0039'")
    await upgraded.database.run_exclusively(lambda connection: connection.execute(older))
    await upgraded.upgrade()
    run.assert_called_once()


async def test_processes_that_start_simultaneously_all_succeed(new_address: NewAddress) -> None:
    """Three rounds: a race that one round may miss."""
    addresses = [new_address() for _ in range(3)]
    processes = [await start_script("upgrade_databases.py", *addresses) for _ in range(2)]
    for _ in addresses:
        for process in processes:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"go\n")
    assert [(await process.communicate(), process.returncode)[1] for process in processes] == [0, 0]
    for address in addresses:
        assert {"tables_open", "tables_unshown"} <= set(describe_schema(address))


async def test_a_database_of_a_newer_version_is_left_alone(upgraded: SqlStore, address: str) -> None:
    with open_connection(address) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    before = describe_schema(address)
    with pytest.raises(StoreUnavailable, match=r"newer version of Parlour \(its schema is 9999,"):
        await upgraded.upgrade()
    assert describe_schema(address) == before


FIRST_TABLE = text("""
    INSERT INTO tables VALUES (:id, 'magpie', 1, '{}', 3, :id, 0, 11, :seed, 'ab', '2026-03-01 12:00:00.000000',
        :status, 0, :to_move, 1, 1, 70, '2026-03-01 12:01:00.000000')
""")
FIRST_SEATS = (
    "INSERT INTO seats SELECT id, 0, 'Robin', 11, NULL, '501' FROM tables",
    "INSERT INTO seats SELECT id, 1, 'Computer', NULL, 'easy', 'computer' FROM tables",
)


def fill_first_version(connection: Connection) -> None:
    """Write three tables of the first version: only at the first of them a computer player is to move."""
    for number, status, to_move in ((1, "playing", 1), (2, "playing", 0), (3, "finished", 1)):
        connection.execute(FIRST_TABLE, {"id": number, "seed": b"", "status": status, "to_move": to_move})
    for seats in FIRST_SEATS:
        connection.exec_driver_sql(seats)


def downgrade_to_0_1_0(connection: Connection) -> None:
    """Take away what the first migration did not make yet in 0.1.0."""
    for statement in (
        "DROP INDEX tables_open",
        "DROP INDEX tables_in",
        "ALTER TABLE tables DROP COLUMN solo_id",
        "CREATE UNIQUE INDEX tables_open ON tables (channel_id) WHERE status IN ('lobby', 'playing', 'held')",
    ):
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize("is_released", [True, False], ids=["0.1.0", "since"])
async def test_tables_of_an_older_version_are_migrated(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str, *, is_released: bool
) -> None:
    folder = tmp_path / "first migration"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0001" < n[:4] <= "9999"])
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    store = SqlStore(address)
    await store.database.run_exclusively(migrate.run_migrations)
    with open_connection(address) as connection:
        fill_first_version(connection)
        if is_released:
            downgrade_to_0_1_0(connection)
    monkeypatch.undo()
    await store.upgrade()
    headers = [await load_header(store, number) for number in (1, 2, 3)]
    assert [header.awaits_computer for header in headers] == [True, False, False]
    assert all(header.awaited_since == header.updated_at for header in headers)
    assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == [1]
    assert {"solo_id" in describe_schema(address)[index] for index in ("tables_open", "tables_in")} == {True}
    after, entry = make_move(headers[1])
    await store.save(TableUpdate(after, entry, results=[make_result(2)]))
    assert (await store.finished_tables(PersonFilter(11, None), 0, 9)).total == 1
    await store.close()


async def test_a_failed_migration_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str) -> None:
    folder = tmp_path / "100% migrations"
    shutil.copytree(migrate.MIGRATIONS, folder)
    head = ScriptDirectory(str(folder)).get_current_head()
    lines = ['"""Stumbles."""', "from alembic import op", 'revision = "9999"', f'down_revision = "{head}"', ""]
    lines += ["def upgrade():", '    op.execute("CREATE TABLE half (a INTEGER)")', '    op.execute("NONSENSE")']
    (folder / "versions" / "9999_stumbles.py").write_text("\n".join(lines))
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    store = SqlStore(address)
    with pytest.raises(StoreUnavailable, match="syntax error"):
        await store.upgrade()
    assert describe_schema(address) == {}
    monkeypatch.undo()
    await store.upgrade()
    assert await store.find_open(7) is None
    await store.close()


def test_times_with_a_zone_are_read_in_utc() -> None:
    there = NOON.astimezone(IN_NEPAL)
    dialect = make_url("postgresql://").get_dialect()()
    moment = schema.UtcDateTime().process_result_value(there, dialect)
    assert moment == NOON
    assert moment.tzinfo is UTC


def test_the_schema_and_queries_compile_for_postgresql() -> None:
    dialect = make_url("postgresql://").get_dialect()()
    for table in schema.metadata.sorted_tables:
        assert str(CreateTable(table).compile(dialect=dialect)).strip().startswith("CREATE TABLE")
        for index in table.indexes:
            is_partial = index.dialect_options["sqlite"]["where"] is not None
            assert (" WHERE " in str(CreateIndex(index).compile(dialect=dialect))) is is_partial
    modules = (statements, opening, writing, archive, blocks, invitations, preferences, reminders)
    queries = [part for module in modules for part in statements_of(module)]
    assert len(queries) > 20
    for query in queries:
        assert str(query.compile(dialect=dialect))
