"""Archives the threads that the bot has opened, some time after their last table is over.

A job per thread does it, which the save that ends a table stores, and a command that opens another table in the thread.
Whether it is still wanted is decided when it is due.
"""

import logging
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, exists, select

from bot.features.settings.all_settings import ARCHIVE
from bot.features.settings.service import SettingsCache
from bot.platform.discord.channels import edit_thread
from bot.platform.discord.errors import DeliveryFailed
from bot.platform.discord.http import NETWORK_ERRORS, MessageClient, classify_error
from bot.platform.jobs.storage import Job, put
from bot.tables.events import TableEvent
from bot.tables.schema import HAS_PLACE, tables
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

ARCHIVE_KIND: Final = "thread"
"""The kind of the jobs, whose keys are ids of threads."""

_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)

_LOOK_AGAIN_AFTER: Final = timedelta(minutes=15)
"""The wait while another table of the thread is open, whose end perhaps stores no job."""

_IN_THREAD: Final = tables.c.channel_id == bindparam("thread")
SELECT_NEWEST: Final = (
    select(
        tables.c.updated_at,
        (tables.c.published < tables.c.revision).label("is_unshown"),
        exists().where(_IN_THREAD, HAS_PLACE).label("is_played"),
    )
    .where(_IN_THREAD)
    .order_by(tables.c.updated_at.desc())
    .limit(1)
)


SELECT_OWN: Final = select(tables.c.id).where(_IN_THREAD, tables.c.is_own_thread).limit(1)


class _Newest(NamedTuple):
    """The table of a thread that has changed last."""

    changed_at: datetime
    is_unshown: bool
    """Whether its message still has to show its end."""
    is_played: bool
    """Whether any table of the thread is open."""


def schedule(connection: Connection, event: TableEvent) -> Table:
    """Store the job that archives the thread of a table that is over."""
    header = event.after.header
    if header.location.is_own_thread:
        thread_id, guild_id = str(header.location.channel_id), header.location.guild_id or 0
        put(connection, Job(ARCHIVE_KIND, thread_id, header.updated_at, guild_id=guild_id))
    return event.after


def schedule_again(connection: Connection, thread_id: int, guild_id: int, now: datetime) -> None:
    """Store the job again for a thread in which a table is about to be opened, if it was opened for an earlier one."""
    if connection.execute(SELECT_OWN, {"thread": thread_id}).first() is not None:
        put(connection, Job(ARCHIVE_KIND, str(thread_id), now + _LOOK_AGAIN_AFTER, guild_id=guild_id))


def find_newest(connection: Connection, thread_id: int) -> _Newest | None:
    """Return the table of a thread that has changed last; None if its data was deleted."""
    row = connection.execute(SELECT_NEWEST, {"thread": thread_id}).one_or_none()
    return None if row is None else _Newest(row.updated_at, bool(row.is_unshown), bool(row.is_played))


class ThreadArchive:
    """Does the jobs."""

    def __init__(self, service: TableService, settings: SettingsCache, message_client: MessageClient) -> None:
        self._service = service
        self._settings = settings
        self._message_client = message_client

    async def run(self, job: Job) -> datetime | None:
        """Archive a thread if that is due; return when it is due otherwise."""
        delay = (await self._settings.get(job.guild_id or 0)).get(ARCHIVE).delay
        newest = await self._service.db.read(find_newest, int(job.key))
        if delay is None or newest is None:
            return None
        now = self._service.clock()
        if newest.is_played:
            return now + _LOOK_AGAIN_AFTER
        if now < newest.changed_at + delay:
            return newest.changed_at + delay
        if newest.is_unshown or (client := self._message_client.client) is None:
            # Nothing in an archived thread can be edited.
            return now + _TRY_AGAIN_AFTER
        try:
            await edit_thread(client, int(job.key), archived=True)
        except NETWORK_ERRORS as fault:
            failure = classify_error(fault)
            log.info("thread %s is not archived: %s", job.key, failure)
            return now + _TRY_AGAIN_AFTER if isinstance(failure, DeliveryFailed) else None
        return None
