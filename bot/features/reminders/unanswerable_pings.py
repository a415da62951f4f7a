"""Queries that note of pings which nobody can answer any more that they do not stand, so that they hold none back."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, Update, bindparam, false, select, update

from bot.platform.notices.schema import reminders
from bot.tables.schema import IS_OPEN, tables


def _forget_where(condition: ColumnElement[bool]) -> Update:
    found = select(tables.c.id).where(IS_OPEN, condition)
    values = {"message_id": None, "channel_id": None, "send_at": None, "stands": false()}
    return update(reminders).where(reminders.c.stands, reminders.c.table_id.in_(found)).values(values)


_FORGET_IN_SERVER: Final = _forget_where(tables.c.guild_id == bindparam("where"))
_FORGET_IN_CHANNEL: Final = _forget_where(tables.c.channel_id == bindparam("where"))


_SELECT_CHANNELS: Final = (
    select(tables.c.channel_id)
    .distinct()
    .join(reminders, reminders.c.table_id == tables.c.id)
    .where(IS_OPEN, reminders.c.stands, tables.c.guild_id == bindparam("where"))
    .order_by(tables.c.channel_id)
)


def find_channels(connection: Connection, guild_id: int) -> Sequence[int]:
    """Return the channels of a server with tables whose reminders stand."""
    return connection.execute(_SELECT_CHANNELS, {"where": guild_id}).scalars().all()


def forget_in_server(connection: Connection, guild_id: int) -> None:
    """Forget the reminders at the tables of a server that the bot has left."""
    connection.execute(_FORGET_IN_SERVER, {"where": guild_id})


def forget_in_channel(connection: Connection, channel_id: int) -> None:
    """Note that the reminders at the tables of a deleted channel do not stand: nobody can answer them."""
    connection.execute(_FORGET_IN_CHANNEL, {"where": channel_id})
