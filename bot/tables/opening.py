"""Tables are opened, timed, put aside when they are idle, and closed without a result."""

import contextlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bot.platform.clock import Clock, Downtime
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.trace import note_begun
from bot.platform.places import Location, Person
from bot.rules.game import Options
from bot.rules.options import load_options
from bot.rules.refusals import Refusal
from bot.tables import aside, clocks, lobby, series, storage
from bot.tables.events import Happened, TableChange, TableEvent, hooks_for
from bot.tables.host_settings import HostSettings
from bot.tables.lobby import SeatBlocked, without_blocked
from bot.tables.model import (
    AsideTable,
    ClockState,
    Header,
    Occupant,
    SeriesLink,
    TableId,
    TurnClock,
    build_lobby_header,
    people_in,
)
from bot.tables.orphans import put_orphan_aside
from bot.tables.refusals import (
    HostReason,
    LimitFacts,
    OrphanFacts,
    PlaceTakenFacts,
    Stale,
    TableFacts,
    refused_table,
)
from bot.tables.registry import AnyPackage
from bot.tables.repository import TableRepository
from bot.tables.storage import AlreadyContinued, ChannelTaken, TableExists, TooManyTables
from bot.tables.table import Table
from bot.tables.turns import is_lesson_told

_NEVER: Final = datetime.min.replace(tzinfo=UTC)

_MAX_ASIDE: Final = 25
"""How many tables that were put aside a channel's menu offers: Discord's limit."""


