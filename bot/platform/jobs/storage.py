"""Queries for jobs."""

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
from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.places import ShardRange


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is due at a time."""

    kind: str
    """The kind of job, which names its handler."""
    key: str
    """The subject of the job; a kind has one job per key."""
    due_at: datetime
    counts_from: datetime | None = None
    """The start of a time limit that downtime extends, such as a person's deadline; None for other jobs."""
    guild_id: int | None = None
    """The server whose process does the job, 0 for direct messages; None for any process."""


# The primary key and `claimed_until` decide which of two processes does a job.
jobs = rowless_table(
    "jobs",
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("due_at", UtcDateTime, nullable=False),
    # The time until which a process has claimed the job; afterwards another process may claim it.
    Column("claimed_until", UtcDateTime),
    # The server whose process does the job, 0 for direct messages; NULL for any process.
    Column("guild_id", BigInteger),
    # The start of a time limit that downtime extends; NULL for other jobs.
    Column("counts_from", UtcDateTime),
    Index("jobs_due", "due_at"),
)

_IS_JOB: Final = (jobs.c.kind == bindparam("of_kind"), jobs.c.key == bindparam("of_key"))
_IS_FREE: Final = or_(jobs.c.claimed_until.is_(None), jobs.c.claimed_until <= bindparam("now"))
# An expression keeps SQLite from reading all jobs of the kinds instead of the due ones.
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
    """Store a job, replacing the one with the same kind and key."""
    if not add(connection, job):
        connection.execute(_REPLACE, _key_of(job) | {"due": job.due_at, "since": job.counts_from})


def put_unless_claimed(connection: Connection, job: Job, now: datetime) -> None:
    """Store a job, replacing the one with the same kind and key, unless a process is doing that one."""
    if not add(connection, job):
        connection.execute(
            _REPLACE.where(_IS_FREE), _key_of(job) | {"due": job.due_at, "since": job.counts_from, "now": now}
        )


def add(connection: Connection, job: Job) -> bool:
    """Store a job, unless there is one with the same kind and key; return whether it was stored."""
    return try_insert(connection, _INSERT, asdict(job))


def remove(connection: Connection, kind: str, keys: Collection[str]) -> None:
    """Delete existing jobs of a kind with the given keys."""
    connection.execute(_DELETE_SEVERAL, {"of_kind": kind, "of_keys": list(keys)})


def claim(
    connection: Connection, shards: ShardRange, kinds: Collection[str], now: datetime, until: datetime, limit: int
) -> Sequence[Job]:
    """Claim due, unclaimed jobs until a time, the longest due first.

    Leave out jobs of servers that other processes serve.
    """
    found = select_served(connection, shards, SELECT_DUE, {"now": now, "kinds": sorted(kinds), "limit": limit})
    due = [Job(row.kind, row.key, row.due_at, row.counts_from, row.guild_id) for row in found]
    return [
        job
        for job in due
        if connection.execute(_CLAIM, _key_of(job) | {"now": now, "due": job.due_at, "until": until}).rowcount
    ]


def prolong(connection: Connection, job: Job, since: Collection[datetime], until: datetime) -> bool:
    """Prolong the claim of a job; return False if the job was rescheduled, cancelled or claimed again.

    Args:
        job: The job.
        since: The possible current ends of the claim.
        until: The new end.
    """
    key = _key_of(job) | {"due": job.due_at, "of_claims": sorted(since), "until": until}
    return connection.execute(_PROLONG, key).rowcount > 0


def finish(connection: Connection, job: Job, next_due: datetime | None) -> None:
    """Delete a job or make it due again, unless it was rescheduled or cancelled meanwhile."""
    key = _key_of(job) | {"due": job.due_at}
    if next_due is None:
        connection.execute(_DELETE.where(jobs.c.due_at == bindparam("due")), key)
    else:
        connection.execute(_MOVE, key | {"later": next_due})


def add_downtime(connection: Connection, downtime: Downtime) -> None:
    """Extend deadlines in the servers of a downtime's shards by the part of the downtime after their start."""
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
