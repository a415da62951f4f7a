"""Puts idle tables aside, resumes them and closes them."""

import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from bot.features.idle_tables import actions as idle
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import open_tables, storage as table_storage
from bot.tables.changes import TableChange
from bot.tables.errors import ChannelTaken
from bot.tables.model import AsideTable, Header, TableId
from bot.tables.orphans import put_orphan_aside
from bot.tables.refusals import HostReason, OrphanFacts, PlaceTakenFacts, Stale, TableFacts
from bot.tables.repository import TableRepository
from bot.tables.table import Table

_NEVER: Final = datetime.min.replace(tzinfo=UTC)

_MAX_ASIDE: Final = 25
"""How many tables that were put aside a channel's menu offers: Discord's limit."""


class IdleTables(TableRepository):
    """A table repository with the actions on idle tables."""

    async def blocking_table(self, table_id: TableId) -> Table:
        """Return the table that occupies a place.

        Raises:
            Refusal: The table is an orphan; GAME_GONE_IDLE if it can be put aside.
        """
        try:
            return await self.table(table_id)
        except Refusal as gone:
            record = await self._db.read(table_storage.load, table_id)
            if record is None or not idle.may_be_put_aside(record.header, self._put_aside_since()):
                raise
            raise Refusal(HostReason.GAME_GONE_IDLE, OrphanFacts(table_id)) from gone

    def place_taken_refusal(self, there: Table, asker_id: int) -> Refusal:
        """Return the refusal for opening a table in an occupied place."""
        if there.header.location.solo_id:
            return Refusal(HostReason.SOLO_TAKEN, PlaceTakenFacts(there, asker_id))
        if idle.may_be_put_aside(there.header, self._put_aside_since()):
            return Refusal(HostReason.CHANNEL_IDLE, TableFacts(there))
        return Refusal(HostReason.CHANNEL_TAKEN, PlaceTakenFacts(there, asker_id))

    def _put_aside_since(self) -> datetime:
        """Return since when a table must have been idle to be put aside."""
        limit = self.settings.idle_limits.put_aside_after
        return _NEVER if limit is None else self.clock.ago(limit)

    async def put_aside(self, table_id: TableId, channel_id: int) -> Header | None:
        """Put an idle table aside; does nothing if it is not open.

        Returns:
            The header if the table is an orphan, so that its message can be marked closed.

        Raises:
            Refusal: The table is not in the channel, or not idle.
        """

        def decide(table: Table) -> TableChange:
            if table.header.location.channel_id != channel_id:
                raise Refusal(HostReason.UNKNOWN_TABLE)
            return TableChange(idle.put_aside(table, self._put_aside_since()), is_quiet=True)

        with contextlib.suppress(Stale):
            try:
                await self._change(table_id, decide)
            except Refusal as refusal:
                if refusal.reason not in (HostReason.GAME_GONE, HostReason.UNKNOWN_TABLE):
                    raise
                since = self._put_aside_since()
                return await put_orphan_aside(self._db, table_id, channel_id, since, self.clock())
        return None

    async def resume(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Table:
        """Resume a table that was put aside.

        Raises:
            Stale: The table is open.
            Refusal: The channel has another table, or the person may not.
        """
        try:
            return await self._replace(table_id, lambda table: idle.resume(table, person, is_moderator=is_moderator))
        except ChannelTaken as taken:
            there = await self.blocking_table(taken.table_id)
            refusal = self.place_taken_refusal(there, person.id)
            if refusal.reason is HostReason.CHANNEL_TAKEN:
                refusal = Refusal(HostReason.RESUME_TAKEN, TableFacts(there))
            raise refusal from taken

    async def keep_open(self, table_id: TableId, person: Person) -> Table:
        """Mark an idle table as still in use."""
        return await self._replace(table_id, lambda table: idle.keep_open(table, person), person.id)

    async def abandon(self, table_id: TableId, since: datetime) -> Table:
        """Close a table that has been idle since a time.

        Raises:
            Stale: The table is not started, over, or not idle.
        """
        return await self._replace(table_id, lambda table: idle.abandon(table, since))

    async def list_aside_tables(self, channel_id: int) -> Sequence[AsideTable]:
        """Return the tables of a channel that were put aside, newest first."""
        return await self._db.read(open_tables.find_put_aside, channel_id, _MAX_ASIDE)
