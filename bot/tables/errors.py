"""Why a table is not stored."""

from bot.tables.model import TableId


class TableExists(Exception):
    """A table is where another one was to be opened."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class ChannelTaken(TableExists):
    """The location has an open table."""


class AlreadyContinued(TableExists):
    """The series has a table of this part."""


class TooManyTables(Exception):
    """The opener has reached the limit of open tables in the server, or in direct messages."""


class Conflict(Exception):
    """Another writer changed the table first; reload it and decide again."""
