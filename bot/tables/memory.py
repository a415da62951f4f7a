"""Tables in memory: a cache of limited size, notes of published revisions, and a lock per table."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Final
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.tables.model import PublishedRevision, TableId
from bot.tables.table import Table

CACHE_BYTES: Final = 144 * 1024 * 1024
"""Room for 10,000 tables of the largest game, and for twice as many of most games."""

MAX_TABLE_BYTES: Final = CACHE_BYTES // 10_000
"""The most estimated bytes that a table of any game may take."""

MAX_CLOSED_TABLES: Final = 64
"""The most finished tables cached: people look at them for some minutes, then hardly ever again."""

_TABLE_BYTES, _SEAT_BYTES, _NUMBER_BYTES, _TAKE_BACK_BYTES, _BEFORE_BYTES = 3900, 620, 64, 650, 900
_BEST_TURN_BYTES = 500
_MOVE_BYTES, _EVENT_BYTES = 120, 170
"""Estimated bytes per move in a table's news, and per event of those moves."""


def estimate_table_bytes(table: Table) -> int:
    """Estimate a table's memory in bytes, without shared objects such as the pieces of a game.

    This runs for every saved move, so it only counts. `tests/tables/runtime/test_cache_size.py` compares it with
    measurements for every game.
    """
    return (
        _TABLE_BYTES
        + _SEAT_BYTES * len(table.seats)
        + _MOVE_BYTES * len(table.news)
        + _EVENT_BYTES * sum(len(move.events) for move in table.news)
        + len(table.race)
        + _NUMBER_BYTES * len(table.numbers)
        + _TAKE_BACK_BYTES * sum(1 for _ in table.positions_to_take_back())
        + _BEFORE_BYTES * (table.before is not None)
        + sum(_BEST_TURN_BYTES + _EVENT_BYTES * len(best.events) for best in table.best_turns if best is not None)
    )


class TableCache:
    """Evicts the least recently used tables, and keeps notes of published revisions until they are on disk."""

    def __init__(self, size: int = CACHE_BYTES) -> None:
        self._open: LRUCache[TableId, Table] = LRUCache(size, getsizeof=estimate_table_bytes)
        self._closed: LRUCache[TableId, Table] = LRUCache(MAX_CLOSED_TABLES)
        self.hits = self.misses = 0
        """Look-ups that found a table, and those that did not."""
        self._unwritten: dict[TableId, PublishedRevision] = {}
        self._loading: dict[TableId, datetime | None] = {}
        """Tables that are being loaded, with the time of activity noted meanwhile."""
        self._outdated: set[TableId] = set()
        """Tables whose loading began before `clear`."""

    def get(self, table_id: TableId) -> Table | None:
        """Return a table if it is cached."""
        found = self._find(table_id)
        if found is None:
            self.misses += 1
        else:
            self.hits += 1
        return found

    @contextmanager
    def loading(self, table_id: TableId) -> Iterator[None]:
        """Keep notes about a table while it is being loaded from disk."""
        self._loading[table_id] = None
        try:
            yield
        finally:
            del self._loading[table_id]
            self._outdated.discard(table_id)

    def is_outdated(self, table_id: TableId) -> bool:
        """Return whether `clear` was called while a table was loading: names in it may have been deleted."""
        return table_id in self._outdated

    def put(self, table: Table) -> Table:
        """Cache a table and return it with the newest note of its published revision."""
        cached, note = self._find(table.id), self._unwritten.get(table.id)
        if cached is not None:
            table = _with_published(table, cached.header.published, cached.header.message_id)
        # Another process may have shown the table since, so a loaded table may be newer than this process's note.
        if note is not None and note.revision >= table.header.published:
            table = _with_published(table, note.revision, note.message_id)
        if active_at := self._loading.get(table.id):
            table = _with_awaited_since(table, active_at)
        self.evict(table.id)
        (self._open if table.header.status.is_open else self._closed)[table.id] = table
        return table

    def evict(self, table_id: TableId) -> None:
        """Drop a table, so that it is loaded from disk the next time."""
        self._open.pop(table_id, None)
        self._closed.pop(table_id, None)

    def clear(self) -> None:
        """Drop all tables; the notes of published revisions stay."""
        self._open.clear()
        self._closed.clear()
        self._outdated.update(self._loading)

    def note_published(self, shown: PublishedRevision) -> None:
        """Note the published revision of a table."""
        earlier = self._unwritten.get(shown.table_id)
        self._unwritten[shown.table_id] = shown if earlier is None else replace(shown, replaces=earlier.replaces)
        for tables in (self._open, self._closed):
            if table := tables.get(shown.table_id):
                tables[shown.table_id] = _with_published(table, shown.revision, shown.message_id)
                return

    def _find(self, table_id: TableId) -> Table | None:
        return self._open.get(table_id) or self._closed.get(table_id)

    def touch(self, table_id: TableId, now: datetime) -> None:
        """Note activity of the player to move; it is lost when the table is evicted."""
        if table := self._open.get(table_id):
            self._open[table_id] = _with_awaited_since(table, now)
        elif table_id in self._loading:
            self._loading[table_id] = now

    def unwritten_for(self, table_id: TableId) -> PublishedRevision | None:
        """Return the note of a table's published revision, unless it is on disk."""
        return self._unwritten.get(table_id)

    def unwritten(self) -> list[PublishedRevision]:
        """Return the notes that are not on disk."""
        return list(self._unwritten.values())

    def mark_perhaps_written(self, notes: list[PublishedRevision]) -> None:
        """Note that these notes may have been stored, so that the revisions they replace are uncertain."""
        for note in notes:
            self._unwritten[note.table_id] = replace(self._unwritten[note.table_id], replaces=None)

    def mark_written(self, notes: list[PublishedRevision]) -> None:
        """Drop notes that are on disk now, unless they were replaced meanwhile or their table is being loaded."""
        for note in notes:
            unwritten = self._unwritten.get(note.table_id)
            if unwritten is note and note.table_id not in self._loading:
                del self._unwritten[note.table_id]
            elif unwritten is not None:
                self._unwritten[note.table_id] = replace(unwritten, replaces=note.revision)


def _with_awaited_since(table: Table, now: datetime) -> Table:
    return replace(table, header=replace(table.header, awaited_since=now))


def _with_published(table: Table, published: int, message_id: int | None) -> Table:
    header = table.header
    if (header.published, header.message_id) == (published, message_id):
        return table
    return replace(table, header=replace(header, published=published, message_id=message_id))


class TableLocks:
    """Locks by table; unused locks are dropped."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()

    def for_table(self, table_id: TableId) -> asyncio.Lock:
        """Return the lock of a table, which lives as long as a caller refers to it."""
        return self._locks.setdefault(table_id, asyncio.Lock())


async def acquire_within(lock: asyncio.Lock, seconds: float) -> bool:
    """Acquire a lock within some seconds; return False if that fails."""
    try:
        async with asyncio.timeout(seconds):
            return await lock.acquire()
    except TimeoutError:
        return False
