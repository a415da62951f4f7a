"""Puts a backup in the place of a database, with nothing of the old one left to undo that."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.platform.database.address import SQLITE, file_of, follow_links, parse_database_url
from bot.platform.database.database import LOCK_SECONDS
from bot.platform.database.errors import StoreUnavailable, sqlite_code
from bot.platform.database.migrate import require_known

_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file, and would write into any other that takes its place."""

_FOLD: Final = "PRAGMA journal_mode=DELETE"
"""Writes the write-ahead log into the file; works only while nobody else has that open."""

_NO_PARLOUR: Final = "the file is not a Parlour database"


class CannotRestore(Exception):
    """The backup can't take the place of the database, which is as it was; the message says why."""


class NeedsPgRestore(Exception):
    """A PostgreSQL database must be restored with `pg_restore`."""


def restore(database_url: str, backup: Path, now: datetime) -> Path | None:
    """Put a copy of a backup in the place of an SQLite database, which nobody may have open.

    Returns:
        Where the old database is now; None if there was none.

    Raises:
        CannotRestore: That is not possible.
        NeedsPgRestore: The database is a PostgreSQL database.
        ValueError: The URL is not supported.
    """
    url = parse_database_url(database_url)
    if url.get_backend_name() != SQLITE:
        raise NeedsPgRestore
    target = file_of(url)
    try:
        # As SQLite does: what it keeps beside a file is beside that, not beside a link to it.
        target = follow_links(target)
        return _replace(target, backup, target.with_name(f"{target.name}.before-{now:%Y%m%d-%H%M%S}"))
    except OSError as fault:
        raise CannotRestore(f"{fault.filename or target} can't be read or written: {fault.strerror}") from fault


def _replace(target: Path, backup: Path, kept: Path) -> Path | None:
    if not backup.is_file():
        raise CannotRestore(f"there is no file {backup}")
    if target.exists() and target.samefile(backup):
        raise CannotRestore(f"{backup} is the database itself")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _checked_copy(backup, target) as copy:
        _close_old(target)
        return _swap(copy, target, kept)


@contextmanager
def _checked_copy(backup: Path, target: Path) -> Iterator[Path]:
    """Yield a copy of a backup in a folder beside the database, with the permissions of that."""
    with TemporaryDirectory(prefix=".restore-", dir=target.parent) as folder:
        copy = Path(folder) / target.name
        copy.touch(mode=0o600)
        # It may be no backup but a database that was copied, whose newest moves are beside it.
        source = follow_links(backup)
        for suffix in ("", "-wal"):
            if Path(f"{source}{suffix}").exists():
                shutil.copyfile(f"{source}{suffix}", f"{copy}{suffix}")
        _check(copy)
        if os.geteuid() == 0:
            owner = (target if target.exists() else target.parent).stat()
            os.chown(copy, owner.st_uid, owner.st_gid)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        yield copy


def _check(copy: Path) -> None:
    try:
        with closing(sqlite3.connect(copy)) as connection:
            (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                raise CannotRestore(f"the backup is damaged: {result}")
            version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            connection.execute("SELECT 1 FROM tables LIMIT 1")
            connection.execute(_FOLD)
    except sqlite3.OperationalError as error:
        if sqlite_code(error) == sqlite3.SQLITE_ERROR:
            raise CannotRestore(_NO_PARLOUR) from error
        raise CannotRestore(f"the backup can't be read: {error}") from error
    except sqlite3.Error as error:
        raise CannotRestore(f"the backup can't be read: {error}") from error
    if version is None:
        raise CannotRestore(_NO_PARLOUR)
    try:
        require_known(version[0])
    except StoreUnavailable as fault:
        raise CannotRestore(f"{fault}. {fault.advice}".rstrip(".")) from fault


def _close_old(target: Path) -> None:
    """Fold the side files of the old database into it, unless it is damaged.

    Raises:
        CannotRestore: Somebody has it open.
    """
    if not target.exists():
        return
    try:
        with closing(sqlite3.connect(target, timeout=LOCK_SECONDS)) as connection:
            (mode,) = connection.execute(_FOLD).fetchone()
    except sqlite3.Error as error:
        code = sqlite_code(error)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return
        if code != sqlite3.SQLITE_BUSY:
            raise CannotRestore(f"{target} can't be opened: {error}") from error
        mode = "in use"
    if mode != "delete":
        raise CannotRestore(f"the bot or another program has {target} open: stop it first")


def _swap(copy: Path, target: Path, kept: Path) -> Path | None:
    """Put the copy in the place of the database, which is moved away with what is left beside it."""
    for suffix in _SIDE_FILES:
        if (left := Path(f"{target}{suffix}")).exists():
            left.rename(f"{kept}{suffix}")
    if not target.exists():
        copy.replace(target)
        return None
    try:
        # At no moment is there no file: a bot that starts just then would make a new one.
        os.link(target, kept)
    except OSError:
        shutil.copy2(target, kept)
    copy.replace(target)
    return kept
