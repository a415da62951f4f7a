"""The query that every process asks again and again: whether it has anything to do."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select

from bot.features.invitations import storage as invitations
from bot.features.privacy import erasure
from bot.features.reminders import storage as reminders
from bot.platform.jobs import storage as jobs
from bot.platform.jobs.due_work import DueWork
from bot.platform.jobs.model import ShardRange
from bot.platform.jobs.shard_storage import select_served
from bot.platform.jobs.storage import notes

SELECT_DUE_WORK: Final = select(
    (reminders.SELECT_LAPSED.exists() | reminders.SELECT_DUE.exists() | reminders.SELECT_HELD.exists()).label(
        "reminders"
    ),
    invitations.SELECT_LAPSED.exists().label("invitations"),
    jobs.HAS_DUE.label("jobs"),
    select(notes.c.value).where(notes.c.key == erasure.CACHES_KEY).scalar_subquery().label("deletions"),
)


def look(
    connection: Connection,
    shards: ShardRange,
    games: Collection[str],
    after: datetime,
    until: Mapping[int, datetime],
    now: datetime,
) -> DueWork:
    """Return what is due at a time, in one query; the first arguments are those of `due_reminders`."""
    row = select_served(
        connection, shards, SELECT_DUE_WORK, reminders.due_values(games, after, until, 1) | {"now": now}
    ).one()
    return DueWork(bool(row.reminders), bool(row.invitations), bool(row.jobs), int(row.deletions or 0))
