"""Compacts, once a day, the entries of tables that have been over for a week.

The entries of a table become one compressed text: a JSON list of columns, because similar values compress best side by
side. Steps and times are stored as differences from their predecessors. A click's id is reduced to whether there was
one: ids only matter while a click may arrive twice.
"""

import json
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select

from bot.platform.database.database import Database
from bot.platform.database.sql import get_value, set_value
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.storage import Job
from bot.tables.model import FORGOTTEN_CLICK, Entry, Status, TableId
from bot.tables.schema import compacted_moves, entry_of, moves, tables

COMPACTION: Final = "compaction"
"""The kind of the daily job."""

COMPACTED_AFTER: Final = timedelta(days=7)
"""How long a table must be over before it is compacted; by then no click can arrive a second time."""

_PLACE_KEY: Final = "compaction at"
_EVERY: Final = timedelta(days=1)
_BATCH: Final = 5
"""Tables per transaction; few, so that no move waits long to be written."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

# Each step is one look-up in the primary key, where DISTINCT would read all rows. Compacted tables have no rows, so
# this finds only tables that are not compacted.
_FIRST: Final = (
    select(func.min(moves.c.table_id).label("id"), literal(1).label("number"))
    .where(moves.c.table_id > bindparam("after"))
    .cte("walked", recursive=True)
)
_NEXT_ID: Final = select(func.min(moves.c.table_id)).where(moves.c.table_id > _FIRST.c.id).scalar_subquery()
_WALKED: Final = _FIRST.union_all(
    select(_NEXT_ID, _FIRST.c.number + 1).where(_FIRST.c.id.is_not(None), _FIRST.c.number < bindparam("most"))
)
SELECT_WITH_MOVES: Final = (
    select(tables.c.id, tables.c.status, tables.c.created_at, tables.c.updated_at)
    .join(_WALKED, _WALKED.c.id == tables.c.id)
    .order_by(tables.c.id)
)
_DELETE: Final = delete(moves).where(moves.c.table_id.in_(bindparam("due", expanding=True))).returning(*moves.c)
_INSERT: Final = insert(compacted_moves)


class Compaction:
    """Compacts the entries of tables that can no longer change. Loading a table works as before."""

    def __init__(
        self, db: Database, clock: Callable[[], datetime], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._db = db
        self._clock = clock
        self._seconds = seconds
        self._is_scheduled = False

    async def check(self) -> None:
        """Schedule the daily run, unless it is scheduled already."""
        if not self._is_scheduled:
            # A new database has nothing to compact on its first day.
            await self._db.write(job_storage.add, Job(COMPACTION, "", self._clock() + _EVERY))
            self._is_scheduled = True

    async def run(self, _job: Job) -> datetime:
        """Compact tables that are due; after `RUN_SECONDS`, leave the rest to the next run."""
        now, until = self._clock(), self._seconds() + RUN_SECONDS
        after_id: TableId | None = int(await self._db.read(get_value, _PLACE_KEY) or 0)
        while after_id is not None and self._seconds() <= until:
            after_id = await self._db.maintain(compact_tables, after_id, now - COMPACTED_AFTER, _BATCH)
        await self._db.maintain(set_value, _PLACE_KEY, "" if after_id is None else str(after_id))
        return now + _EVERY if after_id is None else self._clock()


def compact_tables(connection: Connection, after_id: TableId, over_since: datetime, limit: int) -> TableId | None:
    """Read a batch of tables that are not compacted, and compact those that were over by a time.

    Returns:
        The last table of the batch; None if all later tables were opened after that time.
    """
    found = connection.execute(SELECT_WITH_MOVES, {"after": after_id, "most": limit}).all()
    due = [row.id for row in found if Status(row.status).is_over and row.updated_at < over_since]
    entries: dict[TableId, list[Entry]] = defaultdict(list)
    if due:
        # Whichever process deletes the rows also writes the text; another process waits here and then finds no rows.
        for row in connection.execute(_DELETE, {"due": due}):
            entries[row.table_id].append(entry_of(row))
    if entries:
        texts = {
            table_id: compress_entries(sorted(moved, key=attrgetter("step"))) for table_id, moved in entries.items()
        }
        connection.execute(_INSERT, [{"table_id": table_id, "entries": text} for table_id, text in texts.items()])
    is_done = len(found) < limit or found[-1].created_at >= over_since
    return None if is_done else found[-1].id


def compress_entries(entries: Sequence[Entry]) -> bytes:
    """Return entries as a compressed text."""
    columns = (
        _differences(entry.step for entry in entries),
        _differences((entry.at - _EPOCH) // _MICROSECOND for entry in entries),
        [entry.seat for entry in entries],
        [int(entry.click_id is not None) for entry in entries],
        [entry.text for entry in entries],
        [entry.digest for entry in entries],
    )
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode())


def decompress_entries(data: bytes) -> tuple[Entry, ...]:
    """Return the entries of a compressed text."""
    steps, times, seats, clicks, texts, digests = json.loads(zlib.decompress(data))
    return tuple(
        Entry(step, seat, text, digest, FORGOTTEN_CLICK if click else None, _EPOCH + timedelta(microseconds=at))
        for step, at, seat, click, text, digest in zip(
            accumulate(steps), accumulate(times), seats, clicks, texts, digests, strict=True
        )
    )


def _differences(numbers: Iterable[int]) -> list[int]:
    return [number - before for before, number in pairwise((0, *numbers))]
