"""Queries that delete data of people and servers, and old data, some rows at a time.

Keys are read first and their rows then written by primary key, so that no batch reads a whole table while holding the
writer.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    String,
    Table,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    false,
    func,
    not_,
    or_,
    select,
    update,
)

from bot.features.privacy.model import ErasedTables, Erasure, PersonRows, RetentionLimits, TableWalk
from bot.features.privacy.personal_data import PERSONAL_DATA, Erasing, Kind, Leaving, PersonalData, tables_below_tables
from bot.platform.database.sql import get_value, notes, set_value
from bot.platform.jobs import storage as job_queries
from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.jobs.storage import Job, jobs
from bot.platform.places import ShardRange
from bot.tables.model import FORGOTTEN_CLICK, Status, TableId
from bot.tables.schema import DELETED_NAME, FORMER_NAME, IS_ASIDE, IS_OPEN, moves, seats, tables

_ERASURE_KEY: Final = "erasure "
CACHES_KEY: Final = "caches cleared"
"""The key of the note that counts how often processes were told to clear their caches."""

SELECT_SEATS_OF: Final = (
    select(seats.c.table_id, seats.c.seat)
    .where(seats.c.user_id == bindparam("user_id"))
    .order_by(seats.c.table_id)
    .limit(bindparam("most"))
)
_HAS_PERSON: Final = exists().where(seats.c.table_id == tables.c.id, seats.c.user_id == bindparam("user_id"))
SELECT_OPEN: Final = select(tables.c.id).where(IS_OPEN, _HAS_PERSON)
SELECT_ASIDE: Final = select(tables.c.id).where(IS_ASIDE, _HAS_PERSON)
_RENAME_SEAT: Final = (
    update(seats)
    .where(seats.c.table_id == bindparam("at_table"), seats.c.seat == bindparam("at_seat"))
    .values(user_id=bindparam("pseudonym"), name=DELETED_NAME)
)
_CLEAR_CLICKS: Final = (
    update(moves)
    .where(
        moves.c.table_id == bindparam("at_table"),
        moves.c.seat == bindparam("at_seat"),
        moves.c.click_id != FORGOTTEN_CLICK,
    )
    .values(click_id=FORGOTTEN_CLICK)
)


def ask(connection: Connection, erasure: Erasure, job: Job) -> None:
    """Store an erasure and its job, unless the person already has one."""
    asked = select(notes.c.key).where(
        notes.c.key.startswith(_ERASURE_KEY), notes.c.value.startswith(f"{erasure.user_id} ")
    )
    if connection.execute(asked).first() is None:
        value = f"{erasure.user_id} {erasure.asked_at.isoformat()}"
        set_value(connection, f"{_ERASURE_KEY}{erasure.pseudonym}", value)
        job_queries.put(connection, job)


def find(connection: Connection, pseudonym: int) -> Erasure | None:
    """Return an unfinished erasure."""
    value = get_value(connection, f"{_ERASURE_KEY}{pseudonym}")
    if value is None:
        return None
    user_id, asked_at = value.split()
    return Erasure(int(user_id), pseudonym, datetime.fromisoformat(asked_at))


def find_unfinished_tables(connection: Connection, user_id: int) -> Sequence[TableId]:
    """Return the unfinished tables at which a person has a seat; the opener of a table always has one."""
    queries = (SELECT_OPEN, SELECT_ASIDE)
    return sorted({each for query in queries for each in connection.execute(query, {"user_id": user_id}).scalars()})


def erase_from_tables(connection: Connection, erasure: Erasure, limit: int) -> ErasedTables:
    """Make some seats of a person anonymous, together with all that their tables contain about them."""
    own = {"user_id": erasure.user_id}
    found = connection.execute(SELECT_SEATS_OF, own | {"most": limit}).all()
    if not found:
        return ErasedTables(0)
    ids = sorted({row.table_id for row in found})
    places = [{"at_table": row.table_id, "at_seat": row.seat, "pseudonym": erasure.pseudonym} for row in found]
    own_seats = [{"at_table": each["at_table"], "at_seat": each["at_seat"]} for each in places]
    # The reminders may name a channel of direct messages.
    reminders = PERSONAL_DATA["reminders"].table
    at_seat = (reminders.c.table_id == bindparam("at_table"), reminders.c.seat == bindparam("at_seat"))
    connection.execute(delete(reminders).where(*at_seat), own_seats)
    connection.execute(_CLEAR_CLICKS, own_seats)
    _erase_direct_channels(connection, erasure, ids)
    _rename_openers(connection, erasure, ids)
    shown = _show_again(connection, erasure, ids)
    # Seats go last, because the other data is found through them.
    connection.execute(_RENAME_SEAT, places)
    # From here on, no new picture with the name is stored.
    _delete_pictures(connection, ids)
    return ErasedTables(len(found), shown)


def _delete_pictures(connection: Connection, ids: Collection[object]) -> None:
    """Delete pictures with people's names after one of the people has lost theirs."""
    for data in PERSONAL_DATA.values():
        if data.erasing is Erasing.WITH_PEOPLE:
            connection.execute(delete(data.table).where(data.table.c.table_id.in_(ids)))


