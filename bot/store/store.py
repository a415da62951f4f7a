"""The store: implements the ports of tables and community over a database."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, bindparam, func, literal, select, update
from sqlalchemy.exc import IntegrityError

from bot.community.model import FinishedTables, GameStats, HistoryFilter, LeaderboardKey, Standings
from bot.store import rows, writing
from bot.store.backends import database_at
from bot.store.import_file import import_sqlite_file
from bot.store.migrate import migrate
from bot.store.postgres.atomic_move import save_move
from bot.store.queries import (
    invitations,
    key_values,
    open_tables,
    preferences,
    reminders,
    results as result_queries,
    sweep,
)
from bot.store.queries.idle_tables import IdleTableStore
from bot.store.schema import moves, seats, tables
from bot.tables.model import Entry, Header, Occupant, Preferences, PublishedRevision, Result, StoredTable, TableId
from bot.tables.notifications import Invitation, Reminder
from bot.tables.ports import ChannelTaken, Conflict

# Statements are built once, so that SQLAlchemy's cache of compiled statements finds them fast.
_UPDATE_PUBLISHED = (
    update(tables)
    .where(tables.c.id == bindparam("table_id"), tables.c.published <= bindparam("shown"))
    .values(published=bindparam("shown"), message_id=bindparam("message"))
)
_SELECT_HEADER = select(tables).where(tables.c.id == bindparam("table_id"))
SELECT_SEATS = select(seats).where(seats.c.table_id == bindparam("table_id")).order_by(seats.c.seat)
SELECT_MOVES = select(moves).where(moves.c.table_id == bindparam("table_id")).order_by(moves.c.step)
SELECT_NEWEST = select(func.max(tables.c.id)).where(
    tables.c.channel_id == bindparam("channel_id"), tables.c.solo_id.in_((literal(0), bindparam("solo_id")))
)

_PIECE_SIZE: Final = 256
"""Rows read at a time. A driver holds the interpreter's lock meanwhile, and with it the event loop."""


