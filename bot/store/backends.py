"""Which database an address leads to."""

from bot.store.database import Database
from bot.store.database_url import parse_database_url
from bot.store.sqlite.database import SqliteDatabase


def database_at(database_url: str) -> Database:
    """Return the database at an address, which is not reached before it is used; raises ValueError."""
    url = parse_database_url(database_url)
    if url.drivername == "sqlite":
        return SqliteDatabase(url)
    # Whoever keeps a file starts without the client of a server.
    from bot.store.postgres.database import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url)
