"""The queries of the host's sweep."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, bindparam, func, or_, select, union

from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.places import ShardRange
from bot.tables.model import SeriesLinkKind, TableId
from bot.tables.schema import AWAITS_COMPUTER, HAS_PLACE, IS_LOBBY, IS_OPEN, IS_UNSHOWN, tables

_IS_AFTER = tables.c.id > bindparam("after")
_IS_SERVED = is_served(tables.c.guild_id)
_IS_OF_GAMES = tables.c.game.in_(bindparam("games", expanding=True))

SELECT_IDLE_LOBBIES = (
    select(tables.c.id)
    .where(
        IS_LOBBY,
        _IS_AFTER,
        _IS_SERVED,
        tables.c.updated_at <= bindparam("since"),
        # A tournament decides how long a pairing's lobby waits.
        func.coalesce(tables.c.link_kind, "") != SeriesLinkKind.PAIRING.value,
    )
    .order_by(tables.c.id)
    .limit(bindparam("most"))
)
SELECT_PENDING = (
    union(
        select(tables.c.id).where(IS_UNSHOWN, _IS_AFTER, _IS_OF_GAMES, _IS_SERVED),
        select(tables.c.id).where(AWAITS_COMPUTER, _IS_AFTER, _IS_OF_GAMES, _IS_SERVED),
    )
    .order_by("id")
    .limit(bindparam("most"))
)
_COUNT_OPEN_BY_GAME = select(tables.c.game, func.count()).where(IS_OPEN).group_by(tables.c.game)
_SELECT_OPEN_IN_SCOPE = (
    select(tables.c.id)
    .where(
        HAS_PLACE,
        or_(
            tables.c.guild_id == bindparam("scope"),
            and_(tables.c.guild_id.is_(None), tables.c.channel_id == bindparam("scope")),
        ),
    )
    .order_by(tables.c.id.desc())
    .limit(bindparam("most"))
)


def idle_lobbies(
    connection: Connection, shards: ShardRange, since: datetime, after_id: TableId, limit: int
) -> Sequence[TableId]:
    """Return a page of lobbies that have not changed since a time, in the order of ids."""
    return (
        select_served(connection, shards, SELECT_IDLE_LOBBIES, {"since": since, "after": after_id, "most": limit})
        .scalars()
        .all()
    )


def find_pending(
    connection: Connection, shards: ShardRange, games: Collection[str], after_id: TableId, limit: int
) -> Sequence[TableId]:
    """Return a page of tables of some games that must be shown or await a computer player, in the order of ids."""
    return (
        select_served(connection, shards, SELECT_PENDING, {"games": list(games), "after": after_id, "most": limit})
        .scalars()
        .all()
    )


def count_open_by_game(connection: Connection) -> Mapping[str, int]:
    """Return the number of open tables by game."""
    return {game: int(count) for game, count in connection.execute(_COUNT_OPEN_BY_GAME)}


def find_open_in_scope(connection: Connection, scope_id: int, limit: int) -> Sequence[TableId]:
    """Return the open tables of a server, or of a direct message channel, newest first."""
    return connection.execute(_SELECT_OPEN_IN_SCOPE, {"scope": scope_id, "most": limit}).scalars().all()
