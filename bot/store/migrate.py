"""Bringing a database to the present schema."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from bot.store.database import Database
from bot.tables.ports import StoreUnavailable

MIGRATIONS: Final = Path(__file__).parent / "migrations"


async def migrate(database: Database) -> None:
    """Run the migrations that the database lacks, all in one transaction, and alone."""
    try:
        await database.migrate(_upgrade)
    except CommandError as error:
        raise StoreUnavailable(f"the database was written by another version of Parlour: {error}") from error


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
