"""What was written to the store, one write after another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Occupant, Result
from bot.tables.notifications import Invitation
from bot.tables.ports import PrepareCallback


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
    """Somebody who was asked to a table."""

    invitation: Invitation


Write: TypeAlias = TableOpened | TableSaved | PersonInvited


class RecordingStore(SqlStore):
    """A store that notes what it has written."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.writes: list[Write] = []

    async def open_table(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        header = await super().open_table(header, seats, most)
        self.writes.append(TableOpened(header, tuple(seats)))
        return header

    async def save(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
        meanwhile: PrepareCallback | None = None,
    ) -> None:
        await super().save(header, seats, entry, results, meanwhile)
        self.writes.append(TableSaved(header, None if seats is None else tuple(seats), entry))

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        await super().add_invitation(invitation, since, most)
        self.writes.append(PersonInvited(invitation))
