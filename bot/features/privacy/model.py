"""Erasures and what a person's export consists of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.tables.model import TableId

Json: TypeAlias = str | int | float | bool | None
ExportedRow: TypeAlias = Mapping[str, Json]
Key: TypeAlias = tuple[object, ...]
"""Where a page of an export ends: the primary key of its last row, or of the last seat whose moves it has."""


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """Some rows about a person, without other people's ids and names; there may be more after an empty page."""

    rows: Sequence[ExportedRow]
    last: Key


@dataclass(frozen=True, slots=True)
class Erasure:
    """The deletion of everything about a person."""

    user_id: int
    pseudonym: int
    """A random negative id that takes the place of theirs, so that other people's results and ratings stay as they are.

    Nothing links it to the person once the erasure is done.
    """
    asked_at: datetime
    """Messages of tables that changed since then are shown again without the name."""


@dataclass(frozen=True, slots=True)
class ErasedTables:
    """What a batch of an erasure did to tables."""

    count: int
    """How many seats became anonymous; none are left if it is 0."""
    shown_ids: Sequence[TableId] = ()
    """The tables whose messages have to be shown again."""


@dataclass(frozen=True, slots=True)
class PersonRows:
    """Rows of a person, as the store finds them."""

    table: str
    column: str
    """Where the person's id is."""
    keys: Sequence[Mapping[str, object]]
    """Their primary keys."""


@dataclass(frozen=True, slots=True)
class ExportFile:
    """Everything about a person as a file."""

    name: str
    data: bytes
    is_complete: bool
    """Whether there was room for everything."""


@dataclass(frozen=True, slots=True)
class RetentionLimits:
    """How old what is kept may be, as times."""

    clicks_since: datetime
    """Tables changed since then may have ids of clicks that are too old now,"""
    clicks_until: datetime
    """which are those from before this time."""
    lobbies_until: datetime
    """Lobbies that nobody started, closed before this time, are deleted."""
    quiet_since: datetime
    """People whose table was last changed from this time on,"""
    quiet_until: datetime
    """and before this one, lose their names unless they were seen later."""


@dataclass(frozen=True, slots=True)
class TableWalk:
    """What is kept too long in a stretch of tables."""

    last_id: TableId
    is_done: bool
    changed: Sequence[TableId]
    """Tables that may have ids of clicks that are too old."""
    never_started: Sequence[TableId]
    """Lobbies to be deleted."""
    quiet_people: Sequence[int]
    """People who may not have been seen for long."""
