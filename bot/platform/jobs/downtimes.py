"""Queries that record which ranges of shards are served, and periods in which some shards had no process."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Column, ColumnElement, Connection, Integer, Table, bindparam, delete, insert, select, update

from bot.platform.clock import Downtime, merge
from bot.platform.database.sql import AnyRow, UtcDateTime, lock, read_clock, rowless_table, try_insert
from bot.platform.jobs import storage as jobs
from bot.platform.jobs.shard_leases import key_of
from bot.platform.places import Day, ShardRange, day_of, start_of_day

ALIVE_EVERY: Final = timedelta(seconds=20)
"""The interval at which a process notes that it runs."""

MAX_PAUSE: Final = timedelta(seconds=90)
"""A longer time without a note is downtime of a running process: its machine slept or its database was down."""

MAX_RESTART: Final = timedelta(seconds=30)
"""A longer time without a note before a process starts is downtime."""

EXCUSING_DOWNTIME: Final = timedelta(hours=1)
"""At least this much downtime on a day excuses everyone who missed the day's bag."""

_ALIVE_LOCK: Final = -1

_KEPT: Final = timedelta(days=60)
"""How long a downtime that excuses no day is kept; longer waiting times don't need it."""


# The time at which a process of a range last noted that it runs. All rows have the same number of shards, and ranges
# never overlap.
alive = rowless_table(
    "alive",
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),
)

# Periods in which a range of shards had no process.
downtimes = rowless_table(
    "downtimes",
    Column("began_at", UtcDateTime, primary_key=True),
    Column("ended_at", UtcDateTime, nullable=False),
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
)


def _is_of_range(table: Table) -> tuple[ColumnElement[bool], ...]:
    return (
        table.c.shard_count == bindparam("of_count"),
        table.c.first == bindparam("from_first"),
        table.c.last == bindparam("to_last"),
    )


_SELECT_ALIVE: Final = select(alive)
_INSERT_ALIVE: Final = insert(alive)
_DELETE_ALIVE: Final = delete(alive).where(*_is_of_range(alive))
_SET_BACK: Final = (
    update(alive).where(alive.c.noted_at > bindparam("wrong", type_=UtcDateTime)).values(noted_at=bindparam("at"))
)

_SELECT: Final = select(downtimes)
_INSERT: Final = insert(downtimes).returning(downtimes.c.began_at)
_DELETE: Final = delete(downtimes).where(downtimes.c.began_at == bindparam("since"), *_is_of_range(downtimes))
_DELETE_LATER: Final = delete(downtimes).where(downtimes.c.ended_at > bindparam("than", type_=UtcDateTime))
_EXTEND: Final = (
    update(downtimes)
    .where(downtimes.c.ended_at.between(bindparam("after"), bindparam("since")), *_is_of_range(downtimes))
    .values(ended_at=bindparam("until"))
)


def note_alive(
    connection: Connection, shards: ShardRange, now: datetime, max_pause: timedelta, *, starts: bool = False
) -> Sequence[Downtime]:
    """Note that a process serves its shards, and extend people's deadlines there by the preceding downtime.

    Args:
        now: The time by this process's clock, used if the database has no clock.
        max_pause: The longest pause that is no downtime.
        starts: Whether the process is starting. Then it only records downtime, because it may crash before it serves
            anyone.

    Returns:
        New downtimes of its shards, unless another process has found them.
    """
    # The lock lets one of two processes with the same shards find the other's note.
    lock(connection, _ALIVE_LOCK)
    now = read_clock(connection, now)
    _set_back(connection, now)
    noted = _find_noted(connection)
    own = {known: at for known, at in noted.items() if known.overlaps(shards)}
    # For a new range it is only known whether the bot ran at all.
    since = own or {shards: max(noted.values(), default=now)}
    found = [Downtime(at, now, known) for known, at in since.items() if now - at > max_pause]
    if found or not own or now - min(own.values()) >= (max_pause if starts else ALIVE_EVERY):
        for known in own:
            connection.execute(_DELETE_ALIVE, key_of(known))
        connection.execute(_INSERT_ALIVE, {**_columns_of(shards), "noted_at": now})
    for downtime in found:
        _add(connection, downtime)
        jobs.add_downtime(connection, downtime)
    if found:
        _prune(connection, now - _KEPT)
    return found


def find_all(connection: Connection, shards: ShardRange) -> Sequence[Downtime]:
    """Return the downtimes of the shards of a process."""
    return [downtime for downtime in _find(connection) if downtime.shards.overlaps(shards)]


def sum_up(connection: Connection, since: datetime, now: datetime, most: timedelta) -> timedelta:
    """Return for how long some shards have had no process since a time.

    An ongoing downtime counts at most `most`.
    """
    present = [Downtime(max(at, now - most), now) for at in _find_noted(connection).values() if now - at > MAX_PAUSE]
    return sum((downtime.part_after(since) for downtime in merge([*_find(connection), *present])), timedelta())


def find_excused_days(connection: Connection) -> frozenset[Day]:
    """Return the days on which downtime excuses a missed challenge.

    A person's servers are unknown, so downtime of any shard counts for everyone.
    """
    sums: Counter[Day] = Counter()
    for downtime in merge(_find(connection)):
        for day, part in _split_by_day(downtime):
            sums[day] += part // timedelta(seconds=1)
    return frozenset(day for day, seconds in sums.items() if seconds >= EXCUSING_DOWNTIME.total_seconds())


def _set_back(connection: Connection, now: datetime) -> None:
    """Correct notes from the future, which a wrong clock has left.

    On SQLite, slightly later notes are normal, because a process may wait while another one takes a note.
    """
    wrong = now + ALIVE_EVERY
    if connection.execute(_SET_BACK, {"wrong": wrong, "at": now}).rowcount:
        connection.execute(_DELETE_LATER, {"than": wrong})


def _add(connection: Connection, downtime: Downtime) -> None:
    """Record a downtime. One right after another extends it, as when a process keeps crashing."""
    times = {"since": downtime.since, "until": downtime.until, "after": downtime.since - MAX_RESTART}
    if not connection.execute(_EXTEND, times | key_of(downtime.shards)).rowcount:
        row = {"began_at": downtime.since, "ended_at": downtime.until, **_columns_of(downtime.shards)}
        try_insert(connection, _INSERT, row)


def _prune(connection: Connection, before: datetime) -> None:
    """Delete downtimes that ended before a time, except on excused days, on which streaks depend for ever."""
    excused = find_excused_days(connection)
    for downtime in _find(connection):
        if downtime.until < before and not any(day in excused for day, _ in _split_by_day(downtime)):
            connection.execute(_DELETE, {"since": downtime.since, **key_of(downtime.shards)})


def _find(connection: Connection) -> Sequence[Downtime]:
    return [Downtime(row.began_at, row.ended_at, _shards_of(row)) for row in connection.execute(_SELECT)]


def _find_noted(connection: Connection) -> dict[ShardRange, datetime]:
    """Return when a process last noted that it serves a range; ranges do not overlap."""
    return {_shards_of(row): row.noted_at for row in connection.execute(_SELECT_ALIVE)}


def _shards_of(row: AnyRow) -> ShardRange:
    return ShardRange(row.first, row.last, row.shard_count)


def _columns_of(shards: ShardRange) -> dict[str, int]:
    return {"shard_count": shards.count, "first": shards.first, "last": shards.last}


def _split_by_day(downtime: Downtime) -> Iterator[tuple[Day, timedelta]]:
    for day in range(day_of(downtime.since), day_of(downtime.until) + 1):
        yield day, min(downtime.until, start_of_day(day + 1)) - max(downtime.since, start_of_day(day))
