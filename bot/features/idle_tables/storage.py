"""Queries for announcing and closing idle tables."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import Column, Connection, bindparam, delete, exists, insert, or_, select, text, true

from bot.features.idle_tables.messages import is_announcement
from bot.platform.database.sql import UtcDateTime, try_insert
from bot.platform.discord.errors import DeliveryFailed
from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.notices.storage import Notice, NoticeKind, notice_table
from bot.platform.places import ShardRange
from bot.tables.model import TableId
from bot.tables.schema import IS_UNFINISHED, read_row, tables


@dataclass(frozen=True, slots=True)
class Announcement(Notice):
    """A message saying that an idle table will be closed; at most one per idle period."""

    since: datetime
    """When the table last changed."""


announcements = notice_table("announcements", Column("since", UtcDateTime, nullable=False))

_IS_IDLE = (
    IS_UNFINISHED,
    tables.c.updated_at <= bindparam("idle_since"),
    tables.c.game.in_(bindparam("games", expanding=True)),
    is_served(tables.c.guild_id),
)
_HAS_NO_READERS = or_(tables.c.is_private, tables.c.is_outside)
_MATCHES_IDLE_PERIOD = (announcements.c.table_id == tables.c.id, announcements.c.since == tables.c.updated_at)
SELECT_UNANNOUNCED = (
    select(tables.c.id)
    .where(*_IS_IDLE, ~exists().where(*_MATCHES_IDLE_PERIOD), ~_HAS_NO_READERS)
    .order_by(tables.c.updated_at, tables.c.id)
    .limit(bindparam("most"))
)
SELECT_ANNOUNCED = (
    select(tables.c.id)
    .where(
        *_IS_IDLE,
        or_(
            exists().where(*_MATCHES_IDLE_PERIOD, announcements.c.noted_at <= bindparam("noted_until")),
            _HAS_NO_READERS,
        ),
    )
    .order_by(tables.c.updated_at, tables.c.id)
    .limit(bindparam("most"))
)
# An announcement of an earlier idle period has lapsed. The process that deletes its message has already loaded the id.
_DELETE_EARLIER = delete(announcements).where(
    announcements.c.table_id == bindparam("which"), announcements.c.since != bindparam("idle_since")
)
_INSERT = (
    insert(announcements)
    .from_select(
        ["table_id", "channel_id", "since", "stands", "noted_at"],
        select(
            tables.c.id,
            tables.c.channel_id,
            tables.c.updated_at,
            true(),
            bindparam("noted_at", type_=announcements.c.noted_at.type),
        ).where(IS_UNFINISHED, tables.c.id == bindparam("which"), tables.c.updated_at == bindparam("idle_since")),
    )
    .returning(announcements.c.table_id)
)
_IS_PERIOD_OVER = or_(announcements.c.since != tables.c.updated_at, text(f"NOT ({IS_UNFINISHED.text})"))


CLOSING: Final = NoticeKind(
    "announcement",
    announcements,
    identity=("table_id", "since"),
    read=partial(read_row, Announcement),
    recognises=is_announcement,
    lapsed=select(announcements)
    .join(tables, tables.c.id == announcements.c.table_id)
    .where(_IS_PERIOD_OVER, is_served(tables.c.guild_id))
    .order_by(announcements.c.table_id)
    .limit(bindparam("most")),
    is_forgotten=exists().where(tables.c.id == announcements.c.table_id, _IS_PERIOD_OVER),
    unsent_after=(DeliveryFailed,),
)


def claim(connection: Connection, announcement: Announcement) -> bool:
    """Store an announcement before it is sent; return False if one exists, or the table is no longer idle."""
    key = {"which": announcement.table_id, "idle_since": announcement.since}
    connection.execute(_DELETE_EARLIER, key)
    return try_insert(connection, _INSERT, {**key, "noted_at": announcement.noted_at})


def find_unannounced(
    connection: Connection, shards: ShardRange, games: Collection[str], since: datetime, limit: int
) -> Sequence[TableId]:
    """Return idle tables without an announcement, longest idle first.

    Tables that only their player sees are left out: they close unannounced.
    """
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
    """Return idle tables that were announced by `noted_until`, or need not be, longest idle first."""
    parameters = {"games": list(games), "idle_since": since, "noted_until": noted_until, "most": limit}
    return select_served(connection, shards, SELECT_ANNOUNCED, parameters).scalars().all()
