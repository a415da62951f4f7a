"""SQL tables derived from results, and the queries for histories, totals and rating changes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    Row,
    Select,
    Table,
    Text,
    TextClause,
    bindparam,
    desc,
    func,
    select,
    text,
)

from bot.features.results.model import (
    WITH_HINTS,
    ChannelsFilter,
    FinishedTable,
    FinishedTables,
    GameStats,
    HistoryFilter,
    PersonFilter,
    PersonInChannelsFilter,
    PlayerStats,
)
from bot.features.results.ratings import Rating, RatingChange, Strength
from bot.platform.database.sql import (
    AnyRow,
    UtcDateTime,
    Values,
    metadata,
    partial_index,
    rowless_table,
    table_id_column,
)
from bot.platform.places import start_of_day
from bot.tables.model import Company, TableId
from bot.tables.results import IS_FIRST_SEAT, result_of, results
from bot.tables.schema import HAS_PERSON, tables

ratings = rowless_table(
    "ratings",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    # When the person's newest rated game was counted; always later than for the previous one.
    Column("counted_at", UtcDateTime),
)

# How a table changed the rating of a seat's person.
rating_changes = rowless_table(
    "rating_changes",
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    # The number of the person's rated game, from 1.
    Column("number", Integer, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    # For rating curves, and for the number of games of two people in a day.
    Index("rating_changes_of_people", "user_id", "guild_id", "game", "finished_at", "table_id", "number"),
)


# SQLite uses a partial index only for a condition with exactly the same text, so these contain no parameters.
HAS_HIGHEST = text("highest IS NOT NULL")
HAS_LOWEST = text("lowest IS NOT NULL")
HAS_RATING = text("rating IS NOT NULL")
IS_LIFETIME = text("is_lifetime")

# The keys of leaderboards: a game in a server, with a company, in a period (`bot.features.results.model`).
boards = Table(
    "boards",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    # 0 for games outside servers.
    Column("guild_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("company", Text, nullable=False),
    Column("period", Text, nullable=False),
    Index("boards_of", "guild_id", "game", "company", "period", unique=True),
    # For the end of a season.
    Index("boards_in", "period", "guild_id"),
)

# A person's totals on a board, with an index for each order.
totals = rowless_table(
    "totals",
    Column("board_id", BigInteger, ForeignKey("boards.id"), primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("shared_wins", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    # NULL if resignations ended every game.
    Column("highest", Integer),
    Column("lowest", Integer),
    # The present and the longest winning streak.
    Column("streak", Integer, nullable=False),
    Column("longest_streak", Integer, nullable=False),
    # The shown rating after the person's newest rated game of the period.
    Column("rating", Integer),
    Column("rated_games", Integer, nullable=False),
    # Wins per game and points per game, for sorting.
    Column("share", Double, nullable=False),
    Column("average", Double, nullable=False),
    Column("is_lifetime", Boolean, nullable=False),
    Index("totals_by_wins", "board_id", desc("wins"), desc("share"), "user_id"),
    Index("totals_by_points", "board_id", desc("points"), "user_id"),
    Index(
        "totals_by_highest",
        *("board_id", desc("highest"), desc("average"), "user_id"),
        sqlite_where=HAS_HIGHEST,
        postgresql_where=HAS_HIGHEST,
    ),
    partial_index("totals_by_lowest", "board_id", "lowest", "average", "user_id", where=HAS_LOWEST),
    Index(
        "totals_by_rating", "board_id", desc("rating"), "user_id", sqlite_where=HAS_RATING, postgresql_where=HAS_RATING
    ),
    # For profiles.
    partial_index("totals_of_people", "user_id", "board_id", where=IS_LIFETIME),
)

# The number of tables that ended on a day in a channel. Finds a page of a history without counting tables.
played_days = rowless_table(
    "played_days",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("tables", Integer, nullable=False),
)

# How two people did at a shared table, written once at its end instead of joining two rows of `results`.
encounters = rowless_table(
    "encounters",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # The smaller id comes first.
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("other_id", BigInteger, primary_key=True, autoincrement=False),
    Column("finished_at", UtcDateTime, primary_key=True),
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    # 1 if `user_id` placed before `other_id`, -1 if after, 0 if they shared a place.
    Column("outcome", Integer, nullable=False),
)


_IN_SERVER: Final = results.c.guild_id == bindparam("guild_id")
_OF_PERSON: Final = results.c.user_id == bindparam("user_id")
_IN_CHANNELS: Final = results.c.channel_id.in_(bindparam("channels", expanding=True))
_IN_DAYS: Final = (
    results.c.finished_at >= bindparam("begin", type_=UtcDateTime),
    results.c.finished_at < bindparam("end", type_=UtcDateTime),
)
_NEWEST_FIRST: Final = (desc(results.c.finished_at), desc(results.c.table_id))


def tables_among(table_ids: Select[Any]) -> Select[Any]:
    """Build the query for the tables whose ids another query finds."""
    found = table_ids.subquery()
    some = select(results, tables.c.message_id, tables.c.is_outside).join(found, found.c.table_id == results.c.table_id)
    some = some.join(tables, tables.c.id == results.c.table_id)
    return some.order_by(*_NEWEST_FIRST, results.c.place, results.c.seat)


def _build_page(*conditions: ColumnElement[bool] | TextClause) -> Select[Any]:
    """Build the query for the tables with a result that matches the conditions."""
    matching = select(results.c.table_id).where(*conditions).order_by(*_NEWEST_FIRST)
    return tables_among(matching.limit(bindparam("limit")).offset(bindparam("offset")))


# Whole days before a page are skipped by their counts; the page's first day has few tables to skip one by one.
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
HISTORY_OF_PERSON_IN_CHANNELS: Final = _build_page(HAS_PERSON, _OF_PERSON, _IN_SERVER, _IN_CHANNELS)
HISTORY_OF_PERSON_IN_SERVER: Final = _build_page(HAS_PERSON, _OF_PERSON, _IN_SERVER)
HISTORY_OF_PERSON_ANYWHERE: Final = _build_page(HAS_PERSON, _OF_PERSON)

_GAMES: Final = (
    select(func.coalesce(func.sum(totals.c.games), 0))
    .join(boards, boards.c.id == totals.c.board_id)
    .where(IS_LIFETIME, totals.c.user_id == bindparam("user_id"))
)
COUNT_OF_PERSON_IN_SERVER: Final = _GAMES.where(boards.c.guild_id == bindparam("guild_id"))
COUNT_OF_PERSON_ANYWHERE: Final = _GAMES
COUNT_OF_PERSON_IN_CHANNELS: Final = (
    select(func.count()).select_from(results).where(HAS_PERSON, _OF_PERSON, _IN_SERVER, _IN_CHANNELS)
)


TOTALS_ANYWHERE: Final = (
    select(totals, boards.c.game, boards.c.company, boards.c.period)
    .join(boards, boards.c.id == totals.c.board_id)
    .where(IS_LIFETIME, totals.c.user_id == bindparam("user_id"))
)
TOTALS_IN_SERVER: Final = TOTALS_ANYWHERE.where(boards.c.guild_id == bindparam("guild_id"))


class _Window(NamedTuple):
    """Consecutive days, and the number of their newest tables to skip."""

    begin: datetime
    end: datetime
    offset: int


def played_tables(connection: Connection, history: HistoryFilter, offset: int, limit: int) -> FinishedTables:
    """Return some finished tables that match a filter, newest first, and the number of all that match."""
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
    """Return the tables of the last day on which one was finished in a server, newest first."""
    channels = connection.execute(CHANNELS_OF_NEWEST_DAY, {"guild_id": guild_id}).scalars()
    return _tables_of_channels(connection, ChannelsFilter(guild_id, frozenset(channels)), 0, limit).tables


def tables_in(found: Iterable[AnyRow]) -> tuple[FinishedTable, ...]:
    """Return the tables in the rows that `tables_among` finds."""
    grouped = (list(of_table) for _, of_table in groupby(found, attrgetter("table_id")))
    return tuple(
        FinishedTable(tuple(map(result_of, seats)), seats[0].message_id, seats[0].is_outside) for seats in grouped
    )


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
    """Return the days that contain the tables from an offset on, given days in descending order."""
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
    """Return the queries for a page and for the number of all tables, and their parameters."""
    match history:
        case PersonInChannelsFilter(user_id, guild_id, channels):
            parameters = {"user_id": user_id, "guild_id": guild_id, "channels": sorted(channels)}
            return HISTORY_OF_PERSON_IN_CHANNELS, COUNT_OF_PERSON_IN_CHANNELS, parameters
        case PersonFilter(user_id, None):
            return HISTORY_OF_PERSON_ANYWHERE, COUNT_OF_PERSON_ANYWHERE, {"user_id": user_id}
        case PersonFilter(user_id, guild_id):
            parameters = {"user_id": user_id, "guild_id": guild_id}
            return HISTORY_OF_PERSON_IN_SERVER, COUNT_OF_PERSON_IN_SERVER, parameters


def find_changes(connection: Connection, table_id: TableId) -> Sequence[RatingChange]:
    """Return how a table changed ratings, by seat; empty if it is not rated."""
    found = select(rating_changes).where(rating_changes.c.table_id == table_id).order_by(rating_changes.c.seat)
    return [
        RatingChange(
            row.table_id,
            row.seat,
            row.user_id,
            Rating(Strength(row.mu_before, row.sigma_before), row.number - 1),
            Rating(Strength(row.mu, row.sigma), row.number),
        )
        for row in connection.execute(found)
    ]


def rating_of(row: AnyRow) -> Rating:
    """Return the rating in a row."""
    return Rating(Strength(row.mu, row.sigma), row.games)


def person_stats(connection: Connection, user_id: int, guild_id: int | None) -> tuple[GameStats, ...]:
    """Return a person's totals by game and company, in one server or (None) across all."""
    statement = TOTALS_ANYWHERE if guild_id is None else TOTALS_IN_SERVER
    groups: defaultdict[tuple[str, str], list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(statement, {"user_id": user_id, "guild_id": guild_id}):
        groups[row.game, row.company].append(row)
    return tuple(_stats_of(game, company, groups[game, company]) for game, company in sorted(groups))


def _stats_of(game: str, company: str, found: Sequence[Row[Any]]) -> GameStats:
    """Add up totals; games with hints only add to their number."""
    unaided = [row for row in found if row.period != WITH_HINTS]
    stats = PlayerStats(
        games=sum(row.games for row in unaided),
        wins=sum(row.wins for row in unaided),
        shared_wins=sum(row.shared_wins for row in unaided),
        points=sum(row.points for row in unaided),
        highest=max((row.highest for row in unaided if row.highest is not None), default=None),
        lowest=min((row.lowest for row in unaided if row.lowest is not None), default=None),
    )
    return GameStats(
        game,
        Company(company),
        stats,
        streak=max((row.streak for row in unaided), default=0),
        longest_streak=max((row.longest_streak for row in unaided), default=0),
        with_hints=sum(row.games for row in found) - stats.games,
    )
