"""Closes tables at which nobody has played for very long, after their channels were told."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, Protocol

from bot.rules.refusals import Refusal
from bot.tables.actions.idle import NOTICE_PERIOD, is_idle
from bot.tables.model import TableId
from bot.tables.notifications import Announcement
from bot.tables.ports import AnnouncementStore, StoreUnavailable
from bot.tables.refusals import Stale
from bot.tables.runtime.publisher import ChannelUnreachable, DeliveryFailed
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

_BATCH_SIZE: Final = 50


class AnnouncementSender(Protocol):
    """How a channel is told that a table will be closed; nobody is mentioned."""

    async def announce(self, table: Table, closes_at: datetime) -> int:
        """Say it where the table stands and return the id of the message.

        Raises ChannelUnreachable and DeliveryFailed.
        """
        ...

    async def remove_announcement(self, announcement: Announcement) -> None:
        """Delete the message of an announcement, if it is still there and can be deleted; raises DeliveryFailed."""
        ...


class Announcements:
    """Announces silent tables and closes them, at most one announcement for each silence.

    That a table is announced is written down first: whatever goes wrong in between, no channel is told twice. The time
    until it is closed is counted from there, so that people have all of it even if the bot was away.
    """

    def __init__(self, service: TableService, book: AnnouncementStore, herald: AnnouncementSender) -> None:
        self._service = service
        self._store = book
        self._sender = herald
        self._tasks = TaskSet("announcement")

    async def check(self) -> None:
        """Take lapsed announcements away, announce what is due and close what was announced: a few at a time."""
        for announcement in await self._store.lapsed_announcements(_BATCH_SIZE):
            self._start(announcement.table_id, partial(self._remove, announcement))
        limit = self._service.limits.abandon_after
        if limit is None:
            return
        games, clock = self._service.games.keys(), self._service.clock
        silent_since, announced_until = clock.ago(limit), clock.ago(NOTICE_PERIOD)
        for table_id in await self._store.tables_to_abandon(games, silent_since, announced_until, _BATCH_SIZE):
            self._start(table_id, partial(self._service.abandon, table_id, silent_since))
        for table_id in await self._store.tables_to_announce(games, clock.ago(limit - NOTICE_PERIOD), _BATCH_SIZE):
            self._start(table_id, partial(self._announce, table_id))

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is being sent, or stop it after some seconds."""
        await self._tasks.close(seconds)

    def _start(self, table_id: TableId, work: Callable[[], Awaitable[object]]) -> None:
        self._tasks.start(table_id, self._run_best_effort(table_id, work))

    async def _run_best_effort(self, table_id: TableId, work: Callable[[], Awaitable[object]]) -> None:
        """Do what is tried again at the next check, unless it has become needless."""
        try:
            await work()
        except (ChannelUnreachable, DeliveryFailed, StoreUnavailable) as fault:
            log.info("the announcement of table %s is left as it is: %s", table_id, fault)
        except (Refusal, Stale) as fault:
            log.debug("nothing becomes of the silence of table %s: %s", table_id, fault)

    async def _announce(self, table_id: TableId) -> None:
        limit = self._service.limits.abandon_after
        # Another process may have shown or changed it, and the message links to it.
        table = await self._service.reload(table_id)
        clock = self._service.clock
        if limit is None or not is_idle(table.header, clock.ago(limit - NOTICE_PERIOD)):
            return
        header, now = table.header, clock()
        announcement = Announcement(table_id, header.place, since=header.updated_at, noted_at=now)
        if not await self._store.claim_announcement(announcement):
            return
        closes_at = max(header.updated_at + limit, now + NOTICE_PERIOD)
        try:
            message_id = await self._sender.announce(table, closes_at)
        except DeliveryFailed:
            # Discord's library has tried for long: nobody was told, so that it is to be tried again.
            await self._store.delete_announcement(announcement)
            raise
        announcement = replace(announcement, message_id=message_id)
        if not await self._store.set_announcement_message(announcement):
            await self._sender.remove_announcement(announcement)

    async def _remove(self, announcement: Announcement) -> None:
        if announcement.message_id is not None:
            await self._sender.remove_announcement(announcement)
        await self._store.delete_announcement(announcement)
