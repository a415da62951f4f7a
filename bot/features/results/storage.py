"""Queries for histories: finished tables, newest first."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, TextClause, bindparam, desc, func, select

from bot.features.profiles.model import (
    ChannelsFilter,
    FinishedTable,
    FinishedTables,
    HistoryFilter,
    PersonFilter,
    PersonInChannelsFilter,
)
from bot.features.results.schema import IS_FIRST_SEAT, IS_LIFETIME, IS_PERSON, boards, played_days, results, totals
from bot.platform.database.sql import AnyRow, UtcDateTime, Values
from bot.platform.places import start_of_day
from bot.tables.results import result_of
from bot.tables.schema import tables

_IN_SERVER: Final = results.c.guild_id == bindparam("guild_id")
_OF_PERSON: Final = results.c.user_id == bindparam("user_id")
_IN_CHANNELS: Final = results.c.channel_id.in_(bindparam("channels", expanding=True))
_IN_DAYS: Final = (
    results.c.finished_at >= bindparam("begin", type_=UtcDateTime),
    results.c.finished_at < bindparam("end", type_=UtcDateTime),
)
_NEWEST_FIRST: Final = (desc(results.c.finished_at), desc(results.c.table_id))


def tables_among(table_ids: Select[Any]) -> Select[Any]:
    """Return the query for the tables whose ids a query finds."""
    found = table_ids.subquery()
    some = select(results, tables.c.message_id).join(found, found.c.table_id == results.c.table_id)
    some = some.join(tables, tables.c.id == results.c.table_id)
    return some.order_by(*_NEWEST_FIRST, results.c.place, results.c.seat)


def _build_page(*conditions: ColumnElement[bool] | TextClause) -> Select[Any]:
    """Build the query for the tables that have a result matching the conditions."""
    matching = select(results.c.table_id).where(*conditions).order_by(*_NEWEST_FIRST)
    return tables_among(matching.limit(bindparam("limit")).offset(bindparam("offset")))


# A day has few tables, so these need not be skipped one by one: what lies before them is told by the counts of days.
SELECT_DAYS: Final = (
    select(played_days.c.day, func.sum(played_days.c.tables).label("tables"))
    .where(
        played_days.c.guild_id == bindparam("guild_id"),
        played_days.c.channel_id.in_(bindparam("channels", expanding=True)),
    )
    .group_by(played_days.c.day)
    .order_by(desc(played_days.c.day))
)
_NEWEST_DAY: Final = (
    select(func.max(played_days.c.day)).where(played_days.c.guild_id == bindparam("guild_id")).scalar_subquery()
)
CHANNELS_OF_NEWEST_DAY: Final = select(played_days.c.channel_id).where(
    played_days.c.guild_id == bindparam("guild_id"), played_days.c.day == _NEWEST_DAY
)
HISTORY_OF_CHANNELS: Final = _build_page(IS_FIRST_SEAT, _IN_SERVER, _IN_CHANNELS, *_IN_DAYS)
HISTORY_OF_PERSON_IN_CHANNELS: Final = _build_page(IS_PERSON, _OF_PERSON, _IN_SERVER, _IN_CHANNELS)
HISTORY_OF_PERSON_IN_SERVER: Final = _build_page(IS_PERSON, _OF_PERSON, _IN_SERVER)
HISTORY_OF_PERSON_ANYWHERE: Final = _build_page(IS_PERSON, _OF_PERSON)

_GAMES: Final = (
    select(func.coalesce(func.sum(totals.c.games), 0))
    .join(boards, boards.c.id == totals.c.board_id)
    .where(IS_LIFETIME, totals.c.user_id == bindparam("user_id"))
)
COUNT_OF_PERSON_IN_SERVER: Final = _GAMES.where(boards.c.guild_id == bindparam("guild_id"))
COUNT_OF_PERSON_ANYWHERE: Final = _GAMES
COUNT_OF_PERSON_IN_CHANNELS: Final = (
    select(func.count()).select_from(results).where(IS_PERSON, _OF_PERSON, _IN_SERVER, _IN_CHANNELS)
)


class _Window(NamedTuple):
    """Consecutive days, and how many of their newest tables to skip."""

    begin: datetime
    end: datetime
    offset: int


def played_tables(connection: Connection, history: HistoryFilter, offset: int, limit: int) -> FinishedTables:
    """Return some finished tables that match a filter, newest first, and how many match."""
    if isinstance(history, ChannelsFilter):
        return _tables_of_channels(connection, history, offset, limit)
    page, count, parameters = _queries_for(history)
    found = connection.execute(page, parameters | {"offset": offset, "limit": limit})
    return FinishedTables(connection.execute(count, parameters).scalar_one(), tables_in(found))


def newest_tables(connection: Connection, history: HistoryFilter, limit: int) -> Sequence[FinishedTable]:
    """Return the newest finished tables that match a filter, newest first, without counting the others."""
    if isinstance(history, ChannelsFilter):
        return _tables_of_channels(connection, history, 0, limit).tables
    page, _, parameters = _queries_for(history)
    return tables_in(connection.execute(page, parameters | {"offset": 0, "limit": limit}))


def latest_tables(connection: Connection, guild_id: int, limit: int) -> Sequence[FinishedTable]:
    """Return the newest tables of the last day on which one was finished in a server, newest first."""
    channels = connection.execute(CHANNELS_OF_NEWEST_DAY, {"guild_id": guild_id}).scalars()
    return _tables_of_channels(connection, ChannelsFilter(guild_id, frozenset(channels)), 0, limit).tables


def tables_in(found: Iterable[AnyRow]) -> tuple[FinishedTable, ...]:
    """Return the tables in the rows of `tables_among`."""
    grouped = (list(of_table) for _, of_table in groupby(found, attrgetter("table_id")))
    return tuple(FinishedTable(tuple(map(result_of, seats)), seats[0].message_id) for seats in grouped)


def _tables_of_channels(connection: Connection, history: ChannelsFilter, offset: int, limit: int) -> FinishedTables:
    parameters: Values = {"guild_id": history.guild_id, "channels": sorted(history.channels)}
    days = [(row.day, row.tables) for row in connection.execute(SELECT_DAYS, parameters)]
    total = sum(count for _, count in days)
    if offset >= total:
        return FinishedTables(total, ())
    begin, end, skipped = _find_window(days, offset, limit)
    page = parameters | {"begin": begin, "end": end, "offset": skipped, "limit": limit}
    return FinishedTables(total, tables_in(connection.execute(HISTORY_OF_CHANNELS, page)))


def _find_window(days: Sequence[tuple[int, int]], offset: int, limit: int) -> _Window:
    """Return the days in which the tables from an offset lie; the newest day comes first."""
    at = 0
    while offset >= days[at][1]:
        offset -= days[at][1]
        at += 1
    last, needed = at, offset + limit
    while needed > days[last][1] and last + 1 < len(days):
        needed -= days[last][1]
        last += 1
    return _Window(start_of_day(days[last][0]), start_of_day(days[at][0] + 1), offset)


def _queries_for(history: PersonFilter | PersonInChannelsFilter) -> tuple[Select[Any], Select[Any], Values]:
    """Return the queries for a page and the number of all tables, and their parameters."""
    match history:
        case PersonInChannelsFilter(user_id, guild_id, channels):
            parameters = {"user_id": user_id, "guild_id": guild_id, "channels": sorted(channels)}
            return HISTORY_OF_PERSON_IN_CHANNELS, COUNT_OF_PERSON_IN_CHANNELS, parameters
        case PersonFilter(user_id, None):
            return HISTORY_OF_PERSON_ANYWHERE, COUNT_OF_PERSON_ANYWHERE, {"user_id": user_id}
        case PersonFilter(user_id, guild_id):
            parameters = {"user_id": user_id, "guild_id": guild_id}
            return HISTORY_OF_PERSON_IN_SERVER, COUNT_OF_PERSON_IN_SERVER, parameters
