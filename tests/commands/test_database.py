"""`database` creates or copies the tables, or says why it can't."""

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bot.app.databases import migrate
from bot.platform.database.database import open_database
from bot.tables import storage as table_storage
from tests.commands.run_command import run_command, run_forked
from tests.store.samples import ROBIN, add_moves, make_header
from tests.support.databases import create_schema
from tests.support.each_case import each_case

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


def test_ratings_are_calculated_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    create_schema(tmp_path / "parlour.sqlite3")
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{tmp_path / 'parlour.sqlite3'}")
    ended = run_command("database", "ratings")
    assert (ended.code, ended.out, ended.err) == (0, "Calculated. Finished tables: 0.\n", "")


@pytest.mark.parametrize("is_made", [True, False])
def test_every_command_that_uses_the_database_ends(tmp_path: Path, *, is_made: bool) -> None:
    """A thread of the store that is left would keep the process."""
    create_schema(tmp_path / "other")
    making = ("database upgrade", "database import other", "database restore other", "check") if is_made else ()
    for command in (*making, "database ratings", "stats", "database backup copy", "announce soon"):
        ended = run_forked(*command.split(), DATABASE_URL=f"{SQLITE}{tmp_path / 'parlour.sqlite3'}")
        assert ended.code == (0 if is_made else 1), (command, ended)


class TestBackup:
    """A copy that is sound, of a database that is in use."""

    @pytest.fixture
    def address(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
        address = f"{SQLITE}{tmp_path / 'var' / 'parlour.sqlite3'}"
        monkeypatch.setenv("DATABASE_URL", address)
        return address

    async def test_a_busy_bot_can_be_backed_up(self, address: str, tmp_path: Path) -> None:
        db, file = open_database(address), tmp_path / "copy.sqlite3"
        await migrate(db)
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        backup = asyncio.create_task(asyncio.to_thread(run_command, "database", "backup", str(file)))
        while not backup.done():
            header = await add_moves(db, header, 1)
        assert (await backup).code == 0
        await db.close()
        copy = open_database(f"{SQLITE}{file}")
        record = await copy.read(table_storage.load, header.id)
        assert record is not None
        assert record.header.step == len(record.entries) <= header.step
        await copy.close()

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
        assert stat.S_IMODE((tmp_path / "copy.sqlite3").stat().st_mode) == 0o600

    def test_ctrl_c_leaves_no_file(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        assert run_command("database", "upgrade").code == 0

        def interrupt(_part: Path, _file: Path) -> Path:
            raise KeyboardInterrupt

        monkeypatch.setattr(Path, "replace", interrupt)
        assert run_command("database", "backup", "copy.sqlite3").code == 130
        assert names(tmp_path) == {"var"}

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
        assert "Check that the path in DATABASE_URL is right" in ended.err
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


@each_case("arguments", ["run", "database upgrade", "database import file", "database backup file"])
def test_a_database_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "MTIz.GhIjKl.abcdefghijklmnopqrstuvwxyz0")
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}file::memory:?uri=true")
    ended = run_command(*arguments.split())
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("DATABASE_URL must begin with sqlite+aiosqlite:/// and name a file")
