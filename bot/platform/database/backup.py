"""Backs up a database while it is in use, and restores backups."""

import asyncio
import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar
from urllib.parse import quote

from sqlalchemy.engine import URL

from bot.platform.database.address import SQLITE, file_of, follow_links, parse_database_url
from bot.platform.database.database import LOCK_SECONDS, Database
from bot.platform.database.errors import StoreUnavailable, explain, sqlite_code
from bot.platform.database.migrate import require_usable
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job

log = logging.getLogger(__name__)

T = TypeVar("T")

BACKUP: Final = "backup"
"""The kind of the job that makes backups."""

_KEY: Final = "database"
_FILE_NAME: Final = "parlour-%Y%m%d-%H%M%S.sqlite3"
_FILES: Final = "parlour-????????-??????.sqlite3"
_PART: Final = ".backup-"
_UNFINISHED_AFTER: Final = timedelta(days=1)
_TRY_AGAIN_AFTER: Final = timedelta(hours=1)
"""The delay after a failed backup; checking a large database takes a while."""


_SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database, and would apply to any file that replaces it."""

_FOLD: Final = "PRAGMA journal_mode=DELETE"
"""Folds the write-ahead log into the file; works only while nobody else has the file open."""

_NO_PARLOUR: Final = "the file is not a Parlour database"


class NeedsPgDump(Exception):
    """A PostgreSQL database needs `pg_dump` for a backup; `command` is the command line without the password."""

    def __init__(self, command: tuple[str, ...]) -> None:
        super().__init__(command)
        self.command = command


def back_up(database_url: str, file: Path) -> None:
    """Copy the current state of a database into a new file, while others read and write it.

    Raises:
        FileExistsError: The file exists.
        OSError: The file can't be created.
        StoreUnavailable: The database is missing or damaged.
        NeedsPgDump: The database is a PostgreSQL database.
    """
    url = parse_database_url(database_url)
    if url.get_backend_name() != SQLITE:
        query = {name: value for name, value in url.query.items() if name != "password"}
        shown = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
        raise NeedsPgDump(("pg_dump", "--format=custom", f"--file={file}", f"--dbname={shown.render_as_string()}"))
    name = url.database or ""
    uri = name if name.startswith("file:") else f"file:{quote(name)}"
    try:
        # "rw" opens only existing files; writing lets SQLite clean up its side files if the bot is not running.
        source = sqlite3.connect(f"{uri}?mode=rw", uri=True)
    except sqlite3.OperationalError as error:
        raise explain(f"{error}: {name}", error) from error
    with closing(source), _create_atomically(file) as part:
        try:
            with closing(sqlite3.connect(part.absolute())) as copy:
                # Copy in one step, because a write of the bot between two steps would restart the backup.
                source.backup(copy)
                (result,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as error:
            raise explain(str(error), error) from error
        if result != "ok":
            raise StoreUnavailable(f"the file is damaged: {result}")


@contextmanager
def _create_atomically(file: Path) -> Iterator[Path]:
    """Yield a temporary file, readable only by its owner, that becomes the file if the body succeeds.

    A killed process leaves an empty file, which nobody can mistake for a backup.
    """
    file.touch(mode=0o600, exist_ok=False)
    try:
        with TemporaryDirectory(prefix=_PART, dir=file.parent, ignore_cleanup_errors=True) as folder:
            part = Path(folder) / file.name
            part.touch(mode=0o600)
            yield part
            part.replace(file)
    except BaseException:
        # Another process may have removed it together with the files of killed processes.
        file.unlink(missing_ok=True)
        raise


class CannotRestore(Exception):
    """The backup can't replace the database, which is unchanged; the message says why."""


class NeedsPgRestore(Exception):
    """A PostgreSQL database needs `pg_restore` to be restored."""


def restore(database_url: str, backup: Path, now: datetime) -> Path | None:
    """Replace an SQLite database, which nobody may have open, with a copy of a backup.

    Returns:
        The new path of the old database; None if there was none.

    Raises:
        CannotRestore: The backup can't replace the database.
        NeedsPgRestore: The database is a PostgreSQL database.
        ValueError: The URL is not supported.
    """
    url = parse_database_url(database_url)
    if url.get_backend_name() != SQLITE:
        raise NeedsPgRestore
    target = file_of(url)
    try:
        # Like SQLite, whose side files lie beside the file itself, not beside a link to it.
        target = follow_links(target)
        if not backup.is_file():
            raise CannotRestore(f"there is no file {backup}")
        if target.exists() and target.samefile(backup):
            raise CannotRestore(f"{backup} is the database itself")
        target.parent.mkdir(parents=True, exist_ok=True)
        with _checked_copy(backup, target) as copy:
            _close_old(target)
            return _swap(copy, target, _choose_kept(target, now))
    except OSError as fault:
        raise CannotRestore(f"{fault.filename or target} can't be read or written: {fault.strerror}") from fault


@contextmanager
def _checked_copy(backup: Path, target: Path) -> Iterator[Path]:
    """Yield a copy of a backup in a folder beside the database, with the database's permissions."""
    with TemporaryDirectory(prefix=".restore-", dir=target.parent) as folder:
        copy = Path(folder) / target.name
        copy.touch(mode=0o600)
        # The backup may be a plain copy of a database, with the newest moves in side files.
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
        require_usable(version[0])
    except StoreUnavailable as fault:
        raise CannotRestore(f"{fault}. {fault.advice}".rstrip(".")) from fault


