"""Copying a database while it is used."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from sqlalchemy.engine import URL

from bot.store.database_url import SQLITE, parse_database_url
from bot.tables.ports import StoreUnavailable


class NeedsPgDump(Exception):
    """A PostgreSQL database is copied by PostgreSQL's own program; `command` is how, without the password."""

    def __init__(self, command: tuple[str, ...]) -> None:
        super().__init__(command)
        self.command = command


def back_up(database_url: str, file: Path) -> None:
    """Copy a database as it is at this moment into a new file, while others read and write it.

    Raises FileExistsError rather than write over anything, other errors of the operating system when the file can't be
    made, StoreUnavailable when there is nothing sound to copy, and NeedsPgDump.
    """
    url = parse_database_url(database_url)
    if url.get_backend_name() != SQLITE:
        raise NeedsPgDump(("pg_dump", "--format=custom", f"--file={file}", f"--dbname={_url_without_password(url)}"))
    with _open_source(url) as source, _create_atomically(file) as part:
        _copy(source, part)


def _url_without_password(url: URL) -> str:
    query = {name: value for name, value in url.query.items() if name != "password"}
    return URL.create("postgresql", url.username, None, url.host, url.port, url.database, query).render_as_string()


@contextmanager
def _open_source(url: URL) -> Iterator[sqlite3.Connection]:
    """Open the file, but make none.

    It is opened for writing too, so that SQLite tidies its side files up where the bot does not run.
    """
    name = url.database or ""
    uri = name if name.startswith("file:") else f"file:{quote(name)}"
    try:
        connection = sqlite3.connect(f"{uri}?mode=rw", uri=True)
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(f"{error}: {name}") from error
    with closing(connection):
        yield connection


@contextmanager
def _create_atomically(file: Path) -> Iterator[Path]:
    """Take a name, and give it to a file that its owner alone may read once that is filled; a failure leaves nothing.

    Who is killed on the way leaves the name to an empty file: nobody should take half a copy for a backup.
    """
    file.touch(mode=0o600, exist_ok=False)
    try:
        with TemporaryDirectory(prefix=".backup-", dir=file.parent, ignore_cleanup_errors=True) as folder:
            part = Path(folder) / file.name
            part.touch(mode=0o600)
            yield part
            part.replace(file)
    except BaseException:
        file.unlink()
        raise


def _copy(source: sqlite3.Connection, file: Path) -> None:
    try:
        with closing(sqlite3.connect(file.absolute())) as copy:
            # All in one step: in several, every write of the bot would make it begin anew.
            source.backup(copy)
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise StoreUnavailable(str(error)) from error
    if verdict != "ok":
        raise StoreUnavailable(f"the file is damaged: {verdict}")
