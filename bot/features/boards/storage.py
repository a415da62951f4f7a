"""Queries for leaderboards. Each walks an index from the first place, and counts the rows before a page."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Select, TextClause, and_, bindparam, desc, func, or_, select

from bot.features.boards.model import BoardKey, BoardOrder, BoardRating, Standing, Standings
from bot.features.results.model import PlayerStats
from bot.features.results.storage import HAS_HIGHEST, HAS_LOWEST, HAS_RATING, boards, ratings, totals
from bot.platform.database.sql import AnyRow, Values
from bot.tables.results import results
from bot.tables.schema import DELETED_NAME, HAS_PERSON


class _Order(NamedTuple):
    """A sort order of totals, with the condition of its partial index."""

    columns: tuple[Column[Any], ...]
    ascending: bool = False
    condition: TextClause | None = None

    @property
    def by(self) -> tuple[ColumnElement[Any], ...]:
        """The columns to sort by; equal rows are sorted by id."""
        columns = self.columns if self.ascending else tuple(desc(column) for column in self.columns)
        return (*columns, totals.c.user_id)

    @property
    def is_better(self) -> ColumnElement[bool]:
        """The condition that a row comes before the values in the parameters."""
        first, *more = self.columns
        if not more:
            return self._precedes(first)
        (second,) = more
        # The first condition alone lets the database stop in the index after the better rows.
        at_least = first <= _value(first) if self.ascending else first >= _value(first)
        return and_(at_least, or_(self._precedes(first), self._precedes(second)))

    @property
    def is_equal(self) -> ColumnElement[bool]:
        """The condition that a row has the values in the parameters and, by its id, comes before their row."""
        return and_(*(column == _value(column) for column in self.columns), totals.c.user_id < _value(totals.c.user_id))

    def _precedes(self, column: Column[Any]) -> ColumnElement[bool]:
        return column < _value(column) if self.ascending else column > _value(column)


class _BoardQueries(NamedTuple):
    """The queries for one leaderboard."""

    page: Select[Any]
    own: Select[Any]
    total: Select[Any]
    better: Select[Any]
    """Counts the people who are better than a person."""
    equal: Select[Any]
    """Counts the equal people who come before a person: usually few, but thousands may still have no win."""


def _value(column: Column[Any]) -> ColumnElement[Any]:
    return bindparam(f"of_{column.name}", type_=column.type)


BOARD_ID: Final = (
    select(boards.c.id)
    .where(
        boards.c.guild_id == bindparam("guild_id"),
        boards.c.game == bindparam("game"),
        boards.c.company == bindparam("company"),
        boards.c.period == bindparam("period"),
    )
    .scalar_subquery()
)

ORDERS: Final = {
    (BoardOrder.RATING, False): _Order((totals.c.rating,), condition=HAS_RATING),
    (BoardOrder.WINS, False): _Order((totals.c.wins, totals.c.share)),
    (BoardOrder.POINTS, False): _Order((totals.c.points,)),
    (BoardOrder.BEST, False): _Order((totals.c.highest, totals.c.average), condition=HAS_HIGHEST),
    (BoardOrder.BEST, True): _Order((totals.c.lowest, totals.c.average), ascending=True, condition=HAS_LOWEST),
}


def _build_queries(order: _Order) -> _BoardQueries:
    is_ranked: list[Any] = [totals.c.board_id == BOARD_ID]
    if order.condition is not None:
        is_ranked.append(order.condition)
    count = select(func.count()).select_from(totals).where(*is_ranked)
    # The rows before the page are skipped in the index.
    some = select(totals.c.board_id, totals.c.user_id).where(*is_ranked).order_by(*order.by)
    keys = some.limit(bindparam("limit")).offset(bindparam("offset")).subquery()
    is_one = and_(totals.c.board_id == keys.c.board_id, totals.c.user_id == keys.c.user_id)
    return _BoardQueries(
        page=with_people(select(totals).join(keys, is_one), order),
        own=with_people(select(totals).where(*is_ranked, totals.c.user_id == bindparam("asker_id")), order),
        total=count,
        better=count.where(order.is_better),
        equal=count.where(order.is_equal),
    )


def with_people(found: Select[Any], order: _Order) -> Select[Any]:
    """Add the newest names and the numbers of rated games, which are looked up for the selected rows only."""
    some = found.subquery()
    newest = (
        select(results.c.name)
        .where(HAS_PERSON, results.c.user_id == some.c.user_id, results.c.guild_id == bindparam("guild_id"))
        .order_by(desc(results.c.finished_at), desc(results.c.table_id))
        .limit(1)
    )
    rated = select(ratings.c.games).where(
        ratings.c.guild_id == bindparam("guild_id"),
        ratings.c.game == bindparam("game"),
        ratings.c.user_id == some.c.user_id,
    )
    columns = tuple(some.c[column.name] for column in order.columns)
    by = columns if order.ascending else tuple(desc(column) for column in columns)
    # A person whose data is being deleted has no results left, but may still have a row.
    name = func.coalesce(newest.scalar_subquery(), DELETED_NAME).label("name")
    named = select(some, name, rated.scalar_subquery().label("all_rated_games"))
    return named.order_by(*by, some.c.user_id)


QUERIES: Final = {key: _build_queries(order) for key, order in ORDERS.items()}


def standings(connection: Connection, key: BoardKey, asker_id: int, offset: int, limit: int) -> Standings:
    """Return some rows of a leaderboard, and the asker's own row.

    Equal people share a place and are sorted by id. Computer players and results with hints are not ranked, nor are
    people without a rated game on boards by rating, or without a score on boards by best score.
    """
    order_key = key.by, key.lower_is_better and key.by is BoardOrder.BEST
    queries, columns = QUERIES[order_key], ORDERS[order_key].columns
    contest = parameters_of(key)
    page = connection.execute(queries.page, contest | {"offset": offset, "limit": limit}).all()
    own = connection.execute(queries.own, contest | {"asker_id": asker_id}).one_or_none()
    total = connection.execute(queries.total, contest).scalar_one()

    def count(query: Select[Any], row: AnyRow) -> int:
        values = {f"of_{column.name}": getattr(row, column.name) for column in (*columns, totals.c.user_id)}
        return int(connection.execute(query, contest | values).scalar_one())

    first = 1 + offset - count(queries.equal, page[0]) if page and offset else 1
    places = _places(page, [column.name for column in columns], offset, first)
    return Standings(
        total=total,
        rows=tuple(_standing_of(row, place) for row, place in zip(page, places, strict=True)),
        own=None if own is None else _standing_of(own, 1 + count(queries.better, own)),
    )


def parameters_of(key: BoardKey) -> Values:
    """Return the query parameters that select a board."""
    return {"guild_id": key.guild_id, "game": key.game, "company": key.company.value, "period": key.period}


def _places(page: Sequence[AnyRow], columns: Sequence[str], offset: int, first: int) -> list[int]:
    """Return the places of a page's rows, given the place of the first one."""
    places = [first] * len(page)
    for number in range(1, len(page)):
        before, row = page[number - 1], page[number]
        is_equal = all(getattr(before, name) == getattr(row, name) for name in columns)
        places[number] = places[number - 1] if is_equal else offset + number + 1
    return places


def _standing_of(row: AnyRow, place: int) -> Standing:
    rating = None if row.rating is None else BoardRating(row.rating, row.all_rated_games or 0)
    return Standing(place, row.user_id, row.name, stats_of(row), rating)


def stats_of(row: AnyRow) -> PlayerStats:
    """Return the totals in a row."""
    return PlayerStats(row.games, row.wins, row.shared_wins, row.points, row.highest, row.lowest)
