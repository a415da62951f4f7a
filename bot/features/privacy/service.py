"""Exports and deletes the data of people and servers, and deletes old data.

In each process, an erasure clears every cache that a feature registers as `personal_caches`.
"""

import asyncio
import contextlib
import gzip
import io
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from bot.features.privacy import exports, storage
from bot.features.privacy.model import Erasure, ExportedRow, ExportFile, RetentionLimits
from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.database.sql import get_value, set_value
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.looks import Look
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.aside import abandon
from bot.tables.model import Status, TableId
from bot.tables.refusals import Stale
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

ERASURE: Final = "erasure"
"""The kind of jobs that delete a person's data. Their keys are pseudonyms, because failures are logged with the key."""

BATCH: Final = 200
"""The number of rows changed per transaction, small enough that no move waits long to be written."""

_FOUND: Final = 5000
"""The number of rows looked up at a time."""

_OPENED_STRETCH: Final = 20_000
"""The number of tables searched at a time for an opener without a seat."""

_PAGE: Final = 1000
_MAX_BYTES: Final = 64 * 1024 * 1024
_MAX_PLAIN_BYTES: Final = 8 * 1024 * 1024
"""The limit above which an export is compressed; Discord accepts 10 MB."""


class PersonalDataService:
    """Exports and deletes a person's data. Tables that the person leaves go on or end by the usual rules."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        leave: Callable[[int], Awaitable[Sequence[Job]]],
        clear_personal_caches: Callable[[], None],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up the service.

        Args:
            db: The database with the data.
            service: The service that changes tables.
            leave: Withdraws a person from everything besides tables; returns jobs that show this after the erasure.
            clear_personal_caches: Clears all caches of this process that features registered as `personal_caches`.
            seconds: A clock for durations.
        """
        self._db = db
        self._service = service
        self._leave_others = leave
        self._clear_personal_caches = clear_personal_caches
        self._seconds = seconds
        self._cleared: int | None = None
        """The number of deletions when this process last cleared its caches; None before it first looked."""

    async def ask_erasure(self, user_id: int) -> None:
        """Schedule the deletion of everything about a person; a second request does nothing.

        Raises:
            StoreUnavailable: The request can't be stored.
        """
        now = self._service.clock()
        erasure = Erasure(user_id, -1 - secrets.randbits(62), now)
        await self._db.write(storage.ask, erasure, Job(ERASURE, str(erasure.pseudonym), now))

    async def erase(self, job: Job) -> datetime | None:
        """Delete everything about a person in short transactions."""
        erasure = await self._db.read(storage.find, int(job.key))
        if erasure is None:
            return None
        until = self._seconds() + RUN_SECONDS
        # Before the resignations, so that a withdrawn person is not paired again.
        shown_later = await self._leave_others(erasure.user_id)
        for table_id in await self._db.read(storage.find_unfinished_tables, erasure.user_id):
            await self._leave(table_id, Person(erasure.user_id, ""), -erasure.pseudonym)
        shown: list[TableId] = []
        async for table_ids in self._erase_batches(erasure):
            shown += table_ids
            if self._seconds() > until:
                return self._service.clock()
        await self._db.maintain(storage.finish, erasure)
        self._cleared = await self._db.read(storage.count_erasures)
        self._clear_personal_caches()
        for showing in shown_later:
            await self._db.maintain(job_storage.put, showing)
        await self._show(shown)
        return None

    def look(self) -> Look:
        """Return the look that finds work for this feature."""
        return Look("deletions", storage.HAS_NEWS, lambda _now: {"cleared": str(self._cleared)}, self.check)

    async def check(self) -> None:
        """Clear the caches of this process if any process has deleted data, perhaps while this one was down.

        Raises:
            StoreUnavailable: The number of deletions can't be read.
        """
        count = await self._db.read(storage.count_erasures)
        if self._cleared is not None and count != self._cleared:
            self._clear_personal_caches()
        self._cleared = count

    async def export(self, user_id: int) -> ExportFile:
        """Return everything about a person as a file.

        Raises:
            StoreUnavailable: The data can't be read.
        """
        parts, size, is_complete = list[bytes](), 0, True
        async for part in self._export_parts(user_id):
            size += len(part)
            if size > _MAX_BYTES:
                is_complete = False
                break
            parts.append(part)
        head = {"person": str(user_id), "made_at": self._service.clock().isoformat(), "is_complete": is_complete}
        parts = [f'{json.dumps(head)[:-1]}, "data": {{'.encode(), *parts, b"\n]}}\n" if parts else b"\n}}\n"]
        if size <= _MAX_PLAIN_BYTES:
            return ExportFile("parlour-data.json", b"".join(parts), is_complete)
        return ExportFile("parlour-data.json.gz", await asyncio.to_thread(_compress, parts), is_complete)

    async def _export_parts(self, user_id: int) -> AsyncIterator[bytes]:
        """Yield the pages of an export as parts of a JSON document."""
        table = ""
        async for name, rows in self._export_pages(user_id):
            encoding = self._service.time_slices.run(json.dumps(dict(row), ensure_ascii=False).encode() for row in rows)
            text = b",\n".join([row async for row in encoding])
            before = ",\n" if name == table else f'\n"{name}": [\n'
            if table not in ("", name):
                before = f"\n],{before}"
            yield before.encode() + text
            table = name

    async def _export_pages(self, user_id: int) -> AsyncIterator[tuple[str, Sequence[ExportedRow]]]:
        """Yield some rows at a time, with the name of their table."""
        for table in exports.EXPORTED_TABLES:
            after = None
            while page := await self._db.read(exports.export_rows, user_id, table, after, _PAGE):
                if page.rows:
                    yield table, page.rows
                after = page.last

    async def _leave(self, table_id: TableId, person: Person, click_id: int) -> None:
        """Free a person's seat in a lobby, resign for them, or close a table at which nobody else plays."""
        with contextlib.suppress(Refusal, Stale):
            table = await self._service.reload(table_id)
            if table.header.status.is_aside and not _has_others(table, person.id):
                await abandon(self._service, table_id, self._service.clock())
            elif table.header.status is Status.LOBBY and not table.is_fixed:
                await self._service.leave(table_id, person)
            elif table.header.status is Status.LOBBY or not _has_others(table, person.id):
                await self._service.close(table_id)
            else:
                await self._service.apply_seat_action(table_id, person, resign_seat, click_id)

    async def _erase_batches(self, erasure: Erasure) -> AsyncIterator[Iterable[TableId]]:
        """Erase some rows at a time, and yield the tables that must be shown again."""
        while (done := await self._db.maintain(storage.erase_from_tables, erasure, BATCH)).count:
            yield done.shown_ids
        while rows := await self._db.read(storage.find_rows, erasure.user_id, _FOUND):
            for start in range(0, len(rows.keys), BATCH):
                await self._db.maintain(
                    storage.erase_rows, erasure, replace(rows, keys=rows.keys[start : start + BATCH])
                )
                yield ()
        after_id: TableId | None = 0
        while after_id is not None:
            after_id = await self._db.maintain(storage.erase_openers, erasure, after_id, _OPENED_STRETCH)
            yield ()

    async def _show(self, table_ids: Iterable[TableId]) -> None:
        for table_id in table_ids:
            try:
                table = await self._service.reload(table_id)
            except (Refusal, Stale):
                log.debug("table %s is not shown again", table_id)
            else:
                self._service.notify_listeners(table)


