"""`database import` moves between files and servers, in both directions."""

import asyncio
import errno
import pkgutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, select

from bot.app.databases import FROM_STARTS, migrate
from bot.features.blocks import storage as block_storage
from bot.features.blocks.storage import Block
from bot.features.challenges import storage as challenge_storage
from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.model import Erasure
from bot.features.privacy.service import ERASURE
from bot.features.results import storage as result_storage
from bot.features.results.model import PersonFilter
from bot.features.tournaments import storage as tournament_storage
from bot.features.tournaments.model import Format, Tournament
from bot.platform.database.backup import ScheduledBackups
from bot.platform.database.database import Database, open_database
from bot.platform.database.sql import get_value, set_value
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job, jobs
from bot.platform.places import Person
from bot.tables import storage as table_storage
from bot.tables.kinds import Cadence, Edition, SharedSeed
from bot.tables.model import Status, TableUpdate
from tests.commands.run_command import CommandResult, run_command
from tests.store.samples import NOON, ROBIN, WREN, add_moves, make_header, revise
from tests.support.databases import create_schema
from tests.support.ended_tables import save_end
from tests.support.fakes import HERE
from tests.support.parlour import run_parlour, run_sandbox
from tests.support.sample_results import make_result
from tests.support.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.slow

SQLITE = "sqlite+aiosqlite:///"
WRONG_ADDRESS = (
    "the database's address must look like sqlite+aiosqlite:///var/parlour.sqlite3 or "
    "postgresql://user:password@host/database"
)
IN_USE = "the database is in use already (it has {}). Make a new one, name it in DATABASE_URL, and import into that."


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def kinds_of_jobs(db: Database) -> set[str]:
    return await db.read(lambda connection: set(connection.execute(select(jobs.c.kind)).scalars()))


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """An old database with a finished table and two that are open."""
    file = tmp_path / "old data" / "parlour.sqlite3"
    create_schema(file)
    db = open_database(f"{SQLITE}{file}")
    for channel_id in (1, 2, 3):
        await add_moves(
            db, await db.write(table_storage.open_table, make_header(channel_id), [ROBIN, WREN]), 2 * channel_id
        )
    record = await db.read(table_storage.load, 1)
    assert record is not None
    await save_end(db, TableUpdate(revise(record.header, Status.FINISHED)), [make_result(1)])
    for key in ("told", "commands of 1 in every server"):
        await db.maintain(set_value, key, "yes")
    await db.close()
    return file


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch, address: str) -> str:
    """The database that DATABASE_URL names."""
    monkeypatch.setenv("DATABASE_URL", address.replace("sqlite:", "sqlite+aiosqlite:"))
    return address


async def import_from(source: Path | str) -> CommandResult:
    return await asyncio.to_thread(run_command, "database", "import", str(source))


async def test_everything_except_what_was_registered_with_discord_is_imported_there_and_back(
    monkeypatch: pytest.MonkeyPatch, file: Path, target: str, tmp_path: Path
) -> None:
    ended = await import_from(file)
    assert (ended.code, ended.out, ended.err) == (0, "Imported. Tables: 3.\n", "")
    monkeypatch.setenv("DATABASE_URL", back := f"{SQLITE}{tmp_path / 'back.sqlite3'}")
    ended = await import_from(target)
    assert (ended.code, ended.out, ended.err) == (0, "Imported. Tables: 3.\n", "")
    old = open_database(f"{SQLITE}{file}")
    for address in (target, back):
        new = open_database(address)
        for table_id in (1, 2, 3):
            assert await new.read(table_storage.load, table_id) == await old.read(table_storage.load, table_id)
        assert await new.read(result_storage.played_tables, PersonFilter(11, None), 0, 9) == await old.read(
            result_storage.played_tables, PersonFilter(11, None), 0, 9
        )
        assert await new.read(get_value, "told") == "yes"
        assert await new.read(get_value, "commands of 1 in every server") is None
        assert (await new.write(table_storage.open_table, make_header(1), [ROBIN])).id == 4
        await new.close()
    await old.close()


async def test_a_tournament_after_an_import_has_a_number_of_its_own(file: Path, target: str) -> None:
    cup = Tournament(0, "Cup", "magpie", "{}", HERE, Person(11, "Robin"), NOON, 24, Format.SWISS, is_by_organizer=True)
    old, new = open_database(f"{SQLITE}{file}"), open_database(target)
    await old.write(tournament_storage.add, cup, 9, [])
    assert (await import_from(file)).code == 0
    added = await new.write(tournament_storage.add, cup, 9, [])
    assert added.id == 2
    for db in (old, new):
        await db.close()


