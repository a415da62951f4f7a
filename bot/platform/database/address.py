"""Parses the addresses of databases; no other module does."""

import errno
import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from sqlalchemy.engine import URL

SQLITE: Final = "sqlite"

_SQLITE: Final = re.compile(r"sqlite(?:\+\w+)?:///(?P<name>[^?]*)(?:\?(?P<query>.*))?", re.DOTALL)
_POSTGRES: Final = re.compile(
    r"(?:postgres|postgresql(?:\+asyncpg|\+psycopg)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    r"(?P<hosts>[^@/?#]*)/+(?P<database>[^@/?#]+)(?:\?(?P<query>[^#]*))?"
)
"""Accepts the schemes of different hosting services, but no password with unescaped special characters."""

_HOST_AND_PORT: Final = re.compile(r"(?:\[(?P<ipv6>[^\[\]]+)\]|(?P<name>[^\[\]:]*))(?::(?P<port>\d{1,5}))?")
_PORTS: Final = re.compile(r"[\d,]+")
_MAX_PORT: Final = 65535
_EXAMPLES: Final = "sqlite+aiosqlite:///var/parlour.sqlite3 or postgresql://user:password@host/database"
_SEVERAL_EXAMPLE: Final = "postgresql://user@host1:5432,host2:5432/database"


def parse_database_url(database_url: str) -> URL:
    """Parse the URL of an SQLite file or a PostgreSQL database, and set the driver.

    Several hosts of a PostgreSQL database become parameters of the query, `host` and `port`, separated by commas.

    Raises:
        ValueError: The URL is not supported, or is ambiguous because of an unescaped sign in a password. The message
            never contains the URL, which may have a password.
    """
    if found := _SQLITE.fullmatch(database_url):
        return _sqlite_url(found)
    if found := _POSTGRES.fullmatch(database_url):
        return _postgres_url(found)
    raise ValueError(f"the database's address must look like {_EXAMPLES}")


def _sqlite_url(found: re.Match[str]) -> URL:
    """Return the URL of an SQLite file; its database is a path, or an SQLite address that starts with `file:`."""
    name, parameters = found["name"], _parse_parameters(found["query"])
    url = URL.create(SQLITE, database=expand_home(name), query=parameters)
    if "\0" in name or ":memory:" in name or parameters.get("mode") == "memory" or not file_of(url).name:
        raise ValueError("the database must be a file: what is only in memory does not survive a restart")
    return url


def _postgres_url(found: re.Match[str]) -> URL:
    query = _parse_parameters(found["query"])
    hosts, ports = query.get("host", ""), query.get("port", "")
    if ports and (not _PORTS.fullmatch(ports) or ports.count(",") != hosts.count(",")):
        raise ValueError(f"there must be a port for each server: {_SEVERAL_EXAMPLE}")
    servers = [_parse_host(server) for server in found["hosts"].split(",")] if found["hosts"] else []
    host, port = servers[0] if len(servers) == 1 else (None, None)
    if len(servers) > 1:
        query["host"] = ",".join(name for name, _ in servers)
        query["port"] = ",".join("" if number is None else str(number) for _, number in servers)
    return URL.create(
        "postgresql+psycopg",
        unquote(found["user"]) if found["user"] else None,
        None if found["password"] is None else unquote(found["password"]),
        host or None,
        port,
        unquote(found["database"]),
        query,
    )


def _parse_host(text: str) -> tuple[str, int | None]:
    found = _HOST_AND_PORT.fullmatch(text)
    port = int(found["port"]) if found and found["port"] else None
    if found is None or port == 0 or (port or 0) > _MAX_PORT:
        raise ValueError(f"a server must look like host or host:port: {_SEVERAL_EXAMPLE}")
    return found["ipv6"] or found["name"], port


def _parse_parameters(query: str | None) -> dict[str, str]:
    pairs = parse_qsl(query or "", keep_blank_values=True)
    parameters = dict(pairs)
    if len(parameters) < len(pairs):
        raise ValueError(
            f"each parameter must be given once, and several servers separated by commas: {_SEVERAL_EXAMPLE}"
        )
    return parameters


def passwords_in(database_url: str) -> list[str]:
    """Return the passwords in a URL, with and without percent-encoding."""
    found = _POSTGRES.fullmatch(database_url)
    if found is None:
        return []
    written = found["password"] or ""
    passwords = (written, unquote(written), _parse_parameters(found["query"]).get("password"))
    return [password for password in passwords if password]


def expand_home(path: str) -> str:
    """Replace a leading `~` with its folder, because only shells do that."""
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except RuntimeError:
        return path


def file_of(url: URL) -> Path:
    """Return the file of an SQLite database."""
    name = url.database or ""
    return Path(unquote(urlsplit(name).path) if name.startswith("file:") else name)


def follow_links(file: Path) -> Path:
    """Return the file to which symbolic links lead.

    Raises:
        OSError: The links form a circle.
    """
    # `Path.resolve` detects a circle only in some versions of Python.
    target = Path(os.path.realpath(file))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file))
    return target
