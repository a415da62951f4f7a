"""Reminders in memory."""

from collections.abc import Collection, Mapping
from datetime import datetime

from bot.tables.control_entries import CONTROL_ENTRY_PREFIX
from bot.tables.model import Status, StoredTable, TableId
from bot.tables.notifications import Reminder
from bot.tables.preferences import Preferences


class FakeReminders:
    """Decides about reminders as the port promises."""

    def __init__(self, records: Mapping[TableId, StoredTable], chosen: Mapping[int, Preferences]) -> None:
        self.stored: dict[TableId, Reminder] = {}
        self._records = records
        self._chosen = chosen

    def unreminded(self, games: Collection[str], after: datetime, until: datetime) -> list[Reminder]:
        records = [record for record in self._records.values() if record.header.game in games]
        waiting = [reminder for record in records if (reminder := _is_waiting(record)) is not None]
        due = [each for each in waiting if after < each.since <= until and each.table_id not in self.stored]
        due = [each for each in due if self._chosen.get(each.location.scope_id, Preferences()).reminds]
        return sorted(due, key=lambda each: (each.since, each.table_id))

    def note(self, reminder: Reminder) -> bool:
        waiting = _is_waiting(self._records[reminder.table_id])
        if reminder.table_id in self.stored or waiting is None:
            return False
        if (waiting.seat, waiting.since) != (reminder.seat, reminder.since):
            return False
        self.stored[reminder.table_id] = reminder
        return True

    def keep(self, reminder: Reminder) -> bool:
        kept = self.stored.get(reminder.table_id)
        if kept is None or kept.since != reminder.since or not kept.stands:
            return False
        self.stored[reminder.table_id] = reminder
        return True

    def lapsed(self) -> list[Reminder]:
        return [kept for _, kept in sorted(self.stored.items()) if self._has_acted(kept)]

    def close(self, reminder: Reminder) -> None:
        kept = self.stored.get(reminder.table_id)
        if kept is None or kept.since != reminder.since:
            return
        if self._is_over(kept):
            del self.stored[reminder.table_id]
        else:
            self.stored[reminder.table_id] = _is_gone(kept)

    def _has_acted(self, kept: Reminder) -> bool:
        heard = self._records[kept.table_id].header.awaited_since != kept.since
        return heard and (kept.stands or self._is_over(kept))

    def _is_over(self, kept: Reminder) -> bool:
        record = self._records[kept.table_id]
        waiting = _is_waiting(record)
        later = [entry for entry in record.entries if entry.step > kept.step and entry.seat != kept.seat]
        passed_on = [
            entry for entry in later if not entry.text.startswith(CONTROL_ENTRY_PREFIX) or entry.text == "!undo"
        ]
        return waiting is None or waiting.seat != kept.seat or bool(passed_on)


def _is_gone(kept: Reminder) -> Reminder:
    return Reminder(
        kept.table_id, kept.location, kept.seat, kept.step, kept.since, kept.noted_at, message_id=None, stands=False
    )


def _is_waiting(record: StoredTable) -> Reminder | None:
    header = record.header
    is_public = header.location.guild_id is not None and header.location.solo_id == 0
    if header.status is not Status.PLAYING or header.to_move is None or header.awaits_computer or not is_public:
        return None
    return Reminder(header.id, header.location, header.to_move, header.step, header.awaited_since)
