"""Deletes, once a day, what was kept long enough: click ids, lobbies never started, and names of people long unseen."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from sqlalchemy import Column, Connection, FromClause, and_, bindparam, delete, func, select, update

from bot.features.privacy import erasure, server_erasure
from bot.features.privacy.erasure import change_rows, find_keys
from bot.features.privacy.model import FORMER_NAME, RetentionLimits, TableWalk
from bot.features.privacy.people import BATCH
from bot.features.privacy.personal_data import PERSONAL_DATA, Kind, Leaving
from bot.features.replays.storage import animations
from bot.features.tournaments.storage import tournament_players, tournaments
from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.database.sql import get_value, set_value
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.storage import Job
from bot.platform.notices.schema import invitations
from bot.tables.model import FORGOTTEN_CLICK, Status, TableId
from bot.tables.schema import moves, seats, tables

_SELECT_STRETCH: Final = (
    select(tables.c.id, tables.c.status, tables.c.salt, tables.c.updated_at)
    .where(tables.c.id > bindparam("after"))
    .order_by(tables.c.id)
    .limit(bindparam("most"))
)
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_SELECT_LAST_TABLE: Final = (
    select(func.max(tables.c.updated_at))
    .select_from(seats.join(tables, seats.c.table_id == tables.c.id))
    .where(seats.c.user_id == bindparam("user_id"))
)


@dataclass(frozen=True, slots=True)
class _Sign:
    """Where it is stored that people were there at some time."""

    rows: FromClause
    person: Column[Any]
    at: Column[Any]


def _find_signs() -> Iterator[_Sign]:
    """Yield all signs of people but their tables, which are looked through anyway, and what goes with these."""
    for data in PERSONAL_DATA.values():
        if data.seen_at is not None and data.leaving is not Leaving.WITH_TABLE:
            (person,) = data.columns(Kind.PERSON)
            yield _Sign(data.table, person, data.table.c[data.seen_at])
    joined = tournament_players.join(tournaments, tournament_players.c.tournament_id == tournaments.c.id)
    yield _Sign(joined, tournament_players.c.user_id, tournaments.c.opened_at)


_SIGNS: Final = tuple(_find_signs())


def walk_tables(connection: Connection, after_id: TableId, limits: RetentionLimits, limit: int) -> TableWalk:
    """Look at a stretch of tables for what is kept too long."""
    found = connection.execute(_SELECT_STRETCH, {"after": after_id, "most": limit}).all()
    quiet = [row.id for row in found if limits.quiet_since <= row.updated_at < limits.quiet_until]
    people = select(seats.c.user_id).where(seats.c.table_id.in_(quiet), seats.c.user_id > 0).distinct()
    return TableWalk(
        last_id=found[-1].id if found else after_id,
        is_done=len(found) < limit,
        changed=[row.id for row in found if row.updated_at >= limits.clicks_since],
        never_started=[
            row.id
            for row in found
            if row.updated_at < limits.lobbies_until and _was_never_started(row.status, row.salt)
        ],
        quiet_people=sorted(connection.execute(people).scalars()) if quiet else (),
    )


def _was_never_started(status: str, salt: str) -> bool:
    """Return whether a table is a lobby that was closed: the salt is made at the start."""
    return status in (Status.EXPIRED, Status.CANCELLED) and not salt


def clear_click_ids(connection: Connection, table_ids: Sequence[TableId], before: datetime) -> None:
    """Delete the ids of clicks at tables before a time."""
    has_click = and_(moves.c.table_id.in_(table_ids), moves.c.click_id != FORGOTTEN_CLICK, moves.c.at < before)
    connection.execute(update(moves).where(has_click).values(click_id=FORGOTTEN_CLICK))
    of_lobby = and_(tables.c.id.in_(table_ids), tables.c.lobby_click_id.isnot(None), tables.c.updated_at < before)
    connection.execute(update(tables).where(of_lobby).values(lobby_click_id=None))
    of_invitation = and_(
        invitations.c.table_id.in_(table_ids), invitations.c.click_id != 0, invitations.c.noted_at < before
    )
    connection.execute(update(invitations).where(of_invitation).values(click_id=0))


def find_quiet_people(connection: Connection, since: datetime, until: datetime, limit: int) -> Sequence[int]:
    """Return people who were last seen elsewhere than at a table in a stretch of time, as far as that says."""
    people: set[int] = set()
    for sign in _SIGNS:
        if len(people) < limit:
            seen = (sign.at >= since, sign.at < until, sign.person > 0)
            query = select(sign.person).select_from(sign.rows).where(*seen).distinct().limit(limit)
            people.update(connection.execute(query).scalars())
    return sorted(people)


def forget_name(connection: Connection, user_id: int, unless_seen_since: datetime, limit: int) -> bool:
    """Replace some of the stored names of a person who was not seen; return whether there may be more."""
    if _last_seen(connection, user_id) >= unless_seen_since:
        return False
    for data in PERSONAL_DATA.values():
        for name in data.columns(Kind.NAME):
            (person,) = data.columns(Kind.PERSON)
            keys = find_keys(connection, data.table, and_(person == user_id, name != FORMER_NAME), limit)
            if keys:
                change_rows(connection, data.table, keys, {name.name: FORMER_NAME})
                if data.table is seats:
                    # The name is in their pictures.
                    shown = [key["key_table_id"] for key in keys]
                    connection.execute(delete(animations).where(animations.c.table_id.in_(shown)))
                return True
    return False


def _last_seen(connection: Connection, user_id: int) -> datetime:
    """Return when a person was last seen, as far as anything stored says."""
    times = [connection.execute(_SELECT_LAST_TABLE, {"user_id": user_id}).scalar()]
    for sign in _SIGNS:
        newest = select(func.max(sign.at)).select_from(sign.rows).where(sign.person == user_id)
        times.append(connection.execute(newest).scalar())
    return max((time for time in times if time is not None), default=_NEVER)


T = TypeVar("T")


RETENTION: Final = "retention"
KEEP_CLICK_IDS: Final = timedelta(days=1)
KEEP_LOBBIES: Final = timedelta(days=7)
KEEP_NAMES: Final = timedelta(days=730)

_EVERY: Final = timedelta(days=1)
_STRETCH: Final = 2000
_TABLES_BATCH: Final = 50
_MAX_QUIET: Final = 100_000
_DONE_KEY: Final = "retention done"
_PLACE_KEY: Final = "retention at"
_FIRST: Final = datetime(2015, 1, 1, tzinfo=UTC)


class RetentionService:
    """Walks through all tables once a day; only those that have changed since the day before cost a write."""

    def __init__(self, db: Database, clock: Callable[[], Clock], seconds: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._seconds = seconds

    async def schedule(self) -> None:
        """Have the daily run done, if it is not scheduled yet; nothing has been kept for long before the first one."""
        await self._db.write(job_storage.add, Job(RETENTION, "daily", self._clock()() + _EVERY))

    async def run(self, job: Job) -> datetime | None:
        """Delete what had been kept long enough when a job was due; after some time, go on in the next run.

        The clock may be wrong now, but not at both looks that found the job due.
        """
        until = self._seconds() + RUN_SECONDS
        started, after_id = await self._place(job)
        done = await self._db.read(get_value, _DONE_KEY)
        limits = _limits(
            started,
            datetime.fromisoformat(done or _FIRST.isoformat()),
        )
        is_done = False
        while not is_done:
            if self._seconds() > until:
                return self._clock()()
            walk = await self._db.read(walk_tables, after_id, limits, _STRETCH)
            for table_ids in pieces(walk.changed, _TABLES_BATCH):
                await self._db.maintain(clear_click_ids, table_ids, limits.clicks_until)
            for table_ids in pieces(walk.never_started, _TABLES_BATCH):
                await self._db.maintain(server_erasure.delete_tables, table_ids)
            await self._forget(walk.quiet_people, limits)
            after_id, is_done = walk.last_id, walk.is_done
            await self._db.maintain(set_value, _PLACE_KEY, f"{started.isoformat()} {after_id}")
        people = await self._db.read(find_quiet_people, limits.quiet_since, limits.quiet_until, _MAX_QUIET)
        await self._forget(people, limits)
        await self._db.maintain(set_value, _DONE_KEY, started.isoformat())
        await self._db.maintain(set_value, _PLACE_KEY, "")
        return max(started + _EVERY, self._clock()())

    async def _place(self, job: Job) -> tuple[datetime, int]:
        """Return when the run began, and the last table that it has looked at."""
        noted = await self._db.read(get_value, _PLACE_KEY)
        if not noted:
            return job.due_at, 0
        started, after_id = noted.split()
        return datetime.fromisoformat(started), int(after_id)

    async def _forget(self, people: Sequence[int], limits: RetentionLimits) -> None:
        forgotten = False
        for user_id in people:
            while await self._db.maintain(forget_name, user_id, limits.quiet_until, BATCH):
                forgotten = True
        if forgotten:
            await self._db.maintain(erasure.raise_deletion_count)


def _limits(started: datetime, before: datetime) -> RetentionLimits:
    """Return the limits of a run after an earlier one."""
    return RetentionLimits(
        clicks_since=before - KEEP_CLICK_IDS,
        clicks_until=started - KEEP_CLICK_IDS,
        lobbies_until=started - KEEP_LOBBIES,
        quiet_since=before - KEEP_NAMES,
        quiet_until=started - KEEP_NAMES,
    )


def pieces(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield some items at a time."""
    return (items[start : start + size] for start in range(0, len(items), size))
