"""The SQL of tables: opens, loads and saves them, and stores published revisions.

Every function takes the connection of a transaction first.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    Integer,
    and_,
    bindparam,
    case,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.platform.database.sql import AnyRow, Values, lock
from bot.tables.characters import name_seats
from bot.tables.compaction import decompress_entries
from bot.tables.events import CalledHooks
from bot.tables.model import (
    NEVER_SHOWN,
    NO_LIMITS,
    AsideTable,
    Award,
    Entry,
    Header,
    Occupant,
    OpeningLimits,
    PublishedRevision,
    Status,
    StoredTable,
    TableId,
    TableUpdate,
)
from bot.tables.schema import (
    HAS_PLACE,
    IS_ASIDE,
    IS_CONTINUATION,
    IS_UNFINISHED,
    badges_earned,
    changed_table_values,
    compacted_moves,
    entry_of,
    header_of,
    move_values,
    moved_table_values,
    moves,
    new_table_values,
    occupant_of,
    seat_values,
    seats,
    tables,
)
from bot.tables.table import Table


def is_open_in(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a table is open in a channel of a server."""
    return and_(HAS_PLACE, tables.c.guild_id == guild_id, tables.c.is_private == false())


_ATTEMPTS: Final = 3
"""Attempts to insert a table whose conflicting table has vanished each time."""

_PIECE_SIZE: Final = 256
"""Rows read at a time. A driver holds the interpreter's lock meanwhile, and with it the event loop."""

# Statements are built once, so that SQLAlchemy's cache of compiled statements finds them fast.
_SHOWN = bindparam("shown", type_=Integer)
_IS_NEWEST = tables.c.published <= _SHOWN
_IS_REPLACED = or_(
    tables.c.published == func.coalesce(bindparam("replaces", type_=Integer), tables.c.published),
    # Another process has shown the same revision. If the table has changed since, this process may have overwritten a
    # newer one in the message.
    and_(tables.c.published == _SHOWN, tables.c.revision <= _SHOWN),
)
_UPDATE_PUBLISHED = (
    update(tables)
    .where(tables.c.id == bindparam("table_id"), or_(_IS_NEWEST, not_(_IS_REPLACED)))
    .values(
        published=case((_IS_REPLACED, _SHOWN), else_=NEVER_SHOWN),
        message_id=case((_IS_NEWEST, bindparam("message", type_=tables.c.message_id.type)), else_=tables.c.message_id),
    )
)
_SELECT_HEADER = select(tables).where(tables.c.id == bindparam("table_id"))
SELECT_SEATS = select(seats).where(seats.c.table_id == bindparam("table_id")).order_by(seats.c.seat)
SELECT_MOVES = select(moves).where(moves.c.table_id == bindparam("table_id")).order_by(moves.c.step)
_SELECT_COMPACTED = select(compacted_moves.c.entries).where(compacted_moves.c.table_id == bindparam("table_id"))
SELECT_AWARDS = (
    select(badges_earned)
    .where(badges_earned.c.table_id == bindparam("table_id"))
    .order_by(badges_earned.c.user_id, badges_earned.c.badge)
)
SELECT_NEWEST = select(func.max(tables.c.id)).where(
    tables.c.channel_id == bindparam("channel_id"),
    tables.c.solo_id.in_((literal(0), bindparam("solo_id"))),
    ~tables.c.is_private,
)

SELECT_OPEN = select(tables.c.id).where(
    tables.c.channel_id == bindparam("channel_id"), tables.c.solo_id == bindparam("solo_id"), HAS_PLACE
)
SELECT_IN_OWN_THREADS = (
    select(tables.c.id, tables.c.channel_id)
    .where(is_open_in(bindparam("guild")), tables.c.solo_id == bindparam("solo"), tables.c.is_own_thread)
    .order_by(tables.c.id)
)

SELECT_PUT_ASIDE = (
    select(tables.c.id, tables.c.game, tables.c.updated_at)
    .where(IS_ASIDE, tables.c.channel_id == bindparam("channel"))
    .order_by(tables.c.id.desc())
    .limit(bindparam("most"))
)
_SELECT_SEATS = (
    select(seats.c.table_id, seats.c.name, seats.c.user_id, seats.c.level)
    .where(seats.c.table_id.in_(bindparam("found", expanding=True)))
    .order_by(seats.c.table_id, seats.c.seat)
)

_HAS_STARTED = select(exists().where(tables.c.id == bindparam("taken"), IS_UNFINISHED))

