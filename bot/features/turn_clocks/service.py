"""Turn clocks: a reminder at half time, and a question to the other players when the time is up."""

import contextlib
import logging
from collections.abc import Awaitable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, select

from bot.features.reminders.service import Reminders
from bot.platform.clock import Downtime
from bot.platform.database.database import Database
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.jobs.storage import Job, jobs, put
from bot.platform.places import ShardRange
from bot.rules.refusals import Refusal
from bot.tables.clocks import is_due
from bot.tables.events import TableEvent
from bot.tables.model import HALF_TIME, TIME_UP, TableId
from bot.tables.refusals import Stale
from bot.tables.service import TableService
from bot.tables.table import Table

SELECT_RUNNING: Final = (
    select(jobs.c.key).where(jobs.c.kind == TIME_UP, is_served(jobs.c.guild_id)).order_by(jobs.c.key)
)


def schedule(connection: Connection, event: TableEvent) -> Table:
    """Schedule the jobs of a turn that has just begun."""
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
    """Return the tables of shards whose time is not up, according to their jobs; some may no longer have a clock."""
    return [int(key) for key in select_served(connection, shards, SELECT_RUNNING, {}).scalars()]


log = logging.getLogger(__name__)

_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)


class TurnClocks:
    """Handles the jobs of turn clocks.

    The jobs are stored with the change that starts a clock. A job of an earlier turn does nothing, because the present
    clock ends later. Every job may be repeated. No job removes a player from a table.
    """

    def __init__(self, service: TableService, db: Database, reminders: Reminders) -> None:
        self._service = service
        self._db = db
        self._reminders = reminders

    async def pass_half_time(self, table_id: TableId, due_at: datetime) -> datetime | None:
        """Remind the player to move that half the time has passed; if that fails, return when to try again."""
        with contextlib.suppress(Refusal):
            table = await self._service.reload(table_id)
            half = (table.header.clock.limit.time or timedelta()) / 2
            if is_due(table, due_at + half) and not table.header.clock.is_up:
                return await self._tell(table_id, self._reminders.remind_at_half_time(table))
        return None

    async def end_time(self, table_id: TableId, due_at: datetime) -> datetime | None:
        """Store that the time is up, and ask the other players; if that fails, return when to try again."""
        with contextlib.suppress(Refusal):
            with contextlib.suppress(Stale):
                await self._service.call_time(table_id, due_at)
            table = await self._service.reload(table_id)
            if is_due(table, due_at) and table.header.clock.is_up:
                return await self._tell(table_id, self._reminders.call_others(table))
        return None

    async def add_downtime(self, downtime: Downtime) -> None:
        """Show the later ends of all clocks that ran during a downtime; their jobs have already been moved."""
        for table_id in await self._db.read(find_running, downtime.shards):
            with contextlib.suppress(Refusal, Stale):
                await self._service.add_downtime(table_id, downtime)

    async def _tell(self, table_id: TableId, sending: Awaitable[None]) -> datetime | None:
        try:
            await sending
        except ChannelUnreachable as fault:
            log.info("the players of table %s could not be told about their clock: %s", table_id, fault)
        except DeliveryFailed as fault:
            # A message stored as sent is not sent again.
            log.info("the players of table %s could not be told about their clock yet: %s", table_id, fault)
            return self._service.clock() + _TRY_AGAIN_AFTER
        return None
