"""The unfinished tables at which a person sits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from bot.platform.paging import Page, clamp_page
from bot.platform.places import Location
from bot.tables.model import Status, TableId

PAGE_SIZE: Final = 8
MOST_TABLES: Final = 500
"""The most tables listed; nobody plays at more."""


class Awaited(Enum):
    """Whom a table awaits."""

    YOU = "you"
    ANOTHER = "another"
    NOBODY = "nobody"
    """It is a computer player's turn, or the table was put aside."""


@dataclass(frozen=True, slots=True)
class MyTable:
    """A table at which a person sits."""

    table_id: TableId
    game: str
    location: Location
    message_id: int | None
    status: Status
    awaited: Awaited
    """In a lobby, the person who can start the game."""
    awaited_name: str
    """The name of the awaited person; empty without one."""
    since: datetime
    """The time since which the table has waited."""
    clock_ends_at: datetime | None
    """When the time for the turn ends; None without a turn clock."""


@dataclass(frozen=True, slots=True)
class MyTables:
    """A page of a person's tables."""

    tables: Sequence[MyTable]
    page: Page
    yours: int
    """The number of tables, on all pages, that await the person."""


def page_of_tables(found: Sequence[MyTable], page: int) -> MyTables:
    """Return the page of a person's tables nearest to a number."""
    nearest = clamp_page(page, len(found), PAGE_SIZE)
    start = (nearest.number - 1) * PAGE_SIZE
    yours = sum(table.awaited is Awaited.YOU for table in found)
    return MyTables(found[start : start + PAGE_SIZE], nearest, yours)
