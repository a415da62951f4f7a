"""Live tables in memory, a bounded number of them, with what is shown of each."""

from collections import OrderedDict
from dataclasses import replace
from datetime import datetime

from bot.tables.model import Published, TableId
from bot.tables.table import Table

_SIZE = 1000


class TableCache:
    """Keeps the tables used last; notes of what is shown outlive a table's stay until they are written."""

    def __init__(self, size: int = _SIZE) -> None:
        self._size = size
        self._tables: OrderedDict[TableId, Table] = OrderedDict()
        self._unwritten: dict[TableId, Published] = {}

    def get(self, table_id: TableId) -> Table | None:
        """Return a table if it is here."""
        table = self._tables.get(table_id)
        if table is not None:
            self._tables.move_to_end(table_id)
        return table

    def keep(self, table: Table, noted: Published | None = None) -> Table:
        """Take a table in and return it with the newest note of what is shown.

        A table that was read from disk comes with the note from before the reading: it may have been written meanwhile.
        """
        older = self._tables.get(table.id)
        if older is not None:
            table = _shown(table, older.header.published, older.header.message_id)
        for note in (noted, self._unwritten.get(table.id)):
            # What another process has shown since is newer than an old note of this one.
            if note is not None and note.revision >= table.header.published:
                table = _shown(table, note.revision, note.message_id)
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        while len(self._tables) > self._size:
            self._tables.popitem(last=False)
        return table

    def forget(self, table_id: TableId) -> None:
        """Drop a table, so that it is read from disk the next time."""
        self._tables.pop(table_id, None)

    def note(self, shown: Published) -> None:
        """Note what is shown of a table."""
        self._unwritten[shown.table_id] = shown
        if table := self._tables.get(shown.table_id):
            self._tables[shown.table_id] = _shown(table, shown.revision, shown.message_id)

    def hear(self, table_id: TableId, now: datetime) -> None:
        """Note that whoever is to move at a table has been heard of, as long as it stays here."""
        if table := self._tables.get(table_id):
            self._tables[table_id] = replace(table, header=replace(table.header, awaited_since=now))

    def noted(self, table_id: TableId) -> Published | None:
        """Return the note of what is shown of a table, if it is not on disk."""
        return self._unwritten.get(table_id)

    def unwritten(self) -> list[Published]:
        """Return the notes that are not on disk."""
        return list(self._unwritten.values())

    def written(self, notes: list[Published]) -> None:
        """Drop notes that are on disk now, but for those renewed meanwhile."""
        for note in notes:
            if self._unwritten.get(note.table_id) is note:
                del self._unwritten[note.table_id]


def _shown(table: Table, published: int, message_id: int | None) -> Table:
    header = table.header
    if (header.published, header.message_id) == (published, message_id):
        return table
    return replace(table, header=replace(header, published=published, message_id=message_id))
