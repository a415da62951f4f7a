"""Queries that delete what is known of a person, some rows at a time.

Keys are read first and then written by primary key, so that no batch reads a whole table while it holds the writer.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Column,
    Connection,
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

from bot.features.privacy.model import ErasedTables, Erasure, PersonRows
from bot.features.privacy.personal_data import PERSONAL_DATA, Erasing, Kind, PersonalData
from bot.features.replays.storage import animations
from bot.features.tournaments.model import Stage, TournamentId
from bot.features.tournaments.storage import pairings, tournament_players, tournaments
from bot.platform.database.sql import get_value, notes, set_value
from bot.platform.jobs import storage as job_queries
from bot.platform.jobs.storage import Job, jobs
from bot.platform.notices.schema import reminders
from bot.tables.model import FORGOTTEN_CLICK, TableId
from bot.tables.results import results
from bot.tables.schema import DELETED_NAME, IS_ASIDE, IS_OPEN, moves, seats, tables

_ERASURE_KEY: Final = "erasure "
CACHES_KEY: Final = "caches cleared"
"""Where it stands how often processes were told to clear their caches."""

SELECT_SEATS_OF: Final = (
    select(seats.c.table_id, seats.c.seat)
    .where(seats.c.user_id == bindparam("user_id"))
    .order_by(seats.c.table_id)
    .limit(bindparam("most"))
)
_HAS_PERSON: Final = or_(
    tables.c.opener_id == bindparam("user_id"),
    exists().where(seats.c.table_id == tables.c.id, seats.c.user_id == bindparam("user_id")),
)
IS_OPEN_TOURNAMENT: Final = tournaments.c.stage.in_([stage.value for stage in Stage if stage.is_open])
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

_DELETE_REMINDERS: Final = delete(reminders).where(
    reminders.c.table_id == bindparam("at_table"), reminders.c.seat == bindparam("at_seat")
)


def ask(connection: Connection, erasure: Erasure, job: Job) -> None:
    """Store an erasure with its job, unless the person has one."""
    asked = select(notes.c.key).where(
        notes.c.key.startswith(_ERASURE_KEY), notes.c.value.startswith(f"{erasure.user_id} ")
    )
    if connection.execute(asked).first() is None:
        value = f"{erasure.user_id} {erasure.asked_at.isoformat()}"
        set_value(connection, f"{_ERASURE_KEY}{erasure.pseudonym}", value)
        job_queries.put(connection, job)


def find(connection: Connection, pseudonym: int) -> Erasure | None:
    """Return an erasure that is not done yet."""
    value = get_value(connection, f"{_ERASURE_KEY}{pseudonym}")
    if value is None:
        return None
    user_id, asked_at = value.split()
    return Erasure(int(user_id), pseudonym, datetime.fromisoformat(asked_at))


def find_unfinished_tables(connection: Connection, user_id: int) -> Sequence[TableId]:
    """Return the tables where a person has a seat, or which they opened, that are not over."""
    queries = (SELECT_OPEN, SELECT_ASIDE)
    return sorted({each for query in queries for each in connection.execute(query, {"user_id": user_id}).scalars()})


def find_open_tournaments(connection: Connection, user_id: int) -> Sequence[TournamentId]:
    """Return the tournaments that a person takes part in or has opened and that are not over."""
    is_player = exists().where(
        tournament_players.c.tournament_id == tournaments.c.id, tournament_players.c.user_id == user_id
    )
    found = select(tournaments.c.id).where(IS_OPEN_TOURNAMENT, or_(is_player, tournaments.c.opener_id == user_id))
    return connection.execute(found.order_by(tournaments.c.id)).scalars().all()


def erase_from_tables(connection: Connection, erasure: Erasure, limit: int) -> ErasedTables:
    """Make some seats of a person anonymous, with all that their tables hold about them."""
    own = {"user_id": erasure.user_id}
    found = connection.execute(SELECT_SEATS_OF, own | {"most": limit}).all()
    if not found:
        return ErasedTables(0)
    ids = sorted({row.table_id for row in found})
    places = [{"at_table": row.table_id, "at_seat": row.seat, "pseudonym": erasure.pseudonym} for row in found]
    own_seats = [{"at_table": each["at_table"], "at_seat": each["at_seat"]} for each in places]
    # They may be in a channel of direct messages.
    connection.execute(_DELETE_REMINDERS, own_seats)
    connection.execute(_CLEAR_CLICKS, own_seats)
    _erase_direct_channels(connection, erasure, ids)
    _rename_openers(connection, erasure, ids)
    shown = _show_again(connection, erasure, ids)
    # The seats go last: they lead to the rest.
    connection.execute(_RENAME_SEAT, places)
    # From here on none with the name is stored.
    connection.execute(delete(animations).where(animations.c.table_id.in_(ids)))
    return ErasedTables(len(found), shown)


def _erase_direct_channels(connection: Connection, erasure: Erasure, ids: Sequence[TableId]) -> None:
    """Delete the ids of channels of direct messages, which belong to a single person."""
    direct = and_(tables.c.id.in_(ids), tables.c.guild_id.is_(None))
    connection.execute(
        update(results)
        .where(results.c.table_id.in_(ids), results.c.guild_id.is_(None))
        .values(channel_id=erasure.pseudonym)
    )
    changes = {"channel_id": erasure.pseudonym, "message_id": None, "published": tables.c.revision}
    connection.execute(update(tables).where(direct).values(changes))


def _rename_openers(connection: Connection, erasure: Erasure, ids: Sequence[TableId]) -> None:
    for column in (tables.c.opener_id, tables.c.solo_id):
        own = and_(tables.c.id.in_(ids), column == erasure.user_id)
        connection.execute(update(tables).where(own).values({column.name: erasure.pseudonym, "lobby_click_id": None}))


def _show_again(connection: Connection, erasure: Erasure, ids: Sequence[TableId]) -> Sequence[TableId]:
    """Give tables a new revision: who has them in memory reloads them, and their messages are shown without the name.

    Those that were over before the person asked stay as they are.
    """
    is_shown = and_(tables.c.id.in_(ids), tables.c.guild_id.isnot(None))
    has_changed = or_(IS_OPEN, IS_ASIDE, tables.c.updated_at >= erasure.asked_at)
    found = connection.execute(select(tables.c.id).where(is_shown, has_changed).order_by(tables.c.id)).scalars().all()
    if found:
        connection.execute(update(tables).where(tables.c.id.in_(found)).values(revision=tables.c.revision + 1))
    return found


def find_rows(connection: Connection, user_id: int, limit: int) -> PersonRows | None:
    """Return some other rows of a person; this may read a whole table, so it is no part of a write."""
    for name, data in PERSONAL_DATA.items():
        if data.erasing in (Erasing.DELETE, Erasing.RENAME, Erasing.CLEAR):
            for column in data.columns(Kind.PERSON):
                if keys := find_keys(connection, data.table, column == user_id, limit):
                    return PersonRows(name, column.name, keys)
    return None


def erase_rows(connection: Connection, erasure: Erasure, rows: PersonRows) -> None:
    """Delete rows of a person or make them anonymous."""
    data = PERSONAL_DATA[rows.table]
    column = data.table.c[rows.column]
    change = _change_of(data, column, erasure)
    if change is not None and column.primary_key:
        # A table that ended meanwhile, or recalculated accounts, began a row of the pseudonym; the older one stays.
        begun = [{**key, f"key_{column.name}": erasure.pseudonym} for key in rows.keys]
        change_rows(connection, data.table, begun, None)
    change_rows(connection, data.table, rows.keys, change)
    tournament_keys = {tournaments: "key_id", tournament_players: "key_tournament_id", pairings: "key_tournament_id"}
    if (name := tournament_keys.get(data.table)) is not None:
        # Whoever has read the person's id there must not write it back, and the message is shown again.
        changed = update(tournaments).where(tournaments.c.id.in_({each[name] for each in rows.keys}))
        connection.execute(changed.values(revision=tournaments.c.revision + 1))


def _change_of(data: PersonalData, column: Column[Any], erasure: Erasure) -> Mapping[str, object] | None:
    """Return what a row is changed to; None if it is deleted."""
    if data.erasing is Erasing.DELETE:
        return None
    names = {each.name: DELETED_NAME for each in data.columns(Kind.NAME)}
    return {column.name: None if data.erasing is Erasing.CLEAR else erasure.pseudonym, **names}


def find_keys(connection: Connection, table: Table, condition: Any, limit: int) -> list[dict[str, object]]:
    """Return the primary keys of some rows, as parameters of `change_rows`."""
    found = connection.execute(select(*table.primary_key.columns).where(condition).limit(limit)).mappings()
    return [{f"key_{name}": value for name, value in row.items()} for row in found]


def change_rows(
    connection: Connection, table: Table, keys: Sequence[Mapping[str, object]], change: Mapping[str, object] | None
) -> None:
    """Change rows with some primary keys, or delete them if there is no change."""
    own = and_(*(column == bindparam(f"key_{column.name}") for column in table.primary_key.columns))
    statement = delete(table).where(own) if change is None else update(table).where(own).values(dict(change))
    connection.execute(statement, keys)


def erase_openers(connection: Connection, erasure: Erasure, after_id: TableId, limit: int) -> TableId | None:
    """Make a person anonymous in a stretch of tables where they have no seat; return its end, None after all."""
    newest = connection.execute(select(func.max(tables.c.id))).scalar() or 0
    if after_id >= newest:
        return None
    end = after_id + limit
    opened = or_(tables.c.opener_id == erasure.user_id, tables.c.solo_id == erasure.user_id)
    stretch = select(tables.c.id).where(tables.c.id > after_id, tables.c.id <= end, opened)
    if found := connection.execute(stretch).scalars().all():
        _rename_openers(connection, erasure, found)
    _forget_kicks(connection, erasure.user_id, after_id, end)
    return end


def _forget_kicks(connection: Connection, user_id: int, after_id: TableId, end: TableId) -> None:
    """Forget that a person was removed from lobbies; who has these in memory must not write it back."""
    names_them = and_(tables.c.id > after_id, tables.c.id <= end, tables.c.kicked.contains(f" {user_id} "))
    kicked = func.replace(tables.c.kicked, f" {user_id} ", " 0 ")
    connection.execute(update(tables).where(names_them).values(kicked=kicked, revision=tables.c.revision + 1))


def finish(connection: Connection, erasure: Erasure) -> None:
    """Forget who was erased, with every note and job about them, and tell all processes to clear their caches."""
    delete_texts(connection, erasure.user_id)
    raise_deletion_count(connection)


def delete_texts(connection: Connection, named_id: int, kinds: Collection[str] = ()) -> None:
    """Delete notes and jobs in which an id stands, except jobs of some kinds."""
    for data in PERSONAL_DATA.values():
        if data.erasing is Erasing.BY_TEXT:
            names_it = or_(*(cast(column, String).contains(str(named_id)) for column in data.columns(Kind.TEXT)))
            is_kept = jobs.c.kind.in_(kinds) if data.table is jobs else false()
            connection.execute(delete(data.table).where(names_it, not_(is_kept)))


HAS_NEWS: Final = exists().where(notes.c.key == CACHES_KEY, notes.c.value != bindparam("cleared"))
"""Whether processes were told to clear their caches once more."""


def count_erasures(connection: Connection) -> int:
    """Return how often processes were told to clear their caches."""
    return int(get_value(connection, CACHES_KEY) or 0)


def raise_deletion_count(connection: Connection) -> None:
    """Tell all processes to clear their caches."""
    set_value(connection, CACHES_KEY, str(count_erasures(connection) + 1))
