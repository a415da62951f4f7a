"""Queries that note that processes serve shards, and find for how long none has."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from math import gcd
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from bot.community.jobs import ALIVE_EVERY
from bot.store.queries import downtimes
from bot.store.queries.jobs import add_downtime
from bot.store.queries.locks import lock_served_shards, read_clock
from bot.store.queries.shards import ServedConnection
from bot.store.schema import served_shards
from bot.tables.clock import Downtime
from bot.tables.shards import ShardRange

_SELECT: Final = select(served_shards)
_INSERT: Final = insert(served_shards)
_UPDATE: Final = (
    update(served_shards)
    .where(
        served_shards.c.shard_count == bindparam("of_count"),
        served_shards.c.number.in_(bindparam("numbers", expanding=True)),
    )
    .values(noted_at=bindparam("at"))
)


def note_alive(
    served: ServedConnection, now: datetime, max_pause: timedelta, *, starts: bool = False
) -> Sequence[Downtime]:
    """Note that a process runs, and move the deadlines of people whose shards none has served; return these times.

    A process that starts notes only downtime.
    """
    connection, shards = served.connection, served.shards
    # Of two processes with the same shards that start at once, one finds what the other has noted.
    lock_served_shards(connection, shards.first)
    now, noted = read_clock(connection, now), _find_notes(connection)
    last = {number: _find_last(noted, number, shards.count) for number in shards.numbers}
    wait = max_pause if starts else ALIVE_EVERY
    due = [number for number, at in last.items() if at is None or not timedelta() <= now - at < wait]
    _note(connection, shards.count, due, now, known=noted.get(shards.count, {}))
    if any(at is not None and now < at for at in last.values()):
        downtimes.remove_later(connection, now)
    found = [each for each in _split_by_begin(last, shards, now) if now - each.since > max_pause]
    for downtime in found:
        downtimes.add(connection, downtime)
        add_downtime(connection, downtime)
    return found


def _find_notes(connection: Connection) -> Mapping[int, Mapping[int, datetime]]:
    """Return when each shard was last served, by its number, of each number of shards that the bot has had."""
    found: dict[int, dict[int, datetime]] = defaultdict(dict)
    for row in connection.execute(_SELECT):
        found[row.shard_count][row.number] = row.noted_at
    return found


def _find_last(noted: Mapping[int, Mapping[int, datetime]], number: int, count: int) -> datetime | None:
    """Return when all servers of a shard were last served, or None if that is not known.

    While the bot had another number of shards, they belonged to several of those.
    """
    found = list[datetime]()
    for other, times in noted.items():
        common = gcd(count, other)
        same = range(number % common, other, common)
        if all(each in times for each in same):
            found.append(min(times[each] for each in same))
    return max(found, default=None)


def _note(
    connection: Connection, count: int, numbers: Sequence[int], now: datetime, known: Mapping[int, datetime]
) -> None:
    old = [number for number in numbers if number in known]
    new = [number for number in numbers if number not in known]
    if old:
        connection.execute(_UPDATE, {"of_count": count, "numbers": old, "at": now})
    if new:
        connection.execute(_INSERT, [{"shard_count": count, "number": each, "noted_at": now} for each in new])


def _split_by_begin(last: Mapping[int, datetime | None], shards: ShardRange, now: datetime) -> Iterator[Downtime]:
    """Yield the time since shards were last served, for neighbours together of which it is the same."""
    for since, neighbours in groupby(shards.numbers, key=lambda number: last[number]):
        numbers = list(neighbours)
        if since is not None:
            yield Downtime(since, now, ShardRange(numbers[0], numbers[-1], shards.count))