_IS_OPENED = (
    HAS_PLACE,
    tables.c.opener_id == bindparam("opener"),
    tables.c.id != bindparam("without"),
    tables.c.guild_id.is_not_distinct_from(bindparam("guild", type_=tables.c.guild_id.type)),
)
_COUNT_OPEN = select(func.count()).select_from(tables).where(*_IS_OPENED)
COUNT_IN_SERVER = (
    select(func.count()).select_from(tables).where(is_open_in(bindparam("guild")), tables.c.id != bindparam("without"))
)

_SELECT_CONTINUATION = select(tables.c.id).where(
    IS_CONTINUATION,
    tables.c.first_id == bindparam("first"),
    tables.c.link_kind == bindparam("kind"),
    tables.c.part == bindparam("number"),
)

_INSERT_TABLE = insert(tables).returning(tables.c.id)
_UPDATE_TABLE = update(tables).where(tables.c.id == bindparam("table_id"), tables.c.revision == bindparam("expected"))
_INSERT_SEATS = insert(seats)
_DELETE_SEATS = delete(seats).where(seats.c.table_id == bindparam("table_id"))
_INSERT_MOVE = insert(moves)


class TableExists(Exception):
    """The place of a new table is taken; `table_id` is the table there."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class ChannelTaken(TableExists):
    """The location has an open table."""


class AlreadyContinued(TableExists):
    """The series has a table of this part."""


class TooManyTables(Exception):
    """The opener has reached the limit of open tables in the server, or in direct messages."""


class ServerFull(Exception):
    """The server has reached its limit of open tables."""


class Conflict(Exception):
    """Another writer changed the table first; reload it and decide again."""


def open_table(
    connection: Connection,
    header: Header,
    occupants: Sequence[Occupant],
    limits: OpeningLimits = NO_LIMITS,
    hooks: CalledHooks | None = None,
) -> Header:
    """Store a new table and return its header with its id.

    Args:
        header: The header; its id is ignored.
        occupants: The occupants by seat.
        limits: The most open tables of the opener in the server or in direct messages, and of the server.
        hooks: Run in the same transaction.

    Raises:
        ChannelTaken: The location has an open table.
        AlreadyContinued: The series has a table of this part that was not cancelled and has not expired.
        TooManyTables: The opener would exceed the limit.
        ServerFull: The server would exceed the limit.
        Exception: A hook forbids the change.
    """
    if hooks is not None:
        hooks.check(connection)
    if limits.most_in_server is not None:
        lock(connection, header.location.scope_id)
    if limits.most_by_opener is not None:
        lock(connection, header.opener_id)
    table_id = _add_to_place(connection, header, limits)
    # Check the limits last: of two processes that handle the same click, the slower must find the other's table first.
    require_room(connection, header.opener_id, header.location.guild_id, limits, without=table_id)
    add_seats(connection, table_id, occupants)
    header = replace(header, id=table_id)
    if hooks is not None:
        hooks.run_opened(connection, header)
    return header


def _add_to_place(connection: Connection, header: Header, limits: OpeningLimits) -> TableId:
    """Insert a table, or raise the error for the table in its way."""
    conflicts: list[IntegrityError] = []
    while len(conflicts) < _ATTEMPTS:
        try:
            # A savepoint keeps the transaction usable if the insert fails.
            with connection.begin_nested():
                return int(connection.execute(_INSERT_TABLE, new_table_values(header)).scalar_one())
        except IntegrityError as error:
            if link := header.link:
                key = {"first": link.first_id, "kind": link.kind.value, "number": link.part}
                continued = connection.execute(_SELECT_CONTINUATION, key).scalar_one_or_none()
                if continued is not None:
                    raise AlreadyContinued(continued) from error
            taken = find_open(connection, header.location.channel_id, header.location.solo_id)
            if taken is not None:
                if connection.execute(_HAS_STARTED, {"taken": taken}).scalar_one():
                    # Putting a started table aside is useless if a limit forbids the new table anyway.
                    require_room(connection, header.opener_id, header.location.guild_id, limits, without=taken)
                raise ChannelTaken(taken) from error
            # The conflicting table may have been closed since.
            conflicts.append(error)
    raise conflicts[-1]


def add_seats(connection: Connection, table_id: TableId, occupants: Sequence[Occupant]) -> None:
    """Insert the seats of a table."""
    values = [seat_values(table_id, seat, occupant) for seat, occupant in enumerate(occupants)]
    if values:
        connection.execute(_INSERT_SEATS, values)


def require_room(
    connection: Connection, opener_id: int, guild_id: int | None, limits: OpeningLimits, without: TableId = 0
) -> None:
    """Raise TooManyTables or ServerFull if a new table exceeds a limit; one of the open tables does not count."""
    key = {"guild": guild_id, "without": without}
    if limits.most_by_opener is not None:
        opened: int = connection.execute(_COUNT_OPEN, {**key, "opener": opener_id}).scalar_one()
        if opened >= limits.most_by_opener:
            raise TooManyTables
    if limits.most_in_server is not None:
        open_here: int = connection.execute(COUNT_IN_SERVER, key).scalar_one()
        if open_here >= limits.most_in_server:
            raise ServerFull


def find_open(connection: Connection, channel_id: int, solo_id: int = 0) -> TableId | None:
    """Return the open table of a channel, or a person's open solo game there, or None."""
    return connection.execute(SELECT_OPEN, {"channel_id": channel_id, "solo_id": solo_id}).scalar_one_or_none()


