"""Queries for leaderboards, profiles and histories."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    FromClause,
    Select,
    TextClause,
    and_,
    asc,
    bindparam,
    case,
    cast,
    desc,
    func,
    select,
)

from bot.community.model import (
    ChannelsFilter,
    FinishedTable,
    FinishedTables,
    GameStats,
    HistoryFilter,
    LeaderboardKey,
    PersonFilter,
    PersonInChannelsFilter,
    PlayerStats,
    Standing,
    Standings,
)
from bot.store import rows
from bot.store.schema import IS_FIRST_SEAT, IS_PERSON, results, tables
from bot.tables.control_entries import TableEndReason
from bot.tables.model import Company

_WITHOUT_HINTS: Final = ~results.c.used_hints
_GAME_SCORE: Final = case((and_(results.c.reason != TableEndReason.RESIGNED.value, _WITHOUT_HINTS), results.c.score))
"""The score, or NULL if resignations ended the table before its game did, or if the person used hints."""
_FIGURES: Final = (
    func.count().label("games"),
    func.sum(case((results.c.place == 1, 1), else_=0)).label("wins"),
    func.sum(case((results.c.is_shared, 1), else_=0)).label("shared_wins"),
    func.sum(results.c.score).label("points"),
    func.max(_GAME_SCORE).label("highest"),
    func.min(_GAME_SCORE).label("lowest"),
)
_IN_SERVER: Final = results.c.guild_id == bindparam("guild_id")
_OF_PERSON: Final = results.c.user_id == bindparam("user_id")
_IN_CONTEST: Final = (
    IS_PERSON,
    _IN_SERVER,
    results.c.game == bindparam("game"),
    results.c.company == bindparam("company"),
    _WITHOUT_HINTS,
)
_NEWEST_FIRST: Final = (desc(results.c.finished_at), desc(results.c.table_id))


class _RankingQueries(NamedTuple):
    """The queries for a leaderboard."""

    page: Select[Any]
    own: Select[Any]


class _HistoryQueries(NamedTuple):
    """The queries for a history."""

    total: Select[Any]
    page: Select[Any]


def _build_ranking_queries(company: Company, *, lower_is_better: bool) -> _RankingQueries:
    people = select(results.c.user_id, *_FIGURES).where(*_IN_CONTEST).group_by(results.c.user_id).subquery()
    place = func.rank().over(order_by=_best_first(people, company, lower_is_better=lower_is_better)).label("place")
    ranked = select(people, place).subquery()
    page = select(ranked).order_by(ranked.c.place, ranked.c.user_id)
    own = select(ranked).where(ranked.c.user_id == bindparam("asker_id"))
    return _RankingQueries(_with_names(page.limit(bindparam("limit")).offset(bindparam("offset"))), _with_names(own))


def _best_first(
    people: FromClause, company: Company, *, lower_is_better: bool
) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    if company is not Company.ALONE:
        return desc(people.c.wins), desc(cast(people.c.wins, Float) / people.c.games)
    average = cast(people.c.points, Float) / people.c.games
    if lower_is_better:
        return asc(people.c.lowest).nulls_last(), asc(average)
    return desc(people.c.highest).nulls_last(), desc(average)


def _with_names(standings: Select[Any]) -> Select[Any]:
    """Add people's newest names, looked up only for the selected rows."""
    rows = standings.subquery()
    newest = select(results.c.name).where(results.c.user_id == rows.c.user_id, _IN_SERVER).order_by(*_NEWEST_FIRST)
    return select(rows, newest.limit(1).scalar_subquery().label("name")).order_by(rows.c.place, rows.c.user_id)


def _build_figures_query(*conditions: ColumnElement[bool]) -> Select[Any]:
    kind = (results.c.game, results.c.company)
    return select(*kind, *_FIGURES).where(*conditions).group_by(*kind).order_by(*kind)


def _build_history_queries(*conditions: ColumnElement[bool] | TextClause) -> _HistoryQueries:
    """Build the queries for the tables that have a result matching the conditions."""
    matching = select(results.c.table_id).where(*conditions).order_by(*_NEWEST_FIRST)
    table_ids = matching.limit(bindparam("limit")).offset(bindparam("offset")).subquery()
    page = select(results, tables.c.message_id).join(table_ids, table_ids.c.table_id == results.c.table_id)
    page = page.join(tables, tables.c.id == results.c.table_id)
    return _HistoryQueries(
        select(func.count()).select_from(results).where(*conditions),
        page.order_by(*_NEWEST_FIRST, results.c.place, results.c.seat),
    )


