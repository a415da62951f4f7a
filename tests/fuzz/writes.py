"""What was written to the store, one write after another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Invitation, Occupant, Result
from bot.tables.ports import Meanwhile


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table."""

    header: Header
    seats: tuple[Occupant, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """A table that has changed."""

    header: Header
    seats: tuple[Occupant, ...] | None
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who was asked to a table."""

    invitation: Invitation


Write: TypeAlias = Opened | Saved | Invited


class WatchedStore(SqlStore):
    """A store that notes what it has written."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.writes: list[Write] = []

    async def open(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        header = await super().open(header, seats, most)
        self.writes.append(Opened(header, tuple(seats)))
        return header

    async def save(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
        meanwhile: Meanwhile | None = None,
    ) -> None:
        await super().save(header, seats, entry, results, meanwhile)
        self.writes.append(Saved(header, None if seats is None else tuple(seats), entry))

    async def invite(self, invitation: Invitation, since: datetime, most: int) -> None:
        await super().invite(invitation, since, most)
        self.writes.append(Invited(invitation))
