"""The query that every process asks again and again: whether it has anything to do."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import select

from bot.store.queries import erasure, invitations, jobs, reminders
from bot.store.queries.shards import ServedConnection
from bot.store.schema import notes
from bot.tables.due_work import DueWork

SELECT_DUE_WORK: Final = select(
    (reminders.SELECT_LAPSED.exists() | reminders.SELECT_DUE.exists() | reminders.SELECT_HELD.exists()).label(
        "reminders"
    ),
    invitations.SELECT_LAPSED.exists().label("invitations"),
    jobs.HAS_DUE.label("jobs"),
    select(notes.c.value).where(notes.c.key == erasure.CACHES_KEY).scalar_subquery().label("deletions"),
)


def look(
    served: ServedConnection, games: Collection[str], after: datetime, until: Mapping[int, datetime], now: datetime
) -> DueWork:
    """Return what a process has to do now."""
    row = served.select(SELECT_DUE_WORK, reminders.due_values(games, after, until, 1) | {"now": now}).one()
    return DueWork(bool(row.reminders), bool(row.invitations), bool(row.jobs), int(row.deletions or 0))
