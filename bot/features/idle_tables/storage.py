"""Queries for announcing and closing idle tables."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, text, update

from bot.platform.database.sql import try_insert
from bot.platform.jobs.shards import is_served, select_served
from bot.platform.notices.schema import announcements
from bot.platform.places import ShardRange
from bot.tables.model import TableId
from bot.tables.notifications import Announcement
from bot.tables.schema import IS_LESSON, IS_UNFINISHED, location_of, read_row, tables

_IS_IDLE = (
    IS_UNFINISHED,
    tables.c.updated_at <= bindparam("idle_since"),
    tables.c.game.in_(bindparam("games", expanding=True)),
    is_served(tables.c.guild_id),
)
_MATCHES_IDLE_PERIOD = (announcements.c.table_id == tables.c.id, announcements.c.since == tables.c.updated_at)
SELECT_UNANNOUNCED = (
    select(tables.c.id)
    .where(*_IS_IDLE, ~exists().where(*_MATCHES_IDLE_PERIOD), ~IS_LESSON)
    .order_by(tables.c.updated_at, tables.c.id)
    .limit(bindparam("most"))
)
SELECT_ANNOUNCED = (
    select(tables.c.id)
    .where(
        *_IS_IDLE,
        or_(exists().where(*_MATCHES_IDLE_PERIOD, announcements.c.noted_at <= bindparam("noted_until")), IS_LESSON),
    )
    .order_by(tables.c.updated_at, tables.c.id)
    .limit(bindparam("most"))
)
# An announcement of an earlier idle period has lapsed. The process that deletes its message has loaded its id.
_DELETE_EARLIER = delete(announcements).where(
    announcements.c.table_id == bindparam("which"), announcements.c.since != bindparam("idle_since")
)
_INSERT = (
    insert(announcements)
    .from_select(
        ["table_id", "since", "noted_at"],
        select(tables.c.id, tables.c.updated_at, bindparam("noted_at", type_=announcements.c.noted_at.type)).where(
            IS_UNFINISHED, tables.c.id == bindparam("which"), tables.c.updated_at == bindparam("idle_since")
        ),
    )
    .returning(announcements.c.table_id)
)
_MATCHES_KEY = (announcements.c.table_id == bindparam("which"), announcements.c.since == bindparam("idle_since"))
_SET_MESSAGE = update(announcements).where(*_MATCHES_KEY).values(message_id=bindparam("message"))
_DELETE = delete(announcements).where(*_MATCHES_KEY)
SELECT_LAPSED = (
    select(announcements, tables.c.guild_id, tables.c.channel_id, tables.c.solo_id)
    .join(tables, tables.c.id == announcements.c.table_id)
    .where(
        or_(announcements.c.since != tables.c.updated_at, text(f"NOT ({IS_UNFINISHED.text})")),
        is_served(tables.c.guild_id),
    )
    .order_by(announcements.c.table_id)
    .limit(bindparam("most"))
)


def find_unannounced(
    connection: Connection, shards: ShardRange, games: Collection[str], since: datetime, limit: int
) -> Sequence[TableId]:
    """Return idle tables that were not announced yet, longest idle first; lessons are closed without a word."""
    parameters = {"games": list(games), "idle_since": since, "most": limit}
    return select_served(connection, shards, SELECT_UNANNOUNCED, parameters).scalars().all()


def find_announced(
    connection: Connection,
    shards: ShardRange,
    games: Collection[str],
    since: datetime,
    noted_until: datetime,
    limit: int,
) -> Sequence[TableId]:
    """Return idle tables that were announced by `noted_until`, and idle lessons, longest idle first."""
    parameters = {"games": list(games), "idle_since": since, "noted_until": noted_until, "most": limit}
    return select_served(connection, shards, SELECT_ANNOUNCED, parameters).scalars().all()


def claim(connection: Connection, announcement: Announcement) -> bool:
    """Store an announcement before it is sent; return False if there is one, or the table is no longer idle."""
    key = _key(announcement)
    connection.execute(_DELETE_EARLIER, key)
    return try_insert(connection, _INSERT, {**key, "noted_at": announcement.noted_at})


def set_message(connection: Connection, announcement: Announcement) -> bool:
    """Store an announcement's message id; return False if the announcement is gone."""
    return connection.execute(_SET_MESSAGE, {**_key(announcement), "message": announcement.message_id}).rowcount > 0


def remove(connection: Connection, announcement: Announcement) -> None:
    """Delete an announcement."""
    connection.execute(_DELETE, _key(announcement))


def find_lapsed(connection: Connection, shards: ShardRange, limit: int) -> Sequence[Announcement]:
    """Return announcements of tables that are no longer idle, or over."""
    found = select_served(connection, shards, SELECT_LAPSED, {"most": limit})
    return [read_row(Announcement, row, location=location_of(row)) for row in found]


def _key(announcement: Announcement) -> dict[str, object]:
    return {"which": announcement.table_id, "idle_since": announcement.since}
