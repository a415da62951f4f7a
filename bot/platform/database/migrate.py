"""Upgrades a database to the current schema."""

import logging
import re
import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError, OperationalError

from bot.platform.database.database import PROGRAMMING_ERRORS, Database, read_version
from bot.platform.database.errors import NO_RIGHT_STATE, StoreUnavailable, sqlite_code

log = logging.getLogger(__name__)

MIGRATIONS: Final = Path(__file__).parent / "migrations"

_VERSION: Final = re.compile(r"(\d{4})(?:_since_(\d{4}))?")
"""The number of a schema, and that of the oldest one whose code can use it, unless none but its own can."""

_NEWER: Final = "Start the newer version, or restore a backup from before the upgrade (docs/hosting.md)."
_FOREIGN: Final = "Give Parlour a database of its own, and name that in DATABASE_URL."
_FAILED: Final = (
    "Nothing was changed, so the previous version of Parlour still works with it. If a backup was restored over newer "
    "tables, restore it into an empty database instead (docs/hosting.md); otherwise please report this."
)
_NOT_UTF8: Final = (
    "Make another with `CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`, restore a pg_dump of this "
    "one into it if it holds games, and name it in DATABASE_URL."
)


async def migrate(database: Database, tables: Collection[str]) -> None:
    """Run all missing migrations in one transaction, and keep other processes from migrating.

    Args:
        database: The database.
        tables: The names of all tables of the newest schema.
    """

    newest = newest_version()

    def upgrade(connection: Connection) -> None:
        version = check(connection, tables)
        if version is None or version < newest:
            run_migrations(connection)
        elif version != newest:
            log.info("the database is of a newer version of Parlour (schema %s), which this one can use", version)

    await database.run_exclusively(upgrade)
    database.own_version = newest


def check(connection: Connection, tables: Collection[str]) -> str | None:
    """Return the version of a database's schema, after a check that Parlour can use or upgrade it.

    Args:
        connection: The connection.
        tables: The names of all tables of the newest schema.

    Raises:
        StoreUnavailable: This version of Parlour can do neither.
    """
    if connection.dialect.name == "postgresql":
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise StoreUnavailable(f"its encoding is {encoding}, which can't hold every name", _NOT_UTF8)
    version = read_version(connection)
    require_usable(version)
    if version is None and (taken := sorted(set(inspect(connection).get_table_names()) & set(tables))):
        raise StoreUnavailable(f"it has tables that Parlour did not make, such as {taken[0]}", _FOREIGN)
    return version


def require_usable(version: str | None) -> None:
    """Require that this version of Parlour can use or upgrade a version of the schema.

    Raises:
        StoreUnavailable: It can do neither.
    """
    if version is None:
        return
    if (parts := _VERSION.fullmatch(version)) is None:
        raise StoreUnavailable(f"it belongs to another program, whose schema is {version}", _FOREIGN)
    number, oldest = parts.groups()
    newest = newest_version()[:4]
    if number > newest and (oldest or number) > newest:
        versions = f"its schema is {number}, and this one knows {newest}"
        raise StoreUnavailable(f"it was written by a newer version of Parlour ({versions})", _NEWER)


def newest_version() -> str:
    """Return the version of the newest schema that this version of Parlour knows; files are named by theirs."""
    found = (_VERSION.match(file.name) for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    return max(version[0] for version in found if version)


def run_migrations(connection: Connection) -> None:
    """Bring the tables up to date, in the connection's transaction.

    Raises:
        StoreUnavailable: A migration has failed.
    """
    # Loading Alembic takes a fifth of the start-up time, and few starts need it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    # Alembic creates its table objects each time, so statements compiled for them are never reused.
    config.attributes["connection"] = connection.execution_options(compiled_cache=None)
    version = read_version(connection)
    try:
        command.upgrade(config, "head")
    except Exception as fault:
        if isinstance(fault, DBAPIError) and not _is_of_migration(fault):
            raise
        log.debug("a migration has failed", exc_info=fault)
        reason = str(fault.orig) if isinstance(fault, DBAPIError) else type(fault).__name__
        raise StoreUnavailable(f"its upgrade from schema {version or 'none'} has failed: {reason}", _FAILED) from fault


def _is_of_migration(fault: DBAPIError) -> bool:
    """Return whether the error means that a migration does not fit the tables, not that the database is down."""
    if isinstance(fault, OperationalError):
        return fault.orig is not None and sqlite_code(fault.orig) == sqlite3.SQLITE_ERROR
    return isinstance(fault, PROGRAMMING_ERRORS) and getattr(fault.orig, "sqlstate", None) != NO_RIGHT_STATE
