"""The address of a database. Nothing else parses one."""

import errno
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

from sqlalchemy.engine import URL

_SQLITE: Final = re.compile(r"sqlite(?:\+\w+)?:///(?P<name>[^?]*)(?:\?(?P<query>.*))?", re.DOTALL)
_POSTGRES: Final = re.compile(
    r"(?:postgres|postgresql(?:\+asyncpg|\+psycopg)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    r"(?P<hosts>[^@/?#]*)/+(?P<database>[^@/?#]+)(?:\?(?P<query>[^#]*))?"
)
"""Hosting services use different schemes. An unescaped sign in a password matches nowhere."""

_HOST_AND_PORT: Final = re.compile(r"(?:\[(?P<ipv6>[^\[\]]+)\]|(?P<name>[^\[\]:]*))(?::(?P<port>\d{1,5}))?")
_PORTS: Final = re.compile(r"[\d,]+")
_MAX_PORT: Final = 65535
_EXAMPLES: Final = "sqlite+aiosqlite:///var/parlour.sqlite3 or postgresql://user:password@host/database"
_SEVERAL_EXAMPLE: Final = "postgresql://user@host1:5432,host2:5432/database"


class UnusableAddress(ValueError):
    """An address is wrong. The message never contains it, because it may have a password."""


@dataclass(frozen=True, slots=True)
class SqliteAddress:
    """The address of a file."""

    name: str
    """What SQLite calls it: a path, or an address of its own that begins with `file:`."""
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The path."""
        return Path(unquote(urlsplit(self.name).path) if self.name.startswith("file:") else self.name)


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """The address of a database on one of some servers."""

    user: str | None
    written_password: str | None = field(repr=False)
    """With percent-encoding."""
    hosts: tuple[tuple[str, int | None], ...]
    """Names or addresses, and ports."""
    database: str
    parameters: Mapping[str, str] = field(repr=False)
    """What psql understands after a question mark."""

    @property
    def password(self) -> str | None:
        """The password itself."""
        return None if self.written_password is None else unquote(self.written_password)

    @property
    def secrets(self) -> list[str]:
        """All forms in which a password may turn up."""
        found = (self.written_password, self.password, self.parameters.get("password"))
        return [secret for secret in found if secret]


Address: TypeAlias = SqliteAddress | PostgresAddress


def parse_database_address(text: str) -> Address:
    """Parse the address of an SQLite file or of a PostgreSQL database.

    Raises:
        UnusableAddress: It is neither, or is ambiguous, as with an unescaped sign in a password.
    """
    if found := _SQLITE.fullmatch(text):
        return _sqlite_address(found["name"], _parse_parameters(found["query"]))
    if found := _POSTGRES.fullmatch(text):
        return _postgres_address(found)
    raise UnusableAddress(f"the database's address must look like {_EXAMPLES}")


def _sqlite_address(name: str, parameters: Mapping[str, str]) -> SqliteAddress:
    address = SqliteAddress(name, parameters)
    if "\0" in name or ":memory:" in name or parameters.get("mode") == "memory" or not address.file.name:
        raise UnusableAddress("the database must be a file: what is only in memory does not survive a restart")
    return SqliteAddress(expand_home(name), parameters)


def expand_home(path: str) -> str:
    """Return a path with the folder that `~` stands for: only shells replace it."""
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except RuntimeError:
        return path


def _postgres_address(found: re.Match[str]) -> PostgresAddress:
    parameters = _parse_parameters(found["query"])
    hosts, ports = parameters.get("host", ""), parameters.get("port", "")
    if ports and (not _PORTS.fullmatch(ports) or ports.count(",") != hosts.count(",")):
        raise UnusableAddress(f"there must be a port for each server: {_SEVERAL_EXAMPLE}")
    return PostgresAddress(
        user=unquote(found["user"]) if found["user"] else None,
        written_password=found["password"],
        hosts=tuple(map(_parse_host, found["hosts"].split(","))) if found["hosts"] else (),
        database=unquote(found["database"]),
        parameters=parameters,
    )


def _parse_host(text: str) -> tuple[str, int | None]:
    found = _HOST_AND_PORT.fullmatch(text)
    port = int(found["port"]) if found and found["port"] else None
    if found is None or port == 0 or (port or 0) > _MAX_PORT:
        raise UnusableAddress(f"a server must look like host or host:port: {_SEVERAL_EXAMPLE}")
    return found["ipv6"] or found["name"], port


def _parse_parameters(query: str | None) -> dict[str, str]:
    pairs = parse_qsl(query or "", keep_blank_values=True)
    parameters = dict(pairs)
    if len(parameters) < len(pairs):
        raise UnusableAddress(
            f"each parameter must be given once, and several servers separated by commas: {_SEVERAL_EXAMPLE}"
        )
    return parameters


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
