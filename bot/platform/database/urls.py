"""The addresses of databases as SQLAlchemy wants them."""

import errno
import os
from pathlib import Path

from sqlalchemy.engine import URL

from bot.platform.database.address import PostgresAddress, SqliteAddress, parse_database_address

SQLITE = "sqlite"


def parse_database_url(database_url: str) -> URL:
    """Parse the URL of an SQLite file or a PostgreSQL database, and set the driver.

    Several hosts of a PostgreSQL database become parameters of the query, `host` and `port`, separated by commas.

    Raises:
        UnusableAddress: The URL is not supported.
    """
    address = parse_database_address(database_url)
    if isinstance(address, SqliteAddress):
        return URL.create(SQLITE, database=address.name, query=dict(address.parameters))
    return _postgres_url(address)


def file_of(url: URL) -> Path:
    """Return the file of an SQLite database."""
    return SqliteAddress(url.database or "").file


def follow_links(file: Path) -> Path:
    """Return the file to which symbolic links lead.

    Raises:
        OSError: They lead in a circle.
    """
    # `Path.resolve` raises an error of its own for a circle, but not in every version of Python.
    target = Path(os.path.realpath(file))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file))
    return target


def _postgres_url(address: PostgresAddress) -> URL:
    host, port = address.hosts[0] if len(address.hosts) == 1 else ("", None)
    query = dict(address.parameters)
    if len(address.hosts) > 1:
        query["host"] = ",".join(name for name, _ in address.hosts)
        query["port"] = ",".join("" if number is None else str(number) for _, number in address.hosts)
    return URL.create("postgresql+psycopg", address.user, address.password, host or None, port, address.database, query)
