"""`database` creates or copies the tables, or says why it can't."""

import asyncio
import errno
import pkgutil
import shlex
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from bot.community.model import PersonFilter
from bot.store.store import SqlStore
from bot.tables.model import Status, TableUpdate
from tests.commands.run_command import run_command, run_forked
from tests.store.samples import ROBIN, WREN, add_moves, load_move_texts, make_header, revise
from tests.support.databases import create_schema
from tests.support.each_case import each_case
from tests.support.postgres import PostgresServer
from tests.support.sample_results import make_result

SQLITE = "sqlite+aiosqlite:///"


def table_names(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_file_is_created_and_a_second_run_is_harmless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "parlour.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{file}")
    for _ in range(2):
        ended = run_command("database", "upgrade")
        assert (ended.code, ended.err) == (0, "")
        assert ended.out == "The database is up to date.\n"
    assert {"tables", "seats", "moves", "notes"} <= table_names(file)


def test_the_default_file_is_created_in_the_current_folder(tmp_path: Path) -> None:
    ended = run_forked("database", "upgrade")
    assert (ended.code, ended.out, ended.err) == (0, "The database is up to date.\n", "")
    assert "moves" in table_names(tmp_path / "var" / "parlour.sqlite3")


def path_inside_file(folder: Path) -> str:
    (folder / "file").write_text("no folder", encoding="utf-8")
    return f"{SQLITE}{folder / 'file' / 'parlour.sqlite3'}"


def make_other_file(folder: Path) -> str:
    file = folder / "parlour.sqlite3"
    file.write_bytes(b"these are only words " * 100)
    return f"{SQLITE}{file}"


def make_folder(folder: Path) -> str:
    return f"{SQLITE}{folder}"


@pytest.mark.parametrize("place", [path_inside_file, make_other_file, make_folder])
def test_an_unusable_path_is_reported_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: object
) -> None:
    assert callable(place)
    monkeypatch.setenv("DATABASE_URL", place(tmp_path))
    ended = run_command("database", "upgrade")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("The database named by DATABASE_URL can't be used: ")
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("url", [f"{SQLITE}file:x?mode=memory&uri=true", f"{SQLITE}x?mode=memory"])
def test_an_address_that_the_store_refuses_is_reported_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    ended = run_command("database", "upgrade")
    assert (ended.code, ended.out) == (1, "")
    assert "file" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_setting_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://robin:very-secret-part@db/x")
    ended = run_command("database", "upgrade")
    assert ended.code == 1
    assert ended.err.startswith("DATABASE_URL must begin with")
    assert "very-secret-part" not in ended.err


def test_ratings_are_calculated_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{tmp_path / 'parlour.sqlite3'}")
    ended = run_command("database", "ratings")
    assert (ended.code, ended.out, ended.err) == (0, "Calculated. Finished tables: 0.\n", "")


