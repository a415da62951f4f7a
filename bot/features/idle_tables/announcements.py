"""Announces that idle tables will be closed, and closes them two days later."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Protocol

from bot.features.idle_tables import storage
from bot.platform.database.database import Database
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal
from bot.tables.aside import is_idle
from bot.tables.delivery import MessageRemover, RestoreTable
from bot.tables.model import TableId
from bot.tables.notifications import Announcement
from bot.tables.refusals import Stale
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

_BATCH_SIZE: Final = 50

NOTICE_PERIOD: Final = timedelta(days=2)
"""How long before its closing an idle table is announced."""


class AnnouncementSender(MessageRemover, Protocol):
    """Posts announcements, which mention no users."""

    async def announce(self, table: Table, closes_at: datetime) -> int:
        """Post an announcement in the table's channel and return the message's id.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: Sending failed for now.
        """


class Announcements:
    """Announces and closes idle tables, with at most one announcement per idle period.

    An announcement is stored before it is sent, so that no failure in between can lead to a second one. The notice
    period starts then, so that time when the bot was offline never shortens it.
    """

    def __init__(self, service: TableService, db: Database, sender: AnnouncementSender, restore: RestoreTable) -> None:
        self._service = service
        self._restore = restore
        self._db = db
        self._sender = sender
        self.tasks = TaskSet("announcement")

    async def check(self) -> None:
        """Start a batch of work: delete lapsed announcements, close announced tables, announce idle ones."""
        for announcement in await self._db.read(storage.find_lapsed, self._db.shards, _BATCH_SIZE):
            self._start(announcement.table_id, partial(self._remove, announcement))
        limit = self._service.settings.idle_limits.abandon_after
        if limit is None:
            return
        games, clock = self._service.games.keys(), self._service.clock
        idle_since, announced_until = clock.ago(limit), clock.ago(NOTICE_PERIOD)
        for table_id in await self._db.read(
            storage.find_announced, self._db.shards, games, idle_since, announced_until, _BATCH_SIZE
        ):
            self._start(table_id, partial(self._service.abandon, table_id, idle_since))
        for table_id in await self._db.read(
            storage.find_unannounced, self._db.shards, games, clock.ago(limit - NOTICE_PERIOD), _BATCH_SIZE
        ):
            self._start(table_id, partial(self._announce, table_id))

    async def close(self, seconds: float | None = None) -> None:
        """Finish running work; after some seconds, cancel it."""
        await self.tasks.close(seconds)

    def _start(self, table_id: TableId, work: Callable[[], Awaitable[object]]) -> None:
        self.tasks.start(table_id, self._run_best_effort(table_id, work))

    async def _run_best_effort(self, table_id: TableId, work: Callable[[], Awaitable[object]]) -> None:
        """Run work that the next check repeats if it fails."""
        try:
            await work()
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("the announcement of table %s was not sent or deleted: %s", table_id, fault)
        except (Refusal, Stale) as fault:
            log.debug("table %s is no longer idle: %s", table_id, fault)

    async def _announce(self, table_id: TableId) -> None:
        limit = self._service.settings.idle_limits.abandon_after
        # Another process may have posted the table anew.
        table = await self._service.reload(table_id)
        clock = self._service.clock
        if limit is None or not is_idle(table.header, clock.ago(limit - NOTICE_PERIOD)):
            return
        header, now = table.header, clock()
        announcement = Announcement(table_id, header.location, since=header.updated_at, noted_at=now)
        if not await self._db.maintain(storage.claim, announcement):
            return
        closes_at = max(header.updated_at + limit, now + NOTICE_PERIOD)
        try:
            # The announcement links to the table's message, which somebody may have deleted.
            message_id = await self._sender.announce(await self._restore(table_id), closes_at)
        except DeliveryFailed:
            # discord.py has retried already and nothing was sent, so the next check tries again.
            await self._db.maintain(storage.remove, announcement)
            raise
        announcement = replace(announcement, message_id=message_id)
        if not await self._db.maintain(storage.set_message, announcement):
            await self._sender.remove(announcement)

    async def _remove(self, announcement: Announcement) -> None:
        if announcement.message_id is not None:
            await self._sender.remove(announcement)
        await self._db.maintain(storage.remove, announcement)
