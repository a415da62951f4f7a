"""Queries for greetings."""

from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, Column, Connection, bindparam, delete, insert, update

from bot.platform.database.sql import UtcDateTime, rowless_table, try_insert

# The servers that were greeted in the last day. A row outlasts the deletion of its server's data, so that the bot does
# not greet the server again.
greetings = rowless_table(
    "greetings",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # When the bot joined the server; it may have been removed and invited again.
    Column("joined_at", UtcDateTime, nullable=False),
)

_INSERT: Final = insert(greetings).returning(greetings.c.guild_id)
_RENEW: Final = (
    update(greetings)
    .where(greetings.c.guild_id == bindparam("server"), greetings.c.joined_at < bindparam("since", type_=UtcDateTime))
    .values(joined_at=bindparam("since", type_=UtcDateTime))
)
_DELETE_OLD: Final = delete(greetings).where(greetings.c.joined_at < bindparam("until", type_=UtcDateTime))


def note_greeting(connection: Connection, guild_id: int, since: datetime) -> bool:
    """Note that a server is greeted that the bot joined at a time; return False if it already was since then."""
    if try_insert(connection, _INSERT, {"guild_id": guild_id, "joined_at": since}):
        return True
    return connection.execute(_RENEW, {"server": guild_id, "since": since}).rowcount > 0


def prune_greetings(connection: Connection, until: datetime) -> None:
    """Forget the greetings of servers that the bot joined before a time."""
    connection.execute(_DELETE_OLD, {"until": until})
