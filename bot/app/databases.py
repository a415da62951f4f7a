"""Operations on whole databases: upgrades of the schema and imports of other databases."""

from typing import Final

from sqlalchemy import Connection, func, select

import bot.app.features  # noqa: F401 - importing the features declares their SQL tables
from bot.features.challenges.service import COMMIT_KIND, PUBLISH_KIND
from bot.features.challenges.storage import shared_seeds
from bot.features.privacy.service import RETENTION
from bot.features.seasons.service import SEASON_JOB
from bot.platform.database import copy_database, migrate as migrating
from bot.platform.database.backup import BACKUP
from bot.platform.database.database import Database
from bot.platform.database.sql import metadata, notes
from bot.platform.jobs.downtimes import alive, downtimes
from bot.platform.jobs.shard_leases import identifies, shard_leases
from bot.platform.jobs.storage import jobs
from bot.tables.compaction import COMPACTION
from bot.tables.schema import tables

SCHEMA: Final = metadata
"""The SQL tables of the platform, the tables and all features."""

FROM_STARTS: Final = copy_database.FromStarts(
    tables=(alive, downtimes, identifies, jobs, notes, shard_leases, shared_seeds),
    job_kinds=(BACKUP, COMMIT_KIND, COMPACTION, PUBLISH_KIND, RETENTION, SEASON_JOB),
)

_COUNT_TABLES: Final = select(func.count()).select_from(tables)


async def migrate(database: Database) -> None:
    """Run all missing migrations in one transaction, and keep other processes from migrating."""
    await migrating.migrate(database, SCHEMA.tables)


def check_schema(connection: Connection) -> str | None:
    """Return the version of a database's schema, after a check that Parlour can use or upgrade it.

    Raises:
        StoreUnavailable: This version of Parlour can do neither.
    """
    return migrating.check(connection, SCHEMA.tables)


async def import_database(database: Database, source: str) -> int:
    """Copy an SQLite file or the database at a URL into a database, replacing the rows that a start of the bot writes.

    Returns:
        The number of tables (games) imported.

    Raises:
        CannotImport: The database holds other rows, or the source can't be read or has another schema version. Nothing
            is copied.
    """
    await copy_database.import_database(database, source, metadata, FROM_STARTS)
    return await database.read(lambda connection: connection.execute(_COUNT_TABLES).scalar_one())
