"""The service for all actions on tables, which checks and saves each action before anyone sees it.

Within a process, one task at a time changes a table. Between processes the stored revision decides: a process that
finds an unexpected revision reloads the table and decides again.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from cachetools import LRUCache

from bot.platform.clock import Clock, Downtime
from bot.platform.database.database import Database
from bot.platform.database.errors import OutcomeUnknown
from bot.platform.observability.trace import note_table_saved
from bot.platform.places import Location, Person
from bot.platform.time_slices import TimeSlices
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tables import clocks, closing, lobby, series, storage, turns
from bot.tables.events import (
    DecideChange,
    Happened,
    Hook,
    TableChange,
    TableEvent,
    event_of,
    hooks_for,
    next_revision,
    update_of,
)
from bot.tables.memory import CACHE_BYTES, TableCache, TableLocks
from bot.tables.model import (
    Entry,
    OpeningLimits,
    Pace,
    PublishedRevision,
    Status,
    StoredTable,
    TableId,
    TableUpdate,
    TurnClock,
    people_in,
)
from bot.tables.refusals import DuplicateInteraction, HostReason, PlaceTakenFacts, Stale, game_gone_refusal
from bot.tables.registry import AnyPackage
from bot.tables.replay import ReplayDiverged, restore
from bot.tables.saving import save_change
from bot.tables.seats import SeatAction
from bot.tables.storage import ChannelTaken, Conflict
from bot.tables.table import Table, apply_control_entry, apply_move, position_digest, stop

log = logging.getLogger(__name__)

_ATTEMPTS: Final = 3

SEED_BYTES: Final = 32

TableListener = Callable[[Table], None]


@dataclass(frozen=True, slots=True)
class IdleLimits:
    """The times after which an idle table loses its place; None for never."""

    put_aside_after: timedelta | None = timedelta(days=1)
    """After this time, anyone who wants to open another table in the channel can put it aside."""
    abandon_after: timedelta | None = timedelta(days=30)
    """After this time, the host closes the table."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How a host treats its tables."""

    computer_pause: float = 0.0
    """Seconds before each turn of a computer player, so that people see the previous turn; longer after a banner."""
    reminders: bool = True
    """Whether players are reminded of their turn."""
    cache_bytes: int = CACHE_BYTES
    """The size of the table cache."""
    max_open_tables: int | None = None
    """The most open tables per opener in a server, or in direct messages; None for any number."""
    idle_limits: IdleLimits = field(default_factory=IdleLimits)


