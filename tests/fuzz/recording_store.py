"""A store that records its writes in order."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Occupant, Result
from bot.tables.notifications import Invitation


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A new table."""

    header: Header
    seats: tuple[Occupant, ...]


@dataclass(frozen=True, slots=True)
class TableSaved:
    """A table that has changed."""

    header: Header
    seats: tuple[Occupant, ...] | None
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class PersonInvited:
    """An invitation that was written."""

    invitation: Invitation


Write: TypeAlias = TableOpened | TableSaved | PersonInvited


class RecordingStore(SqlStore):
    """A store that records its writes."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.writes: list[Write] = []

    async def open_table(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        header = await super().open_table(header, seats, most)
        self.writes.append(TableOpened(header, tuple(seats)))
        return header

    @asynccontextmanager
    async def saving(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
    ) -> AsyncIterator[bool]:
        async with super().saving(header, seats, entry, results) as is_pending:
            yield is_pending
        self.writes.append(TableSaved(header, None if seats is None else tuple(seats), entry))

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        await super().add_invitation(invitation, since, most)
        self.writes.append(PersonInvited(invitation))
