"""A process whose database a newer version has upgraded meanwhile goes on if it can, or says why it can't."""

import logging
from collections.abc import AsyncIterator, Callable

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from bot.app.databases import migrate
from bot.platform.database.database import Database, open_database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import JobRunner
from bot.platform.jobs.storage import Job
from bot.platform.observability.metrics import Metrics
from bot.tables import storage as table_storage
from tests.store.samples import NOON, ROBIN, add_moves, make_header

NEWER_VERSION = "UPDATE alembic_version SET version_num = '9999'"


@pytest.fixture
async def db(new_address: Callable[[], str]) -> AsyncIterator[Database]:
    """A store over a database of its own, whose tables a test may change."""
    made = open_database(new_address(), Metrics())
    await migrate(made)
    yield made
    await made.close()


async def change(db: Database, *statements: str) -> None:
    def execute(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    await db.run_exclusively(execute)


async def test_what_works_goes_on_beside_a_newer_schema(db: Database) -> None:
    await change(db, NEWER_VERSION, "ALTER TABLE jobs ADD COLUMN priority INTEGER")
    await db.maintain(job_storage.put, Job("season", "1", NOON))
    header = await add_moves(db, await db.write(table_storage.open_table, make_header(), [ROBIN]), 3)
    assert (await db.read(table_storage.load, header.id)) is not None
    assert not db.outgrown.is_set()


@pytest.mark.parametrize(
    "statement", ["ALTER TABLE jobs RENAME COLUMN due_at TO at", "ALTER TABLE jobs RENAME TO tasks"]
)
async def test_a_job_that_fails_because_of_a_newer_schema_is_no_error(
    db: Database, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)

    async def schedule_another(_job: Job) -> None:
        await change(db, NEWER_VERSION, statement)
        await db.maintain(job_storage.put, Job("season", "2", NOON))

    await db.maintain(job_storage.put, Job("season", "1", NOON))
    runner = JobRunner(db, lambda: NOON, {"season": schedule_another})
    await runner.check()
    await runner.finish()
    assert caplog.text == ""
    assert db.outgrown.is_set()


async def test_a_move_that_fails_because_of_a_newer_schema_is_refused_as_unsaved(db: Database) -> None:
    header = await db.write(table_storage.open_table, make_header(), [ROBIN])
    await change(db, NEWER_VERSION, "ALTER TABLE moves RENAME COLUMN digest TO checksum")
    with pytest.raises(StoreUnavailable, match="another version of Parlour has upgraded the database"):
        await add_moves(db, header, 1)
    assert db.outgrown.is_set()


async def test_a_value_of_a_newer_version_is_recognised(db: Database) -> None:
    header = await db.write(table_storage.open_table, make_header(), [ROBIN])
    await change(db, "UPDATE tables SET status = 'frozen'")
    with pytest.raises(ValueError, match="frozen"):
        await db.read(table_storage.load, header.id)
    assert not db.outgrown.is_set(), "it is a fault of this version"
    await change(db, NEWER_VERSION)
    with pytest.raises(StoreUnavailable, match="another version of Parlour has upgraded the database"):
        await db.read(table_storage.load, header.id)


async def test_a_version_that_starts_on_a_schema_it_can_use_is_still_outgrown_by_what_it_does_not_know(
    db: Database,
) -> None:
    header = await db.write(table_storage.open_table, make_header(), [ROBIN])
    await change(db, "UPDATE alembic_version SET version_num = '0099_since_0001'")
    await migrate(db)
    assert (await db.read(table_storage.load, header.id)) is not None
    await change(db, "UPDATE tables SET status = 'frozen'")
    with pytest.raises(StoreUnavailable, match="another version of Parlour has upgraded the database"):
        await db.read(table_storage.load, header.id)
    assert db.outgrown.is_set()


async def test_a_fault_of_this_version_is_not_blamed_on_another(db: Database) -> None:
    await change(db, "ALTER TABLE jobs RENAME COLUMN due_at TO at")
    with pytest.raises((DBAPIError, StoreUnavailable)) as failed:
        await db.maintain(job_storage.put, Job("season", "1", NOON))
    assert "another version" not in str(failed.value)
    assert not db.outgrown.is_set()
