"""Queries for the time in which no process of the bot ran."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, func, select, text

from bot.store.schema import downtimes
from bot.tables.daily import EXCUSING_DOWNTIME
from bot.tables.days import Day, day_of, start_of_day

_ADD: Final = text("""
    INSERT INTO downtimes (day, seconds) VALUES (:day, :seconds)
    ON CONFLICT (day) DO UPDATE SET seconds = downtimes.seconds + excluded.seconds
""")
_SUM: Final = select(func.coalesce(func.sum(downtimes.c.seconds), 0)).where(
    downtimes.c.day.between(bindparam("first", type_=Integer), bindparam("last", type_=Integer))
)
_SELECT_EXCUSED: Final = select(downtimes.c.day).where(downtimes.c.seconds >= int(EXCUSING_DOWNTIME.total_seconds()))


def add(connection: Connection, since: datetime, until: datetime) -> None:
    """Note a time in which no process ran, for each day that it is part of."""
    days = range(day_of(since), day_of(until) + 1)
    parts = [(day, min(until, start_of_day(day + 1)) - max(since, start_of_day(day))) for day in days]
    connection.execute(_ADD, [{"day": day, "seconds": int(part.total_seconds())} for day, part in parts])


def sum_up(connection: Connection, first: Day, last: Day) -> timedelta:
    """Return for how long no process ran on some days."""
    return timedelta(seconds=int(connection.execute(_SUM, {"first": first, "last": last}).scalar_one()))


def find_excused_days(connection: Connection) -> frozenset[Day]:
    """Return the days on which nobody can be blamed for having missed the daily bag."""
    return frozenset(connection.execute(_SELECT_EXCUSED).scalars())
