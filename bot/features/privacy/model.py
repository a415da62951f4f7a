"""Erasures, exports and the limits of retention."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.tables.model import TableId

Json: TypeAlias = str | int | float | bool | None
ExportedRow: TypeAlias = Mapping[str, Json]
Key: TypeAlias = tuple[object, ...]
"""The end of a page of an export: the primary key of its last row, or of the last seat whose moves it contains."""


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """Some rows about a person, without other people's ids and names. More rows may follow even an empty page."""

    rows: Sequence[ExportedRow]
    last: Key


@dataclass(frozen=True, slots=True)
class Erasure:
    """The deletion of everything about a person."""

    user_id: int
    pseudonym: int
    """A random negative id that replaces the person's, so that other people's results and ratings stay as they are.

    Nothing links it to the person once the erasure is done.
    """
    asked_at: datetime
    """Tables that have changed since this time are shown again, without the name."""


@dataclass(frozen=True, slots=True)
class ErasedTables:
    """The effect of a batch of an erasure on tables."""

    count: int
    """The number of seats made anonymous; 0 if none were left."""
    shown_ids: Sequence[TableId] = ()
    """The tables whose messages must be shown again."""


@dataclass(frozen=True, slots=True)
class PersonRows:
    """Some rows of a person."""

    table: str
    column: str
    """The column that contains the person's id."""
    keys: Sequence[Mapping[str, object]]
    """The primary keys of the rows."""


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A person's complete data as a file."""

    name: str
    data: bytes
    is_complete: bool
    """Whether all of the data fitted into the file."""


@dataclass(frozen=True, slots=True)
class RetentionLimits:
    """The times that decide which data is too old to keep."""

    clicks_since: datetime
    """Only tables changed since this time can still contain ids of old clicks."""
    clicks_until: datetime
    """Clicks before this time are old."""
    lobbies_until: datetime
    """Lobbies that were closed before this time without a game are deleted."""
    quiet_since: datetime
    """Only people whose tables last changed since this time are checked."""
    quiet_until: datetime
    """People last seen at a table before this time lose their names, unless seen elsewhere later."""


@dataclass(frozen=True, slots=True)
class TableWalk:
    """The old data in a stretch of tables."""

    last_id: TableId
    is_done: bool
    changed: Sequence[TableId]
    """Tables that may contain ids of old clicks."""
    never_started: Sequence[TableId]
    """Lobbies to delete."""
    quiet_people: Sequence[int]
    """People who may not have been seen for too long."""
