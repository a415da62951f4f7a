"""Closes tables at which nobody has played for very long, after their channels were told."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, Protocol

from bot.rules.refusals import Refusal
from bot.tables.actions.idle import ANNOUNCED_BEFORE, is_silent
from bot.tables.model import Announcement, TableId
from bot.tables.ports import AnnouncementBook, StoreUnavailable
from bot.tables.refusals import Stale
from bot.tables.runtime.publisher import NotShown, OutOfReach
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

_LIMIT: Final = 50


class Herald(Protocol):
    """How a channel is told that a table will be closed; nobody is mentioned."""

    async def announce(self, table: Table, closes_at: datetime) -> int:
        """Say it where the table stands and return the id of the message; raises OutOfReach and NotShown."""
        ...

    async def withdraw(self, announcement: Announcement) -> None:
        """Delete the message of an announcement, if it is still there and can be deleted; raises NotShown."""
        ...


class Announcements:
    """Announces silent tables and closes them, at most one announcement for each silence.

    That a table is announced is written down first: whatever goes wrong in between, no channel is told twice. The time
    until it is closed is counted from there, so that people have all of it even if the bot was away.
    """

    def __init__(self, service: TableService, book: AnnouncementBook, herald: Herald) -> None:
        self._service = service
        self._book = book
        self._herald = herald
        self._tasks = TaskSet("announcement")

    async def check(self) -> None:
        """Take lapsed announcements away, announce what is due and close what was announced: a few at a time."""
        for announcement in await self._book.lapsed_announcements(_LIMIT):
            self._start(announcement.table_id, partial(self._end, announcement))
        limit = self._service.limits.abandoned
        if limit is None:
            return
        games, clock = self._service.games.keys(), self._service.clock
        silent_since, announced_until = clock.ago(limit), clock.ago(ANNOUNCED_BEFORE)
        for table_id in await self._book.announced(games, silent_since, announced_until, _LIMIT):
            self._start(table_id, partial(self._service.abandon, table_id, silent_since))
        for table_id in await self._book.unannounced(games, clock.ago(limit - ANNOUNCED_BEFORE), _LIMIT):
            self._start(table_id, partial(self._announce, table_id))

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is being sent, or stop it after some seconds."""
        await self._tasks.close(seconds)

    def _start(self, table_id: TableId, work: Callable[[], Awaitable[object]]) -> None:
        self._tasks.start(table_id, self._quietly(table_id, work))

    async def _quietly(self, table_id: TableId, work: Callable[[], Awaitable[object]]) -> None:
        """Do what is tried again at the next check, unless it has become needless."""
        try:
            await work()
        except (OutOfReach, NotShown, StoreUnavailable) as fault:
            log.info("the announcement of table %s is left as it is: %s", table_id, fault)
        except (Refusal, Stale) as fault:
            log.debug("nothing becomes of the silence of table %s: %s", table_id, fault)

    async def _announce(self, table_id: TableId) -> None:
        limit = self._service.limits.abandoned
        # Another process may have shown or changed it, and the message links to it.
        table = await self._service.reread(table_id)
        clock = self._service.clock
        if limit is None or not is_silent(table.header, clock.ago(limit - ANNOUNCED_BEFORE)):
            return
        header, now = table.header, clock()
        announcement = Announcement(table_id, header.place, since=header.updated_at, noted_at=now)
        if not await self._book.note_announcement(announcement):
            return
        closes_at = max(header.updated_at + limit, now + ANNOUNCED_BEFORE)
        try:
            message_id = await self._herald.announce(table, closes_at)
        except NotShown:
            # Discord's library has tried for long: nobody was told, so that it is to be tried again.
            await self._book.forget_announcement(announcement)
            raise
        announcement = replace(announcement, message_id=message_id)
        if not await self._book.keep_announcement(announcement):
            await self._herald.withdraw(announcement)

    async def _end(self, announcement: Announcement) -> None:
        if announcement.message_id is not None:
            await self._herald.withdraw(announcement)
        await self._book.forget_announcement(announcement)
