"""Compacts, once a day, the moves of tables that have been over for some days."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.platform.database import key_values
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.model import Job
from bot.tables import compaction_storage
from bot.tables.model import TableId

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
        self, store: Database, clock: Callable[[], datetime], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._clock = clock
        self._seconds = seconds
        self._is_scheduled = False

    async def check(self) -> None:
        """Schedule the daily run, unless it is scheduled already."""
        if not self._is_scheduled:
            # A new database has nothing to compact on its first day.
            await self._store.write(job_storage.add, Job(COMPACTION, "", self._clock() + _EVERY))
            self._is_scheduled = True

    async def run(self, _job: Job) -> datetime:
        """Compact what is due; after some time, go on in the next run where this one has stopped."""
        now, until = self._clock(), self._seconds() + RUN_SECONDS
        after_id: TableId | None = int(await self._store.read(key_values.get_value, _PLACE_KEY) or 0)
        while after_id is not None and self._seconds() <= until:
            after_id = await self._store.maintain(
                compaction_storage.compact_tables, after_id, now - COMPACTED_AFTER, _BATCH
            )
        await self._store.maintain(key_values.set_value, _PLACE_KEY, "" if after_id is None else str(after_id))
        return now + _EVERY if after_id is None else self._clock()
