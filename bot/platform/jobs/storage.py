"""Queries for jobs, which are due at a time."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Text,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)

from bot.platform.clock import Downtime
from bot.platform.database.sql import UtcDateTime, rowless_table, try_insert
from bot.platform.jobs.shards import is_served, select_served
from bot.platform.places import ShardRange


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done at a time."""

    kind: str
    """Names who does it."""
    key: str
    """Says what it is about; a kind has one job per key."""
    due_at: datetime
    counts_from: datetime | None = None
    """Since when its time runs, if it is due later by any downtime in it, as a person's deadline is."""
    guild_id: int | None = None
    """The server whose process does it, 0 for direct messages; None if any process may."""


# What has to be done at a time; the primary key and `claimed_until` decide which of two processes does it.
jobs = rowless_table(
    "jobs",
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("due_at", UtcDateTime, nullable=False),
    # Until when a process is doing it. After that, another one does.
    Column("claimed_until", UtcDateTime),
    # The server whose process does it, 0 for direct messages; NULL if any process may.
    Column("guild_id", BigInteger),
    # Since when its time runs, if the job is due later by any time in it when no process ran.
    Column("counts_from", UtcDateTime),
    Index("jobs_due", "due_at"),
)

_IS_JOB: Final = (jobs.c.kind == bindparam("of_kind"), jobs.c.key == bindparam("of_key"))
_IS_FREE: Final = or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= bindparam("now"))
# As an expression, so that SQLite does not read all jobs of the kinds instead of those that are due.
_IS_OF_KINDS: Final = jobs.c.kind.concat("").in_(bindparam("kinds", expanding=True))
_IS_DUE: Final = (
    jobs.c.due_at <= bindparam("now"),
    _IS_FREE,
    or_(jobs.c.guild_id.is_(None), is_served(jobs.c.guild_id)),
)
HAS_DUE: Final = exists().where(*_IS_DUE)
SELECT_DUE: Final = select(jobs).where(*_IS_DUE, _IS_OF_KINDS).order_by(jobs.c.due_at).limit(bindparam("limit"))
_INSERT: Final = insert(jobs).returning(jobs.c.kind)
_DELETE: Final = delete(jobs).where(*_IS_JOB)
_DELETE_SEVERAL: Final = delete(jobs).where(
    jobs.c.kind == bindparam("of_kind"), jobs.c.key.in_(bindparam("of_keys", expanding=True))
)
_REPLACE: Final = (
    update(jobs).where(*_IS_JOB).values(due_at=bindparam("due"), counts_from=bindparam("since"), claimed_until=None)
)
_CLAIM: Final = (
    update(jobs).where(*_IS_JOB, _IS_FREE, jobs.c.due_at == bindparam("due")).values(claimed_until=bindparam("until"))
)
_PROLONG: Final = (
    update(jobs)
    .where(
        *_IS_JOB,
        jobs.c.due_at == bindparam("due"),
        jobs.c.claimed_until.in_(bindparam("of_claims", expanding=True)),
    )
    .values(claimed_until=bindparam("until"))
)
_MOVE: Final = (
    update(jobs)
    .where(*_IS_JOB, jobs.c.due_at == bindparam("due"))
    .values(due_at=bindparam("later"), claimed_until=None)
)
_SELECT_RUNNING: Final = select(jobs).where(
    jobs.c.counts_from < bindparam("until"), jobs.c.due_at > bindparam("since"), is_served(jobs.c.guild_id)
)


def put(connection: Connection, job: Job) -> None:
    """Store a job, in place of the one with the same kind and key."""
    if not add(connection, job):
        connection.execute(_REPLACE, _key_of(job) | {"due": job.due_at, "since": job.counts_from})


def put_unless_claimed(connection: Connection, job: Job, now: datetime) -> None:
    """Store a job, in place of the one with the same kind and key, unless a process is doing that one."""
    if not add(connection, job):
        connection.execute(
            _REPLACE.where(_IS_FREE), _key_of(job) | {"due": job.due_at, "since": job.counts_from, "now": now}
        )


def add(connection: Connection, job: Job) -> bool:
    """Store a job, unless there is one with the same kind and key; return whether it was stored."""
    return try_insert(connection, _INSERT, asdict(job))


def remove(connection: Connection, kind: str, keys: Collection[str]) -> None:
    """Delete those jobs that there are of a kind with some keys."""
    connection.execute(_DELETE_SEVERAL, {"of_kind": kind, "of_keys": list(keys)})


def claim(
    connection: Connection, shards: ShardRange, kinds: Collection[str], now: datetime, until: datetime, limit: int
) -> Sequence[Job]:
    """Claim due jobs that no process has claimed, the longest due first; nobody else gets them until a time.

    Jobs of servers that other processes serve are theirs.
    """
    found = select_served(connection, shards, SELECT_DUE, {"now": now, "kinds": sorted(kinds), "limit": limit})
    due = [Job(row.kind, row.key, row.due_at, row.counts_from, row.guild_id) for row in found]
    return [
        job
        for job in due
        if connection.execute(_CLAIM, _key_of(job) | {"now": now, "due": job.due_at, "until": until}).rowcount
    ]


def prolong(connection: Connection, job: Job, since: Collection[datetime], until: datetime) -> bool:
    """Let a claim of a job last until a time; return False if it was rescheduled, cancelled or claimed again.

    Args:
        job: The job.
        since: The times until which the claim lasts now: one of them, if it is not known which.
        until: The new time.
    """
    key = _key_of(job) | {"due": job.due_at, "of_claims": sorted(since), "until": until}
    return connection.execute(_PROLONG, key).rowcount > 0


def finish(connection: Connection, job: Job, next_due: datetime | None) -> None:
    """Delete a job, or make it due again; do neither if it was rescheduled or cancelled meanwhile."""
    key = _key_of(job) | {"due": job.due_at}
    if next_due is None:
        connection.execute(_DELETE.where(jobs.c.due_at == bindparam("due")), key)
    else:
        connection.execute(_MOVE, key | {"later": next_due})


def add_downtime(connection: Connection, downtime: Downtime) -> None:
    """Move the deadlines of people in the servers of some shards by the part of a downtime that they lasted through."""
    times = {"since": downtime.since, "until": downtime.until}
    running = select_served(connection, downtime.shards, _SELECT_RUNNING, times).all()
    moves = [
        {
            "of_kind": job.kind,
            "of_key": job.key,
            "due": job.due_at,
            "later": job.due_at + downtime.part_after(job.counts_from),
        }
        for job in running
    ]
    if moves:
        connection.execute(_MOVE, moves)


def _key_of(job: Job) -> dict[str, Any]:
    return {"of_kind": job.kind, "of_key": job.key}