def _close_old(target: Path) -> None:
    """Fold the side files of the old database into it, unless it is damaged.

    Raises:
        CannotRestore: Somebody has the database open.
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


def _choose_kept(target: Path, now: datetime) -> Path:
    """Return the path for the old database; several restores within a second count on."""
    first = f"{target}.before-{now:%Y%m%d-%H%M%S}"
    names = (first if number == 1 else f"{first}-{number}" for number in count(1))
    return next(Path(name) for name in names if not any(Path(name + each).exists() for each in ("", *_SIDE_FILES)))


def _swap(copy: Path, target: Path, kept: Path) -> Path | None:
    """Replace the database with the copy, and move the old database away with its side files."""
    for suffix in _SIDE_FILES:
        if (left := Path(f"{target}{suffix}")).exists():
            left.rename(f"{kept}{suffix}")
    if not target.exists():
        copy.replace(target)
        return None
    try:
        # The path always exists: a bot that starts during the swap would otherwise create a new file.
        os.link(target, kept)
    except OSError:
        shutil.copy2(target, kept)
    copy.replace(target)
    return kept


class ScheduledBackups:
    """Backs up an SQLite file every few hours and keeps the newest backups; off without an interval."""

    def __init__(self, database_url: str, folder: Path, *, every: timedelta | None, keep: int) -> None:
        self._database_url = database_url
        self._folder = folder
        self._every = every
        self._keep = keep
        self._last_at: datetime | None = None
        self._making: asyncio.Future[datetime] | None = None
        """The backup whose result no run of the job has fetched yet; it blocks further backups."""

    @property
    def last_at(self) -> datetime | None:
        """When the newest backup was made; None without backups."""
        return self._last_at

    async def schedule(self, db: Database, now: datetime) -> None:
        """Schedule the next backup an interval after the newest one, or cancel the job if backups are off.

        A backup that another process is making continues.
        """
        if self._every is None:
            await db.maintain(job_storage.remove, BACKUP, [_KEY])
            return
        self._last_at = max(await asyncio.to_thread(self._find_backups), default=None)
        due = now if self._last_at is None else max(now, self._last_at + self._every)
        await db.maintain(job_storage.put_unless_claimed, Job(BACKUP, _KEY, due), now)

    async def run(self, job: Job, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> datetime | None:
        """Make a backup, delete the oldest ones, and return when the next one is due.

        A failure keeps the older backups. The last backup before the job was due is always kept.
        """
        if self._every is None:
            return None
        making = self._making = self._making or _run_in_thread(partial(self._back_up, clock(), job.due_at))
        # If the job is cancelled, its next run fetches the result, even if the backup has ended by then.
        await asyncio.wait([making])
        self._making = None
        try:
            began = making.result()
        except NeedsPgDump:
            log.warning("BACKUP_EVERY_HOURS is for SQLite only; PostgreSQL has its own programs (docs/hosting.md)")
            return None
        except (OSError, StoreUnavailable) as fault:
            log.error(  # noqa: TRY400 - the log's reader needs the reason, not a traceback
                "the database was not backed up to %s: %s; make sure that the disk has space and that the bot may "
                "write there; if the database is damaged, restore the newest backup (docs/hosting.md)",
                self._folder,
                fault,
            )
            return clock() + min(self._every, _TRY_AGAIN_AFTER)
        self._last_at = began
        ended = clock()
        if ended < began + self._every:
            return began + self._every
        log.warning(
            "the backup took %s, as long as the time between two backups: raise BACKUP_EVERY_HOURS", ended - began
        )
        return ended + self._every

    def _find_backups(self) -> dict[datetime, Path]:
        """Return the finished backups by their start times, oldest first."""
        found = dict[datetime, Path]()
        for file in sorted(self._folder.glob(_FILES)):
            # An unrelated file may have such a name.
            with suppress(OSError, ValueError):
                if file.stat().st_size:
                    found[datetime.strptime(file.name, _FILE_NAME).replace(tzinfo=UTC)] = file
        return found

    def _back_up(self, now: datetime, due_at: datetime) -> datetime:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._folder / now.strftime(_FILE_NAME)
        back_up(self._database_url, file)
        self._remove_unfinished(now)
        self._remove_old(due_at)
        log.info("backed up the database to %s", file)
        return now

    def _remove_old(self, due_at: datetime) -> None:
        """Remove all backups except the newest ones, and the last one before this run in case the job is repeated."""
        backups = self._find_backups()
        last_before = max((made_at for made_at in backups if made_at < due_at), default=None)
        for made_at in sorted(backups)[: -self._keep]:
            if made_at != last_before:
                backups[made_at].unlink(missing_ok=True)

    def _remove_unfinished(self, now: datetime) -> None:
        """Remove the files of processes that were killed during a backup."""
        for empty in [file for file in self._folder.glob(_FILES) if file.stat().st_size == 0]:
            empty.unlink(missing_ok=True)
        since = (now - _UNFINISHED_AFTER).timestamp()
        for part in [folder for folder in self._folder.glob(f"{_PART}*") if folder.stat().st_mtime < since]:
            shutil.rmtree(part, ignore_errors=True)


def _run_in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Run a function in a thread that does not delay the process's exit."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as fault:  # noqa: BLE001 - the run that waits raises it
            done.set_exception(fault)

    threading.Thread(target=run, name="backup", daemon=True).start()
    return asyncio.wrap_future(done)