def _erase_direct_channels(connection: Connection, erasure: Erasure, ids: Sequence[TableId]) -> None:
    """Replace the ids of direct message channels, which belong to a single person."""
    direct = and_(tables.c.id.in_(ids), tables.c.guild_id.is_(None))
    for data in PERSONAL_DATA.values():
        if data.leaving is not Leaving.WITH_TABLE or "channel_id" not in data.kinds or data.table is tables:
            continue
        if "guild_id" not in data.kinds:
            # Notices at these tables. Their messages stand in the person's own channel.
            connection.execute(delete(data.table).where(data.table.c.table_id.in_(select(tables.c.id).where(direct))))
        else:
            # These rows repeat their table's location.
            columns = data.table.c
            repeated = update(data.table).where(columns.table_id.in_(ids), columns.guild_id.is_(None))
            connection.execute(repeated.values(channel_id=erasure.pseudonym))
    changes = {"channel_id": erasure.pseudonym, "message_id": None, "published": tables.c.revision}
    connection.execute(update(tables).where(direct).values(changes))


def _rename_openers(connection: Connection, erasure: Erasure, ids: Sequence[TableId]) -> None:
    for column in (tables.c.opener_id, tables.c.solo_id):
        own = and_(tables.c.id.in_(ids), column == erasure.user_id)
        connection.execute(update(tables).where(own).values({column.name: erasure.pseudonym, "lobby_click_id": None}))


def _show_again(connection: Connection, erasure: Erasure, ids: Sequence[TableId]) -> Sequence[TableId]:
    """Raise the revision of tables, so that processes reload them and show their messages without the name.

    Tables that were over before the person's request stay as they are.
    """
    is_shown = and_(tables.c.id.in_(ids), tables.c.guild_id.isnot(None))
    has_changed = or_(IS_OPEN, IS_ASIDE, tables.c.updated_at >= erasure.asked_at)
    found = connection.execute(select(tables.c.id).where(is_shown, has_changed).order_by(tables.c.id)).scalars().all()
    if found:
        connection.execute(update(tables).where(tables.c.id.in_(found)).values(revision=tables.c.revision + 1))
    return found


def find_rows(connection: Connection, user_id: int, limit: int) -> PersonRows | None:
    """Return some other rows of a person. This may read a whole table, so keep it out of write transactions."""
    for name, data in PERSONAL_DATA.items():
        if data.erasing in (Erasing.DELETE, Erasing.RENAME, Erasing.CLEAR):
            for column in data.columns(Kind.PERSON):
                if keys := find_keys(connection, data.table, column == user_id, limit):
                    return PersonRows(name, column.name, keys)
        for column in data.columns(Kind.KEPT):
            has_text = or_(*(text != "" for text in data.columns(Kind.TEXT)))
            if keys := find_keys(connection, data.table, and_(column == user_id, has_text), limit):
                return PersonRows(name, column.name, keys)
    return None