def find_in_own_threads(connection: Connection, guild_id: int, solo_id: int) -> Mapping[TableId, int]:
    """Return the threads that the bot has opened in a server for a person's open solo games, by table."""
    found = connection.execute(SELECT_IN_OWN_THREADS, {"guild": guild_id, "solo": solo_id})
    return {row.id: row.channel_id for row in found}


def find_put_aside(connection: Connection, channel_id: int, limit: int) -> Sequence[AsideTable]:
    """Return the tables of a channel that were put aside, newest first."""
    found = connection.execute(SELECT_PUT_ASIDE, {"channel": channel_id, "most": limit}).all()
    seated = _find_seats(connection, [row.id for row in found])
    return [
        AsideTable(
            row.id,
            row.game,
            name_seats(seated[row.id]),
            frozenset(seat.user_id for seat in seated[row.id] if seat.user_id is not None),
            row.updated_at,
        )
        for row in found
    ]


def find_seat_names(connection: Connection, table_ids: Sequence[TableId]) -> Mapping[TableId, tuple[str, ...]]:
    """Return the names of the seats of tables."""
    return {table_id: name_seats(found) for table_id, found in _find_seats(connection, table_ids).items()}


def _find_seats(connection: Connection, table_ids: Sequence[TableId]) -> Mapping[TableId, Sequence[Any]]:
    seated = defaultdict[TableId, list[Any]](list)
    for row in connection.execute(_SELECT_SEATS, {"found": table_ids}):
        seated[row.table_id].append(row)
    return seated


def find_newest(connection: Connection, channel_id: int, solo_id: int = 0) -> TableId | None:
    """Return the newest table of a channel, open or not, including a person's solo games."""
    return connection.execute(SELECT_NEWEST, {"channel_id": channel_id, "solo_id": solo_id}).scalar_one_or_none()


def load(connection: Connection, table_id: TableId) -> StoredTable | None:
    """Return a table with its seats and entries, or None if it does not exist."""
    key = {"table_id": table_id}
    header = connection.execute(_SELECT_HEADER, key).one_or_none()
    if header is None:
        return None
    occupants = tuple(occupant_of(row) for row in connection.execute(SELECT_SEATS, key))
    return StoredTable(
        header_of(header),
        occupants,
        load_entries(connection, table_id) if header.step else (),
        awarded_at(connection, table_id) if header.status != Status.LOBBY.value else (),
    )


def awarded_at(connection: Connection, table_id: TableId) -> tuple[Award, ...]:
    """Return the badges that a table has awarded."""
    return tuple(map(award_of, connection.execute(SELECT_AWARDS, {"table_id": table_id})))


def award_of(row: AnyRow) -> Award:
    """Return the award in a row."""
    return Award(row.user_id, row.badge, row.table_id, row.guild_id, row.earned_at)


def load_entries(connection: Connection, table_id: TableId) -> tuple[Entry, ...]:
    """Return the entries of a table, compacted or not."""
    key = {"table_id": table_id}
    # Read the rows first: if a compaction has just deleted them, the text exists.
    pieces = connection.execute(SELECT_MOVES, key).partitions(_PIECE_SIZE)
    if entries := tuple(entry_of(row) for piece in pieces for row in piece):
        return entries
    compacted = connection.execute(_SELECT_COMPACTED, key).scalar_one_or_none()
    return () if compacted is None else decompress_entries(compacted)


