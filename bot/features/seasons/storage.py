"""Queries for past seasons."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Connection, Integer, Text, bindparam, delete, desc, insert, select, text

from bot.features.boards import storage as board_queries
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.results.storage import HAS_RATING, boards, totals
from bot.features.seasons.model import CHAMPION_GAMES, Champion, EndedSeason, Season
from bot.platform.database.sql import UtcDateTime, rowless_table

# Past seasons.
seasons = rowless_table(
    "seasons",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("period", Text, primary_key=True),
    Column("ended_at", UtcDateTime, nullable=False),
)


season_champions = rowless_table(
    "season_champions",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("period", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    # What decided the title: a rating, or a score.
    Column("by", Text, nullable=False),
    Column("value", Integer, nullable=False),
)


_MOST_CHAMPIONS: Final = 10
"""The most people who share a title by score."""

SELECT_SERVERS: Final = (
    select(boards.c.guild_id)
    .where(
        boards.c.period == bindparam("period"),
        boards.c.guild_id > bindparam("after"),
        ~select(seasons).where(seasons.c.guild_id == boards.c.guild_id, seasons.c.period == boards.c.period).exists(),
    )
    .distinct()
    .order_by(boards.c.guild_id)
    .limit(bindparam("limit"))
)
_END: Final = text("""
    INSERT INTO seasons (guild_id, period, ended_at) VALUES (:guild_id, :period, :ended_at) ON CONFLICT DO NOTHING
""").bindparams(bindparam("ended_at", type_=seasons.c.ended_at.type))
_SELECT_SEASONS: Final = (
    select(seasons).where(seasons.c.guild_id == bindparam("guild_id")).order_by(desc(seasons.c.ended_at))
)
_SELECT_CHAMPIONS: Final = (
    select(season_champions)
    .where(
        season_champions.c.guild_id == bindparam("guild_id"),
        season_champions.c.period.in_(bindparam("periods", expanding=True)),
    )
    .order_by(season_champions.c.period, season_champions.c.game, season_champions.c.user_id)
)

_RATED: Final = (
    totals.c.board_id == board_queries.BOARD_ID,
    HAS_RATING,
    totals.c.rated_games >= CHAMPION_GAMES,
)
_best: Final = select(totals.c.rating).where(*_RATED).order_by(desc(totals.c.rating)).limit(1).scalar_subquery()
SELECT_BEST_RATED: Final = board_queries.with_people(
    select(totals).where(*_RATED, totals.c.rating == _best), board_queries.ORDERS[BoardOrder.RATING, False]
)

SELECT_OLD: Final = (
    select(totals.c.board_id, totals.c.user_id)
    .join(boards, boards.c.id == totals.c.board_id)
    .where(boards.c.period.like("%-W%"), boards.c.period < bindparam("kept_from"))
    .limit(bindparam("limit"))
)

_DELETE: Final = delete(totals).where(
    totals.c.board_id == bindparam("of_board"), totals.c.user_id == bindparam("of_person")
)


def servers_of_season(connection: Connection, period: str, after: int, limit: int) -> Sequence[int]:
    """Return servers with results in a period that has not ended as a season there, by id after a given one."""
    return connection.execute(SELECT_SERVERS, {"period": period, "after": after, "limit": limit}).scalars().all()


def end_season(connection: Connection, season: EndedSeason) -> bool:
    """Store a season with its champions unless it exists; return whether it was stored."""
    key = {"guild_id": season.guild_id, "period": season.period}
    if connection.execute(_END, key | {"ended_at": season.ended_at}).rowcount == 0:
        return False
    champions = [champion for board in season.boards for champion in _find_champions(connection, board)]
    if champions:
        rows = [key | asdict(champion) | {"by": champion.by.value} for champion in champions]
        connection.execute(insert(season_champions), rows)
    return True


def past_seasons(connection: Connection, guild_id: int, limit: int) -> Sequence[Season]:
    """Return a server's past seasons, newest first."""
    found = connection.execute(_SELECT_SEASONS.limit(limit), {"guild_id": guild_id}).all()
    periods = {"guild_id": guild_id, "periods": [row.period for row in found]}
    rows = connection.execute(_SELECT_CHAMPIONS, periods).all() if found else []
    champions = {
        period: tuple(Champion(row.game, row.user_id, row.name, BoardOrder(row.by), row.value) for row in of_season)
        for period, of_season in groupby(rows, key=lambda row: str(row.period))
    }
    return [Season(row.period, row.ended_at, champions.get(row.period, ())) for row in found]


def prune_totals(connection: Connection, kept_from: str, limit: int) -> int:
    """Delete some totals of weeks before a given one; return the number deleted."""
    old = connection.execute(SELECT_OLD, {"kept_from": kept_from, "limit": limit}).all()
    if old:
        connection.execute(_DELETE, [{"of_board": row.board_id, "of_person": row.user_id} for row in old])
    return len(old)


def _find_champions(connection: Connection, board: BoardKey) -> list[Champion]:
    if board.by is BoardOrder.RATING:
        found: list[Any] = list(connection.execute(SELECT_BEST_RATED, board_queries.parameters_of(board)))
        return [Champion(board.game, row.user_id, row.name, board.by, row.rating) for row in found]
    rows = board_queries.standings(connection, board, 0, 0, _MOST_CHAMPIONS).rows
    return [
        Champion(
            board.game,
            row.user_id,
            row.name,
            board.by,
            row.stats.best(lower_is_better=board.lower_is_better) or 0,
        )
        for row in rows
        if row.place == 1
    ]
