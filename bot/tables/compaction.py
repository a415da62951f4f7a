"""Compacts, once a day, the moves of tables that have been over for some days."""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select

from bot.platform.database.database import Database
from bot.platform.database.sql import get_value, set_value
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.storage import Job
from bot.tables import rows
from bot.tables.compacted_entries import compress_entries
from bot.tables.model import Entry, Status, TableId
from bot.tables.schema import compacted_moves, moves, tables

# Each step is one look into the primary key, where DISTINCT would read all rows. Compacted tables have none, so this
# finds only what is left to do and what is not over yet.
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


def compact_tables(connection: Connection, after_id: TableId, over_since: datetime, limit: int) -> TableId | None:
    """Look at some of the tables with moves that are not compacted, and compact those that were over by a time.

    Returns:
        The last one; None if all later ones were opened after that time.
    """
    found = connection.execute(SELECT_WITH_MOVES, {"after": after_id, "most": limit}).all()
    due = [row.id for row in found if Status(row.status).is_over and row.updated_at < over_since]
    if due:
        _compact(connection, due)
    is_done = len(found) < limit or found[-1].created_at >= over_since
    return None if is_done else found[-1].id


def _compact(connection: Connection, table_ids: Sequence[TableId]) -> None:
    # Who deletes the rows writes the text: another process that does the same waits here, and then finds none.
    entries: dict[TableId, list[Entry]] = defaultdict(list)
    for row in connection.execute(_DELETE, {"due": table_ids}):
        entries[row.table_id].append(rows.entry_of(row))
    values = [
        {"table_id": table_id, "entries": compress_entries(sorted(each, key=attrgetter("step")))}
        for table_id, each in entries.items()
    ]
    if values:
        connection.execute(_INSERT, values)


COMPACTION: Final = "compaction"
"""The kind of the only job."""

COMPACTED_AFTER: Final = timedelta(days=7)
"""How long a table is over before: ids of clicks, which are dropped, matter to nobody any more."""

_PLACE_KEY: Final = "compaction at"
_EVERY: Final = timedelta(days=1)
_BATCH: Final = 5
"""How many tables a transaction looks at, so that no move waits long for its turn to be written."""


class Compaction:
    """Compacts the moves of tables that can no longer change. Whoever loads a table does not notice."""

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
        """Compact what is due; after some time, go on in the next run where this one has stopped."""
        now, until = self._clock(), self._seconds() + RUN_SECONDS
        after_id: TableId | None = int(await self._db.read(get_value, _PLACE_KEY) or 0)
        while after_id is not None and self._seconds() <= until:
            after_id = await self._db.maintain(compact_tables, after_id, now - COMPACTED_AFTER, _BATCH)
        await self._db.maintain(set_value, _PLACE_KEY, "" if after_id is None else str(after_id))
        return now + _EVERY if after_id is None else self._clock()
