"""Rebuilds all ratings, totals, encounters and days from the results alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from bot.features.results.accounts import BoardName, add, additions_of, change_values, encounters_of
from bot.features.results.ratings import (
    NEW,
    NotRated,
    Pair,
    Rating,
    RatingChange,
    find_reason,
    pairs_of,
    people_of,
    rate,
)
from bot.features.results.storage import boards, encounters, played_days, rating_changes, ratings, totals
from bot.platform.database.sql import Values
from bot.platform.places import day_of
from bot.tables.model import Result
from bot.tables.results import result_of, results

_ROWS: Final = 2000
"""Rows read or written at a time."""

_DAYS: Final = 7
"""The days for which the games of pairs are remembered; a table is counted on the day of its end, or soon after."""

_COUNTED_AT: Final = func.coalesce(results.c.counted_at, results.c.finished_at)
_IN_ORDER: Final = (
    select(results)
    .order_by(results.c.guild_id, results.c.game, _COUNTED_AT, results.c.table_id, results.c.seat)
    .execution_options(yield_per=_ROWS)
)
_LOCK_RESULTS: Final = text("LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE")


def rebuild(connection: Connection) -> int:
    """Replace all ratings, totals, encounters and days, in the caller's transaction; return the number of tables."""
    if connection.dialect.name == "postgresql":
        # Meanwhile no table may end. SQLite has only one writer anyway.
        connection.execute(_LOCK_RESULTS)
    for kept in (rating_changes, ratings, totals, boards, encounters, played_days):
        connection.execute(delete(kept))
    writer, days, count = _Writer(connection), Counter[tuple[int, int, int]](), 0
    found = connection.execute(_IN_ORDER)
    for (guild_id, game), contest in groupby(found, key=lambda row: (row.guild_id, row.game)):
        ledger = _Ledger(guild_id, game)
        for _, seats in groupby(contest, key=lambda row: row.table_id):
            count += 1
            rows_of_table = list(seats)
            table = [result_of(row) for row in rows_of_table]
            changes = ledger.account_for(table, rows_of_table[0].counted_at or table[0].finished_at)
            writer.write(rating_changes, (change_values(table[0], change) for change in changes))
            writer.write(encounters, encounters_of(table))
            if guild_id is not None:
                days[guild_id, table[0].channel_id, day_of(table[0].finished_at)] += 1
        writer.write(ratings, ledger.rating_rows())
        for name, people in ledger.totals.items():
            added = insert(boards).values(name._asdict()).returning(boards.c.id)
            writer.write(totals, people.values(), board_id=connection.execute(added).scalar_one())
    writer.write(
        played_days,
        (
            {"guild_id": guild, "channel_id": channel, "day": day, "tables": n}
            for (guild, channel, day), n in days.items()
        ),
    )
    writer.flush()
    return count


class _Ledger:
    """Adds up the tables of a game in a server, in their order."""

    def __init__(self, guild_id: int | None, game: str) -> None:
        self.totals: defaultdict[BoardName, dict[int, dict[str, Any]]] = defaultdict(dict)
        self._contest = {"guild_id": guild_id, "game": game}
        self._ratings: dict[int, Rating] = {}
        self._counted_at: dict[int, datetime] = {}
        self._pairs: dict[int, Counter[Pair]] = {}
        """By day, the number of games of each pair, for the newest days."""

    def account_for(self, table: Sequence[Result], counted_at: datetime) -> Sequence[RatingChange]:
        """Add a table; return its changes of ratings."""
        changes = self._rate(table, counted_at)
        for board, user_id, values in additions_of(table, changes):
            people = self.totals[board]
            if user_id in people:
                add(people[user_id], values)
            else:
                people[user_id] = {"user_id": user_id, **values}
        return changes

    def rating_rows(self) -> Iterator[Values]:
        """Return the rows of `ratings`."""
        for user_id, counted_at in self._counted_at.items():
            rating = self._ratings.get(user_id, NEW)
            values = {"user_id": user_id, "games": rating.games, "counted_at": counted_at}
            yield self._contest | rating.strength._asdict() | values

    def _rate(self, table: Sequence[Result], counted_at: datetime) -> Sequence[RatingChange]:
        if find_reason(table) is not None:
            return ()
        today = day_of(table[0].finished_at)
        if today not in self._pairs:
            self._pairs = {day: pairs for day, pairs in self._pairs.items() if day > today - _DAYS}
            self._pairs[today] = Counter()
        changes = rate(table, self._ratings, self._pairs[today])
        self._counted_at |= dict.fromkeys(people_of(table), counted_at)
        if isinstance(changes, NotRated):
            return ()
        self._pairs[today].update(pairs_of(table))
        self._ratings |= {change.user_id: change.after for change in changes}
        return changes


class _Writer:
    """Inserts rows in batches."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: defaultdict[str, list[Values]] = defaultdict(list)
        self._tables: dict[str, Table] = {}

    def write(self, table: Table, new: Iterable[Values], **more: object) -> None:
        """Queue rows, and insert full batches."""
        waiting = self._waiting[table.name]
        self._tables[table.name] = table
        for row in new:
            waiting.append(row | more)
            if len(waiting) >= _ROWS:
                self._flush(table.name)

    def flush(self) -> None:
        """Insert the queued rows."""
        for name in self._tables:
            self._flush(name)

    def _flush(self, name: str) -> None:
        waiting = self._waiting[name]
        if waiting and name == totals.name:
            # Most rows are totals and contain only numbers; the driver alone inserts them in a third of the time.
            self._connection.exec_driver_sql(_driver_insert(self._connection, waiting[0]), waiting)
        elif waiting:
            self._connection.execute(insert(self._tables[name]), waiting)
        waiting.clear()


def _driver_insert(connection: Connection, row: Values) -> str:
    """Return an insert statement for totals in the driver's own syntax."""
    parameter = "%({})s" if connection.dialect.name == "postgresql" else ":{}"
    values = ", ".join(map(parameter.format, row))
    return f"INSERT INTO {totals.name} ({', '.join(row)}) VALUES ({values})"  # noqa: S608 - names of columns
