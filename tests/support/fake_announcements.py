"""Announcements in memory."""

from collections.abc import Collection, Mapping
from datetime import datetime

from bot.rules.lesson import CONTRIBUTION
from bot.tables.model import StoredTable, TableId
from bot.tables.notifications import Announcement


class FakeAnnouncements:
    """Decides about announcements as the port promises."""

    def __init__(self, records: Mapping[TableId, StoredTable]) -> None:
        self.stored: dict[TableId, Announcement] = {}
        self._records = records

    def unannounced(self, games: Collection[str], since: datetime) -> list[TableId]:
        idle = self._idle_tables(games, since)
        return [table_id for table_id in idle if not (self._is_posted(table_id) or self._is_lesson(table_id))]

    def announced(self, games: Collection[str], since: datetime, noted_until: datetime) -> list[TableId]:
        silent = self._idle_tables(games, since)
        announced = {each for each in silent if self._is_posted(each) and self.stored[each].noted_at <= noted_until}
        return [each for each in silent if each in announced or self._is_lesson(each)]

    def note(self, announcement: Announcement) -> bool:
        header = self._records[announcement.table_id].header
        if self._is_posted(header.id) or not header.status.is_unfinished or header.updated_at != announcement.since:
            return False
        self.stored[header.id] = announcement
        return True

    def keep(self, announcement: Announcement) -> bool:
        kept = self.stored.get(announcement.table_id)
        if kept is None or kept.since != announcement.since:
            return False
        self.stored[announcement.table_id] = announcement
        return True

    def forget(self, announcement: Announcement) -> None:
        kept = self.stored.get(announcement.table_id)
        if kept is not None and kept.since == announcement.since:
            del self.stored[announcement.table_id]

    def lapsed(self) -> list[Announcement]:
        headers = ((kept, self._records[table_id].header) for table_id, kept in sorted(self.stored.items()))
        return [kept for kept, now in headers if kept.since != now.updated_at or not now.status.is_unfinished]

    def _idle_tables(self, games: Collection[str], since: datetime) -> list[TableId]:
        headers = [record.header for record in self._records.values() if record.header.game in games]
        silent = [header for header in headers if header.status.is_unfinished and header.updated_at <= since]
        return [header.id for header in sorted(silent, key=lambda header: (header.updated_at, header.id))]

    def _is_lesson(self, table_id: TableId) -> bool:
        return any(who.contribution == CONTRIBUTION for who in self._records[table_id].seats)

    def _is_posted(self, table_id: TableId) -> bool:
        kept = self.stored.get(table_id)
        return kept is not None and kept.since == self._records[table_id].header.updated_at