def save(connection: Connection, change: TableUpdate, hooks: CalledHooks | None = None) -> Table | None:
    """Save a change of a table, and run the hooks in the same transaction. When this returns, the change is on disk.

    `save_move` is for plain moves, which are most changes.

    Returns:
        The table as the hooks leave it; None without hooks.

    Raises:
        Conflict: The stored revision is not the one before the header's, or the entry exists.
        IntegrityError: The table is resumed at a location with another open table.
        Exception: A hook forbids the change.
    """
    if hooks is not None:
        hooks.check(connection)
    header = change.header
    _update_table(connection, header, changed_table_values(header))
    if change.seats is not None:
        connection.execute(_DELETE_SEATS, {"table_id": header.id})
        add_seats(connection, header.id, change.seats)
    if change.entry is not None:
        _insert_move(connection, header.id, change.entry)
    return None if hooks is None else hooks.run(connection)


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a header and the move that changed it, with only the columns that moves change.

    Raises:
        Conflict: The stored revision is not the expected one, or the move exists.
    """
    if connection.dialect.name == "postgresql":
        _save_move_by_statement(connection, header, entry)
        return
    _update_table(connection, header, moved_table_values(header))
    _insert_move(connection, header.id, entry)


def _update_table(connection: Connection, header: Header, values: Values) -> None:
    """Write columns of a header, raising Conflict unless the stored revision is the one before the header's."""
    key = {"table_id": header.id, "expected": header.revision - 1}
    if connection.execute(_UPDATE_TABLE, key | values).rowcount == 0:
        raise Conflict(header.id)


def _insert_move(connection: Connection, table_id: TableId, entry: Entry) -> None:
    """Insert an entry, raising Conflict if it exists."""
    try:
        connection.execute(_INSERT_MOVE, move_values(table_id, entry))
    except IntegrityError as error:
        raise Conflict(table_id) from error


def _save_move_by_statement(connection: Connection, header: Header, entry: Entry) -> None:
    """Write the header and the move with one statement, so that both are stored or neither is."""
    changed, added = moved_table_values(header), move_values(header.id, entry)
    values = {f"{name}_of_table": value for name, value in changed.items()}
    values |= {f"{name}_of_move": value for name, value in added.items()}
    statement = _build_move_statement(tuple(changed), tuple(added))
    try:
        saved = connection.execute(statement, {**values, "expected": header.revision - 1})
    except IntegrityError as error:
        raise Conflict(header.id) from error
    if saved.rowcount == 0 and not _was_saved(connection, header, entry):
        raise Conflict(header.id)


# Building the statement takes more processor time than the rest of saving a move.
@lru_cache(maxsize=16)
def _build_move_statement(changed: tuple[str, ...], added: tuple[str, ...]) -> Insert:
    table = (
        update(tables)
        .where(tables.c.id == bindparam("table_id_of_move"), tables.c.revision == bindparam("expected"))
        .values({name: bindparam(f"{name}_of_table") for name in changed})
        .returning(tables.c.id)
        .cte("changed")
    )
    # This selects no row if the update changed no table.
    move = select(*(bindparam(f"{name}_of_move", type_=moves.c[name].type) for name in added)).select_from(table)
    # SQLAlchemy keeps no row count of inserts by default.
    return insert(moves).from_select(added, move).execution_options(preserve_rowcount=True)


def _was_saved(connection: Connection, header: Header, entry: Entry) -> bool:
    """Return whether an earlier attempt, whose answer was lost, has saved this very entry.

    The time distinguishes it from another process's entry for the same click.
    """
    stored = connection.execute(
        select(moves).where(moves.c.table_id == header.id, moves.c.step == entry.step)
    ).one_or_none()
    if stored is None or entry_of(stored) != entry:
        return False
    # The standby may lack that attempt's commit. This update changes nothing, but its commit waits for the standby.
    connection.execute(update(tables).where(tables.c.id == header.id).values(revision=tables.c.revision))
    return True


def mark_published(connection: Connection, shown: Sequence[PublishedRevision]) -> None:
    """Store published revisions, which only grow within a process.

    If the stored revision is not the one that this process replaced, another process has shown the table meanwhile.
    Nobody knows which edit came last, so the table counts as never shown and is shown again, unless both processes
    showed the same revision and it is still the newest.
    """
    # A fixed order keeps two processes that lock the same rows from a deadlock.
    in_order = sorted(shown, key=lambda s: s.table_id)
    connection.execute(
        _UPDATE_PUBLISHED,
        [
            {"table_id": s.table_id, "shown": s.revision, "message": s.message_id, "replaces": s.replaces}
            for s in in_order
        ],
    )