class SqlStore(IdleTableStore):
    """Stores tables in a database. When a method that writes returns, its work is on disk.

    The ports describe the methods: `bot.tables.ports` and `bot.community.ports`.
    """

    def __init__(self, database_url: str) -> None:
        self.database = database_at(database_url)

    async def upgrade(self) -> None:
        """Create the database or upgrade its schema; several processes may do so at once."""
        await migrate(self.database)

    async def import_sqlite_file(self, file: Path) -> int:
        """Copy an SQLite file into this empty database and return the number of tables imported.

        Raises:
            CannotImport: The database is not empty, or the file is unsuitable.
        """
        return await import_sqlite_file(self.database, file)

    async def close(self) -> None:
        """Finish running transactions and disconnect."""
        await self.database.close()

    async def open_table(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        """Store a new table and return its header with its id."""
        return await self.database.write(open_tables.open_table, header, seats, most)

    async def load(self, table_id: TableId) -> StoredTable | None:
        """Return a table, or None if it does not exist."""
        return await self.database.read(_load, table_id)

    async def find_open(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the open table of a channel, or a person's open solo game there, or None."""
        return await self.database.read(open_tables.find_open, channel_id, solo_id)

    async def find_newest(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, open or not; a person's solo game there if that is newer."""
        return await self.database.read(_find_newest, channel_id, solo_id)

    async def list_open_tables(self, scope_id: int, limit: int) -> Sequence[TableId]:
        """Return the open tables of a server, or of a direct message channel, newest first."""
        return await self.database.read(sweep.find_open_in_scope, scope_id, limit)

    async def save(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
    ) -> None:
        """Save a change of a table."""
        async with self.saving(header, seats, entry, results):
            pass

    @asynccontextmanager
    async def saving(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
    ) -> AsyncIterator[bool]:
        """Save a change of a table, running the block while the commit is under way.

        Columns fixed when a table is opened (game, version, place, seed, creation) are not written. What is shown is
        written by `mark_published` alone, so a save never overwrites it.
        """
        if entry is None or seats is not None or results:
            await self._save(header, seats, entry, results)
            yield False
            return
        async with self.database.committing(
            lambda connection: save_move(connection, header, entry),
            lambda connection: writing.save(connection, header, None, entry, ()),
        ) as is_pending:
            yield is_pending

    async def _save(
        self, header: Header, seats: Sequence[Occupant] | None, entry: Entry | None, results: Sequence[Result]
    ) -> None:
        try:
            await self.database.write(writing.save, header, seats, entry, results)
        except IntegrityError as error:
            # A resumed table may find another table in its place.
            taken = await self.find_open(header.place.channel_id, header.place.solo_id)
            if taken is None or taken == header.id:
                raise Conflict(header.id) from error
            raise ChannelTaken(taken) from error

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        """Store an invitation."""
        await self.database.write(invitations.add, invitation, since, most)

    async def withdraw_invitation(self, invitation: Invitation) -> None:
        """Delete an invitation that was not sent."""
        await self.database.write(invitations.withdraw, invitation)

    async def set_invitation_message(self, invitation: Invitation) -> bool:
        """Store an invitation's message id; return False if the message must be deleted."""
        return await self.database.write(invitations.set_message, invitation)

    async def lapsed_invitations(self, limit: int) -> Sequence[Invitation]:
        """Return lapsed invitations whose messages may still be in their channels."""
        return await self.database.read(invitations.find_lapsed, limit)

    async def mark_invitation_removed(self, invitation: Invitation) -> None:
        """Note that an invitation's message is gone."""
        await self.database.write(invitations.mark_removed, invitation)

    async def prune_invitations(self, since: datetime) -> None:
        """Delete invitations stored before a time, to tables that are no lobbies any more."""
        await self.database.write(invitations.prune, since)

    async def refuses_invitations(self, user_id: int) -> bool:
        """Return whether a person refuses invitations."""
        return await self.database.read(invitations.refuses_invitations, user_id)

    async def set_refuses_invitations(self, user_id: int, *, refuses: bool) -> None:
        """Store whether a person refuses invitations."""
        await self.database.write(invitations.set_refuses_invitations, user_id, refuses)

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        """Store published revisions, which never decrease."""
        if shown:
            await self.database.write(_mark_published, shown)

    async def idle_lobbies(self, since: datetime, after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return a page of lobbies that have not changed since a time, by id."""
        return await self.database.read(sweep.idle_lobbies, since, after_id, limit)

    async def list_pending_tables(self, games: Collection[str], after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return a page of tables of some games that need showing or a computer player's move, by id."""
        return await self.database.read(sweep.find_pending, games, after_id, limit)

    async def count_open_tables(self) -> Mapping[str, int]:
        """Return the number of open tables by game."""
        return await self.database.read(sweep.count_open_by_game)

    async def due_reminders(
        self, games: Collection[str], after: datetime, until: datetime, limit: int
    ) -> Sequence[Reminder]:
        """Return unsent reminders for turns that began to wait after `after` and by `until`, longest wait first."""
        return await self.database.read(reminders.find_due, games, after, until, limit)

    async def claim_reminder(self, reminder: Reminder) -> bool:
        """Store a reminder before it is sent; return False if there is one, or the player has acted."""
        return await self.database.write(reminders.claim, reminder)

    async def set_reminder_message(self, reminder: Reminder) -> bool:
        """Store a reminder's message id; return False if the reminder has lapsed."""
        return await self.database.write(reminders.set_message, reminder)

    async def lapsed_reminders(self, limit: int) -> Sequence[Reminder]:
        """Return reminders whose player has acted, with a message to delete or a turn that is over."""
        return await self.database.read(reminders.find_lapsed, limit)

    async def mark_reminder_removed(self, reminder: Reminder) -> None:
        """Delete a reminder whose turn is over; otherwise note that its message is gone."""
        await self.database.write(reminders.mark_removed, reminder)

    async def standings(self, key: LeaderboardKey, asker_id: int, offset: int, limit: int) -> Standings:
        """Return some rows of a leaderboard, and the asker's own row."""
        return await self.database.read(result_queries.standings, key, asker_id, offset, limit)

    async def game_stats(self, user_id: int, guild_id: int | None) -> Sequence[GameStats]:
        """Return a person's totals by game and company, in one server or (None) everywhere."""
        return await self.database.read(result_queries.game_stats, user_id, guild_id)

    async def finished_tables(self, history: HistoryFilter, offset: int, limit: int) -> FinishedTables:
        """Return some finished tables that match a filter, newest first."""
        return await self.database.read(result_queries.played_tables, history, offset, limit)

    async def load_preferences(self, scope_id: int) -> Preferences:
        """Return the preferences of a scope, or the defaults."""
        return await self.database.read(preferences.find, scope_id)

    async def save_preferences(self, scope_id: int, chosen: Preferences) -> None:
        """Store the preferences of a scope."""
        await self.database.write(preferences.save, scope_id, chosen)

    async def get_value(self, key: str) -> str | None:
        """Return the value of a key, or None."""
        return await self.database.read(key_values.get_value, key)

    async def set_value(self, key: str, value: str) -> None:
        """Set the value of a key."""
        await self.database.write(key_values.set_value, key, value)


def _load(connection: Connection, table_id: TableId) -> StoredTable | None:
    key = {"table_id": table_id}
    header = connection.execute(_SELECT_HEADER, key).one_or_none()
    if header is None:
        return None
    moves_in_pieces = connection.execute(SELECT_MOVES, key).partitions(_PIECE_SIZE)
    return StoredTable(
        rows.header_of(header),
        tuple(rows.occupant_of(row) for row in connection.execute(SELECT_SEATS, key)),
        tuple(rows.entry_of(row) for piece in moves_in_pieces for row in piece),
    )


def _find_newest(connection: Connection, channel_id: int, solo_id: int) -> TableId | None:
    return connection.execute(SELECT_NEWEST, {"channel_id": channel_id, "solo_id": solo_id}).scalar_one_or_none()


def _mark_published(connection: Connection, shown: Sequence[PublishedRevision]) -> None:
    # Always in the same order, so that two processes that lock the same rows don't deadlock.
    in_order = sorted(shown, key=lambda s: s.table_id)
    connection.execute(
        _UPDATE_PUBLISHED,
        [{"table_id": s.table_id, "shown": s.revision, "message": s.message_id} for s in in_order],
    )
