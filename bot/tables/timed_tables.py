"""Turn clocks: chosen, stopped when time is up, and given more time."""

from datetime import datetime

from bot.features.idle_tables.service import IdleTables
from bot.features.settings.preferences import TurnClock
from bot.platform.clock import Downtime
from bot.platform.places import Person
from bot.tables import clocks
from bot.tables.changes import TableChange
from bot.tables.model import TableId
from bot.tables.table import Table


class TimedTables(IdleTables):
    """A table repository with the actions on turn clocks as well."""

    async def choose_clock(self, table_id: TableId, person: Person, limit: TurnClock) -> Table:
        """Choose the turn clock of a table in the lobby."""
        return await self._replace(table_id, lambda table: clocks.choose_clock(table, person, limit))

    async def wait_longer(self, table_id: TableId, person: Person, period: int) -> Table:
        """Give a player whose time is up the same time again."""
        now = self.clock()
        return await self._replace(table_id, lambda table: clocks.wait_longer(table, person, period, now), person.id)

    async def call_time(self, table_id: TableId, due_at: datetime) -> Table:
        """Note that the time of the player to move is up."""
        return await self._change(table_id, lambda table: TableChange(clocks.call_time(table, due_at), is_quiet=True))

    async def add_downtime(self, table_id: TableId, downtime: Downtime) -> Table:
        """Show that a clock ends later by a time in which no process ran."""
        return await self._change(
            table_id, lambda table: TableChange(clocks.add_downtime(table, downtime), is_quiet=True)
        )
