"""The tables of the store in memory, and its transactions."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.rules.lesson import CONTRIBUTION
from bot.tables.model import (
    NEVER_SHOWN,
    AsideTable,
    Award,
    Header,
    Occupant,
    PublishedRevision,
    Status,
    StoredTable,
    TableId,
    TableUpdate,
)
from bot.tables.ports import AlreadyContinued, ChannelTaken, Conflict, TooManyTables
from bot.tables.rows import changed_table_values, moved_table_values
from tests.support.fake_archive import FakeArchive
from tests.support.fake_badges import FakeBadges


class InMemoryTables(FakeArchive, FakeBadges):
    """Tables with their entries and results; each change is atomic."""

    def __init__(self) -> None:
        FakeArchive.__init__(self)
        FakeBadges.__init__(self)
        self.records: dict[TableId, StoredTable] = {}

    def header(self, table_id: TableId) -> Header:
        """Return the header that is kept."""
        return self.records[table_id].header

    def texts(self, table_id: TableId) -> list[str]:
        """Return the moves that are kept."""
        return [entry.text for entry in self.records[table_id].entries]

    def tamper(self, table_id: TableId, change: Callable[[StoredTable], StoredTable]) -> None:
        """Change the stored rows directly."""
        self.records[table_id] = change(self.records[table_id])

    def _open(self, header: Header, seats: Sequence[Occupant], most: int | None) -> Header:
        continued = self._find_same_part_of_series(header)
        if continued is not None:
            raise AlreadyContinued(continued)
        taken = self._open_in(header.location.channel_id, header.location.solo_id)
        is_lesson = any(who.contribution == CONTRIBUTION for who in seats)
        own = self._opened(header.opener_id, header.location.guild_id, is_lesson=is_lesson)
        may_open = taken is None or self.header(taken).status.is_unfinished
        if may_open and most is not None and sum(each != taken for each in own) >= most:
            raise TooManyTables
        if taken is not None and header.status.is_open:
            raise ChannelTaken(taken)
        header = replace(header, id=len(self.records) + 1)
        self.records[header.id] = StoredTable(header, tuple(seats), ())
        return header

    def _count_opened(self, opener_id: int, guild_id: int | None) -> int:
        return len(self._opened(opener_id, guild_id, is_lesson=False))

    def _opened(self, opener_id: int, guild_id: int | None, *, is_lesson: bool) -> list[TableId]:
        """Return someone's open tables in a server, or their open lessons."""
        return [
            record.header.id
            for record in self.records.values()
            if record.header.status.is_open
            and (record.header.opener_id, record.header.location.guild_id) == (opener_id, guild_id)
            and is_lesson == any(who.contribution == CONTRIBUTION for who in record.seats)
        ]

    def _find_same_part_of_series(self, header: Header) -> TableId | None:
        """Return the table that is the same part of a series."""
        link = header.link and replace(header.link, carried=())
        gone = (Status.CANCELLED, Status.EXPIRED, Status.ABANDONED)
        others = [record.header for record in self.records.values() if record.header.status not in gone]
        same = (each.id for each in others if each.link is not None and replace(each.link, carried=()) == link)
        return next(same, None)

    def _open_in(self, channel_id: int, solo_id: int) -> TableId | None:
        headers = (record.header for record in self.records.values() if record.header.status.is_open)
        there = (channel_id, solo_id)
        return next((h.id for h in headers if (h.location.channel_id, h.location.solo_id) == there), None)

    def _aside_in(self, channel_id: int) -> list[AsideTable]:
        records = [record for record in self.records.values() if record.header.status.is_aside]
        return [
            AsideTable(
                record.header.id,
                record.header.game,
                tuple(who.name for who in record.seats),
                frozenset(who.user_id for who in record.seats if who.user_id is not None),
                record.header.updated_at,
            )
            for record in sorted(records, key=lambda record: record.header.id, reverse=True)
            if record.header.location.channel_id == channel_id
        ]

    def _open_at(self, scope_id: int) -> list[TableId]:
        headers = [record.header for record in self.records.values() if record.header.status.is_open]
        return sorted((header.id for header in headers if header.location.scope_id == scope_id), reverse=True)

    def _newest_in(self, channel_id: int, solo_ids: set[int]) -> TableId | None:
        headers = (record.header for record in self.records.values())
        places = ((h.id, h.location) for h in headers)
        return max((id_ for id_, at in places if at.channel_id == channel_id and at.solo_id in solo_ids), default=None)

    def message_of(self, table_id: TableId) -> int | None:
        """Return the message that shows a table; of one that is only a result there is none."""
        record = self.records.get(table_id)
        return None if record is None else record.header.message_id

    def _save(self, change: TableUpdate) -> tuple[Award, ...]:
        header, entry = change.header, change.entry
        old = self.records.get(header.id)
        if old is None or old.header.revision != header.revision - 1:
            raise Conflict(header.id)
        if entry is not None and entry.step in {kept.step for kept in old.entries}:
            raise Conflict(header.id)
        if {(kept.table_id, kept.seat) for kept in self.results} & {(new.table_id, new.seat) for new in change.results}:
            raise Conflict(header.id)
        taken = self._open_in(old.header.location.channel_id, old.header.location.solo_id)
        if header.status.is_open and taken not in (None, header.id):
            raise ChannelTaken(taken or 0)
        if entry is not None and header.status is Status.PLAYING:
            _require_moved_columns(old.header, header)
        self.results.extend(change.results)
        fixed = {
            name: getattr(old.header, name)
            for name in ("game", "version", "location", "seed", "created_at", "published", "message_id", "link")
        }
        awards = self.award(change)
        self.records[header.id] = StoredTable(
            replace(header, **fixed),
            old.seats if change.seats is None else tuple(change.seats),
            old.entries if entry is None else (*old.entries, entry),
            awards,
        )
        return awards

    def _mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        for note in shown:
            record = self.records.get(note.table_id)
            if record is None:
                continue
            header, before = record.header, record.header.published
            if before <= note.revision:
                header = replace(header, published=note.revision, message_id=note.message_id)
            is_same = before == note.revision >= header.revision
            if note.replaces is not None and before != note.replaces and not is_same:
                header = replace(header, published=NEVER_SHOWN)
            self.records[note.table_id] = replace(record, header=header)

    def _idle_lobbies(self, since: datetime, after_id: TableId) -> list[TableId]:
        headers = [record.header for record in self.records.values() if record.header.status is Status.LOBBY]
        return sorted(header.id for header in headers if header.updated_at <= since and header.id > after_id)

    def _unsettled(self, games: Collection[str], after_id: TableId) -> list[TableId]:
        waiting = [record.header for record in self.records.values() if _is_unsettled(record)]
        return sorted(header.id for header in waiting if header.game in games and header.id > after_id)

    def _open_games(self) -> Mapping[str, int]:
        return Counter(record.header.game for record in self.records.values() if record.header.status.is_open)


def _is_unsettled(record: StoredTable) -> bool:
    return record.header.published < record.header.revision or record.header.awaits_computer


def _require_moved_columns(before: Header, after: Header) -> None:
    """Require that an entry of a game that goes on changes nothing that is not written with it."""
    old, new = changed_table_values(before), changed_table_values(after)
    changed = {name for name in new if new[name] != old.get(name, new[name])}
    assert changed <= moved_table_values(after).keys(), changed
