"""Parses database URLs."""

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

SQLITE = "sqlite"
POSTGRES = "postgresql"


def parse_database_url(database_url: str) -> URL:
    """Parse the URL of an SQLite file or a PostgreSQL database, and set the driver.

    Raises:
        ValueError: The URL is not supported. The message never contains the URL, which may have a password.
    """
    try:
        url = make_url(database_url)
    except (ArgumentError, ValueError):
        raise ValueError(
            "the database's address must look like sqlite+aiosqlite:///var/parlour.sqlite3 "
            "or postgresql://user:password@host/database"
        ) from None
    backend = url.get_backend_name()
    if backend == SQLITE:
        return _sqlite_url(url)
    if backend == POSTGRES:
        return _postgres_url(url)
    raise ValueError(f"the database must be an SQLite file or a PostgreSQL database, not {backend}")


def _sqlite_url(url: URL) -> URL:
    if not url.database or ":memory:" in url.database or url.query.get("mode") == "memory":
        raise ValueError("the database must be a file: what is only in memory does not survive a restart")
    return url.set(drivername="sqlite")


def _postgres_url(url: URL) -> URL:
    if not url.database:
        raise ValueError("the address of a PostgreSQL server must name a database: postgresql://user@host/database")
    return url.set(drivername="postgresql+psycopg")
