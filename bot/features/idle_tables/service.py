"""Announces that idle tables will be closed, and closes them two days later."""

import contextlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.features.idle_tables import storage
from bot.features.idle_tables.messages import announce_closing
from bot.features.idle_tables.storage import CLOSING, Announcement
from bot.languages import speaking
from bot.platform.database.database import Database
from bot.platform.notices.notices import Notices, Work
from bot.platform.notices.sending import MessageSender
from bot.rules.refusals import Refusal
from bot.tables.aside import abandon, is_idle
from bot.tables.model import TableId
from bot.tables.publisher import RestoreTable
from bot.tables.refusals import Stale
from bot.tables.service import TableService

NOTICE_PERIOD: Final = timedelta(days=2)
"""The time between the announcement and the closing of an idle table."""

_NEVER: Final = timedelta(days=100 * 365)


class Announcements(Notices[Announcement]):
    """Announces and closes idle tables, with at most one announcement per idle period.

    The notice period starts when the announcement is stored, so downtime of the bot never shortens it.
    """

    outdated = (Refusal, Stale)

    def __init__(self, service: TableService, db: Database, sender: MessageSender, restore: RestoreTable) -> None:
        super().__init__(db, sender, CLOSING)
        self._service = service
        self._restore = restore
        self._limit = service.settings.idle_limits.abandon_after or _NEVER

    async def check(self) -> None:
        """Start one batch only: after a long outage, thousands of tables may be idle, and requests are limited."""
        await self._start_batch(set())

    async def _find_due(self, most: int) -> Sequence[Work]:
        """Return the work that is due: announced tables to close, and idle tables to announce."""
        games, shards, clock = self._service.games.keys(), self._db.shards, self._service.clock
        idle_since, announced_until = clock.ago(self._limit), clock.ago(NOTICE_PERIOD)
        announced = await self._db.read(storage.find_announced, shards, games, idle_since, announced_until, most)
        nearly_since = clock.ago(self._limit - NOTICE_PERIOD)
        unannounced = await self._db.read(storage.find_unannounced, shards, games, nearly_since, most)
        return [
            *((table_id, partial(self._close_table, table_id, idle_since)) for table_id in announced),
            *((table_id, partial(self._announce, table_id, nearly_since)) for table_id in unannounced),
        ]

    async def _close_table(self, table_id: TableId, idle_since: datetime) -> None:
        with contextlib.suppress(Stale):
            await abandon(self._service, table_id, idle_since)

    async def _announce(self, table_id: TableId, idle_since: datetime) -> None:
        # Another process may have posted the table again.
        header = (await self._service.reload(table_id)).header
        if is_idle(header, idle_since):
            channel_id, now = header.location.channel_id, self._service.clock()
            announcement = Announcement(table_id, channel_id, header.updated_at, noted_at=now)
            if await self._db.maintain(storage.claim, announcement):
                await self.send(announcement, self._post)

    async def _post(self, notice: Announcement) -> Announcement:
        closes_at = max(notice.since + self._limit, self._service.clock() + NOTICE_PERIOD)
        # The announcement links to the table's message, which somebody may have deleted.
        table = await self._restore(notice.table_id)
        location, opener_id = table.header.location, table.header.opener_id
        with speaking(await self._sender.languages.of_place(location, opener_id)):
            line = announce_closing(table, closes_at)
        return await self._sender.post(notice, line)

    async def _is_over(self, notice: Announcement) -> bool:
        return (await self._service.table(notice.table_id)).header.updated_at != notice.since
