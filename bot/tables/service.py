"""The host's one door to tables: every wish is checked, written down, and only then true."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from bot.rules.game import Options, Seat
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables import wishes
from bot.tables.cache import TableCache
from bot.tables.model import Entry, Header, Person, Place, Published, Record, Status, TableId
from bot.tables.ports import ChannelTaken, Conflict, Store
from bot.tables.refusals import HostReason, Stale
from bot.tables.results import results_of
from bot.tables.seating import SeatWish
from bot.tables.table import Diverged, Table, controlled, digest, moved, revived, stopped

log = logging.getLogger(__name__)

_SEED_BYTES = 32
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """What a wish turns a table into, and the entry that did it."""

    table: Table
    entry: Entry | None = None
    by: int | None = None
    """Who changed the lobby; None where only its opener can have done so."""


Decision = Callable[[Table], Change]
Listener = Callable[[Table], None]
Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


class TableService:
    """Opens tables and changes them, one change at a time per table."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, GamePackage],
        *,
        clock: Clock = utc_now,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.games = games
        self._store = store
        self.clock: Clock = clock
        self._entropy = entropy
        self._cache = TableCache()
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call the listener with every table that has changed, after the change is on disk."""
        self._listeners.append(listener)

    async def table(self, table_id: TableId, *, step: int = 0) -> Table:
        """Return a table as it stands; refuses one that does not exist.

        Who has seen a later step than this process knows of has seen another process's work: the table is read anew.
        """
        cached = self._cache.get(table_id)
        if cached is not None and cached.header.step >= step:
            return cached
        async with self._lock(table_id):
            if cached is not None:
                self._cache.forget(table_id)
            return await self._load(table_id)

    async def table_in(self, channel_id: int, solo_id: int = 0) -> Table | None:
        """Return the open table of a channel, or a person's solo game in it."""
        table_id = await self._store.find_open(channel_id, solo_id)
        return None if table_id is None else await self.table(table_id)

    async def newest_in(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, or a person's newer solo game in it, be it open or over."""
        return await self._store.find_newest(channel_id, solo_id)

    async def record(self, table_id: TableId) -> Record:
        """Return a table as it is stored, moves and all; refuses one that does not exist."""
        record = await self._store.load(table_id)
        if record is None or record.header.game not in self.games:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        return record

    async def open(
        self, game: str, options: Options, opener: Person, place: Place, *, click_id: int, computers: int = 0
    ) -> Table:
        """Open a table with its opener in the first seat; refuses a channel that has one.

        Raises Stale when another process, which has got the same click, was quicker.
        A solo game is its player's own, so that others may play beside it.
        """
        package = self.games[game]
        if package.game.info.is_solo:
            place = replace(place, solo_id=opener.id)
        header = self._new_header(package, options, opener, place)
        table = Table(header, (wishes.occupant(opener, click_id),), package)
        for _ in range(computers):
            table = wishes.with_computer(table)
        return await self._opened(table)

    async def play_again(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Open a table with the seats, levels and options of a finished one; refuses a channel that has one.

        Raises Stale as `open` does.
        """
        old = await self.table(table_id)
        seats = wishes.again(old, person, click_id)
        options = old.package.game.info.options.model_validate_json(old.header.options)
        header = self._new_header(old.package, options, person, old.header.place)
        return await self._opened(Table(header, seats, old.package))

    async def _opened(self, table: Table) -> Table:
        try:
            table = replace(table, header=await self._store.open(table.header, table.seats))
        except ChannelTaken as taken:
            there = await self.table(taken.table_id)
            if {who for who in table.seats if not who.is_computer} <= set(there.seats):
                # The very click that is contributed here has opened it: another process was quicker.
                raise Stale(there.id) from taken
            reason = HostReason.SOLO_TAKEN if table.header.place.solo_id else HostReason.CHANNEL_TAKEN
            raise Refusal(reason, table=there) from taken
        return self._accepted(table)

    async def join(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Take the next free seat."""
        return await self._change(table_id, lambda table: Change(wishes.joined(table, person, click_id), by=person.id))

    async def leave(self, table_id: TableId, person: Person) -> Table:
        """Give up a seat in the lobby."""
        return await self._change(table_id, lambda table: Change(wishes.left(table, person), by=person.id))

    async def add_computer(self, table_id: TableId, person: Person, revision: int, level: str | None = None) -> Table:
        """Give the next free seat to a computer player; raises Stale when the lobby has changed since it was shown."""
        return await self._change(table_id, lambda table: Change(wishes.computer_added(table, person, revision, level)))

    async def kick(self, table_id: TableId, person: Person, other_id: int) -> Table:
        """Take another person's seat in the lobby away."""
        return await self._change(table_id, lambda table: Change(wishes.removed(table, person, other_id)))

    async def remove_computer(self, table_id: TableId, person: Person, revision: int) -> Table:
        """Take the newest computer player off the table; raises Stale when the lobby has changed since it was shown."""
        return await self._change(table_id, lambda table: Change(wishes.computer_removed(table, person, revision)))

    async def start(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Begin the game."""

        def decide(table: Table) -> Change:
            return Change(wishes.started(table, person, click_id, table.silence(self.clock())))

        return await self._change(table_id, decide)

    async def expire(self, table_id: TableId) -> Table:
        """Close a lobby that nobody has changed for long; raises Stale when somebody has."""
        return await self._change(table_id, lambda table: Change(wishes.expired(table, self.clock())))

    async def cancel(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Table:
        """End a table without a result."""
        return await self._change(
            table_id, lambda table: Change(wishes.cancelled(table, person, is_moderator=is_moderator))
        )

    async def play(self, table_id: TableId, person: Person, step: int, text: str, click_id: int) -> Table:
        """Make a person's move at a step; raises Stale when the table has moved on, and refusals."""

        def decide(table: Table) -> Change:
            wishes.require_turn(table, person, step)
            return self._moved(table, text, click_id)

        return await self._change(table_id, decide)

    async def play_computer(self, table_id: TableId, step: int, text: str) -> Table:
        """Make the move of the computer player whose turn it is."""

        def decide(table: Table) -> Change:
            if table.header.step != step or not table.header.awaits_computer:
                raise Stale(table_id)
            return self._moved(table, text, None)

        return await self._change(table_id, decide)

    async def control(self, table_id: TableId, person: Person, wish: SeatWish, click_id: int) -> Table:
        """Grant a person's wish about the seats of a game that is played; raises what the wish raises."""

        def decide(table: Table) -> Change:
            seat, entry = wish(table, person)
            return self._entered(controlled(table, seat, entry), seat, str(entry), click_id)

        return await self._change(table_id, decide)

    def note_published(self, table: Table, message_id: int | None) -> None:
        """Note that a table's present revision is shown in a message; written down at the next flush."""
        self._cache.note(Published(table.id, table.header.revision, message_id))

    async def flush(self) -> None:
        """Write down what is shown; after a crash an unwritten note costs one edit that changes nothing."""
        unwritten = self._cache.unwritten()
        if unwritten:
            await self._store.mark_published(unwritten)
            self._cache.written(unwritten)

    async def _change(self, table_id: TableId, decide: Decision) -> Table:
        """Run a change to its end even if whoever asked for it is cancelled."""
        return await asyncio.shield(self._changed(table_id, decide))

    async def _changed(self, table_id: TableId, decide: Decision) -> Table:
        async with self._lock(table_id):
            for _ in range(_ATTEMPTS):
                before = await self._load(table_id)
                change = decide(before)
                table = self._revised(change.table, heard=_is_heard(before.header, change))
                try:
                    await self._save(before, table, change.entry)
                except Conflict:
                    continue
                return self._accepted(table)
        raise Stale(table_id)

    async def _save(self, before: Table, after: Table, entry: Entry | None) -> None:
        """Write a change; whenever that fails the disk is believed, not the memory."""
        seats = None if after.seats is before.seats else after.seats
        results = results_of(after) if before.header.status is not Status.FINISHED else ()
        try:
            await self._store.save(after.header, seats, entry, results)
        except BaseException:
            self._cache.forget(before.id)
            raise

    def _accepted(self, table: Table) -> Table:
        table = self._cache.keep(table)
        self._tell(table)
        return table

    def _tell(self, table: Table) -> None:
        for listener in self._listeners:
            listener(table)

    def _moved(self, table: Table, text: str, click_id: int | None) -> Change:
        seat = table.header.to_move
        if seat is None:
            raise Stale(table.id)
        after = moved(table, seat, text)
        return self._entered(after, seat, str(table.package.game.parse(text)), click_id)

    def _entered(self, after: Table, seat: Seat, text: str, click_id: int | None) -> Change:
        entry = Entry(after.header.step, seat, text, digest(after), click_id, self.clock())
        return Change(after, entry)

    async def _load(self, table_id: TableId) -> Table:
        for _ in range(_ATTEMPTS):
            if cached := self._cache.get(table_id):
                return cached
            try:
                return await self._read(table_id)
            except Conflict:
                continue
        raise Stale(table_id)

    async def _read(self, table_id: TableId) -> Table:
        """Bring a table to life from disk; one that can't be trusted to replay is held."""
        noted = self._cache.noted(table_id)
        record = await self.record(table_id)
        package = self.games[record.header.game]
        try:
            return self._cache.keep(revived(record, package), noted)
        except Diverged as fault:
            log.error("table %s is held: %s", table_id, fault)  # noqa: TRY400 - the fault says it all
            table = await self._held(Table(record.header, record.seats, package))
        table = self._cache.keep(table, noted)
        self._tell(table)
        return table

    async def _held(self, table: Table) -> Table:
        if table.header.status is not Status.PLAYING:
            return table
        held = self._revised(stopped(table, Status.HELD))
        await self._store.save(held.header, None, None)
        return held

    def _revised(self, table: Table, *, heard: bool = True) -> Table:
        now, header = self.clock(), table.header
        since = now if heard else header.awaited_since
        return replace(table, header=replace(header, revision=header.revision + 1, updated_at=now, awaited_since=since))

    def _new_header(self, package: GamePackage, options: Options, opener: Person, place: Place) -> Header:
        now = self.clock()
        return Header(
            id=0,
            game=package.game.info.key,
            version=package.game.info.version,
            options=options.model_dump_json(),
            place=place,
            opener_id=opener.id,
            seed=self._entropy(_SEED_BYTES),
            salt="",
            created_at=now,
            status=Status.LOBBY,
            step=0,
            to_move=None,
            awaits_computer=False,
            revision=1,
            published=0,
            message_id=None,
            updated_at=now,
            awaited_since=now,
        )

    def _lock(self, table_id: TableId) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock


def _is_heard(before: Header, change: Change) -> bool:
    """Tell whether a table waits anew: for somebody else, or for somebody who has just acted."""
    after, entry = change.table.header, change.entry
    if after.status is Status.LOBBY:
        return change.by in (None, after.opener_id) or before.opener_id != after.opener_id
    if entry is None or (before.to_move, before.awaits_computer) != (after.to_move, after.awaits_computer):
        return True
    return entry.seat == after.to_move
