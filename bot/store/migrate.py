"""Upgrades a database to the current schema."""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from bot.store.accounts.rebuild import rebuild_if_outdated
from bot.store.database import Database
from bot.tables.ports import StoreUnavailable

MIGRATIONS: Final = Path(__file__).parent / "migrations"
SELECT_SCHEMA_VERSION: Final = text("SELECT version_num FROM alembic_version")


async def migrate(database: Database) -> None:
    """Run all missing migrations and what they need in one transaction, while no other process migrates."""
    await database.run_exclusively(_upgrade)


def _upgrade(connection: Connection) -> None:
    if not _is_current(connection):
        run_migrations(connection)
    rebuild_if_outdated(connection)


def _is_current(connection: Connection) -> bool:
    """Return whether the database has the newest migration."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    newest = max((MIGRATIONS / "versions").glob("[0-9]*.py")).name
    return newest.startswith(f"{connection.execute(SELECT_SCHEMA_VERSION).scalar()}_")


def run_migrations(connection: Connection) -> None:
    """Bring the tables up to date, in the connection's transaction."""
    # Loading Alembic takes a fifth of the start-up time, and few starts need it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    # Alembic makes its tables anew each time, and what is compiled for them is of no use to others.
    config.attributes["connection"] = connection.execution_options(compiled_cache=None)
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreUnavailable(f"the database was written by another version of Parlour: {error}") from error