def erase_rows(connection: Connection, erasure: Erasure, rows: PersonRows) -> None:
    """Delete a person's rows, make them anonymous, or delete the texts in rows whose id stays."""
    data = PERSONAL_DATA[rows.table]
    column = data.table.c[rows.column]
    if data.kinds[rows.column] is Kind.KEPT:
        change_rows(connection, data.table, rows.keys, {text.name: "" for text in data.columns(Kind.TEXT)})
        return
    change: Mapping[str, object] | None = None
    if data.erasing is not Erasing.DELETE:
        pseudonym = None if data.erasing is Erasing.CLEAR else erasure.pseudonym
        change = {column.name: pseudonym, **_names_without_person(data, DELETED_NAME)}
    if change is not None and column.primary_key:
        # A table that ended meanwhile, or a rebuild, may have added rows for the pseudonym; the older rows win.
        begun = [{**key, f"key_{column.name}": erasure.pseudonym} for key in rows.keys]
        change_rows(connection, data.table, begun, None)
    change_rows(connection, data.table, rows.keys, change)
    owner, key_name = (PERSONAL_DATA[data.owner].table, data.owner_key) if data.owner else (data.table, "id")
    if "revision" in owner.c:
        # The new revision keeps other processes from writing the id back, and has the message shown again.
        changed = update(owner).where(owner.c.id.in_({key[f"key_{key_name}"] for key in rows.keys}))
        connection.execute(changed.values(revision=owner.c.revision + 1))


def _names_without_person(data: PersonalData, substitute: str) -> Mapping[str, str]:
    """Return the values that replace an erased person's name and titles."""
    return {
        **{name.name: substitute for name in data.columns(Kind.NAME)},
        **{title.name: "" for title in data.columns(Kind.TITLE)},
    }


def find_keys(connection: Connection, table: Table, condition: Any, limit: int) -> list[dict[str, object]]:
    """Return the primary keys of some rows, as parameters for `change_rows`."""
    found = connection.execute(select(*table.primary_key.columns).where(condition).limit(limit)).mappings()
    return [{f"key_{name}": value for name, value in row.items()} for row in found]


def change_rows(
    connection: Connection, table: Table, keys: Sequence[Mapping[str, object]], change: Mapping[str, object] | None
) -> None:
    """Change the rows with some primary keys, or delete them if there is no change."""
    own = and_(*(column == bindparam(f"key_{column.name}") for column in table.primary_key.columns))
    statement = delete(table).where(own) if change is None else update(table).where(own).values(dict(change))
    connection.execute(statement, keys)


def erase_openers(connection: Connection, erasure: Erasure, after_id: TableId, limit: int) -> TableId | None:
    """Make a person anonymous in a stretch of tables without their seat; return its end, or None after the last."""
    newest = connection.execute(select(func.max(tables.c.id))).scalar() or 0
    if after_id >= newest:
        return None
    end = after_id + limit
    opened = or_(tables.c.opener_id == erasure.user_id, tables.c.solo_id == erasure.user_id)
    stretch = select(tables.c.id).where(tables.c.id > after_id, tables.c.id <= end, opened)
    if found := connection.execute(stretch).scalars().all():
        _rename_openers(connection, erasure, found)
    # Also forget who was removed from lobbies or has a kept seat; the new revision keeps other processes from writing
    # the ids back.
    named = f" {erasure.user_id} "
    for column in (tables.c.kicked, tables.c.kept):
        names_them = and_(tables.c.id > after_id, tables.c.id <= end, column.contains(named))
        forgotten = {column: func.replace(column, named, ""), tables.c.revision: tables.c.revision + 1}
        connection.execute(update(tables).where(names_them).values(forgotten))
    return end


def finish(connection: Connection, erasure: Erasure) -> None:
    """Delete an erasure with every note and job about the person, and tell all processes to clear their caches."""
    delete_texts(connection, erasure.user_id)
    raise_deletion_count(connection)


def delete_texts(connection: Connection, named_id: int, kinds: Collection[str] = ()) -> None:
    """Delete the notes and jobs whose text contains an id, except jobs of some kinds."""
    for data in PERSONAL_DATA.values():
        if data.erasing is Erasing.BY_TEXT:
            names_it = or_(*(cast(column, String).contains(str(named_id)) for column in data.columns(Kind.TEXT)))
            is_kept = jobs.c.kind.in_(kinds) if data.table is jobs else false()
            connection.execute(delete(data.table).where(names_it, not_(is_kept)))


HAS_NEWS: Final = exists().where(notes.c.key == CACHES_KEY, notes.c.value != bindparam("cleared"))
"""Whether processes were told to clear their caches again."""


def count_erasures(connection: Connection) -> int:
    """Return how often processes have been told to clear their caches."""
    return int(get_value(connection, CACHES_KEY) or 0)


def raise_deletion_count(connection: Connection) -> None:
    """Tell all processes to clear their caches."""
    set_value(connection, CACHES_KEY, str(count_erasures(connection) + 1))