class IdleTables(TableRepository):
    """A table repository with the actions on idle tables."""

    async def table_in_the_way(self, table_id: TableId) -> Table:
        """Return the table that occupies a place.

        Raises:
            Refusal: The table is an orphan; GAME_GONE_IDLE if it can be put aside.
        """
        try:
            return await self.table(table_id)
        except Refusal as gone:
            record = await self._db.read(storage.load, table_id)
            if record is None or not aside.may_be_put_aside(record.header, self._put_aside_since()):
                raise
            raise Refusal(HostReason.GAME_GONE_IDLE, OrphanFacts(table_id)) from gone

    def place_taken_refusal(self, there: Table, asker_id: int) -> Refusal:
        """Return the refusal for opening a table in an occupied place."""
        if there.header.location.solo_id:
            return Refusal(HostReason.SOLO_TAKEN, PlaceTakenFacts(there, asker_id))
        if aside.may_be_put_aside(there.header, self._put_aside_since()):
            return Refusal(HostReason.CHANNEL_IDLE, TableFacts(there))
        return Refusal(HostReason.CHANNEL_TAKEN, PlaceTakenFacts(there, asker_id))

    def _put_aside_since(self) -> datetime:
        """Return since when a table must have been idle to be put aside."""
        limit = self.settings.idle_limits.put_aside_after
        return _NEVER if limit is None else self.clock.ago(limit)

    async def put_aside(self, table_id: TableId, channel_id: int) -> Header | None:
        """Put an idle table aside; does nothing if it is not open.

        Returns:
            The header if the table is an orphan, so that its message can be marked closed.

        Raises:
            Refusal: The table is not in the channel, or not idle.
        """

        def decide(table: Table) -> TableChange:
            if table.header.location.channel_id != channel_id:
                raise Refusal(HostReason.UNKNOWN_TABLE)
            return TableChange(aside.put_aside(table, self._put_aside_since()), is_quiet=True)

        with contextlib.suppress(Stale):
            try:
                await self._change(table_id, decide)
            except Refusal as refusal:
                if refusal.reason not in (HostReason.GAME_GONE, HostReason.UNKNOWN_TABLE):
                    raise
                since = self._put_aside_since()
                return await put_orphan_aside(self._db, table_id, channel_id, since, self.clock())
        return None

    async def resume(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Table:
        """Resume a table that was put aside.

        Raises:
            Stale: The table is open.
            Refusal: The channel has another table, or the person may not.
        """
        try:
            return await self.replace(table_id, lambda table: aside.resume(table, person, is_moderator=is_moderator))
        except ChannelTaken as taken:
            there = await self.table_in_the_way(taken.table_id)
            refusal = self.place_taken_refusal(there, person.id)
            if refusal.reason is HostReason.CHANNEL_TAKEN:
                refusal = Refusal(HostReason.RESUME_TAKEN, TableFacts(there))
            raise refusal from taken

    async def keep_open(self, table_id: TableId, person: Person) -> Table:
        """Mark an idle table as still in use."""
        return await self.replace(table_id, lambda table: aside.keep_open(table, person), person.id)

    async def abandon(self, table_id: TableId, since: datetime) -> Table:
        """Close a table that has been idle since a time.

        Raises:
            Stale: The table is not started, over, or not idle.
        """
        return await self.replace(table_id, lambda table: aside.abandon(table, since))

    async def list_aside_tables(self, channel_id: int) -> Sequence[AsideTable]:
        """Return the tables of a channel that were put aside, newest first."""
        return await self._db.read(storage.find_put_aside, channel_id, _MAX_ASIDE)


class TimedTables(IdleTables):
    """A table repository with the actions on turn clocks as well."""

    async def choose_clock(self, table_id: TableId, person: Person, limit: TurnClock) -> Table:
        """Choose the turn clock of a table in the lobby."""
        return await self.replace(table_id, lambda table: clocks.choose_clock(table, person, limit))

    async def wait_longer(self, table_id: TableId, person: Person, period: int) -> Table:
        """Give a player whose time is up the same time again."""
        now = self.clock()
        return await self.replace(table_id, lambda table: clocks.wait_longer(table, person, period, now), person.id)

    async def call_time(self, table_id: TableId, due_at: datetime) -> Table:
        """Note that the time of the player to move is up."""
        return await self._change(table_id, lambda table: TableChange(clocks.call_time(table, due_at), is_quiet=True))

    async def add_downtime(self, table_id: TableId, downtime: Downtime) -> Table:
        """Show that a clock ends later by a time in which no process ran."""
        return await self._change(
            table_id, lambda table: TableChange(clocks.add_downtime(table, downtime), is_quiet=True)
        )


_SEED_BYTES = 32


class OpenedTables(TimedTables):
    """A table repository that opens tables and closes them as well."""

    def __init__(
        self,
        db: Database,
        games: Mapping[str, AnyPackage],
        settings: HostSettings = HostSettings(),
        *,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        super().__init__(db, games, settings, clock=clock)
        self.entropy = entropy

    def new_header(self, package: AnyPackage, options: Options, opener: Person, location: Location) -> Header:
        """Return the header of a table that is to be opened, with a seed of its own."""
        info, seed = package.game.info, self.entropy(_SEED_BYTES)
        return build_lobby_header(
            info.key,
            info.version,
            options.model_dump_json(),
            location=location,
            opener_id=opener.id,
            seed=seed,
            at=self.clock(),
        )

    async def open(
        self,
        game: str,
        options: Options,
        opener: Person,
        location: Location,
        *,
        click_id: int,
        computers: int = 0,
        clock: TurnClock = TurnClock.NONE,
    ) -> Table:
        """Open a table with its opener in the first seat; the clock is left out where it makes no sense.

        Raises:
            Refusal: The channel has a table, or the opener has too many.
            Stale: Another process handled the same interaction.
        """
        package = self.games[game]
        if package.game.info.is_solo:
            location = replace(location, solo_id=opener.id)
        header = self.new_header(package, options, opener, location)
        table = Table(header, (lobby.make_occupant(opener, click_id),), package)
        if clocks.may_have_clock(table):
            table = replace(table, header=replace(header, clock=ClockState(clock)))
        for _ in range(computers):
            table = lobby.with_computer(table)
        return await self.open_table(table)

    async def require_room(self, opener: Person, guild_id: int | None) -> None:
        """Raise a Refusal if a person has too many open tables to open another; opening one checks that again."""
        limit = self.settings.max_open_tables
        if limit is not None and await self._db.read(storage.count_opened, opener.id, guild_id) >= limit:
            raise Refusal(HostReason.TOO_MANY_TABLES, LimitFacts(limit))

    async def play_again(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Open a table with the occupants and options of a finished one; raises what `open` raises."""
        old = await self.table(table_id)
        seats = lobby.play_again(old, person, click_id)
        # No query comes first: hardly any rematch has people who block each other.
        try:
            return await self._open_again(old, person, seats)
        except SeatBlocked as fault:
            return await self._open_again(old, person, without_blocked(seats, person.id, fault.blocks))

    async def _open_again(self, old: Table, person: Person, seats: tuple[Occupant, ...]) -> Table:
        location = old.header.location
        if not old.package.game.info.is_solo:
            # A lesson was at the location of its learner's solo games.
            location = replace(location, solo_id=0)
        header = self.new_header(old.package, old.options, person, location)
        header = replace(
            header,
            computer_level=old.header.computer_level,
            # Where everyone has the same dice, no host has chosen that there are no hints.
            allows_hints=old.header.allows_hints or not old.kind.has_own_dice,
            clock=ClockState(old.header.clock.limit),
        )
        return await self.open_table(Table(header, seats, old.package))

    async def continue_series(self, table_id: TableId, person: Person, click_id: int) -> Table:
        """Open the next table of a series; raises what `open` raises, and refuses if it exists."""
        old = await self.table(table_id)
        following, seats = series.continue_series(old, person, click_id)
        header = self.new_header(old.package, following.options, person, old.header.location)
        clock = ClockState(old.header.clock.limit)
        header = replace(header, link=following.link, allows_hints=old.header.allows_hints, clock=clock)
        return await self.open_table(Table(header, seats, old.package))

    async def open_pairing(
        self, game: str, options: str, seats: tuple[Occupant, ...], location: Location, link: SeriesLink
    ) -> Table:
        """Open a table that a tournament has paired, without hints, and however many others its players have.

        Raises:
            Refusal: The channel has a table, or the pairing has one that has started.
            Stale: The pairing has a table.
        """
        package = self.games[game]
        chosen = series.single_game(package, load_options(package.game.info.options, options))
        header = self.new_header(package, chosen, Person(seats[0].user_id or 0, seats[0].name), location)
        return await self.open_table(Table(replace(header, link=link, allows_hints=False), seats, package))

    async def open_table(self, table: Table) -> Table:
        """Open a new table, which ends its opener's lesson in its channel, unless it is paired.

        Args:
            table: The table; its id is 0.

        Raises:
            Refusal: Its place is taken, or the opener has too many.
            Stale: Another process handled the same interaction.
        """
        try:
            stored = await self._store_table(table)
        except Refusal as refusal:
            there = refused_table(refusal)
            if there is None or not _gives_way(there, table):
                raise
            await self._end_lesson(there.id, table.header.opener_id)
            note_begun()
            stored = await self._store_table(table)
        try:
            if not (stored.header.location.solo_id or stored.kind.is_arranged):
                await self._end_lesson_beside(stored)
        finally:
            # Now it is shown, by whoever opened it or, a moment later, by the publisher.
            opened = self._accept_change(stored)
        return opened

    async def _end_lesson_beside(self, table: Table) -> None:
        """End the lesson that the opener of a new shared table has in its channel; if that fails, it goes on."""
        opener_id = table.header.opener_id
        with contextlib.suppress(Refusal, StoreUnavailable):
            there = await self.open_table_in(table.header.location.channel_id, opener_id)
            if there is not None and there.is_lesson:
                await self._end_lesson(there.id, opener_id)

    async def _end_lesson(self, table_id: TableId, learner_id: int) -> None:
        """End a lesson, unless it has ended or its game is not installed."""
        with contextlib.suppress(Refusal, Stale):
            await self.cancel(table_id, Person(learner_id, ""), is_moderator=False)

    async def _store_table(self, table: Table) -> Table:
        limit = None if table.kind.is_arranged else self.settings.max_open_tables
        hooks = hooks_for(TableEvent(table, Happened.OPENED, people_in(table.seats)), self.hooks)
        try:
            with self._noting_unknown_outcome():
                header = await self._db.write(storage.open_table, table.header, table.seats, limit, hooks)
            table = replace(table, header=header)
        except TooManyTables as fault:
            # Without a limit the store does not raise this.
            raise Refusal(HostReason.TOO_MANY_TABLES, LimitFacts(limit or 0)) from fault
        except TableExists as taken:
            there = await self.table_in_the_way(taken.table_id)
            if _has_same_people(table, there):
                # It has the contribution of this very interaction: another process was faster.
                raise Stale(there.id) from taken
            if isinstance(taken, AlreadyContinued):
                raise Refusal(HostReason.GOES_ON_THERE, TableFacts(there)) from taken
            raise self.place_taken_refusal(there, table.header.opener_id) from taken
        return table

    async def expire(self, table_id: TableId) -> Table:
        """Close an idle lobby."""
        since = self.clock.ago(lobby.LOBBY_EXPIRES_AFTER)
        return await self.replace(table_id, lambda table: lobby.expire(table, since))

    async def cancel(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Table:
        """End a table without a result."""
        return await self.replace(table_id, lambda table: lobby.cancel(table, person, is_moderator=is_moderator))


def _gives_way(there: Table, table: Table) -> bool:
    """Return whether a lesson ends for a new table of its learner; in its middle it does not begin again."""
    if not there.is_lesson or there.header.opener_id != table.header.opener_id:
        return False
    return not table.is_lesson or there.header.game != table.header.game or is_lesson_told(there)


def _has_same_people(table: Table, there: Table) -> bool:
    """Return whether an open table has the people of a new one, with the same contributions."""
    same_click = table.kind.has_own_dice or table.header.lobby_click_id == there.header.lobby_click_id
    return same_click and {who for who in table.seats if not who.is_computer} <= set(there.seats)
