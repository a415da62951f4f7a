"""Every database that can't be used ends in a sentence of its own that says why, and what to do."""

import asyncio
import errno
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from psycopg import sql

from bot.app.databases import migrate
from bot.platform.database import migrate as migrating
from bot.platform.database.database import open_database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import get_value, set_value
from tests.commands.run_command import run_command, run_forked
from tests.support.databases import create_schema
from tests.support.each_case import each_case
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.slow

SQLITE = "sqlite+aiosqlite:///"
BEGIN = "The database named by DATABASE_URL can't be used: "
TOKEN = "MTIz.GhIjKl.abcdefghijklmnopqrstuvwxyz0"


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A migrated file that DATABASE_URL names."""
    create_schema(file := tmp_path / "parlour.sqlite3")
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{file}")
    return file


def fail(*arguments: str) -> str:
    """Run a command that fails with one sentence about the database, and return what follows its beginning."""
    ended = run_command(*arguments)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.count("\n") == 1
    assert ended.err.startswith(BEGIN)
    return ended.err.removeprefix(BEGIN)


def execute(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_newer_schema_names_both_versions(file: Path) -> None:
    execute(file, "UPDATE alembic_version SET version_num = '9999'")
    before = file.read_bytes()
    said = fail("database", "upgrade")
    newest = max((migrating.MIGRATIONS / "versions").glob("[0-9]*.py")).name[:4]
    versions = f"(its schema is 9999, and this one knows {newest})"
    assert said.startswith(f"it was written by a newer version of Parlour {versions}. Start the newer version")
    assert file.read_bytes() == before
    started = run_forked("run", DISCORD_TOKEN=TOKEN, DATABASE_URL=f"{SQLITE}{file}")
    assert started.err.splitlines()[-1] == f"{BEGIN}{said}".rstrip()
    for command in ("stats", "announce soon", "database ratings", "database import other"):
        assert fail(*command.split()) == said
    checked = run_forked("check", DATABASE_URL=f"{SQLITE}{file}")
    assert (checked.code, checked.err) == (1, f"Problem: {BEGIN}{said}")


def test_the_tables_of_another_program_are_left_alone(file: Path) -> None:
    execute(file, "UPDATE alembic_version SET version_num = 'd3adb33f'")
    assert fail("database", "upgrade").startswith("it belongs to another program, whose schema is d3adb33f. Give")
    execute(file, "DROP TABLE alembic_version")
    assert fail("database", "upgrade").startswith("it has tables that Parlour did not make, such as alive. Give")


@pytest.fixture
def broken_migration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Adds a migration that executes a line."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrating.MIGRATIONS, folder)
    monkeypatch.setattr(migrating, "MIGRATIONS", folder)
    newest = max((folder / "versions").glob("[0-9]*.py")).name[:4]

    def add(line: str) -> None:
        text = f"import sqlalchemy as sa\nfrom alembic import op\nrevision = '9000'\ndown_revision = '{newest}'\n"
        (folder / "versions" / "9000_broken.py").write_text(f"{text}def upgrade() -> None:\n    {line}\n")

    return add


@each_case(
    "line, reason",
    [
        ("op.create_table('tables', sa.Column('id', sa.Integer))", "table tables already exists"),
        (
            "op.execute(\"INSERT INTO notes VALUES ('a', 'b'), ('a', 'secret')\")",
            "UNIQUE constraint failed: notes.key",
        ),
        ("{}['secret']", "KeyError"),
    ],
)
def test_a_migration_that_fails_is_named_and_changes_nothing(
    file: Path, broken_migration: Callable[[str], None], line: str, reason: str
) -> None:
    broken_migration(f"op.drop_table('moves'); {line}")
    said = fail("database", "upgrade")
    assert said.startswith("its upgrade from schema 00")
    assert f" has failed: {reason}. Nothing was changed, so the previous version of Parlour still works with it" in said
    assert "secret" not in said
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (0,)


def write_words(file: Path) -> None:
    file.write_bytes(b"only words " * 1000)


def damage(file: Path) -> None:
    with file.open("r+b") as pages:
        pages.seek(4096)
        pages.write(b"x" * (file.stat().st_size - 4096))


def empty(file: Path) -> None:
    file.write_bytes(b"")


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@each_case(
    "spoil, command, reason",
    [
        (
            write_words,
            "database upgrade",
            "file is not a database. The file is not an SQLite database, or its header",
        ),
        (write_words, "stats", "file is not a database. The file is not an SQLite database"),
        (
            damage,
            "database upgrade",
            "database disk image is malformed. The database is damaged: stop the bot",
        ),
        (damage, "stats", "database disk image is malformed. The database is damaged"),
        (empty, "stats", "no such table: tables. It lacks the tables of this version of Parlour: check"),
        (Path.unlink, "stats", "there is no file "),
        (Path.unlink, "announce soon", "there is no file "),
        (Path.unlink, "database ratings", "there is no file "),
        (make_folder, "database upgrade", "unable to open database file. "),
    ],
)
def test_a_file_that_cannot_be_used_is_described(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: Callable[[Path], None], command: str, reason: str
) -> None:
    file = tmp_path / "parlour.sqlite3"
    file.unlink(missing_ok=True)
    create_schema(file)
    spoil(file)
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{file}")
    exists = file.exists()
    assert fail(*command.split()).startswith(reason)
    assert file.exists() is exists, "nothing was made"


def test_nothing_but_the_sentence_is_printed() -> None:
    ended = run_forked("stats")
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert ended.err.startswith(f"{BEGIN}there is no file var/parlour.sqlite3. Check the path in DATABASE_URL.")


def test_a_file_that_is_locked_is_described(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.platform.database.sqlite.MIGRATION_LOCK_SECONDS", 0.01)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        assert fail("database", "upgrade").startswith("database is locked. Another program keeps it locked: close what")


def test_a_file_that_cannot_be_written_is_described(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execute(file, "PRAGMA journal_mode=WAL")
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}file:{file}?mode=ro&uri=true")
    said = fail("announce", "soon")
    assert said.startswith("attempt to write a readonly database. The bot may not write there: make the file and its")


async def test_a_full_disk_is_described(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    db = open_database(f"{SQLITE}{file}")
    await db.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count=1"))
    with pytest.raises(StoreUnavailable, match="database or disk is full") as full:
        await db.maintain(set_value, "long", "x" * 100_000)
    assert full.value.advice.startswith("The disk is full: free some space")
    caplog.clear()
    await db.close()


def test_a_path_at_which_no_file_can_be_made_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ok.sqlite3").touch()
    (tmp_path / "closed").mkdir()
    # Root may write everywhere, so it is the test that refuses.
    (tmp_path / "circle").symlink_to("circle")
    monkeypatch.setattr("os.access", lambda path, _mode: Path(path).name != "closed")
    advice = "Check that the path in DATABASE_URL is right, and that its folder belongs to the user"
    closed = f"and the bot may not make one in {tmp_path / 'closed'}"
    for path, reason in (
        ("ok.sqlite3/x.sqlite3", f"{tmp_path / 'ok.sqlite3'} is a file, not a folder"),
        ("ok.sqlite3/new/x.sqlite3", f"{tmp_path / 'ok.sqlite3'} is a file, not a folder"),
        ("circle", f"[Errno {errno.ELOOP}] Too many levels of symbolic links: '{tmp_path / 'circle'}'"),
        ("closed/x.sqlite3", f"there is no file {tmp_path / 'closed/x.sqlite3'}, {closed}"),
        ("closed/new/x.sqlite3", f"there is no file {tmp_path / 'closed/new/x.sqlite3'}, {closed}"),
    ):
        monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{tmp_path / path}")
        assert fail("stats").startswith(f"{reason}. {advice}")


@contextmanager
def made_by_admin(server: PostgresServer, name: str, how: str) -> Iterator[str]:
    """A database that the administrator has made for the bot in a certain way."""
    with server.admin() as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        admin.execute(f"CREATE DATABASE {name} {how}")
        try:
            yield server.address(name)
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.mark.postgres
class TestServer:
    """Databases of PostgreSQL."""

    async def test_what_the_server_refuses_is_described(
        self, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer
    ) -> None:
        address = postgres.empty_database("parlour_refusing")
        network = f"127.0.0.1:{postgres.port}"
        for url, reason, advice in (
            (
                f"postgresql://parlour:wrong@{network}/x",
                "password authentication failed",
                "Check the user and",
            ),
            (f"postgresql://parlour@{network}/x", "no password supplied", "Check the user and"),
            (
                address.replace("/parlour_refusing", "/nowhere"),
                'database "nowhere" does not exist',
                "Create the data",
            ),
            (address.replace("//parlour@", "//nobody@"), 'role "nobody" does not exist', "Create the role,"),
            (
                "postgresql://parlour@127.0.0.1:1/x",
                "Connection refused",
                "Check that the server runs,",
            ),
            ("postgresql://parlour@nowhere.invalid/x", "failed to resolve host", "Check the name of the host"),
        ):
            monkeypatch.setenv("DATABASE_URL", url)
            said = await asyncio.to_thread(fail, "database", "upgrade")
            assert reason in said
            assert said.partition(reason)[2].partition(". ")[2].startswith(advice), said
            assert "wrong" not in said

    async def test_what_the_server_refuses_for_a_while_is_described(
        self, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer
    ) -> None:
        with made_by_admin(postgres, "parlour_busy", "OWNER parlour TEMPLATE template0") as address:
            monkeypatch.setenv("DATABASE_URL", address)
            assert (await asyncio.to_thread(run_command, "database", "upgrade")).code == 0
            with postgres.admin("parlour_busy") as admin:
                admin.execute("BEGIN; LOCK TABLE jobs")
                said = await asyncio.to_thread(fail, "announce", "soon")
                assert "lock timeout. Another session has held a lock for too long" in said
                admin.execute("ROLLBACK; ALTER DATABASE parlour_busy SET default_transaction_read_only = on")
                db = open_database(address)
                with pytest.raises(StoreUnavailable, match="read-only transaction") as refused:
                    await db.maintain(set_value, "key", "value")
                assert refused.value.advice.startswith("The server is read-only: name the primary")
                await db.close()
                admin.execute("ALTER DATABASE parlour_busy CONNECTION LIMIT 0")
                said = await asyncio.to_thread(fail, "stats")
                assert "too many connections" in said
                assert "The server accepts no more connections: raise its max_connections" in said

    async def test_a_role_without_the_right_to_make_tables_is_described(
        self, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer
    ) -> None:
        with made_by_admin(postgres, "parlour_foreign", "OWNER postgres") as address:
            with postgres.admin("parlour_foreign") as admin:
                admin.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            monkeypatch.setenv("DATABASE_URL", address)
            said = await asyncio.to_thread(fail, "database", "upgrade")
            assert said.startswith("permission denied for schema public. The role in DATABASE_URL must own")

    async def test_a_database_in_which_not_every_name_can_be_written_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer
    ) -> None:
        how = "OWNER parlour ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        with made_by_admin(postgres, "parlour_latin", how) as address:
            monkeypatch.setenv("DATABASE_URL", address)
            said = await asyncio.to_thread(fail, "database", "upgrade")
            assert said.startswith("its encoding is LATIN1, which can't hold every name. Make another with")
            ended = await asyncio.to_thread(run_forked, "run", DISCORD_TOKEN=TOKEN, DATABASE_URL=address)
            assert ended.code == 1
            assert ended.err.splitlines()[-1].endswith(f"{BEGIN}{said}".rstrip())

    async def test_names_can_be_written_whatever_encoding_clients_are_told_to_use(
        self, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
        with made_by_admin(postgres, "parlour_clients", "OWNER parlour ENCODING 'UTF8' TEMPLATE template0") as address:
            with postgres.admin() as admin:
                admin.execute("ALTER DATABASE parlour_clients SET client_encoding = 'LATIN1'")
            db = open_database(address)
            await migrate(db)
            await db.maintain(set_value, "name", "Łukasz \N{GAME DIE}")
            assert await db.read(get_value, "name") == "Łukasz \N{GAME DIE}"
            await db.close()

    async def test_a_migration_that_fails_is_named(
        self, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer, broken_migration: Callable[[str], None]
    ) -> None:
        monkeypatch.setenv("DATABASE_URL", postgres.empty_database("parlour_broken"))
        broken_migration("op.execute(\"INSERT INTO notes VALUES ('a', 'b'), ('a', 'secret')\")")
        said = await asyncio.to_thread(fail, "database", "upgrade")
        reason = 'duplicate key value violates unique constraint "notes_pkey"'
        assert said.startswith(f"its upgrade from schema none has failed: {reason}. Nothing was changed")
