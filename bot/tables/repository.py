"""The repository of tables: cached, loaded by replay, and changed one change at a time per table."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakValueDictionary

from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.database.errors import OutcomeUnknown
from bot.platform.observability.trace import note_table_saved
from bot.platform.time_slices import TimeSlices
from bot.rules.refusals import Refusal
from bot.tables import storage
from bot.tables.events import DecideChange, Hook, TableChange, TableEvent, event_of, hooks_for, next_revision, update_of
from bot.tables.host_settings import HostSettings
from bot.tables.memory import TableCache
from bot.tables.model import PublishedRevision, Status, StoredTable, TableId, TableUpdate
from bot.tables.orphans import game_gone_refusal
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import AnyPackage
from bot.tables.replay import ReplayDiverged, restore
from bot.tables.saving import save_change
from bot.tables.storage import Conflict
from bot.tables.table import Table, stop


class TableLocks:
    """Locks by table; a lock that is neither held nor awaited is dropped."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()

    def for_table(self, table_id: TableId) -> asyncio.Lock:
        """Return the lock of a table. It lives as long as a caller refers to it."""
        return self._locks.setdefault(table_id, asyncio.Lock())


async def acquire_within(lock: asyncio.Lock, seconds: float) -> bool:
    """Acquire a lock, waiting at most some seconds; return False if it was not acquired."""
    try:
        async with asyncio.timeout(seconds):
            return await lock.acquire()
    except TimeoutError:
        return False


log = logging.getLogger(__name__)

_ATTEMPTS = 3

TableListener = Callable[[Table], None]


