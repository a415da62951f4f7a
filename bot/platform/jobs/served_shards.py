"""Queries that note that processes serve shards, and find for how long none has."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from math import gcd, lcm
from typing import Final, TypeAlias

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.platform.clock import Downtime
from bot.platform.database.columns import UtcDateTime
from bot.platform.database.locks import lock_served_shards, read_clock
from bot.platform.jobs import downtimes
from bot.platform.jobs.jobs import ALIVE_EVERY, MAX_PAUSE
from bot.platform.jobs.shard_ranges import ALL_SHARDS, ShardRange
from bot.platform.jobs.shard_schema import served_shards
from bot.platform.jobs.shard_storage import ServedConnection
from bot.platform.jobs.storage import add_downtimes

_SELECT: Final = select(served_shards)
_INSERT: Final = insert(served_shards)
_IS_ONE_OF: Final = (
    served_shards.c.shard_count == bindparam("of_count"),
    served_shards.c.number.in_(bindparam("numbers", expanding=True)),
)
_UPDATE: Final = update(served_shards).where(*_IS_ONE_OF).values(noted_at=bindparam("at"))
_DELETE: Final = delete(served_shards).where(*_IS_ONE_OF)
_SET_BACK: Final = (
    update(served_shards)
    .where(served_shards.c.noted_at > bindparam("wrong", type_=UtcDateTime))
    .values(noted_at=bindparam("at"))
)

Notes: TypeAlias = Mapping[int, Mapping[int, datetime]]


def note_alive(
    served: ServedConnection, now: datetime, max_pause: timedelta, *, starts: bool = False
) -> Sequence[Downtime]:
    """Note that a process runs, and move the deadlines of people whose shards none has served; return these times.

    A process that starts notes only downtime.
    """
    connection, shards = served.connection, served.shards
    # Of two processes with some of the same shards, one finds what the other has noted.
    lock_served_shards(connection)
    now = read_clock(connection, now)
    _set_back(connection, now + ALIVE_EVERY, now)
    noted = _find_notes(connection)
    parts = _find_parts(noted, shards)
    wait = max_pause if starts else ALIVE_EVERY
    due = {part.number % shards.count for part in parts if not part.is_served(now, wait)}
    _note(connection, shards.count, sorted(due), now, known=noted.get(shards.count, {}))
    if due:
        _forget_replaced(connection, noted, shards.count, dict.fromkeys(due, now))
    found = [each for each in _split_by_begin(parts, now) if now - each.since > max_pause]
    if found:
        downtimes.add_all(connection, found)
        add_downtimes(served, found)
    return found


def find_unserved(connection: Connection, now: datetime, most: timedelta) -> Sequence[Downtime]:
    """Return the times, of a length at most, in which no process has served some shards until now."""
    times = {part.served_at for part in _find_parts(_find_notes(connection), ALL_SHARDS)}
    return [Downtime(max(at, now - most), now) for at in times if at is not None and now - at > MAX_PAUSE]


@dataclass(frozen=True, slots=True)
class _Part:
    """A shard of the coarsest division whose shards have all their servers in common, however the bot divided them."""

    number: int
    count: int
    served_at: datetime | None
    """When a process last served it; None if that is not known."""

    def is_served(self, now: datetime, wait: timedelta) -> bool:
        return self.served_at is not None and timedelta() <= now - self.served_at < wait


def _set_back(connection: Connection, wrong: datetime, now: datetime) -> None:
    """Believe nothing that a wrong clock has noted, once it has been set right.

    On SQLite a process may have waited while another one noted something, which is no sign of a wrong clock.
    """
    if connection.execute(_SET_BACK, {"wrong": wrong, "at": now}).rowcount:
        downtimes.remove_later(connection, wrong)


def _find_notes(connection: Connection) -> Notes:
    """Return when each shard was last served, by its number, of each number of shards that the bot has had."""
    found: dict[int, dict[int, datetime]] = defaultdict(dict)
    for row in connection.execute(_SELECT):
        found[row.shard_count][row.number] = row.noted_at
    return found


def _find_parts(noted: Notes, shards: ShardRange) -> Sequence[_Part]:
    """Return the parts of shards, in order."""
    count = lcm(shards.count, *noted)
    return [_find_part(noted, each, count) for each in range(count) if each % shards.count in shards.numbers]


def _find_part(noted: Notes, number: int, count: int) -> _Part:
    times = (notes.get(number % other) for other, notes in noted.items())
    return _Part(number, count, max((at for at in times if at is not None), default=None))


def _forget_replaced(connection: Connection, noted: Notes, count: int, newer: Mapping[int, datetime]) -> None:
    """Delete notes of other numbers of shards all of whose servers are in shards that have been served since."""
    own = {**noted.get(count, {}), **newer}
    for other, notes in noted.items():
        common = gcd(count, other)
        replaced = [
            number
            for number, at in notes.items()
            if other != count and all(each in own and own[each] >= at for each in range(number % common, count, common))
        ]
        if replaced:
            connection.execute(_DELETE, {"of_count": other, "numbers": replaced})


def _note(
    connection: Connection, count: int, numbers: Sequence[int], now: datetime, known: Mapping[int, datetime]
) -> None:
    old = [number for number in numbers if number in known]
    new = [number for number in numbers if number not in known]
    if old:
        connection.execute(_UPDATE, {"of_count": count, "numbers": old, "at": now})
    if new:
        connection.execute(_INSERT, [{"shard_count": count, "number": each, "noted_at": now} for each in new])


def _split_by_begin(parts: Sequence[_Part], now: datetime) -> Iterator[Downtime]:
    """Yield the time since parts were last served, for neighbours together of which it is the same."""
    # Of neighbours, the number less the place is the same.
    for (since, _), together in groupby(enumerate(parts), lambda item: (item[1].served_at, item[1].number - item[0])):
        numbers = [part.number for _, part in together]
        if since is not None:
            yield Downtime(since, now, ShardRange(numbers[0], numbers[-1], parts[0].count))