class TestBackup:
    """A copy that is sound, of a database that is in use."""

    @pytest.fixture
    def address(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
        address = f"{SQLITE}{tmp_path / 'var' / 'parlour.sqlite3'}"
        monkeypatch.setenv("DATABASE_URL", address)
        return address

    async def test_a_running_bot_can_be_backed_up(self, address: str, tmp_path: Path) -> None:
        store, file = SqlStore(address), tmp_path / "copy.sqlite3"
        await store.upgrade()
        header = await add_moves(store, await store.open_table(make_header(), [ROBIN]), 20)
        ended = await asyncio.to_thread(run_command, "database", "backup", str(file))
        assert (ended.code, ended.out, ended.err) == (0, f"The backup is in {file}.\n", "")
        await add_moves(store, header, 1)
        before = await load_move_texts(store, header.id)
        await store.close()
        assert names(tmp_path) == {"var", "copy.sqlite3"}
        copy = SqlStore(f"{SQLITE}{file}")
        assert await load_move_texts(copy, header.id) == before[:-1]
        await copy.close()

    async def test_a_busy_bot_can_be_backed_up(self, address: str, tmp_path: Path) -> None:
        store, file = SqlStore(address), tmp_path / "copy.sqlite3"
        await store.upgrade()
        header = await store.open_table(make_header(), [ROBIN])
        backup = asyncio.create_task(asyncio.to_thread(run_command, "database", "backup", str(file)))
        while not backup.done():
            header = await add_moves(store, header, 1)
        assert (await backup).code == 0
        await store.close()
        copy = SqlStore(f"{SQLITE}{file}")
        record = await copy.load(header.id)
        assert record is not None
        assert record.header.step == len(record.entries) <= header.step
        await copy.close()

    async def test_a_stopped_bot_can_be_backed_up(self, address: str, tmp_path: Path) -> None:
        store, file = SqlStore(address), tmp_path / "copy.sqlite3"
        await store.upgrade()
        await store.close()
        assert run_command("database", "backup", str(file)).code == 0
        assert {"tables", "moves"} <= table_names(file)
        assert names(tmp_path / "var") == {"parlour.sqlite3"}

    def test_a_partial_copy_never_has_the_final_name(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """If the command is killed at any time, no partial file has the final name."""
        assert run_command("database", "upgrade").code == 0
        replace, sizes = Path.replace, []

        def record_sizes(part: Path, file: Path) -> Path:
            sizes.append((part.stat().st_size > 0, file.stat().st_size))
            return replace(part, file)

        monkeypatch.setattr(Path, "replace", record_sizes)
        assert run_command("database", "backup", "copy.sqlite3").code == 0
        assert sizes == [(True, 0)]
        assert names(tmp_path) == {"var", "copy.sqlite3"}

    def test_ctrl_c_leaves_no_file(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        assert run_command("database", "upgrade").code == 0

        def interrupt(_part: Path, _file: Path) -> Path:
            raise KeyboardInterrupt

        monkeypatch.setattr(Path, "replace", interrupt)
        assert run_command("database", "backup", "copy.sqlite3").code == 130
        assert names(tmp_path) == {"var"}

    def test_only_the_owner_can_read_the_copy(self, tmp_path: Path) -> None:
        assert run_command("database", "upgrade").code == 0
        assert run_command("database", "backup", "copy.sqlite3").code == 0
        assert stat.S_IMODE((tmp_path / "copy.sqlite3").stat().st_mode) == 0o600

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("taken", "taken exists, and backups never overwrite files"),
            ("folder", "folder exists"),
            ("nowhere/copy", "nowhere/copy can't be created, because its folder does not exist"),
            ("taken/copy", "taken/copy can't be created: Not a directory."),
        ],
    )
    def test_a_target_that_cannot_be_created_is_reported(self, tmp_path: Path, name: str, sentence: str) -> None:
        assert run_command("database", "upgrade").code == 0
        (tmp_path / "taken").write_text("precious", encoding="utf-8")
        (tmp_path / "folder").mkdir()
        ended = run_command("database", "backup", name)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith(sentence)
        assert (tmp_path / "taken").read_text(encoding="utf-8") == "precious"

    @pytest.mark.usefixtures("address")
    def test_without_a_database_no_file_is_created(self, tmp_path: Path) -> None:
        ended = run_command("database", "backup", "copy")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith("No backup was made: unable to open database file: ")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.usefixtures("address")
    @pytest.mark.parametrize("offset", [0, 4096])
    def test_a_damaged_database_leaves_nothing_behind(self, tmp_path: Path, offset: int) -> None:
        assert run_command("database", "upgrade").code == 0
        with (tmp_path / "var" / "parlour.sqlite3").open("r+b") as damaged:
            damaged.seek(offset)
            damaged.write(b"spoilt" * 3000)
        ended = run_command("database", "backup", "copy")
        assert ended.code == 1
        assert ended.err.startswith("No backup was made: ")
        assert not (tmp_path / "copy").exists()

    @pytest.mark.parametrize(
        ("servers", "printed"),
        [
            ("db:5433/x?sslmode=require&password=secret", "db:5433/x?sslmode=require"),
            ("a:5433,[::1]/x", "/x?host=a%2C%3A%3A1&port=5433%2C"),
        ],
        ids=["one", "several"],
    )
    def test_postgresql_is_referred_to_its_own_program(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, servers: str, printed: str
    ) -> None:
        monkeypatch.setenv("DATABASE_URL", f"postgresql://robin:secret@{servers}")
        ended = run_command("database", "backup", "my copy")
        assert (ended.code, ended.out) == (1, "")
        command = f"pg_dump --format=custom '--file=my copy' '--dbname=postgresql://robin@{printed}'"
        assert command in ended.err
        assert "secret" not in ended.err
        assert list(tmp_path.iterdir()) == []


@pytest.mark.postgres
async def test_the_suggested_command_for_postgresql_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.empty_database("parlour_backup")
    monkeypatch.setenv("DATABASE_URL", address)
    assert (await asyncio.to_thread(run_command, "database", "upgrade")).code == 0
    store = SqlStore(address)
    header = await add_moves(store, await store.open_table(make_header(), [ROBIN]), 3)
    await store.close()
    said = run_command("database", "backup", "copy").err
    command = shlex.split(said[said.index("pg_dump") : said.index(" (it asks")])
    postgres.run_client(*command, cwd=tmp_path)
    other = postgres.empty_database("parlour_restored")
    restoring = ("--no-owner", "--clean", "--if-exists", f"--dbname={other.replace('+asyncpg', '')}", "copy")
    postgres.run_client("pg_restore", *restoring, cwd=tmp_path)
    restored = SqlStore(other)
    assert await load_move_texts(restored, header.id) == ["roll 1 2 5"] * 3
    await restored.close()


@each_case("arguments", ["run", "database upgrade", "database import file", "database backup file"])
def test_a_database_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
    """The settings don't notice this one, but the store does."""
    monkeypatch.setenv("DISCORD_TOKEN", "MTIz.GhIjKl.abcdefghijklmnopqrstuvwxyz0")
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}file::memory:?uri=true")
    ended = run_command(*arguments.split())
    sentence = "the database must be a file: what is only in memory does not survive a restart"
    assert (ended.code, ended.out, ended.err) == (1, "", f"DATABASE_URL can't be used: {sentence}.\n")


