"""The host's book of tables: live tables in step with the store, one change at a time per table."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.observability.trace import note_saved
from bot.rules.refusals import Refusal
from bot.tables.actions.orphans import game_gone_refusal
from bot.tables.clock import Clock, SystemClock
from bot.tables.model import Entry, Header, PublishedRevision, Status, StoredTable, TableId
from bot.tables.ports import Conflict, TableStore
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import AnyPackage
from bot.tables.results import results_of
from bot.tables.runtime.cache import CACHE_BYTES, TableCache
from bot.tables.runtime.locks import TableLocks
from bot.tables.table import ReplayDiverged, Table, restore, stop
from bot.tables.time_slices import TimeSlices

log = logging.getLogger(__name__)

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class TableChange:
    """What a wish turns a table into, and the entry that did it."""

    table: Table
    entry: Entry | None = None
    changed_by: int | None = None
    """Who changed the table without an entry; None where only a lobby's opener can have done so, or nobody there."""
    is_quiet: bool = False
    """Whether nobody who plays there did it, so that the table is as silent as it was."""


DecideChange = Callable[[Table], TableChange]
TableListener = Callable[[Table], None]


class TableRepository:
    """Loads tables, writes their changes, and tells whoever listens; which changes, others decide."""

    def __init__(
        self,
        store: TableStore,
        games: Mapping[str, AnyPackage],
        *,
        clock: Clock | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self.games = games
        self._store = store
        self.clock: Clock = clock or SystemClock()
        self.cache = TableCache(cache_bytes)
        self.time_slices = TimeSlices()
        self._locks = TableLocks()
        self._listeners: list[TableListener] = []
        self._preparers: list[TableListener] = []
        self.running_changes: set[asyncio.Future[Table]] = set()

    def add_listener(self, listener: TableListener) -> None:
        """Call the listener with every table that has changed, after the change is on disk."""
        self._listeners.append(listener)

    def add_preparer(self, preparer: TableListener) -> None:
        """Let somebody get ready for a table as a move has left it, while the move is on its way to the disk.

        It may never get there, so nothing is to be shown.
        """
        self._preparers.append(preparer)

    async def table(self, table_id: TableId, *, step: int = 0, revision: int = 0) -> Table:
        """Return a table as it stands; refuses one that does not exist.

        Who has seen a later step or revision than this process knows of has seen another process's work: the table is
        read anew.
        """
        cached = self.cache.get(table_id)
        if cached is not None and cached.header.step >= step and cached.header.revision >= revision:
            return cached
        async with self._locks.for_table(table_id):
            if cached is not None:
                self.cache.evict(table_id)
            return await self._load(table_id)

    async def reload(self, table_id: TableId) -> Table:
        """Return a table as it is on disk, where another process may have noted what is shown of it."""
        async with self._locks.for_table(table_id):
            self.cache.evict(table_id)
            return await self._load(table_id)

    async def open_table_in(self, channel_id: int, solo_id: int = 0) -> Table | None:
        """Return the open table of a channel, or a person's solo game in it."""
        table_id = await self._store.find_open(channel_id, solo_id)
        return None if table_id is None else await self.table(table_id)

    async def newest_table_id_in(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, or a person's newer solo game in it, be it open or over."""
        return await self._store.find_newest(channel_id, solo_id)

    async def load_stored(self, table_id: TableId) -> StoredTable:
        """Return a table as it is stored, moves and all; refuses one that does not exist."""
        record = await self._store.load(table_id)
        if record is None:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        if record.header.game not in self.games:
            raise game_gone_refusal(record)
        return record

    def note_published(self, table: Table, message_id: int | None) -> None:
        """Note that a table's present revision is shown in a message; written down at the next flush."""
        self.cache.note_published(PublishedRevision(table.id, table.header.revision, message_id))

    def note_message(self, table: Table, message_id: int) -> None:
        """Note which message shows a table of which none is noted yet: the process that posted it may be slow to."""
        if table.header.message_id is None and self.cache.unwritten_for(table.id) is None:
            self.cache.note_published(PublishedRevision(table.id, table.header.published, message_id))

    def touch(self, table_id: TableId) -> None:
        """Note a sign of life of whoever is to move that changes nothing, in memory alone: they are not silent."""
        self.cache.touch(table_id, self.clock())

    async def flush(self) -> None:
        """Write down what is shown; after a crash an unwritten note costs one edit that changes nothing."""
        unwritten = self.cache.unwritten()
        if unwritten:
            await self._store.mark_published(unwritten)
            self.cache.mark_written(unwritten)

    async def finish_changes(self, seconds: float) -> None:
        """Wait until every change that was begun is made and told of, for some seconds at most."""
        if self.running_changes:
            await asyncio.wait(self.running_changes, timeout=seconds)

    async def _change(self, table_id: TableId, decide: DecideChange) -> Table:
        """Run a change to its end even if whoever asked for it is cancelled."""
        running = asyncio.ensure_future(self._run_change(table_id, decide))
        self.running_changes.add(running)
        running.add_done_callback(self._on_change_done)
        return await asyncio.shield(running)

    def _on_change_done(self, running: asyncio.Future[Table]) -> None:
        """Hear of a fault that whoever asked for the change may not wait for any more."""
        self.running_changes.discard(running)
        if not running.cancelled() and (fault := running.exception()):
            # The facts of a refusal are for whoever was refused: they may name a card that is not held.
            log.debug("a change was not made: %s", fault.reason if isinstance(fault, Refusal) else repr(fault))

    async def _run_change(self, table_id: TableId, decide: DecideChange) -> Table:
        async with self._locks.for_table(table_id):
            for _ in range(_ATTEMPTS):
                before = await self._load(table_id)
                change = decide(before)
                table = self._next_revision(
                    change.table, heard=_restarts_wait(before.header, change), quiet=change.is_quiet
                )
                try:
                    await self._save(before, table, change.entry)
                except Conflict:
                    continue
                return self._accept_change(table)
        raise Stale(table_id)

    async def _save(self, before: Table, after: Table, entry: Entry | None) -> None:
        """Write a change; whenever that fails the disk is believed, not the memory."""
        seats = None if after.seats is before.seats else after.seats
        results = results_of(after) if before.header.status is not Status.FINISHED else ()
        try:
            async with self._store.saving(after.header, seats, entry, results) as is_committing:
                if is_committing:
                    self._run_preparers(after)
        except BaseException:
            self.cache.evict(before.id)
            raise

    def _accept_change(self, table: Table) -> Table:
        note_saved()
        table = self.cache.put(table)
        self.notify_listeners(table)
        return table

    def _run_preparers(self, table: Table) -> None:
        for preparer in self._preparers:
            try:
                preparer(table)
            except Exception:
                log.exception("nothing could be got ready for table %s", table.id)

    def notify_listeners(self, table: Table) -> None:
        """Call all listeners with a table that has changed."""
        for listener in self._listeners:
            listener(table)

    async def _load(self, table_id: TableId) -> Table:
        for _ in range(_ATTEMPTS):
            if cached := self.cache.get(table_id):
                return cached
            try:
                return await self._load_from_store(table_id)
            except Conflict:
                continue
        raise Stale(table_id)

    async def _load_from_store(self, table_id: TableId) -> Table:
        """Bring a table to life from disk; one that can't be trusted to replay is held."""
        with self.cache.loading(table_id):
            record = await self.load_stored(table_id)
            package = self.games[record.header.game]
            try:
                return self.cache.put(await restore(record, package, self.time_slices))
            except ReplayDiverged as fault:
                table = await self._hold_diverged(Table(record.header, record.seats, package), fault)
            table = self.cache.put(table)
        self.notify_listeners(table)
        return table

    async def _hold_diverged(self, table: Table, fault: ReplayDiverged) -> Table:
        if table.header.status is not Status.PLAYING:
            log.info("table %s is over and no longer shown in full: %s", table.id, fault)
            return table
        log.error("table %s is held: %s", table.id, fault)
        held = self._next_revision(stop(table, Status.HELD))
        await self._store.save(held.header, None, None)
        return held

    def _next_revision(self, table: Table, *, heard: bool = True, quiet: bool = False) -> Table:
        now, header = self.clock(), table.header
        since = now if heard else header.awaited_since
        changed_at = header.updated_at if quiet else now
        header = replace(header, revision=header.revision + 1, updated_at=changed_at, awaited_since=since)
        return replace(table, header=header)


def _restarts_wait(before: Header, change: TableChange) -> bool:
    """Tell whether a table waits anew: for somebody else, or for somebody who has just acted."""
    after, entry = change.table.header, change.entry
    if after.status is Status.LOBBY:
        return change.changed_by in (None, after.opener_id) or before.opener_id != after.opener_id
    if entry is None and change.changed_by is not None:
        return change.table.seat_of(change.changed_by) == after.to_move
    if entry is None or (before.to_move, before.awaits_computer) != (after.to_move, after.awaits_computer):
        return True
    return entry.seat == after.to_move
