"""Queries for the times in which no process of the bot served some shards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.platform.clock import Downtime, merge
from bot.platform.database.columns import UtcDateTime
from bot.platform.days import Day, day_of, start_of_day
from bot.platform.jobs.jobs import MAX_RESTART
from bot.platform.jobs.schema import downtimes
from bot.platform.jobs.shard_ranges import ShardRange
from bot.platform.jobs.shard_storage import ServedConnection
from bot.tables import rows
from bot.tables.daily import EXCUSING_DOWNTIME
from bot.tables.writing import try_insert

_KEPT: Final = timedelta(days=60)
"""How long times of less than an hour a day are kept: in longer waiting times they do not matter."""

_INSERT: Final = insert(downtimes).returning(downtimes.c.began_at)
_SELECT: Final = select(downtimes)
_SELECT_LATER: Final = _SELECT.where(downtimes.c.ended_at > bindparam("than", type_=UtcDateTime))
_DELETE_LATER: Final = delete(downtimes).where(downtimes.c.ended_at > bindparam("than", type_=UtcDateTime))
_EXTEND: Final = (
    update(downtimes)
    .where(
        downtimes.c.ended_at.between(bindparam("after"), bindparam("since")),
        downtimes.c.shard_count == bindparam("of_count"),
        downtimes.c.first == bindparam("from_first"),
        downtimes.c.last == bindparam("to_last"),
    )
    .values(ended_at=bindparam("until"))
)
_SELECT_EARLIER: Final = _SELECT.where(downtimes.c.ended_at < bindparam("than", type_=UtcDateTime))
_DELETE: Final = delete(downtimes).where(
    downtimes.c.began_at == bindparam("since"),
    downtimes.c.shard_count == bindparam("of_count"),
    downtimes.c.first == bindparam("from_first"),
)


def add_all(connection: Connection, found: Sequence[Downtime]) -> None:
    """Note times in which no process served some shards, and delete what matters no more, so that few are kept."""
    for downtime in found:
        _add(connection, downtime)
    _prune(connection, max(downtime.until for downtime in found) - _KEPT)


def _add(connection: Connection, downtime: Downtime) -> None:
    """Note a downtime; one right after another is the same, as when a process crashes again and again."""
    shards = downtime.shards
    times = {"since": downtime.since, "until": downtime.until, "after": downtime.since - MAX_RESTART}
    own = {"of_count": shards.count, "from_first": shards.first, "to_last": shards.last}
    if not connection.execute(_EXTEND, times | own).rowcount:
        row = {"began_at": downtime.since, "ended_at": downtime.until, "shard_count": shards.count}
        try_insert(connection, _INSERT, row | {"first": shards.first, "last": shards.last})


def _prune(connection: Connection, before: datetime) -> None:
    """Delete what ended before a time, except on days that are excused: streaks are told from them for ever."""
    excused = find_excused_days(connection)
    for row in connection.execute(_SELECT_EARLIER, {"than": before}).all():
        if not any(day in excused for day, _ in _split_by_day(row.began_at, row.ended_at)):
            key = {"since": row.began_at, "of_count": row.shard_count, "from_first": row.first}
            connection.execute(_DELETE, key)


def remove_later(connection: Connection, now: datetime) -> None:
    """Delete what ends in the future: the clock was wrong, and has been set back."""
    connection.execute(_DELETE_LATER, {"than": now})


def find_all(served: ServedConnection) -> Sequence[Downtime]:
    """Return the times in which no process served some of the shards of a process."""
    found = map(_downtime_of, served.connection.execute(_SELECT))
    return [downtime for downtime in found if downtime.shards.overlaps(served.shards)]


def sum_up(connection: Connection, since: datetime, present: Iterable[Downtime]) -> timedelta:
    """Return for how long, since a time, there were shards that no process served, with downtimes that still last."""
    noted = map(_downtime_of, connection.execute(_SELECT_LATER, {"than": since}))
    return sum((downtime.part_after(since) for downtime in merge([*noted, *present])), timedelta())


def find_excused_days(connection: Connection) -> frozenset[Day]:
    """Return the days on which nobody can be blamed for having missed the daily bag.

    Who plays in which servers is not known, so what could not be played in some of them counts for everyone.
    """
    sums: Counter[Day] = Counter()
    for downtime in merge(map(_downtime_of, connection.execute(_SELECT))):
        for day, part in _split_by_day(downtime.since, downtime.until):
            sums[day] += part // timedelta(seconds=1)
    return frozenset(day for day, seconds in sums.items() if seconds >= EXCUSING_DOWNTIME.total_seconds())


def _downtime_of(row: rows.AnyRow) -> Downtime:
    return Downtime(row.began_at, row.ended_at, ShardRange(row.first, row.last, row.shard_count))


def _split_by_day(since: datetime, until: datetime) -> Iterator[tuple[Day, timedelta]]:
    for day in range(day_of(since), day_of(until) + 1):
        yield day, min(until, start_of_day(day + 1)) - max(since, start_of_day(day))
