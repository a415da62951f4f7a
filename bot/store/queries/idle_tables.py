"""Which tables were put aside, and which silent ones are announced and closed."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from bot.store.database import Database
from bot.store.schema import IS_ASIDE, IS_UNFINISHED, announcements, seats, tables
from bot.tables.model import Announcement, AsideTable, Place, TableId

_ASIDE = (
    select(tables.c.id, tables.c.game, tables.c.updated_at)
    .where(IS_ASIDE, tables.c.channel_id == bindparam("channel"))
    .order_by(tables.c.id.desc())
    .limit(bindparam("most"))
)
_SEATED = (
    select(seats.c.table_id, seats.c.name, seats.c.user_id)
    .where(seats.c.table_id.in_(bindparam("found", expanding=True)))
    .order_by(seats.c.table_id, seats.c.seat)
)

_SILENT = (
    IS_UNFINISHED,
    tables.c.updated_at <= bindparam("silent_since"),
    tables.c.game.in_(bindparam("games", expanding=True)),
)
_THIS_SILENCE = (announcements.c.table_id == tables.c.id, announcements.c.since == tables.c.updated_at)
_UNANNOUNCED = (
    select(tables.c.id)
    .where(*_SILENT, ~exists().where(*_THIS_SILENCE))
    .order_by(tables.c.updated_at, tables.c.id)
    .limit(bindparam("most"))
)
_ANNOUNCED = (
    select(tables.c.id)
    .where(*_SILENT, exists().where(*_THIS_SILENCE, announcements.c.noted_at <= bindparam("noted_until")))
    .order_by(tables.c.updated_at, tables.c.id)
    .limit(bindparam("most"))
)
# One of an earlier silence has lapsed; whoever takes its message away knows its id by now, or nobody does.
_NO_EARLIER = delete(announcements).where(
    announcements.c.table_id == bindparam("which"), announcements.c.since != bindparam("silent_since")
)
_NEW = (
    insert(announcements)
    .from_select(
        ["table_id", "since", "noted_at"],
        select(tables.c.id, tables.c.updated_at, bindparam("noted_at", type_=announcements.c.noted_at.type)).where(
            IS_UNFINISHED, tables.c.id == bindparam("which"), tables.c.updated_at == bindparam("silent_since")
        ),
    )
    .returning(announcements.c.table_id)
)
_THIS = (announcements.c.table_id == bindparam("which"), announcements.c.since == bindparam("silent_since"))
_SENT = update(announcements).where(*_THIS).values(message_id=bindparam("message"))
_GONE = delete(announcements).where(*_THIS)
_LAPSED = (
    select(announcements, tables.c.guild_id, tables.c.channel_id, tables.c.solo_id)
    .join(tables, tables.c.id == announcements.c.table_id)
    .where(or_(announcements.c.since != tables.c.updated_at, text(f"NOT ({IS_UNFINISHED.text})")))
    .order_by(announcements.c.table_id)
    .limit(bindparam("most"))
)


class SilenceStore:
    """The part of a store that keeps what becomes of silent tables."""

    _database: Database

    async def aside_in(self, channel_id: int, limit: int) -> Sequence[AsideTable]:
        """Return the tables of a channel that were put aside; the newest first."""
        return await self._database.read(_aside_in, channel_id, limit)

    async def unannounced(self, games: Collection[str], since: datetime, limit: int) -> Sequence[TableId]:
        """Return unfinished tables of some games silent since a moment and not announced yet; longest silence first."""
        return await self._database.read(_unannounced, games, since, limit)

    async def note_announcement(self, announcement: Announcement) -> bool:
        """Decide to announce a table, and tell whether that was decided here."""
        return await self._database.write(_note, announcement)

    async def keep_announcement(self, announcement: Announcement) -> bool:
        """Note the message of an announcement; tell whether it still stands."""
        return await self._database.write(_keep, announcement)

    async def forget_announcement(self, announcement: Announcement) -> None:
        """Drop an announcement."""
        await self._database.write(_forget, announcement)

    async def announced(
        self, games: Collection[str], since: datetime, noted_until: datetime, limit: int
    ) -> Sequence[TableId]:
        """Return unfinished tables silent since a moment that were announced until another; longest silence first."""
        return await self._database.read(_announced, games, since, noted_until, limit)

    async def lapsed_announcements(self, limit: int) -> Sequence[Announcement]:
        """Return announcements of tables whose silence has ended, or that are over."""
        return await self._database.read(_lapsed, limit)


def _aside_in(connection: Connection, channel_id: int, limit: int) -> Sequence[AsideTable]:
    """Return the tables of a channel that were put aside; the newest first."""
    found = connection.execute(_ASIDE, {"channel": channel_id, "most": limit}).all()
    seated = defaultdict[TableId, list[Any]](list)
    for row in connection.execute(_SEATED, {"found": [row.id for row in found]}):
        seated[row.table_id].append(row)
    return [
        AsideTable(
            row.id,
            row.game,
            tuple(each.name for each in seated[row.id]),
            frozenset(each.user_id for each in seated[row.id] if each.user_id is not None),
            row.updated_at,
        )
        for row in found
    ]


def _unannounced(connection: Connection, games: Collection[str], since: datetime, limit: int) -> Sequence[TableId]:
    """Return unfinished tables of some games silent since a moment and not announced yet; longest silence first."""
    wanted = {"games": list(games), "silent_since": since, "most": limit}
    return connection.execute(_UNANNOUNCED, wanted).scalars().all()


def _announced(
    connection: Connection, games: Collection[str], since: datetime, noted_until: datetime, limit: int
) -> Sequence[TableId]:
    """Return unfinished tables silent since a moment that were announced until another; longest silence first."""
    wanted = {"games": list(games), "silent_since": since, "noted_until": noted_until, "most": limit}
    return connection.execute(_ANNOUNCED, wanted).scalars().all()


def _note(connection: Connection, announcement: Announcement) -> bool:
    """Decide to announce a table, unless that has been decided or its silence has ended."""
    key = _key(announcement)
    connection.execute(_NO_EARLIER, key)
    try:
        with connection.begin_nested():
            return connection.execute(_NEW, {**key, "noted_at": announcement.noted_at}).scalar_one_or_none() is not None
    except IntegrityError:
        # Another process was quicker.
        return False


def _keep(connection: Connection, announcement: Announcement) -> bool:
    """Note the message of an announcement that still stands."""
    return connection.execute(_SENT, {**_key(announcement), "message": announcement.message_id}).rowcount > 0


def _forget(connection: Connection, announcement: Announcement) -> None:
    """Drop an announcement."""
    connection.execute(_GONE, _key(announcement))


def _lapsed(connection: Connection, limit: int) -> Sequence[Announcement]:
    """Return announcements of tables whose silence has ended, or that are over."""
    return [
        Announcement(
            row.table_id, Place(row.guild_id, row.channel_id, row.solo_id), row.since, row.noted_at, row.message_id
        )
        for row in connection.execute(_LAPSED, {"most": limit})
    ]


def _key(announcement: Announcement) -> dict[str, object]:
    return {"which": announcement.table_id, "silent_since": announcement.since}
