"""Backs up a database while it is in use."""

import asyncio
import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar
from urllib.parse import quote

from sqlalchemy.engine import URL

from bot.platform.database.address import SQLITE, parse_database_url
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable, explain
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.model import Job

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
"""When a backup that failed is made again; checking a large database takes a while."""


class NeedsPgDump(Exception):
    """A PostgreSQL database must be backed up with `pg_dump`; `command` is the command line, without the password."""

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
        raise NeedsPgDump(("pg_dump", "--format=custom", f"--file={file}", f"--dbname={_url_without_password(url)}"))
    with _open_source(url) as source, _create_atomically(file) as part:
        _copy(source, part)


def _url_without_password(url: URL) -> str:
    query = {name: value for name, value in url.query.items() if name != "password"}
    return URL.create("postgresql", url.username, None, url.host, url.port, url.database, query).render_as_string()


@contextmanager
def _open_source(url: URL) -> Iterator[sqlite3.Connection]:
    """Open an existing file.

    It is opened for writing, so that SQLite cleans up its side files if the bot is not running.
    """
    name = url.database or ""
    uri = name if name.startswith("file:") else f"file:{quote(name)}"
    try:
        connection = sqlite3.connect(f"{uri}?mode=rw", uri=True)
    except sqlite3.OperationalError as error:
        raise explain(f"{error}: {name}", error) from error
    with closing(connection):
        yield connection


@contextmanager
def _create_atomically(file: Path) -> Iterator[Path]:
    """Yield a temporary file, readable by its owner only, that becomes the file if the block succeeds.

    If the process is killed meanwhile, an empty file is left, which cannot be mistaken for a backup.
    """
    file.touch(mode=0o600, exist_ok=False)
    try:
        with TemporaryDirectory(prefix=_PART, dir=file.parent, ignore_cleanup_errors=True) as folder:
            part = Path(folder) / file.name
            part.touch(mode=0o600)
            yield part
            part.replace(file)
    except BaseException:
        # Another process may have removed it with what killed ones have left.
        file.unlink(missing_ok=True)
        raise


def _copy(source: sqlite3.Connection, file: Path) -> None:
    try:
        with closing(sqlite3.connect(file.absolute())) as copy:
            # In one step: between several steps, each write of the bot would restart the backup.
            source.backup(copy)
            (result,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise explain(str(error), error) from error
    if result != "ok":
        raise StoreUnavailable(f"the file is damaged: {result}")


class ScheduledBackups:
    """Backs up an SQLite file every few hours, and keeps the newest backups; off unless it has an interval."""

    def __init__(self, database_url: str, folder: Path, *, every: timedelta | None, keep: int) -> None:
        self._database_url = database_url
        self._folder = folder
        self._every = every
        self._keep = keep
        self._last_at: datetime | None = None
        self._making: asyncio.Future[datetime] | None = None
        """The backup whose result no run of the job has taken; until then no other is begun."""

    @property
    def last_at(self) -> datetime | None:
        """When the newest backup was made; None if there is none."""
        return self._last_at

    async def schedule(self, db: Database, now: datetime) -> None:
        """Have the next backup made an interval after the newest one, or none any more.

        One that another process is making goes on.
        """
        if self._every is None:
            await db.maintain(job_storage.remove, BACKUP, [_KEY])
            return
        self._last_at = await asyncio.to_thread(self._find_last)
        due = now if self._last_at is None else max(now, self._last_at + self._every)
        await db.maintain(job_storage.put_unless_claimed, Job(BACKUP, _KEY, due), now)

    async def run(self, job: Job, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> datetime | None:
        """Make a backup, delete the oldest ones, and return when the next one is due.

        If it fails, the older ones are kept; so is, in any case, the last one made before the job was due.
        """
        if self._every is None:
            return None
        making = self._making = self._making or _run_in_thread(partial(self._back_up, clock(), job.due_at))
        # If the job is cancelled meanwhile, its next run takes the result, even of a backup that has ended by then.
        await asyncio.wait([making])
        self._making = None
        try:
            began = making.result()
        except NeedsPgDump:
            log.warning("BACKUP_EVERY_HOURS is for SQLite only; PostgreSQL has its own programs (docs/hosting.md)")
            return None
        except (OSError, StoreUnavailable) as fault:
            log.error(  # noqa: TRY400 - the host needs the reason, not a traceback
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

    def _find_last(self) -> datetime | None:
        return max(self._find_backups(), default=None)

    def _find_backups(self) -> dict[datetime, Path]:
        """Return the finished backups by the times at which they were begun, oldest first."""
        found = dict[datetime, Path]()
        for file in sorted(self._folder.glob(_FILES)):
            # Someone else's file may have such a name.
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
        """Remove all backups but the newest ones, and the last one before this run of the job, should it come again."""
        backups = self._find_backups()
        last_before = max((made_at for made_at in backups if made_at < due_at), default=None)
        for made_at in sorted(backups)[: -self._keep]:
            if made_at != last_before:
                backups[made_at].unlink(missing_ok=True)

    def _remove_unfinished(self, now: datetime) -> None:
        """Remove what processes have left that were killed during a backup."""
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
