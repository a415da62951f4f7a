"""Exports and deletes what is kept about a person."""

import asyncio
import contextlib
import gzip
import io
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.features.privacy import erasure as erasure_storage, exports
from bot.features.privacy.model import Erasure, ExportedRow, ExportFile
from bot.features.tournaments.model import ADVANCE_KIND
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.looks import Look
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Status, TableId
from bot.tables.refusals import Stale
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

ERASURE: Final = "erasure"
"""The kind of the jobs that delete a person's data. Their keys are pseudonyms: failures are logged with them."""

BATCH: Final = 200
"""How many rows a transaction changes, so that no move waits long for its turn to be written."""

_FOUND: Final = 5000
"""How many rows are looked for at a time."""

_STRETCH: Final = 20_000
"""How many tables are looked through at a time for people who have no seat there."""

_PAGE: Final = 1000
_MAX_BYTES: Final = 64 * 1024 * 1024
_MAX_PLAIN_BYTES: Final = 8 * 1024 * 1024
"""Discord takes 10 MB; a larger export is compressed."""


class PersonalDataService:
    """Exports a person's data, and deletes it everywhere; the tables go on or end by the usual rules."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        tournaments: TournamentService,
        clear_caches: Iterable[Callable[[], None]],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._service = service
        self._tournaments = tournaments
        self._clear_caches = (service.cache.clear, *clear_caches)
        self._seconds = seconds
        self._cleared: int | None = None
        """How often the caches had been cleared when this process last cleared its own."""

    async def ask_erasure(self, user_id: int) -> None:
        """Have everything about a person deleted; asking twice is harmless.

        Raises:
            StoreUnavailable: It can't be stored.
        """
        now = self._service.clock()
        erasure = Erasure(user_id, -1 - secrets.randbits(62), now)
        await self._db.write(erasure_storage.ask, erasure, Job(ERASURE, str(erasure.pseudonym), now))

    async def erase(self, job: Job) -> datetime | None:
        """Delete everything about a person in short transactions."""
        erasure = await self._db.read(erasure_storage.find, int(job.key))
        if erasure is None:
            return None
        until = self._seconds() + RUN_SECONDS
        # Before the resignations: whoever has withdrawn is not paired again.
        tournament_ids = await self._db.read(erasure_storage.find_open_tournaments, erasure.user_id)
        for tournament_id in tournament_ids:
            with contextlib.suppress(Refusal):
                await self._tournaments.withdraw(tournament_id, erasure.user_id)
        for table_id in await self._db.read(erasure_storage.find_unfinished_tables, erasure.user_id):
            await self._leave(table_id, Person(erasure.user_id, ""), -erasure.pseudonym)
        shown: list[TableId] = []
        async for table_ids in self._erase_batches(erasure):
            shown += table_ids
            if self._seconds() > until:
                return self._service.clock()
        await self._db.maintain(erasure_storage.finish, erasure)
        self._cleared = await self._db.read(erasure_storage.count_erasures)
        self._clear()
        for tournament_id in tournament_ids:
            await self._db.maintain(job_storage.put, Job(ADVANCE_KIND, str(tournament_id), self._service.clock()))
        await self._show(shown)
        return None

    def look(self) -> Look:
        """Return the look that finds work for this feature."""
        return Look("deletions", erasure_storage.HAS_NEWS, lambda _now: {"cleared": str(self._cleared)}, self.check)

    async def check(self) -> None:
        """Clear the caches of this process if any process has deleted something, perhaps while this one was stopped.

        Raises:
            StoreUnavailable: It can't be read.
        """
        count = await self._db.read(erasure_storage.count_erasures)
        if self._cleared is not None and count != self._cleared:
            self._clear()
        self._cleared = count

    def _clear(self) -> None:
        for clear in self._clear_caches:
            clear()

    async def export(self, user_id: int) -> ExportFile:
        """Return everything about a person as a file.

        Raises:
            StoreUnavailable: It can't be read.
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
        """Yield pages of tables' rows, as JSON with what stands between them."""
        table = ""
        async for name, rows in self._export_pages(user_id):
            encoding = self._service.time_slices.run(_encode(row) for row in rows)
            text = b",\n".join([row async for row in encoding])
            before = ",\n" if name == table else f'\n"{name}": [\n'
            if table not in ("", name):
                before = f"\n],{before}"
            yield before.encode() + text
            table = name

    async def _export_pages(self, user_id: int) -> AsyncIterator[tuple[str, Sequence[ExportedRow]]]:
        """Yield some rows of a table at a time, with its name."""
        for table in exports.EXPORTED_TABLES:
            after = None
            while page := await self._db.read(exports.export_rows, user_id, table, after, _PAGE):
                if page.rows:
                    yield table, page.rows
                after = page.last

    async def _leave(self, table_id: TableId, person: Person, click_id: int) -> None:
        """Free a person's seat in a lobby, resign for them, or close a table that nobody else plays at."""
        with contextlib.suppress(Refusal, Stale):
            table = await self._service.reload(table_id)
            if table.header.status.is_aside and not _has_others(table, person.id):
                await self._service.abandon(table_id, self._service.clock())
            elif table.header.status is Status.LOBBY and not table.is_fixed:
                await self._service.leave(table_id, person)
            elif table.header.status is Status.LOBBY or not _has_others(table, person.id):
                await self._service.cancel(table_id, person, is_moderator=True)
            else:
                await self._service.apply_seat_action(table_id, person, resign_seat, click_id)

    async def _erase_batches(self, erasure: Erasure) -> AsyncIterator[Iterable[TableId]]:
        """Erase some rows at a time, and yield tables that are to be shown again."""
        while (done := await self._db.maintain(erasure_storage.erase_from_tables, erasure, BATCH)).count:
            yield done.shown_ids
        while rows := await self._db.read(erasure_storage.find_rows, erasure.user_id, _FOUND):
            for start in range(0, len(rows.keys), BATCH):
                await self._db.maintain(
                    erasure_storage.erase_rows, erasure, replace(rows, keys=rows.keys[start : start + BATCH])
                )
                yield ()
        after_id: TableId | None = 0
        while after_id is not None:
            after_id = await self._db.maintain(erasure_storage.erase_openers, erasure, after_id, _STRETCH)
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
    """Return whether anyone else has a seat; pseudonyms are negative."""
    return any(each.user_id != user_id for each in table.seats if each.user_id is not None and each.user_id > 0)


def _encode(row: ExportedRow) -> bytes:
    return json.dumps(dict(row), ensure_ascii=False).encode()


def _compress(parts: Iterable[bytes]) -> bytes:
    """Compress a text in parts: between them, other threads run."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb") as compressed:
        for part in parts:
            compressed.write(part)
    return file.getvalue()