def test_many_rows_are_written_in_chunks(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr("bot.platform.database.copy_database.ROWS_PER_CHUNK", 5)
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


async def test_what_a_start_of_the_bot_has_written_is_replaced(file: Path, target: str, tmp_path: Path) -> None:
    old = open_database(f"{SQLITE}{file}")
    await old.write(privacy_storage.ask, Erasure(13, -7, NOON), Job(ERASURE, "-7", NOON))
    edition = Edition(Cadence.DAILY, 7)
    await old.maintain(challenge_storage.commit_seed, SharedSeed(edition, bytes(32), NOON))
    async with run_sandbox() as sandbox, run_parlour(sandbox, target) as started:
        backups = ScheduledBackups("sqlite:///x", tmp_path, every=timedelta(hours=1), keep=1)
        await backups.schedule(started.db, NOON)
        async with asyncio.timeout(DEADLINE_SECONDS):
            while await kinds_of_jobs(started.db) != set(FROM_STARTS.job_kinds):  # noqa: ASYNC110 - the start schedules them
                await asyncio.sleep(0.01)
    ended = await import_from(file)
    assert (ended.code, ended.out, ended.err) == (0, "Imported. Tables: 3.\n", "")
    new = open_database(target)
    assert [job.key for job in await new.maintain(job_storage.claim, new.shards, [ERASURE], NOON, NOON, 9)] == ["-7"]
    assert await new.read(privacy_storage.find, -7) == Erasure(13, -7, NOON), "who wants to be forgotten is"
    assert (await new.read(challenge_storage.find_seeds, 0, 99999)).keys() == {edition}
    for db in (old, new):
        await db.close()


async def test_a_database_with_choices_of_people_or_with_tables_is_left_alone(file: Path, target: str) -> None:
    db = open_database(target)
    await migrate(db)
    await db.write(block_storage.add, Block(11, 12), NOON, 9)
    await db.maintain(job_storage.put, Job("deletion", "1", NOON))
    ended = await import_from(file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Nothing was imported: {IN_USE.format('blocks, jobs of the kind deletion')}\n"
    assert list(await db.read(block_storage.find_blocked, 11)) != []
    assert await db.read(table_storage.load, 1) is None
    await db.write(block_storage.remove, Block(11, 12))
    await db.maintain(job_storage.remove, "deletion", ["1"])
    own = await db.write(table_storage.open_table, make_header(9), [ROBIN])
    ended = await import_from(file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Nothing was imported: {IN_USE.format('tables, seats')}\n"
    assert await db.read(table_storage.find_open, 9) == own.id
    assert await db.read(table_storage.load, own.id + 1) is None
    await db.close()


def test_invalid_sources_are_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("only words " * 100, encoding="utf-8")
    (tmp_path / "empty").touch()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    for name, sentence in (
        ("nowhere", "there is no file nowhere"),
        ("words", "it can't be read: file is not a database"),
        ("empty", "it can't be read: no such table: alembic_version"),
        ("mysql://robin:secret@db/x", WRONG_ADDRESS),
        (str(file), "it was written by another version of Parlour: start this version with it once"),
    ):
        ended = run_command("database", "import", name)
        assert (ended.code, ended.out, ended.err) == (1, "", f"Nothing was imported: {sentence}.\n")
    assert names(tmp_path) == {"old data", "var", "words", "empty"}


def test_databases_of_a_newer_version_are_copied_by_that_version(file: Path, tmp_path: Path) -> None:
    """This one would lose the columns that it does not know."""
    create_schema(tmp_path / "var" / "parlour.sqlite3")
    for each in (file, tmp_path / "var" / "parlour.sqlite3"):
        with closing(sqlite3.connect(each)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = '0099_since_0001'")
    ended = run_command("database", "import", str(file))
    assert ended.err == (
        "Nothing was imported: both databases are of a newer version of Parlour: import with that version.\n"
    )


@pytest.mark.parametrize(
    ("part", "fault", "reason"),
    [
        ("sqlite3.dbapi2.connect", sqlite3.OperationalError("unable to open database file"), "unable to open"),
        ("pathlib.Path.is_file", PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
    ],
)
def test_an_unreadable_file_is_reported(
    monkeypatch: pytest.MonkeyPatch, file: Path, part: str, fault: Exception, reason: str
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
    assert ended.err.startswith(f"Nothing was imported: it can't be read: {reason}")