class TableService:
    """Loads tables, applies people's actions to them, saves them and notifies listeners.

    Every method that changes a table may raise what its action in `bot.tables` raises, StoreUnavailable, and
    DuplicateInteraction if another process has handled the same interaction.
    """

    def __init__(
        self,
        db: Database,
        games: Mapping[str, AnyPackage],
        settings: HostSettings = HostSettings(),
        *,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.db = db
        self.games = games
        self.settings = settings
        self.clock = clock or Clock()
        self.entropy = entropy
        """Returns the seeds of new tables."""
        self.cache = TableCache(settings.cache_bytes)
        self.time_slices = TimeSlices()
        self._locks = TableLocks()
        self._flushing = asyncio.Lock()
        self._listeners: list[TableListener] = []
        self.hooks: Sequence[Hook] = ()
        """Functions of features that run in the transactions that save tables."""
        self.next_seeds: LRUCache[TableId, bytes] = LRUCache(4096)
        """The seeds of the games that *Play again* starts at once, by the table that has ended; each is used once.

        A seed is older than the click, which is mixed with it. A restart forgets it, so *Play again* opens a lobby.
        """
        self.frees_channel: Callable[[Location], Awaitable[bool]] = _keeps_channel
        """Returns whether games of one person at a location leave the channel to others. A feature sets this."""
        self.running_changes: set[asyncio.Future[Table]] = set()
        self.has_unknown_outcome = False
        """Whether a change with an unknown outcome has occurred since the last reset."""

    def add_listener(self, listener: TableListener) -> None:
        """Call a listener with every changed table, after the change is on disk."""
        self._listeners.append(listener)

    def notify_listeners(self, table: Table) -> None:
        """Call all listeners with a table that has changed."""
        for listener in self._listeners:
            listener(table)

    async def table(self, table_id: TableId, *, step: int = 0, revision: int = 0) -> Table:
        """Return a table.

        Args:
            table_id: The table.
            step: The step that a message showed; an older cached table is reloaded, as another process has changed it.
            revision: The revision that a message showed, with the same effect.

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
        """Lock a table against other tasks of this process, and yield it as it is on disk."""
        async with self._locks.for_table(table_id):
            self.cache.evict(table_id)
            yield await self._load(table_id)

    async def reload(self, table_id: TableId) -> Table:
        """Return a table as it is on disk, including changes by other processes."""
        async with self.locked(table_id) as table:
            return table

    async def open_table_in(self, channel_id: int, solo_id: int = 0) -> Table | None:
        """Return the open table of a channel, or a person's open solo game there, or None."""
        table_id = await self.db.read(storage.find_open, channel_id, solo_id)
        return None if table_id is None else await self.table(table_id)

    async def newest_table_id_in(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, open or not, including a person's solo games."""
        return await self.db.read(storage.find_newest, channel_id, solo_id)

    async def load_stored(self, table_id: TableId) -> StoredTable:
        """Return a table as stored.

        Raises:
            Refusal: The table does not exist, or its game is not installed.
        """
        record = await self.db.read(storage.load, table_id)
        if record is None:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        if record.header.game not in self.games:
            raise game_gone_refusal(record.header)
        return record

    async def _load(self, table_id: TableId) -> Table:
        """Return a table from the cache, or from disk."""
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
        # Not `write`: nobody has asked for this change.
        await self.db.maintain(storage.save, TableUpdate(held.header))
        return held

    async def change(self, table_id: TableId, decide: DecideChange) -> Table:
        """Run a change to its end, even if the caller is cancelled.

        Raises:
            Stale: Other processes changed the table at every attempt.
            Exception: `decide` raised it.
        """
        running = asyncio.ensure_future(self._run_change(table_id, decide))
        self.running_changes.add(running)
        running.add_done_callback(self._on_change_done)
        return await asyncio.shield(running)

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
                hooks = hooks_for(event_of(before, after, change), self.hooks)
                try:
                    saved = await save_change(self.db, update_of(before, after, change.entry), hooks)
                except BaseException as fault:
                    # The stored state is unknown now, so drop the table to reload it.
                    self.cache.evict(table_id)
                    if isinstance(fault, Conflict):
                        continue
                    self.has_unknown_outcome |= isinstance(fault, OutcomeUnknown)
                    raise
                return self.accept_change(saved or after)
        raise Stale(table_id)

    async def replace(
        self, table_id: TableId, action: Callable[[Table], Table], changed_by: int | None = None
    ) -> Table:
        """Run a change without an entry, by `changed_by` or else the opener of a lobby."""
        return await self.change(table_id, lambda table: TableChange(action(table), changed_by=changed_by))

    async def store_new(self, table: Table, limits: OpeningLimits) -> Table:
        """Store a new table and return it with its id; raise like `storage.open_table`.

        Listeners are only notified by `accept_change`.
        """
        hooks = hooks_for(TableEvent(table, Happened.OPENED, people_in(table.seats)), self.hooks)
        try:
            header = await self.db.write(storage.open_table, table.header, table.seats, limits, hooks)
        except OutcomeUnknown:
            self.has_unknown_outcome = True
            raise
        return replace(table, header=header)

    def accept_change(self, table: Table) -> Table:
        """Cache a table that has just been saved, notify listeners, and return it."""
        note_table_saved()
        table = self.cache.put(table)
        if lobby.plays_again_at_once(table) and series.next_table_of(table) is None:
            self.next_seeds[table.id] = self.entropy(SEED_BYTES)
        self.notify_listeners(table)
        return table

    async def finish_changes(self, seconds: float) -> None:
        """Wait, at most some seconds, until all running changes are saved and listeners are notified."""
        if self.running_changes:
            await asyncio.wait(self.running_changes, timeout=seconds)

    def touch(self, table_id: TableId) -> None:
        """Note, in memory only, activity of the player to move that changes nothing."""
        self.cache.touch(table_id, self.clock())

    def note_published(self, table: Table, message_id: int | None, revision: int | None = None) -> None:
        """Note that a message shows a table's current revision, or an earlier one; the next flush stores it."""
        header = table.header
        shown = header.revision if revision is None else revision
        self.cache.note_published(PublishedRevision(table.id, shown, message_id, header.published))

    def note_message(self, table: Table, message_id: int) -> None:
        """Note a table's message if none is known: another process may have posted it without storing its id yet."""
        if table.header.message_id is None and self.cache.unwritten_for(table.id) is None:
            published = table.header.published
            self.cache.note_published(PublishedRevision(table.id, published, message_id, published))

    async def flush(self) -> None:
        """Store published revisions. A note lost in a crash costs one superfluous edit."""
        async with self._flushing:
            if not (unwritten := self.cache.unwritten()):
                return
            try:
                await self.db.maintain(storage.mark_published, unwritten)
            except (OutcomeUnknown, asyncio.CancelledError):
                self.cache.mark_perhaps_written(unwritten)
                raise
            self.cache.mark_written(unwritten)

    async def join(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Take the next free seat."""
        since = self.clock.ago(lobby.SEATS_KEPT_FOR)
        return await self.replace(table_id, lambda table: lobby.join(table, person, click_id, since), person.id)

    async def leave(self, table_id: TableId, person: Person) -> Table:
        """Leave a seat in the lobby."""
        return await self.replace(table_id, lambda table: lobby.leave(table, person), person.id)

    async def add_computer(self, table_id: TableId, person: Person, revision: int, level: str) -> Table:
        """Give the next free seat to a computer player of a level."""
        since = self.clock.ago(lobby.SEATS_KEPT_FOR)
        return await self.replace(table_id, lambda table: lobby.add_computer(table, person, revision, level, since))

    async def remove_computers(self, table_id: TableId, person: Person, revision: int) -> Table:
        """Free the seats of all computer players."""
        return await self.replace(table_id, lambda table: lobby.remove_computers(table, person, revision))

    async def choose_option(self, table_id: TableId, person: Person, option: str, value: str, shown: str) -> Table:
        """Change one of the game's options in the lobby."""
        return await self.replace(table_id, lambda table: lobby.choose_option(table, person, option, value, shown))

    async def choose_clock(self, table_id: TableId, person: Person, limit: TurnClock) -> Table:
        """Choose the turn clock of a table in the lobby."""
        return await self.replace(table_id, lambda table: clocks.choose_clock(table, person, limit))

    async def choose_pace(self, table_id: TableId, person: Person, pace: Pace) -> Table:
        """Choose the pace of computer players in the lobby."""
        return await self.replace(table_id, lambda table: lobby.choose_pace(table, person, pace))

    async def allow_hints(self, table_id: TableId, person: Person, *, allows: bool) -> Table:
        """Turn hints at a table on or off in the lobby."""
        return await self.replace(table_id, lambda table: lobby.allow_hints(table, person, allows=allows))

    async def kick(
        self, table_id: TableId, person: Person, other_id: int, click_id: int, *, is_moderator: bool = False
    ) -> Table:
        """Remove another person from their seat in the lobby."""

        def decide(table: Table) -> TableChange:
            # Overlapping processes both receive each command.
            if table.header.lobby_click_id == click_id:
                raise DuplicateInteraction(table.id)
            after = lobby.kick(table, person, other_id, is_moderator=is_moderator)
            return TableChange(replace(after, header=replace(after.header, lobby_click_id=click_id)))

        return await self.change(table_id, decide)

    async def remove_player(
        self, table_id: TableId, person: Person, revision: int, seat: Seat, *, is_moderator: bool = False
    ) -> Table:
        """Free the seat of another person or of a computer player in the lobby."""
        return await self.replace(
            table_id, lambda table: lobby.remove_player(table, person, revision, seat, is_moderator=is_moderator)
        )

    async def start(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Start the game.

        Raises:
            Refusal: Like `lobby.start`, or the only person already has a game of one person there.
        """
        since = self.clock.ago(lobby.OPENER_AWAY_AFTER)
        frees_channel = await self.frees_channel((await self.table(table_id)).header.location)

        def decide(table: Table) -> Table:
            return lobby.start(table, person, click_id, since, frees_channel=frees_channel)

        try:
            return await self.replace(table_id, decide)
        except ChannelTaken as taken:
            raise Refusal(
                HostReason.SOLO_TAKEN, PlaceTakenFacts(await self.table(taken.table_id), person.id)
            ) from taken

    async def play(self, table_id: TableId, person: Person, step: int, text: str, click_id: int) -> Table:
        """Make a person's move.

        Args:
            table_id: The table.
            person: The person to move.
            step: The table's step that the person saw.
            text: The move in the game's notation.
            click_id: The id of the interaction.

        Raises:
            Stale: The table is at another step.
            DuplicateInteraction: The table has handled this interaction.
            Refusal: The person is not to move, or the game does not allow the move.
        """

        def decide(table: Table) -> TableChange:
            turns.require_new_interaction(table, click_id)
            turns.require_turn(table, person, step)
            return self._make_move(table, text, click_id)

        return await self.change(table_id, decide)

    async def play_computer(self, table_id: TableId, step: int, text: str) -> Table:
        """Make a computer player's move at a step, or the forced end of a person's turn.

        Raises:
            Stale: The table is at another step, or a person has a choice.
        """

        def decide(table: Table) -> TableChange:
            if table.header.step != step or not (table.header.awaits_computer or turns.find_forced_end(table) == text):
                raise Stale(table_id)
            return self._make_move(table, text, None)

        return await self.change(table_id, decide)

    async def apply_seat_action(self, table_id: TableId, person: Person, action: SeatAction, click_id: int) -> Table:
        """Apply a person's action on a seat."""

        def decide(table: Table) -> TableChange:
            turns.require_new_interaction(table, click_id)
            seat, entry = action(table, person)
            return self.make_entry(apply_control_entry(table, seat, entry), seat, str(entry), click_id)

        return await self.change(table_id, decide)

    async def wait_longer(self, table_id: TableId, person: Person, period: int) -> Table:
        """Restart the clock of a player whose time is up."""
        now = self.clock()
        return await self.replace(table_id, lambda table: clocks.wait_longer(table, person, period, now), person.id)

    async def call_time(self, table_id: TableId, due_at: datetime) -> Table:
        """Note that the time of the player to move is up."""
        return await self.change(table_id, lambda table: TableChange(clocks.call_time(table, due_at), is_quiet=True))

    async def add_downtime(self, table_id: TableId, downtime: Downtime) -> Table:
        """Show that a clock ends later because of downtime."""
        return await self.change(
            table_id, lambda table: TableChange(clocks.add_downtime(table, downtime), is_quiet=True)
        )

    async def expire(self, table_id: TableId) -> Table:
        """Close an idle lobby."""
        since = self.clock.ago(lobby.LOBBY_EXPIRES_AFTER)
        return await self.replace(table_id, lambda table: closing.expire(table, since))

    async def cancel(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Table:
        """End a table without a result."""
        return await self.replace(table_id, lambda table: closing.cancel(table, person, is_moderator=is_moderator))

    async def close(self, table_id: TableId) -> Table:
        """End a table without a result, on behalf of the bot."""
        return await self.replace(table_id, closing.close)

    def _make_move(self, table: Table, text: str, click_id: int | None) -> TableChange:
        seat = table.header.to_move
        if seat is None:
            raise Stale(table.id)
        move = table.package.game.parse_move(text)
        return self.make_entry(apply_move(table, seat, move, by_host=click_id is None), seat, str(move), click_id)

    def make_entry(self, after: Table, seat: Seat, text: str, click_id: int | None) -> TableChange:
        """Return a change with its entry, made by an interaction or by the host."""
        entry = Entry(after.header.step, seat, text, position_digest(after), click_id, self.clock())
        return TableChange(after, entry)


async def _keeps_channel(_location: Location) -> bool:
    return False