COUNT_RANKED_PEOPLE: Final = select(func.count(results.c.user_id.distinct())).where(*_IN_CONTEST)
RANKINGS: Final = {
    (company, lower): _build_ranking_queries(company, lower_is_better=lower)
    for company in Company
    for lower in (False, True)
}
FIGURES_IN_SERVER: Final = _build_figures_query(_OF_PERSON, _IN_SERVER)
FIGURES_ANYWHERE: Final = _build_figures_query(_OF_PERSON)
_IN_CHANNELS: Final = results.c.channel_id.in_(bindparam("channels", expanding=True))
HISTORY_OF_CHANNELS: Final = _build_history_queries(IS_FIRST_SEAT, _IN_SERVER, _IN_CHANNELS)
HISTORY_OF_PERSON_IN_CHANNELS: Final = _build_history_queries(_OF_PERSON, _IN_SERVER, _IN_CHANNELS)
HISTORY_OF_PERSON_IN_SERVER: Final = _build_history_queries(_OF_PERSON, _IN_SERVER)
HISTORY_OF_PERSON_ANYWHERE: Final = _build_history_queries(_OF_PERSON)


def standings(connection: Connection, key: LeaderboardKey, asker_id: int, offset: int, limit: int) -> Standings:
    """Return some rows of a leaderboard, and the asker's own standing."""
    queries = RANKINGS[key.company, key.lower_is_better]
    parameters = {"guild_id": key.guild_id, "game": key.game, "company": key.company.value}
    page = connection.execute(queries.page, {**parameters, "offset": offset, "limit": limit})
    own = connection.execute(queries.own, {**parameters, "asker_id": asker_id}).one_or_none()
    return Standings(
        total=connection.execute(COUNT_RANKED_PEOPLE, parameters).scalar_one(),
        rows=tuple(map(_standing_of, page)),
        own=None if own is None else _standing_of(own),
    )


def game_stats(connection: Connection, user_id: int, guild_id: int | None) -> Sequence[GameStats]:
    """Return a person's statistics by game and company, in one server or (None) everywhere."""
    if guild_id is None:
        found = connection.execute(FIGURES_ANYWHERE, {"user_id": user_id})
    else:
        found = connection.execute(FIGURES_IN_SERVER, {"user_id": user_id, "guild_id": guild_id})
    return [GameStats(row.game, Company(row.company), _figures_of(row)) for row in found]


def played_tables(connection: Connection, history: HistoryFilter, offset: int, limit: int) -> FinishedTables:
    """Return some finished tables that match a filter, newest first."""
    queries, parameters = _queries_for(history)
    page = connection.execute(queries.page, {**parameters, "offset": offset, "limit": limit})
    return FinishedTables(
        total=connection.execute(queries.total, parameters).scalar_one(),
        tables=tuple(_table_of(list(of_table)) for _, of_table in groupby(page, attrgetter("table_id"))),
    )


def _queries_for(history: HistoryFilter) -> tuple[_HistoryQueries, dict[str, object]]:
    match history:
        case ChannelsFilter(guild_id, channels):
            return HISTORY_OF_CHANNELS, {"guild_id": guild_id, "channels": list(channels)}
        case PersonInChannelsFilter(user_id, guild_id, channels):
            return HISTORY_OF_PERSON_IN_CHANNELS, {
                "user_id": user_id,
                "guild_id": guild_id,
                "channels": list(channels),
            }
        case PersonFilter(user_id, None):
            return HISTORY_OF_PERSON_ANYWHERE, {"user_id": user_id}
        case PersonFilter(user_id, guild_id):
            return HISTORY_OF_PERSON_IN_SERVER, {"user_id": user_id, "guild_id": guild_id}


def _standing_of(row: rows.AnyRow) -> Standing:
    return Standing(row.place, row.user_id, row.name, _figures_of(row))


def _figures_of(row: rows.AnyRow) -> PlayerStats:
    return PlayerStats(row.games, row.wins, row.shared_wins, row.points, row.highest, row.lowest)


def _table_of(found: Sequence[rows.AnyRow]) -> FinishedTable:
    return FinishedTable(tuple(map(rows.result_of, found)), found[0].message_id)