_OF_SERVERS: Final = (Leaving.DELETE, Leaving.CLEAR)


def find_servers(connection: Connection, shards: ShardRange) -> Sequence[int]:
    """Return the servers of a process that have any stored data."""
    return sorted(
        {server for query in select_servers() for server in select_served(connection, shards, query, {}).scalars()}
    )


def select_servers() -> Iterator[Select[int]]:
    """Yield a query per database table for the servers in its rows."""
    for data in PERSONAL_DATA.values():
        if data.leaving in _OF_SERVERS:
            (server,) = data.columns(Kind.SERVER)
            # A row that is deleted both with a person and with a server belongs to only one of them.
            is_either = data.erasing is Erasing.DELETE and data.leaving is Leaving.DELETE
            yield _select_distinct(server, *(person.is_(None) for person in data.columns(Kind.PERSON) if is_either))


def _select_distinct(server: Column[int], *conditions: ColumnElement[bool]) -> Select[int]:
    """Build a query that looks into an index once per server, where DISTINCT would read all rows."""
    first = select(func.min(server).label("id")).where(server > 0, *conditions).cte("walked", recursive=True)
    following = select(func.min(server)).where(server > first.c.id, *conditions).scalar_subquery()
    walked = first.union_all(select(following).where(first.c.id.is_not(None)))
    return select(walked.c.id).where(walked.c.id.is_not(None), is_served(walked.c.id))


def find_server_tables(connection: Connection, guild_id: int) -> Sequence[TableId]:
    """Return the open tables of a server."""
    return connection.execute(select(tables.c.id).where(IS_OPEN, tables.c.guild_id == guild_id)).scalars().all()


def erase_server_tables(connection: Connection, guild_id: int, limit: int) -> bool:
    """Delete some tables of a server with their rows elsewhere; return whether there were any."""
    found = connection.execute(select(tables.c.id).where(tables.c.guild_id == guild_id).limit(limit)).scalars().all()
    delete_tables(connection, found)
    return bool(found)


def delete_tables(connection: Connection, table_ids: Sequence[TableId]) -> None:
    """Delete tables with their rows elsewhere."""
    for below in tables_below_tables():
        connection.execute(delete(below).where(below.c.table_id.in_(table_ids)))
    connection.execute(delete(tables).where(tables.c.id.in_(table_ids)))


def erase_server_rows(connection: Connection, guild_id: int, limit: int) -> bool:
    """Delete some other rows of a server, or remove the server from them; return whether there were any."""
    for data in PERSONAL_DATA.values():
        if data.leaving not in _OF_SERVERS or data.table is tables:
            continue
        (server,) = data.columns(Kind.SERVER)
        owned = [other for other in PERSONAL_DATA.values() if other.owner == data.name]
        for many in owned:
            if many.leaving is Leaving.BEFORE_OWNER:
                of_server = many.table.c[many.owner_key].in_(select(data.table.c.id).where(server == guild_id))
                if keys := find_keys(connection, many.table, of_server, limit):
                    change_rows(connection, many.table, keys, None)
                    return True
        if keys := find_keys(connection, data.table, server == guild_id, limit):
            for few in owned:
                of_rows = few.table.c[few.owner_key].in_([key["key_id"] for key in keys])
                connection.execute(delete(few.table).where(of_rows))
            # A person's row stays, without the server and its channels.
            columns = (*data.columns(Kind.SERVER), *data.columns(Kind.PLACE))
            cleared = {column.name: None if column.nullable else 0 for column in columns}
            change_rows(connection, data.table, keys, None if data.leaving is Leaving.DELETE else cleared)
            return True
    return False


def finish_server(connection: Connection, guild_id: int, kinds: Collection[str]) -> None:
    """Delete a server's notes and jobs, except jobs of some kinds, and tell all processes to clear their caches."""
    delete_texts(connection, guild_id, kinds)
    connection.execute(delete(jobs).where(jobs.c.guild_id == guild_id, jobs.c.kind.not_in(kinds)))
    raise_deletion_count(connection)


_SELECT_STRETCH: Final = (
    select(tables.c.id, tables.c.status, tables.c.salt, tables.c.updated_at)
    .where(tables.c.id > bindparam("after"))
    .order_by(tables.c.id)
    .limit(bindparam("most"))
)
_SELECT_LAST_TABLE: Final = (
    select(func.max(tables.c.updated_at))
    .select_from(seats.join(tables, seats.c.table_id == tables.c.id))
    .where(seats.c.user_id == bindparam("user_id"))
)