class TestImport:
    """Moving house: from a file to a server, or from a backup to a file."""

    @pytest.fixture
    async def file(self, tmp_path: Path) -> Path:
        """An old database with a finished table and two that are open."""
        file = tmp_path / "old data" / "parlour.sqlite3"
        create_schema(file)
        store = SqlStore(f"{SQLITE}{file}")
        for channel_id in (1, 2, 3):
            await add_moves(store, await store.open_table(make_header(channel_id), [ROBIN, WREN]), 2 * channel_id)
        record = await store.load(1)
        assert record is not None
        await store.save(TableUpdate(revise(record.header, Status.FINISHED), results=[make_result(1)]))
        await store.set_value("told", "yes")
        await store.close()
        return file

    async def test_everything_except_the_notes_is_imported(
        self, monkeypatch: pytest.MonkeyPatch, file: Path, address: str
    ) -> None:
        monkeypatch.setenv("DATABASE_URL", address.replace("sqlite:", "sqlite+aiosqlite:"))
        ended = await asyncio.to_thread(run_command, "database", "import", str(file))
        assert (ended.code, ended.out, ended.err) == (0, "Imported. Tables: 3.\n", "")
        old, new = SqlStore(f"{SQLITE}{file}"), SqlStore(address)
        for table_id in (1, 2, 3):
            assert await new.load(table_id) == await old.load(table_id) is not None
        assert await new.finished_tables(PersonFilter(11, None), 0, 9) == await old.finished_tables(
            PersonFilter(11, None), 0, 9
        )
        assert await new.get_value("told") is None
        assert (await new.open_table(make_header(1), [ROBIN])).id == 4
        for store in (old, new):
            await store.close()

    def test_many_rows_are_written_in_chunks(self, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
        monkeypatch.setattr("bot.store.import_file.ROWS_PER_CHUNK", 5)
        chunks: list[int] = []

        def note(_connection: object, _cursor: object, statement: str, rows: list[object], *_: object) -> None:
            if statement.startswith("INSERT INTO tables"):
                with closing(sqlite3.connect(file)) as other_process, other_process:
                    other_process.execute("DELETE FROM moves")
            if statement.startswith("INSERT INTO moves"):
                chunks.append(len(rows))

        event.listen(Engine, "before_cursor_execute", note)
        try:
            assert run_command("database", "import", str(file)).code == 0
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        assert chunks == [5, 5, 2], "all moves that were there when the import began"
        assert [names(folder) for folder in (file.parent, Path("var"))] == [{"parlour.sqlite3"}] * 2, "all is closed"

    async def test_a_database_with_tables_is_left_alone(
        self, monkeypatch: pytest.MonkeyPatch, file: Path, address: str
    ) -> None:
        monkeypatch.setenv("DATABASE_URL", address.replace("sqlite:", "sqlite+aiosqlite:"))
        store = SqlStore(address)
        await store.upgrade()
        own = await store.open_table(make_header(9), [ROBIN])
        ended = await asyncio.to_thread(run_command, "database", "import", str(file))
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == "Nothing was imported: the database has tables of its own already.\n"
        assert (await store.find_open(9), await store.load(own.id + 1)) == (own.id, None)
        await store.close()

    def test_invalid_sources_are_refused(self, file: Path, tmp_path: Path) -> None:
        (tmp_path / "words").write_text("only words " * 100, encoding="utf-8")
        (tmp_path / "empty").touch()
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = '0000'")
        for name, sentence in (
            ("nowhere", "there is no file nowhere"),
            ("words", "the file can't be read: file is not a database"),
            ("empty", "the file can't be read: no such table: alembic_version"),
            (str(file), "the file was written by another version of Parlour"),
        ):
            ended = run_command("database", "import", name)
            assert (ended.code, ended.out, ended.err) == (1, "", f"Nothing was imported: {sentence}.\n")
        assert names(tmp_path) == {"old data", "var", "words", "empty"}

    def test_an_unusable_database_is_reported_in_a_sentence(
        self, monkeypatch: pytest.MonkeyPatch, file: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "taken").touch()
        monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'taken' / 'parlour.sqlite3'}")
        ended = run_command("database", "import", str(file))
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith("The database named by DATABASE_URL can't be used: ")

    @pytest.mark.parametrize(
        ("part", "fault", "reason"),
        [
            ("sqlite3.dbapi2.connect", sqlite3.OperationalError("unable to open database file"), "unable to open"),
            ("pathlib.Path.is_file", PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
        ],
    )
    def test_an_unreadable_file_is_reported(
        self, monkeypatch: pytest.MonkeyPatch, file: Path, part: str, fault: Exception, reason: str
    ) -> None:
        """The system lets root read everything, so it is the test that refuses, and this file alone."""
        assert run_command("database", "upgrade").code == 0
        real = pkgutil.resolve_name(part)

        def refusing(path: object, *others: Any, **more: Any) -> Any:
            if "old%20data" in str(path) or path == file:
                raise fault
            return real(path, *others, **more)

        monkeypatch.setattr(part, refusing)
        ended = run_command("database", "import", str(file))
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith(f"Nothing was imported: the file can't be read: {reason}")
