"""Opens the database at an address."""

from bot.platform.database.address import parse_database_url
from bot.platform.database.database import Database
from bot.platform.database.sqlite import SqliteDatabase
from bot.platform.observability.metrics import Metrics


def open_database(address: str, metrics: Metrics | None = None) -> Database:
    """Return the database at an address, without connecting to it.

    Raises:
        ValueError: The address is not supported.
    """
    url = parse_database_url(address)
    if url.drivername == "sqlite":
        return SqliteDatabase(url, metrics)
    # With SQLite, psycopg is neither needed nor loaded.
    from bot.platform.database.postgres import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url, metrics)
