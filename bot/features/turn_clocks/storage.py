"""Queries for turn clocks."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, select

from bot.platform.jobs.model import Job, ShardRange
from bot.platform.jobs.shard_storage import is_served, select_served
from bot.platform.jobs.storage import jobs, put
from bot.tables.events import TableEvent
from bot.tables.model import HALF_TIME, TIME_UP, TableId
from bot.tables.table import Table

SELECT_RUNNING: Final = (
    select(jobs.c.key).where(jobs.c.kind == TIME_UP, is_served(jobs.c.guild_id)).order_by(jobs.c.key)
)


def schedule(connection: Connection, event: TableEvent) -> Table:
    """Write what is due when the time of a turn passes that has just begun."""
    header = event.after.header
    clock, key = header.clock, str(header.id)
    if clock.ends_at is None or clock.limit.time is None:
        return event.after
    half_at = clock.ends_at - clock.limit.time / 2
    for kind, due_at in ((HALF_TIME, half_at), (TIME_UP, clock.ends_at)):
        put(
            connection,
            Job(
                kind, key, due_at, counts_from=clock.ends_at - clock.limit.time, guild_id=header.location.guild_id or 0
            ),
        )
    return event.after


def find_running(connection: Connection, shards: ShardRange) -> Sequence[TableId]:
    """Return the tables of shards whose time has not been called, by their jobs: some may not be timed any more."""
    return [int(key) for key in select_served(connection, shards, SELECT_RUNNING, {}).scalars()]
