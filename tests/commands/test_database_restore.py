"""`database restore` puts a backup in place, whatever is left of the old database."""

import asyncio
import re
import shlex
import shutil
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app.databases import migrate
from bot.platform.database.backup import restore
from bot.platform.database.database import open_database
from bot.tables import storage as table_storage
from tests.commands.run_command import run_command
from tests.store.samples import ROBIN, add_moves, load_move_texts, make_header
from tests.support.databases import create_schema
from tests.support.each_case import each_case

SQLITE = "sqlite+aiosqlite:///"


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where DATABASE_URL has the database."""
    file = tmp_path / "var" / "parlour.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{file}")
    return file


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def leave_killed(file: Path) -> Path:
    """Leave files as a killed bot does, the last moves beside the database; return a backup with two moves."""
    alive, backup = file.parent.parent / "alive.sqlite3", file.parent.parent / "backup.sqlite3"
    create_schema(alive)
    db = open_database(f"{SQLITE}{alive}")
    header = await add_moves(db, await db.write(table_storage.open_table, make_header(), [ROBIN]), 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", f"{SQLITE}{alive}")
        assert (await asyncio.to_thread(run_command, "database", "backup", str(backup))).code == 0
    await add_moves(db, header, 5)
    file.parent.mkdir()
    for suffix in ("", "-wal", "-shm"):
        shutil.copyfile(f"{alive}{suffix}", f"{file}{suffix}")
    await db.close()
    return backup


async def count_moves(file: Path) -> int:
    """Start on a file and count the moves of its table, if there is one."""
    db = open_database(f"{SQLITE}{file}")
    try:
        await migrate(db)
        record = await db.read(table_storage.load, 1)
    finally:
        await db.close()
    return 0 if record is None else len(record.entries)


async def test_what_a_killed_bot_has_left_does_not_undo_a_backup(file: Path) -> None:
    backup = await leave_killed(file)
    ended = await asyncio.to_thread(run_command, "database", "restore", str(backup))
    assert (ended.code, ended.err) == (0, "")
    assert await count_moves(file) == 2
    (kept,) = file.parent.glob("*.before-*")
    assert names(file.parent) == {file.name, kept.name}
    (way_back,) = re.findall(r"python -m bot (database restore \S+)\.", ended.out)
    assert (await asyncio.to_thread(run_command, *shlex.split(way_back))).code == 0
    assert await count_moves(file) == 7, "with what was beside it"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600  # noqa: ASYNC240 - a test's own file


def test_restores_within_a_second_keep_each_database(file: Path) -> None:
    create_schema(backup := file.with_name("backup"))
    create_schema(file)
    kept = list[Path | None]()
    for number in (1, 2, 3):
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(f"PRAGMA user_version = {number}")
        kept.append(restore(f"{SQLITE}{file}", backup, datetime(2026, 10, 1, tzinfo=UTC)))
    for number, path in enumerate(kept, 1):
        assert path is not None
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (number,)


async def test_a_database_that_is_open_is_left_alone(file: Path) -> None:
    backup = await leave_killed(file)
    db = open_database(f"{SQLITE}{file}")
    await load_move_texts(db, 1)
    ended = await asyncio.to_thread(run_command, "database", "restore", str(backup))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Nothing was restored: the bot or another program has {file} open: stop it first.\n"
    await db.close()
    assert names(file.parent) == {file.name}
    assert await count_moves(file) == 7


@each_case("left", [["", "-wal", "-shm"], ["-wal", "-shm"], ["-journal"], []])
async def test_a_damaged_or_missing_database_is_replaced(tmp_path: Path, left: list[str]) -> None:
    folder = tmp_path / f"{len(left)} left{''.join(left)}"
    (file := folder / "var" / "parlour.sqlite3").parent.mkdir(parents=True)
    create_schema(backup := folder / "backup.sqlite3")
    for suffix in left:
        Path(f"{file}{suffix}").write_bytes(b"damaged" * 1000)  # noqa: ASYNC240 - the same
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", f"{SQLITE}{file}")
        ended = await asyncio.to_thread(run_command, "database", "restore", str(backup))
    assert (ended.code, ended.err) == (0, "")
    assert (ended.out == "Restored.\n") is ("" not in left)
    assert await count_moves(file) == 0
    assert not any(Path(f"{file}{suffix}").exists() for suffix in ("-wal", "-shm", "-journal"))  # noqa: ASYNC240
    assert any(name.endswith("-wal") for name in names(file.parent)) is (left == ["-wal", "-shm"]), "kept, as evidence"


async def test_a_copy_with_its_newest_moves_beside_it_is_restored_whole(file: Path, tmp_path: Path) -> None:
    await leave_killed(copied := tmp_path / "copied" / "parlour.sqlite3")
    ended = await asyncio.to_thread(run_command, "database", "restore", str(copied))
    assert (ended.code, ended.out) == (0, "Restored.\n")
    assert await count_moves(file) == 7
    assert names(copied.parent) == {f"parlour.sqlite3{suffix}" for suffix in ("", "-wal", "-shm")}, "it is not changed"


@each_case("target_exists", [True, False])
async def test_where_a_link_leads_a_backup_is_restored(tmp_path: Path, target_exists: bool) -> None:
    folder = tmp_path / str(target_exists)
    await leave_killed(copied := folder / "copied" / "parlour.sqlite3")
    (disk := folder / "disk").mkdir()
    link, real = folder / "parlour.sqlite3", disk / "real.sqlite3"
    link.symlink_to(real)
    (link_to_copied := folder / "backup").symlink_to(copied)
    if target_exists:
        create_schema(real)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", f"{SQLITE}{link}")
        ended = await asyncio.to_thread(run_command, "database", "restore", str(link_to_copied))
    assert (ended.code, ended.err) == (0, "")
    assert link.readlink() == real
    assert await count_moves(real) == 7
    kept = list(disk.glob("*.before-*"))
    assert len(kept) == target_exists
    assert all(str(file) in ended.out and not file.is_symlink() for file in kept)


def test_what_is_no_backup_is_refused(file: Path, tmp_path: Path) -> None:
    create_schema(file)
    before = file.read_bytes()
    (tmp_path / "words").write_text("only words " * 100)
    (tmp_path / "empty").touch()
    damaged = bytearray(before)
    damaged[4096:] = b"x" * (len(damaged) - 4096)
    (tmp_path / "damaged").write_bytes(damaged)
    create_schema(newer := tmp_path / "newer")
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    create_schema(unversioned := tmp_path / "unversioned")
    with closing(sqlite3.connect(unversioned)) as connection, connection:
        connection.execute("DELETE FROM alembic_version")
    with closing(sqlite3.connect(tmp_path / "tableless")) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    for name, sentence in (
        ("nowhere", "there is no file nowhere."),
        ("words", "the backup can't be read: file is not a database."),
        ("empty", "the file is not a Parlour database."),
        ("unversioned", "the file is not a Parlour database."),
        ("tableless", "the file is not a Parlour database."),
        ("damaged", "the backup "),
        ("newer", "it was written by a newer version of Parlour "),
        (str(file), f"{file} is the database itself."),
    ):
        ended = run_command("database", "restore", name)
        assert (ended.code, ended.out) == (1, ""), name
        assert ended.err.startswith(f"Nothing was restored: {sentence}")
        assert file.read_bytes() == before
        assert names(file.parent) == {file.name}


def test_a_database_that_links_to_itself_is_not_replaced(file: Path, tmp_path: Path) -> None:
    create_schema(backup := tmp_path / "backup")
    file.parent.mkdir()
    file.symlink_to(file)
    ended = run_command("database", "restore", str(backup))
    said = f"Nothing was restored: {file} can't be read or written: Too many levels of symbolic links.\n"
    assert (ended.code, ended.err) == (1, said)


def test_postgresql_is_referred_to_its_own_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://robin:secret@db/x")
    ended = run_command("database", "restore", "dump")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("PostgreSQL restores its own backups: make a new database,")
    assert "secret" not in ended.err
