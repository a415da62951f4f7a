"""Chooses the database backend for a URL."""

from bot.store.database import Database
from bot.store.database_url import parse_database_url
from bot.store.sqlite.database import SqliteDatabase


def database_at(database_url: str) -> Database:
    """Return the database at a URL, without connecting to it.

    Raises:
        ValueError: The URL is not supported.
    """
    url = parse_database_url(database_url)
    if url.drivername == "sqlite":
        return SqliteDatabase(url)
    # With SQLite, psycopg is neither needed nor loaded.
    from bot.store.postgres.database import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url)