class TableRepository:
    """Loads tables, saves changes and notifies listeners; the callers decide the changes."""

    def __init__(
        self,
        db: Database,
        games: Mapping[str, AnyPackage],
        settings: HostSettings = HostSettings(),
        *,
        clock: Clock | None = None,
    ) -> None:
        self.games = games
        self.settings = settings
        self._db = db
        self.clock = clock or Clock()
        self.cache = TableCache(settings.cache_bytes)
        self.time_slices = TimeSlices()
        self._locks = TableLocks()
        self._flushing = asyncio.Lock()
        self._listeners: list[TableListener] = []
        self.hooks: Sequence[Hook] = ()
        """What features do in the transactions that save tables."""
        self.running_changes: set[asyncio.Future[Table]] = set()
        self.has_unknown_outcome = False
        """Whether a table may have changed although that could not be confirmed, since this was last reset."""

    def add_listener(self, listener: TableListener) -> None:
        """Call a listener with every changed table, after the change is on disk."""
        self._listeners.append(listener)

    async def table(self, table_id: TableId, *, step: int = 0, revision: int = 0) -> Table:
        """Return a table.

        Args:
            table_id: The table.
            step: A step that was seen; if the cached table is older, another process has changed it and it is reloaded.
            revision: A revision that was seen, likewise.

        Raises:
            Refusal: The table does not exist, or its game is not installed.
        """
        cached = self.cache.get(table_id)
        if cached is not None and cached.header.step >= step and cached.header.revision >= revision:
            return cached
        async with self._locks.for_table(table_id):
            if cached is not None:
                self.cache.evict(table_id)
            return await self._load(table_id)

    @asynccontextmanager
    async def locked(self, table_id: TableId) -> AsyncIterator[Table]:
        """Give a table as it is on disk, which no other task of this process can change meanwhile."""
        async with self._locks.for_table(table_id):
            self.cache.evict(table_id)
            yield await self._load(table_id)

    async def reload(self, table_id: TableId) -> Table:
        """Return a table as it is on disk, including what another process has changed or shown."""
        async with self.locked(table_id) as table:
            return table

    async def open_table_in(self, channel_id: int, solo_id: int = 0) -> Table | None:
        """Return the open table of a channel, or a person's open solo game there, or None."""
        table_id = await self._db.read(storage.find_open, channel_id, solo_id)
        return None if table_id is None else await self.table(table_id)

    async def newest_table_id_in(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, open or not; a person's solo game there if that is newer."""
        return await self._db.read(storage.find_newest, channel_id, solo_id)

    async def load_stored(self, table_id: TableId) -> StoredTable:
        """Return a table as stored.

        Raises:
            Refusal: The table does not exist, or its game is not installed.
        """
        record = await self._db.read(storage.load, table_id)
        if record is None:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        if record.header.game not in self.games:
            raise game_gone_refusal(record)
        return record

    def note_published(self, table: Table, message_id: int | None) -> None:
        """Note that a message shows a table's current revision; stored at the next flush."""
        header = table.header
        self.cache.note_published(PublishedRevision(table.id, header.revision, message_id, header.published))

    def note_message(self, table: Table, message_id: int) -> None:
        """Note a table's message if none is known; another process may have posted it and not stored its id yet."""
        if table.header.message_id is None and self.cache.unwritten_for(table.id) is None:
            published = table.header.published
            self.cache.note_published(PublishedRevision(table.id, published, message_id, published))

    def touch(self, table_id: TableId) -> None:
        """Note activity of the player to move that changes nothing, in memory only."""
        self.cache.touch(table_id, self.clock())

    async def flush(self) -> None:
        """Store published revisions. A note lost in a crash costs one superfluous edit."""
        async with self._flushing:
            if not (unwritten := self.cache.unwritten()):
                return
            try:
                await self._db.maintain(storage.mark_published, unwritten)
            except (OutcomeUnknown, asyncio.CancelledError):
                self.cache.mark_perhaps_written(unwritten)
                raise
            self.cache.mark_written(unwritten)

    async def finish_changes(self, seconds: float) -> None:
        """Wait, at most some seconds, until all running changes are saved and listeners notified."""
        if self.running_changes:
            await asyncio.wait(self.running_changes, timeout=seconds)

    async def _change(self, table_id: TableId, decide: DecideChange) -> Table:
        """Run a change, which continues even if the caller is cancelled."""
        running = asyncio.ensure_future(self._run_change(table_id, decide))
        self.running_changes.add(running)
        running.add_done_callback(self._on_change_done)
        return await asyncio.shield(running)

    async def replace(
        self, table_id: TableId, action: Callable[[Table], Table], changed_by: int | None = None
    ) -> Table:
        """Run a change that leaves no entry, by the opener of a lobby unless `changed_by` says who else acts."""
        return await self._change(table_id, lambda table: TableChange(action(table), changed_by=changed_by))

    def _on_change_done(self, running: asyncio.Future[Table]) -> None:
        """Log the error of a change, whose caller may have been cancelled."""
        self.running_changes.discard(running)
        if not running.cancelled() and (fault := running.exception()):
            # The facts of a refusal may be secret, such as the name of a card, so only its reason is logged.
            log.debug("a change was not made: %s", fault.reason if isinstance(fault, Refusal) else repr(fault))

    async def _run_change(self, table_id: TableId, decide: DecideChange) -> Table:
        async with self._locks.for_table(table_id):
            for _ in range(_ATTEMPTS):
                before = await self._load(table_id)
                change = decide(before)
                after = next_revision(before, change, self.clock())
                try:
                    table = await self._save(update_of(before, after, change.entry), event_of(before, after, change))
                except Conflict:
                    continue
                return self._accept_change(table)
        raise Stale(table_id)

    async def _save(self, update: TableUpdate, event: TableEvent) -> Table:
        """Save a change, and return the table as features leave it; if that fails, evict it so that it is reloaded."""
        try:
            with self._noting_unknown_outcome():
                saved = await save_change(self._db, update, hooks_for(event, self.hooks))
        except BaseException:
            self.cache.evict(update.header.id)
            raise
        return saved or event.after

    @contextmanager
    def _noting_unknown_outcome(self) -> Iterator[None]:
        try:
            yield
        except OutcomeUnknown:
            self.has_unknown_outcome = True
            raise

    def _accept_change(self, table: Table) -> Table:
        note_table_saved()
        table = self.cache.put(table)
        self.notify_listeners(table)
        return table

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
        """Load and replay a table; hold it if the replay diverges."""
        with self.cache.loading(table_id):
            record = await self.load_stored(table_id)
            package = self.games[record.header.game]
            try:
                restored = await restore(record, package, self.time_slices)
                if self.cache.is_outdated(table_id):
                    raise Conflict(table_id)
                return self.cache.put(restored)
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
        held = next_revision(table, TableChange(stop(table, Status.HELD)), self.clock())
        # Whoever looks at the table has asked for something else.
        await self._db.maintain(storage.save, TableUpdate(held.header))
        return held