def _has_others(table: Table, user_id: int) -> bool:
    """Return whether another person has a seat; pseudonyms are negative."""
    return any(
        occupant.user_id != user_id for occupant in table.seats if occupant.user_id is not None and occupant.user_id > 0
    )


def _compress(parts: Iterable[bytes]) -> bytes:
    """Compress text part by part, so that other threads run in between."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb") as compressed:
        for part in parts:
            compressed.write(part)
    return file.getvalue()


log = logging.getLogger(__name__)

LEFT_SERVER: Final = "left server"
SERVER_ERASURE: Final = "server erasure"
"""The kinds of the jobs; their keys are ids of servers."""

KEPT_AFTER_LEAVING: Final = timedelta(days=30)
_CLOSING_TIME: Final = timedelta(seconds=15)
"""The time for showing closed tables and tournaments as closed, before they are deleted."""

_ASK_AGAIN_AFTER: Final = timedelta(minutes=1)
"""The wait while the bot is connecting and does not know its servers."""

_ERASED_TABLES: Final = 20


class ServerDataService:
    """Deletes the data of servers."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        close: Callable[[int], Awaitable[int]],
        forget_reminders: Callable[[Connection, int], None],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up the service.

        Args:
            db: The database with the data.
            service: The service that changes tables.
            close: Ends everything in a server besides tables, and returns how much it ended.
            forget_reminders: Deletes the reminders in a server that the bot has left.
            seconds: A clock for durations.
        """
        self._db = db
        self._service = service
        self._close_others = close
        self._forget_reminders = forget_reminders
        self._seconds = seconds
        self.find_membership: Callable[[int], bool | None] = lambda _: None
        """Returns whether the bot is in a server, even during an outage of it; None until the client knows."""

    async def note_left(self, guild_id: int) -> None:
        """Schedule the deletion of a server that the bot has left; its pings no longer hold back others."""
        await self._db.maintain(job_storage.put, self._later(guild_id))
        await self._db.maintain(self._forget_reminders, guild_id)

    async def note_joined(self, guild_ids: Sequence[int]) -> None:
        """Cancel the deletion of servers that the bot has joined again."""
        for some in _pieces(guild_ids, BATCH):
            await self._db.maintain(job_storage.remove, LEFT_SERVER, [str(guild_id) for guild_id in some])

    async def note_present(self, guild_ids: Collection[int]) -> None:
        """Schedule the deletion of the servers that the bot has left while it was down."""
        present = set(guild_ids)
        for guild_id in await self._db.read(storage.find_servers, self._db.shards):
            if guild_id not in present:
                await self._db.write(job_storage.add, self._later(guild_id))
                await self._db.maintain(self._forget_reminders, guild_id)

    async def ask_erasure(self, guild_id: int) -> None:
        """Schedule the deletion of a server's data now; a second request does nothing."""
        await self._db.write(
            job_storage.add, Job(SERVER_ERASURE, str(guild_id), self._service.clock(), guild_id=guild_id)
        )

    async def erase_left(self, job: Job) -> datetime | None:
        """Delete a server's data, unless the bot is back."""
        guild_id = int(job.key)
        is_member = self.find_membership(guild_id)
        if is_member is None:
            return self._service.clock() + _ASK_AGAIN_AFTER
        return None if is_member else await self._erase(guild_id)

    async def erase_asked(self, job: Job) -> datetime | None:
        """Close everything in a server, and delete its data once the messages show this."""
        guild_id = int(job.key)
        # Tournaments first, because they would replace the tables that are closed here.
        closed = await self._close_others(guild_id)
        for table_id in await self._db.read(storage.find_server_tables, guild_id):
            with contextlib.suppress(Refusal, Stale):
                await self._service.close(table_id)
                closed += 1
        return self._service.clock() + _CLOSING_TIME if closed else await self._erase(guild_id)

    async def _erase(self, guild_id: int) -> datetime | None:
        until = self._seconds() + RUN_SECONDS
        while await self._db.maintain(storage.erase_server_tables, guild_id, _ERASED_TABLES) or await self._db.maintain(
            storage.erase_server_rows, guild_id, BATCH
        ):
            if self._seconds() > until:
                return self._service.clock()
        await self._db.maintain(storage.finish_server, guild_id, (LEFT_SERVER, SERVER_ERASURE))
        log.info("deleted the data of a server")
        return None

    def _later(self, guild_id: int) -> Job:
        return Job(LEFT_SERVER, str(guild_id), self._service.clock() + KEPT_AFTER_LEAVING, guild_id=guild_id)


