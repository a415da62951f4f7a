"""Queries for the tables of a channel, and for opening one within limits."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, bindparam, exists, func, select
from sqlalchemy.exc import IntegrityError

from bot.platform.database.sql import lock
from bot.rules.lesson import is_lesson
from bot.tables import writing
from bot.tables.errors import AlreadyContinued, ChannelTaken, TooManyTables
from bot.tables.events import CalledHooks
from bot.tables.model import AsideTable, Header, Occupant, SeriesLink, TableId
from bot.tables.schema import IS_ASIDE, IS_CONTINUATION, IS_LESSON, IS_OPEN, IS_UNFINISHED, seats as occupants, tables


class _Kind(Enum):
    """What is counted apart."""

    GAME = "game"
    LESSON = "lesson"


_ATTEMPTS: Final = 3
"""How often a table is stored if what was in its way is gone when it is looked for."""

SELECT_OPEN = select(tables.c.id).where(
    tables.c.channel_id == bindparam("channel_id"), tables.c.solo_id == bindparam("solo_id"), IS_OPEN
)

SELECT_PUT_ASIDE = (
    select(tables.c.id, tables.c.game, tables.c.updated_at)
    .where(IS_ASIDE, tables.c.channel_id == bindparam("channel"))
    .order_by(tables.c.id.desc())
    .limit(bindparam("most"))
)
_SELECT_SEATS = (
    select(occupants.c.table_id, occupants.c.name, occupants.c.user_id)
    .where(occupants.c.table_id.in_(bindparam("found", expanding=True)))
    .order_by(occupants.c.table_id, occupants.c.seat)
)

_HAS_STARTED = select(exists().where(tables.c.id == bindparam("taken"), IS_UNFINISHED))

_IS_OPENED = (
    IS_OPEN,
    tables.c.opener_id == bindparam("opener"),
    tables.c.id != bindparam("without"),
    tables.c.guild_id.is_not_distinct_from(bindparam("guild", type_=tables.c.guild_id.type)),
)
_COUNT_OPEN = select(func.count()).select_from(tables).where(*_IS_OPENED, ~IS_LESSON)
_COUNT_LESSONS = select(func.count()).select_from(tables).where(*_IS_OPENED, IS_LESSON)

_SELECT_CONTINUATION = select(tables.c.id).where(
    IS_CONTINUATION,
    tables.c.first_id == bindparam("first"),
    tables.c.link_kind == bindparam("kind"),
    tables.c.part == bindparam("number"),
)


def open_table(
    connection: Connection,
    header: Header,
    seats: Sequence[Occupant],
    most: int | None = None,
    hooks: CalledHooks | None = None,
) -> Header:
    """Store a new table and return its header with its id.

    Args:
        header: The header; its id is ignored.
        seats: The occupants by seat.
        most: How many open tables the opener can have in the server, or in direct messages, and how many lessons;
            None for any number.
        hooks: What features do in the same transaction.

    Raises:
        ChannelTaken: The location has an open table.
        AlreadyContinued: The series has a table of this part that was not cancelled and has not expired.
        TooManyTables: The opener would exceed the limit.
        Exception: A feature forbids it.
    """
    if hooks is not None:
        hooks.check(connection)
    if most is not None:
        lock(connection, header.opener_id)
    kind = _Kind.LESSON if seats and is_lesson(seats[0].contribution) else _Kind.GAME
    table_id = _add_table(connection, header, most, kind)
    # Only now: if two processes handle the same click, the slower one must find the other's table first.
    if most is not None and _count_of_kind(connection, header, kind, without=table_id) >= most:
        raise TooManyTables
    writing.add_seats(connection, table_id, seats)
    header = replace(header, id=table_id)
    if hooks is not None:
        hooks.run_opened(connection, header)
    return header


def _add_table(connection: Connection, header: Header, most: int | None, kind: _Kind) -> TableId:
    conflicts: list[IntegrityError] = []
    while len(conflicts) < _ATTEMPTS:
        try:
            return writing.add_table(connection, header)
        except IntegrityError as error:
            continued = _find_continuation(connection, header.link)
            if continued is not None:
                raise AlreadyContinued(continued) from error
            taken = find_open(connection, header.location.channel_id, header.location.solo_id)
            if taken is not None:
                # A started table can be put aside to make room, which is useless if the limit forbids the new table.
                has_started = connection.execute(_HAS_STARTED, {"taken": taken}).scalar_one()
                is_full = most is not None and _count_of_kind(connection, header, kind, without=taken) >= most
                if has_started and is_full:
                    raise TooManyTables from error
                raise ChannelTaken(taken) from error
            # The conflicting table may have been closed since.
            conflicts.append(error)
    raise conflicts[-1]


def count_opened(connection: Connection, opener_id: int, guild_id: int | None) -> int:
    """Return how many open tables someone has opened in a server, or in direct messages; lessons are none."""
    key = {"opener": opener_id, "guild": guild_id, "without": 0}
    return connection.execute(_COUNT_OPEN, key).scalar_one()


def _count_of_kind(connection: Connection, header: Header, kind: _Kind, without: TableId) -> int:
    """Count the other open tables, or lessons, of a new table's opener, without one of them."""
    key = {"opener": header.opener_id, "guild": header.location.guild_id, "without": without}
    return connection.execute(_COUNT_LESSONS if kind is _Kind.LESSON else _COUNT_OPEN, key).scalar_one()


def _find_continuation(connection: Connection, link: SeriesLink | None) -> TableId | None:
    """Return the table of a part of a series, or None."""
    if link is None:
        return None
    key = {"first": link.first_id, "kind": link.kind.value, "number": link.part}
    return connection.execute(_SELECT_CONTINUATION, key).scalar_one_or_none()


def find_open(connection: Connection, channel_id: int, solo_id: int = 0) -> TableId | None:
    """Return the open table of a channel, or a person's open solo game there, or None."""
    return connection.execute(SELECT_OPEN, {"channel_id": channel_id, "solo_id": solo_id}).scalar_one_or_none()


def find_put_aside(connection: Connection, channel_id: int, limit: int) -> Sequence[AsideTable]:
    """Return the tables of a channel that were put aside, newest first."""
    found = connection.execute(SELECT_PUT_ASIDE, {"channel": channel_id, "most": limit}).all()
    seated = defaultdict[TableId, list[Any]](list)
    for row in connection.execute(_SELECT_SEATS, {"found": [row.id for row in found]}):
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
