"""Chooses the database backend for a URL."""

from bot.platform.database.database import Database
from bot.platform.database.sqlite.database import SqliteDatabase
from bot.platform.database.urls import parse_database_url


def database_at(database_url: str) -> Database:
    """Return the database at a URL, without connecting to it.

    Raises:
        ValueError: The URL is not supported.
    """
    url = parse_database_url(database_url)
    if url.drivername == "sqlite":
        return SqliteDatabase(url)
    # With SQLite, psycopg is neither needed nor loaded.
    from bot.platform.database.postgres.database import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url)
