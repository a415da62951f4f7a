"""Parses database URLs."""

import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

SQLITE = "sqlite"
POSTGRES = "postgresql"

_SEVERAL_HOSTS: Final = re.compile(r"(?P<login>[\w+]+://(?:[^@/]*@)?)(?P<hosts>[^@/]*,[^@/]*)(?P<rest>/.*)")
_HOST_AND_PORT: Final = re.compile(r"(?:\[(?P<ipv6>[^\[\]]+)\]|(?P<name>[^\[\]:]*))(?::(?P<port>\d+))?")
_PORTS: Final = re.compile(r"[\d,]+")
_SEVERAL_EXAMPLE: Final = "postgresql://user@host1:5432,host2:5432/database"


def parse_database_url(database_url: str) -> URL:
    """Parse the URL of an SQLite file or a PostgreSQL database, and set the driver.

    Several hosts of a PostgreSQL database become parameters of the query, `host` and `port`, separated by commas.

    Raises:
        ValueError: The URL is not supported. The message never contains the URL, which may have a password.
    """
    try:
        several = _SEVERAL_HOSTS.fullmatch(database_url)
        url = _url_of_several(several) if several else make_url(database_url)
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


def file_of(url: URL) -> Path:
    """Return the file of an SQLite database."""
    name = url.database or ""
    # SQLite's own addresses may begin with `file:` or `file://`.
    return Path(unquote(urlsplit(name).path) if name.startswith("file:") else name)


def _sqlite_url(url: URL) -> URL:
    if not url.database or ":memory:" in url.database or url.query.get("mode") == "memory":
        raise ValueError("the database must be a file: what is only in memory does not survive a restart")
    return url.set(drivername="sqlite")


def _url_of_several(url: re.Match[str]) -> URL:
    """Return the URL of several hosts, which SQLAlchemy does not parse as PostgreSQL's own programs do."""
    found = [_HOST_AND_PORT.fullmatch(each) for each in url["hosts"].split(",")]
    hosts = [(each["ipv6"] or each["name"], each["port"] or "") for each in found if each]
    if len(hosts) < len(found):
        raise ValueError("no hosts")
    names, ports = (",".join(part) for part in zip(*hosts, strict=True))
    return make_url(url["login"] + url["rest"]).update_query_dict({"host": names, "port": ports})


def _postgres_url(url: URL) -> URL:
    if not url.database:
        raise ValueError("the address of a PostgreSQL server must name a database: postgresql://user@host/database")
    hosts, ports = url.normalized_query.get("host", ("",)), url.normalized_query.get("port", ("",))
    if len(hosts) > 1 or len(ports) > 1:
        raise ValueError(f"several servers must be separated by commas: {_SEVERAL_EXAMPLE}")
    if ports[0] and (not _PORTS.fullmatch(ports[0]) or ports[0].count(",") != hosts[0].count(",")):
        raise ValueError(f"there must be a port for each server: {_SEVERAL_EXAMPLE}")
    return url.set(drivername="postgresql+psycopg")
