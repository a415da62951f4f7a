"""Reminders in memory."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from bot.features.reminders.pings import PingMode
from bot.tables.control_entries import CONTROL_ENTRY_PREFIX
from bot.tables.model import Status, StoredTable, TableId
from bot.tables.notifications import IGNORED_AFTER, LOST_AFTER, Reminder, ReminderStage
from tests.support.fake_pings import FakePings


class FakeReminders:
    """Decides about reminders as the port promises."""

    def __init__(self, records: Mapping[TableId, StoredTable], pings: FakePings) -> None:
        self.stored: dict[TableId, Reminder] = {}
        self._records = records
        self._pings = pings

    def unreminded(self, games: Collection[str], after: datetime, until: Mapping[int, datetime]) -> list[Reminder]:
        records = [record for record in self._records.values() if record.header.game in games]
        waiting = [reminder for record in records if (reminder := _is_waiting(record)) is not None]
        due = [each for each in waiting if after < each.since and each.table_id not in self.stored]
        wanted = [
            each for each in due if self._is_wanted(each, until) and not self._has_ping(each, max(until.values()))
        ]
        longest_first = sorted(wanted, key=lambda each: (each.since, each.table_id))
        return list({self._mover_of(each): each for each in reversed(longest_first)}.values())[::-1]

    def _mover_of(self, reminder: Reminder) -> int | None:
        return self._records[reminder.table_id].seats[reminder.seat].user_id

    def _has_ping(self, reminder: Reminder, now: datetime) -> bool:
        mover = self._mover_of(reminder)
        return any(self._mover_of(each) == mover and _is_ping(each, now) for each in self.stored.values())

    def _is_wanted(self, reminder: Reminder, until: Mapping[int, datetime]) -> bool:
        pings = self._pings.load(self._mover_of(reminder) or 0, reminder.table_id, reminder.location.guild_id)
        is_allowed = pings.may_mention or pings.choice.mode is PingMode.DIRECT
        is_due = pings.choice.delay in until and reminder.since <= until[pings.choice.delay]
        return is_due and is_allowed and pings.choice.mode is not PingMode.OFF

    def held(self, now: datetime) -> list[Reminder]:
        return [kept for kept in self.stored.values() if kept.send_at is not None and kept.send_at <= now]

    def channels(self, guild_id: int) -> list[int]:
        standing = [each.location for each in self.stored.values() if each.stands]
        return sorted({each.channel_id for each in standing if each.guild_id == guild_id})

    def forget(self, channel_id: int) -> None:
        gone = [each for each in self.stored.values() if each.location.channel_id == channel_id]
        self.stored |= {each.table_id: replace(each, message_id=None, send_at=None, stands=False) for each in gone}

    def release(self, reminder: Reminder) -> bool:
        kept = self.stored.get(reminder.table_id)
        if kept is None or (kept.since, kept.send_at) != (reminder.since, reminder.send_at):
            return False
        self.stored[reminder.table_id] = replace(kept, send_at=None, noted_at=reminder.noted_at)
        return True

    def note(self, reminder: Reminder) -> bool:
        waiting = _is_waiting(self._records[reminder.table_id])
        kept = self.stored.get(reminder.table_id)
        is_same = kept is not None and kept.stands and (kept.stage, kept.since) == (reminder.stage, reminder.since)
        if is_same or waiting is None or (kept is not None and reminder.stage is ReminderStage.TURN):
            return False
        if (waiting.seat, waiting.since) != (reminder.seat, reminder.since):
            return False
        is_ping = reminder.stage is ReminderStage.TURN
        if is_ping and (reminder.noted_at is None or self._has_ping(reminder, reminder.noted_at)):
            return False
        self.stored[reminder.table_id] = reminder
        return True

    def keep(self, reminder: Reminder) -> bool:
        kept = self.stored.get(reminder.table_id)
        if kept is None or (kept.since, kept.stage) != (reminder.since, reminder.stage) or not kept.stands:
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
        elif kept.stage is reminder.stage:
            self.stored[reminder.table_id] = _is_gone(kept)

    def _has_acted(self, kept: Reminder) -> bool:
        header = self._records[kept.table_id].header
        if kept.stands and kept.stage is ReminderStage.TIME_UP and not header.clock.is_up:
            return True
        heard = header.awaited_since != kept.since
        return heard and (kept.stands or self._is_over(kept))

    def _is_over(self, kept: Reminder) -> bool:
        record = self._records[kept.table_id]
        waiting = _is_waiting(record)
        later = [entry for entry in record.entries if entry.step > kept.step and entry.seat != kept.seat]
        passed_on = [
            entry for entry in later if not entry.text.startswith(CONTROL_ENTRY_PREFIX) or entry.text == "!undo"
        ]
        return waiting is None or waiting.seat != kept.seat or bool(passed_on)


def _is_ping(kept: Reminder, now: datetime) -> bool:
    is_known = kept.message_id is not None or kept.send_at is not None
    if kept.noted_at is None or kept.noted_at <= now - IGNORED_AFTER:
        return False
    is_on_its_way = kept.noted_at > now - LOST_AFTER
    return kept.stands and kept.stage is not ReminderStage.TIME_UP and (is_known or is_on_its_way)


def _is_gone(kept: Reminder) -> Reminder:
    return replace(kept, message_id=None, channel_id=None, send_at=None, stands=False)


def _is_waiting(record: StoredTable) -> Reminder | None:
    header = record.header
    is_public = header.location.guild_id is not None and header.location.solo_id == 0
    if header.status is not Status.PLAYING or header.to_move is None or header.awaits_computer or not is_public:
        return None
    return Reminder(header.id, header.location, header.to_move, header.step, header.awaited_since)
