"""Queries that delete what is kept of a server, some rows at a time."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from sqlalchemy import Column, ColumnElement, Connection, Select, delete, func, select

from bot.features.privacy.erasure import IS_OPEN_TOURNAMENT, change_rows, delete_texts, find_keys, raise_deletion_count
from bot.features.privacy.personal_data import PERSONAL_DATA, Kind, Leaving, PersonalData, tables_below_tables
from bot.features.results.storage import boards, totals
from bot.features.settings.storage import preferences
from bot.features.tournaments.model import TournamentId
from bot.features.tournaments.storage import pairings, tournament_players, tournaments
from bot.platform.jobs.shards import is_served, select_served
from bot.platform.jobs.storage import jobs
from bot.platform.places import ShardRange
from bot.tables.model import TableId
from bot.tables.schema import IS_OPEN, tables

_OF_SERVERS: Final = (Leaving.DELETE, Leaving.CLEAR)


def find_servers(connection: Connection, shards: ShardRange) -> Sequence[int]:
    """Return the servers of a process that anything is stored of."""
    return sorted(
        {server for query in select_servers() for server in select_served(connection, shards, query, {}).scalars()}
    )


def select_servers() -> Iterator[Select[int]]:
    """Return a query for each database table, for the servers that it has rows of."""
    for data in PERSONAL_DATA.values():
        if data.leaving in _OF_SERVERS:
            (server,) = data.columns(Kind.SERVER)
            yield _select_distinct(server, *([preferences.c.owner_id.is_(None)] if data.table is preferences else []))


def _select_distinct(server: Column[int], *conditions: ColumnElement[bool]) -> Select[int]:
    """Return a query that looks into an index once for each server, where DISTINCT would read all rows."""
    first = select(func.min(server).label("id")).where(server > 0, *conditions).cte("walked", recursive=True)
    following = select(func.min(server)).where(server > first.c.id, *conditions).scalar_subquery()
    walked = first.union_all(select(following).where(first.c.id.is_not(None)))
    return select(walked.c.id).where(walked.c.id.is_not(None), is_served(walked.c.id))


def find_tables(connection: Connection, guild_id: int) -> Sequence[TableId]:
    """Return the open tables of a server."""
    return connection.execute(select(tables.c.id).where(IS_OPEN, tables.c.guild_id == guild_id)).scalars().all()


def find_tournaments(connection: Connection, guild_id: int) -> Sequence[TournamentId]:
    """Return the tournaments of a server that are not over."""
    found = select(tournaments.c.id).where(IS_OPEN_TOURNAMENT, tournaments.c.guild_id == guild_id)
    return connection.execute(found).scalars().all()


def erase_tables(connection: Connection, guild_id: int, limit: int) -> bool:
    """Delete some tables of a server with all that belongs to them; return whether there were any."""
    found = connection.execute(select(tables.c.id).where(tables.c.guild_id == guild_id).limit(limit)).scalars().all()
    delete_tables(connection, found)
    return bool(found)


def delete_tables(connection: Connection, table_ids: Sequence[TableId]) -> None:
    """Delete tables with all that belongs to them."""
    for below in tables_below_tables():
        connection.execute(delete(below).where(below.c.table_id.in_(table_ids)))
    connection.execute(delete(tables).where(tables.c.id.in_(table_ids)))


def erase_rows(connection: Connection, guild_id: int, limit: int) -> bool:
    """Delete some other rows of a server, or what they say about it; return whether there were any."""
    for data in PERSONAL_DATA.values():
        if data.leaving not in _OF_SERVERS or data.table is tables:
            continue
        (server,) = data.columns(Kind.SERVER)
        if data.table is boards and _erase_totals(connection, guild_id, limit):
            return True
        keys = find_keys(connection, data.table, server == guild_id, limit)
        if keys:
            if data.table is tournaments:
                _delete_below(connection, [key["key_id"] for key in keys])
            change_rows(connection, data.table, keys, None if data.leaving is Leaving.DELETE else _cleared(data))
            return True
    return False


def _erase_totals(connection: Connection, guild_id: int, limit: int) -> bool:
    """Delete some of the rows that belong to a server's boards; return whether there were any."""
    of_server = select(boards.c.id).where(boards.c.guild_id == guild_id)
    keys = find_keys(connection, totals, totals.c.board_id.in_(of_server), limit)
    if keys:
        change_rows(connection, totals, keys, None)
    return bool(keys)


def _delete_below(connection: Connection, tournament_ids: Sequence[object]) -> None:
    for below in (pairings, tournament_players):
        connection.execute(delete(below).where(below.c.tournament_id.in_(tournament_ids)))


def _cleared(data: PersonalData) -> dict[str, object]:
    """Return the values of a row without the server and its channels."""
    columns = [*data.columns(Kind.SERVER), *data.columns(Kind.PLACE)]
    return {column.name: None if column.nullable else 0 for column in columns}


def finish(connection: Connection, guild_id: int, kinds: Collection[str]) -> None:
    """Delete notes and jobs of a server, except jobs of some kinds; tell all processes to clear caches."""
    delete_texts(connection, guild_id, kinds)
    connection.execute(delete(jobs).where(jobs.c.guild_id == guild_id, jobs.c.kind.not_in(kinds)))
    raise_deletion_count(connection)
