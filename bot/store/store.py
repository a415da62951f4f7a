"""The store over SQLAlchemy Core."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

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

# Statements are built once: SQLAlchemy then finds their compiled form by what they are.
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


class SqlStore(IdleTableStore):
    """Keeps tables in a database; what a method has returned from is on disk."""

    def __init__(self, database_url: str) -> None:
        self.database = database_at(database_url)

    async def upgrade(self) -> None:
        """Make the database, or bring it to the present schema; other processes may do the same at once."""
        await migrate(self.database)

    async def import_sqlite_file(self, file: Path) -> int:
        """Copy the tables of an SQLite file into this database, which has none; raises CannotImport."""
        return await import_sqlite_file(self.database, file)

    async def close(self) -> None:
        """Finish what is running and let the database go."""
        await self.database.close()

    async def open_table(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        """Keep a new table and return its header with the id it got.

        Raises ChannelTaken, AlreadyContinued and TooManyTables.
        """
        return await self.database.write(open_tables.open_table, header, seats, most)

    async def load(self, table_id: TableId) -> StoredTable | None:
        """Return a table with its seats and moves."""
        return await self.database.read(_load, table_id)

    async def find_open(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the open table of a channel, or a person's solo game in it."""
        return await self.database.read(open_tables.find_open, channel_id, solo_id)

    async def find_newest(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, or a person's newer solo game in it, be it open or over."""
        return await self.database.read(_find_newest, channel_id, solo_id)

    async def list_open_tables(self, scope_id: int, limit: int) -> Sequence[TableId]:
        """Return the open tables of a server, or of a direct message's channel; the newest first."""
        return await self.database.read(sweep.find_open_in_scope, scope_id, limit)

    async def save(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
    ) -> None:
        """Write a change as `saving` does, with nothing to be done meanwhile."""
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
        """Write a changed header, perhaps with new seats, one more move, or results; raises Conflict and ChannelTaken.

        What is fixed when a table is opened (game, version, place, seed, creation) stays as it was. What is
        shown is written by `mark_published` alone: a save never undoes what was noted meanwhile.
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
            # A table that was put aside takes up a place again in which there is another.
            taken = await self.find_open(header.place.channel_id, header.place.solo_id)
            if taken is None or taken == header.id:
                raise Conflict(header.id) from error
            raise ChannelTaken(taken) from error

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        """Note an invitation; raises AlreadyInvited and NotInvitable."""
        await self.database.write(invitations.add, invitation, since, most)

    async def withdraw_invitation(self, invitation: Invitation) -> None:
        """Take back what was noted of an invitation."""
        await self.database.write(invitations.withdraw, invitation)

    async def set_invitation_message(self, invitation: Invitation) -> bool:
        """Note the message of an invitation; tell whether it may stay in the channel."""
        return await self.database.write(invitations.set_message, invitation)

    async def lapsed_invitations(self, limit: int) -> Sequence[Invitation]:
        """Return invitations whose messages are of no more use."""
        return await self.database.read(invitations.find_lapsed, limit)

    async def mark_invitation_removed(self, invitation: Invitation) -> None:
        """Note that the message of an invitation is gone."""
        await self.database.write(invitations.mark_removed, invitation)

    async def prune_invitations(self, since: datetime) -> None:
        """Drop invitations noted before a moment, to tables that have started or are closed."""
        await self.database.write(invitations.prune, since)

    async def refuses_invitations(self, user_id: int) -> bool:
        """Tell whether somebody wants no invitations."""
        return await self.database.read(invitations.refuses_invitations, user_id)

    async def set_refuses_invitations(self, user_id: int, *, refuses: bool) -> None:
        """Note whether somebody wants no invitations."""
        await self.database.write(invitations.set_refuses_invitations, user_id, refuses)

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        """Note what is shown; never moves a table's published revision back."""
        if shown:
            await self.database.write(_mark_published, shown)

    async def idle_lobbies(self, since: datetime, after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return tables that have not started and that nobody has changed since a moment: a page by their numbers."""
        return await self.database.read(sweep.idle_lobbies, since, after_id, limit)

    async def list_pending_tables(self, games: Collection[str], after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return tables of some games to show anew, or where a computer player is to move: a page likewise."""
        return await self.database.read(sweep.find_pending, games, after_id, limit)

    async def count_open_tables(self) -> Mapping[str, int]:
        """Return how many open tables each game has."""
        return await self.database.read(sweep.count_open_by_game)

    async def due_reminders(
        self, games: Collection[str], after: datetime, until: datetime, limit: int
    ) -> Sequence[Reminder]:
        """Return the turns of people silent since a moment in this stretch, and not reminded of yet; oldest first."""
        return await self.database.read(reminders.find_due, games, after, until, limit)

    async def claim_reminder(self, reminder: Reminder) -> bool:
        """Decide to send a reminder, and tell whether that was decided here: it is not once the person has acted."""
        return await self.database.write(reminders.claim, reminder)

    async def set_reminder_message(self, reminder: Reminder) -> bool:
        """Note the message of a reminder; tell whether it may stay in the channel."""
        return await self.database.write(reminders.set_message, reminder)

    async def lapsed_reminders(self, limit: int) -> Sequence[Reminder]:
        """Return reminders whose person has acted, or whose turn is over."""
        return await self.database.read(reminders.find_lapsed, limit)

    async def mark_reminder_removed(self, reminder: Reminder) -> None:
        """Note that a reminder's message is gone, and forget the reminder if its turn is over."""
        await self.database.write(reminders.mark_removed, reminder)

    async def standings(self, contest: LeaderboardKey, asker_id: int, offset: int, limit: int) -> Standings:
        """Return a stretch of a contest's ranking, and the asker's own standing."""
        return await self.database.read(result_queries.standings, contest, asker_id, offset, limit)

    async def game_stats(self, user_id: int, guild_id: int | None) -> Sequence[GameStats]:
        """Return somebody's figures in one server or (None) anywhere, by game and company."""
        return await self.database.read(result_queries.game_stats, user_id, guild_id)

    async def finished_tables(self, shelf: HistoryFilter, offset: int, limit: int) -> FinishedTables:
        """Return a stretch of finished tables, newest first."""
        return await self.database.read(result_queries.played_tables, shelf, offset, limit)

    async def load_preferences(self, scope_id: int) -> Preferences:
        """Return what is preferred in a server, or in a direct message's channel."""
        return await self.database.read(preferences.find, scope_id)

    async def save_preferences(self, scope_id: int, preferred: Preferences) -> None:
        """Keep what is preferred, in place of what was."""
        await self.database.write(preferences.save, scope_id, preferred)

    async def get_value(self, key: str) -> str | None:
        """Return a small fact kept under a key."""
        return await self.database.read(key_values.get_value, key)

    async def set_value(self, key: str, value: str) -> None:
        """Keep a small fact under a key, in place of the one before."""
        await self.database.write(key_values.set_value, key, value)


def _load(connection: Connection, table_id: TableId) -> StoredTable | None:
    key = {"table_id": table_id}
    header = connection.execute(_SELECT_HEADER, key).one_or_none()
    if header is None:
        return None
    return StoredTable(
        rows.header_of(header),
        tuple(rows.occupant_of(row) for row in connection.execute(SELECT_SEATS, key)),
        tuple(rows.entry_of(row) for row in connection.execute(SELECT_MOVES, key)),
    )


def _find_newest(connection: Connection, channel_id: int, solo_id: int) -> TableId | None:
    return connection.execute(SELECT_NEWEST, {"channel_id": channel_id, "solo_id": solo_id}).scalar_one_or_none()


def _mark_published(connection: Connection, shown: Sequence[PublishedRevision]) -> None:
    # In one order everywhere: two processes that lock the same rows crosswise would wait for each other.
    in_order = sorted(shown, key=lambda s: s.table_id)
    connection.execute(
        _UPDATE_PUBLISHED,
        [{"table_id": s.table_id, "shown": s.revision, "message": s.message_id} for s in in_order],
    )