@dataclass(frozen=True, slots=True)
class _Sign:
    """Rows with the times at which people were seen."""

    rows: FromClause
    person: Column[Any]
    at: Column[Any]


@cache
def _find_signs() -> Sequence[_Sign]:
    """Return the signs of people outside tables; tables are walked anyway."""
    found = []
    for data in PERSONAL_DATA.values():
        if data.seen_at is not None and data.leaving is not Leaving.WITH_TABLE:
            (person,) = data.columns(Kind.PERSON)
            if data.owner is None:
                found.append(_Sign(data.table, person, data.table.c[data.seen_at]))
            else:
                owner = PERSONAL_DATA[data.owner].table
                joined = data.table.join(owner, data.table.c[data.owner_key] == owner.c.id)
                found.append(_Sign(joined, person, owner.c[data.seen_at]))
    return found


def walk_tables(connection: Connection, after_id: TableId, limits: RetentionLimits, limit: int) -> TableWalk:
    """Return the old data in a stretch of tables."""
    found = connection.execute(_SELECT_STRETCH, {"after": after_id, "most": limit}).all()
    quiet = [row.id for row in found if limits.quiet_since <= row.updated_at < limits.quiet_until]
    people = select(seats.c.user_id).where(seats.c.table_id.in_(quiet), seats.c.user_id > 0).distinct()
    return TableWalk(
        last_id=found[-1].id if found else after_id,
        is_done=len(found) < limit,
        changed=[row.id for row in found if row.updated_at >= limits.clicks_since],
        never_started=[
            row.id
            for row in found
            # A lobby has no salt, which is made at the start.
            if row.updated_at < limits.lobbies_until
            and row.status in (Status.EXPIRED, Status.CANCELLED)
            and not row.salt
        ],
        quiet_people=sorted(connection.execute(people).scalars()) if quiet else (),
    )


def clear_click_ids(connection: Connection, table_ids: Sequence[TableId], before: datetime) -> None:
    """Delete the ids of clicks at tables that are older than a time."""
    for data in PERSONAL_DATA.values():
        if data.clicked_at is not None:
            (click,), columns = data.columns(Kind.CLICK), data.table.c
            is_old = and_(columns.table_id.in_(table_ids), click != FORGOTTEN_CLICK, columns[data.clicked_at] < before)
            connection.execute(update(data.table).where(is_old).values({click.name: FORGOTTEN_CLICK}))
    of_lobby = and_(tables.c.id.in_(table_ids), tables.c.lobby_click_id.isnot(None), tables.c.updated_at < before)
    connection.execute(update(tables).where(of_lobby).values(lobby_click_id=None))


def find_quiet_people(connection: Connection, since: datetime, until: datetime, limit: int) -> Sequence[int]:
    """Return people who were seen between two times, outside tables; they may have been seen elsewhere later."""
    people: set[int] = set()
    for sign in _find_signs():
        if len(people) < limit:
            seen = (sign.at >= since, sign.at < until, sign.person > 0)
            query = select(sign.person).select_from(sign.rows).where(*seen).distinct().limit(limit)
            people.update(connection.execute(query).scalars())
    return sorted(people)


def forget_name(connection: Connection, user_id: int, unless_seen_since: datetime, limit: int) -> bool:
    """Replace some stored names of a person not seen since a time; return whether more names may be left."""
    times = [connection.execute(_SELECT_LAST_TABLE, {"user_id": user_id}).scalar()]
    for sign in _find_signs():
        newest = select(func.max(sign.at)).select_from(sign.rows).where(sign.person == user_id)
        times.append(connection.execute(newest).scalar())
    if any(time is not None and time >= unless_seen_since for time in times):
        return False
    for data in PERSONAL_DATA.values():
        for name in data.columns(Kind.NAME):
            (person,) = data.columns(Kind.PERSON)
            keys = find_keys(connection, data.table, and_(person == user_id, name != FORMER_NAME), limit)
            if keys:
                change_rows(connection, data.table, keys, _names_without_person(data, FORMER_NAME))
                if data.table is seats:
                    # Their pictures contain the name.
                    _delete_pictures(connection, [key["key_table_id"] for key in keys])
                return True
    return False