RETENTION: Final = "retention"
KEEP_CLICK_IDS: Final = timedelta(days=1)
KEEP_LOBBIES: Final = timedelta(days=7)
KEEP_NAMES: Final = timedelta(days=730)

_RETENTION_EVERY: Final = timedelta(days=1)
_WALKED_STRETCH: Final = 2000
_WALKED_BATCH: Final = 50
_MAX_QUIET: Final = 100_000
_DONE_KEY: Final = "retention done"
_PLACE_KEY: Final = "retention at"
_BEFORE_ALL: Final = datetime(2015, 1, 1, tzinfo=UTC)


class RetentionService:
    """Deletes old data once a day. It walks through all tables, but writes only for those with old data."""

    def __init__(self, db: Database, clock: Callable[[], Clock], seconds: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._seconds = seconds

    async def schedule(self) -> None:
        """Schedule the daily run unless it is scheduled; nothing is old before the first run."""
        await self._db.write(job_storage.add, Job(RETENTION, "daily", self._clock()() + _RETENTION_EVERY))

    async def run(self, job: Job) -> datetime | None:
        """Delete the data that was old when a job became due; if this takes long, continue in the next run.

        The clock may be wrong now, but it was right at one of the two looks that found the job due.
        """
        until = self._seconds() + RUN_SECONDS
        started, after_id = await self._place(job)
        done = await self._db.read(get_value, _DONE_KEY)
        before = _BEFORE_ALL if done is None else datetime.fromisoformat(done)
        limits = RetentionLimits(
            clicks_since=before - KEEP_CLICK_IDS,
            clicks_until=started - KEEP_CLICK_IDS,
            lobbies_until=started - KEEP_LOBBIES,
            quiet_since=before - KEEP_NAMES,
            quiet_until=started - KEEP_NAMES,
        )
        is_done = False
        while not is_done:
            if self._seconds() > until:
                return self._clock()()
            walk = await self._db.read(storage.walk_tables, after_id, limits, _WALKED_STRETCH)
            for table_ids in _pieces(walk.changed, _WALKED_BATCH):
                await self._db.maintain(storage.clear_click_ids, table_ids, limits.clicks_until)
            for table_ids in _pieces(walk.never_started, _WALKED_BATCH):
                await self._db.maintain(storage.delete_tables, table_ids)
            await self._forget(walk.quiet_people, limits)
            after_id, is_done = walk.last_id, walk.is_done
            await self._db.maintain(set_value, _PLACE_KEY, f"{started.isoformat()} {after_id}")
        people = await self._db.read(storage.find_quiet_people, limits.quiet_since, limits.quiet_until, _MAX_QUIET)
        await self._forget(people, limits)
        await self._db.maintain(set_value, _DONE_KEY, started.isoformat())
        await self._db.maintain(set_value, _PLACE_KEY, "")
        return max(started + _RETENTION_EVERY, self._clock()())

    async def _place(self, job: Job) -> tuple[datetime, int]:
        """Return the start time of the run, and the id of the last table that it has processed."""
        noted = await self._db.read(get_value, _PLACE_KEY)
        if not noted:
            return job.due_at, 0
        started, after_id = noted.split()
        return datetime.fromisoformat(started), int(after_id)

    async def _forget(self, people: Sequence[int], limits: RetentionLimits) -> None:
        forgotten = False
        for user_id in people:
            while await self._db.maintain(storage.forget_name, user_id, limits.quiet_until, BATCH):
                forgotten = True
        if forgotten:
            await self._db.maintain(storage.raise_deletion_count)


def _pieces(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Split ids into batches."""
    return (ids[start : start + size] for start in range(0, len(ids), size))
