"""How much the bot is used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Protocol

from bot.tables.model import TableId

_PAGE: Final = 2000
_BEYOND_ALL: Final = 2**62


@dataclass(frozen=True, slots=True)
class Usage:
    """Everything that is stored, counted."""

    servers: int
    tables: int
    open_tables: int
    people: int


@dataclass(slots=True)
class Week:
    """What was played at the tables opened in a week."""

    tables: int = 0
    moves: int = 0
    servers: set[int] = field(default_factory=set)
    people: set[int] = field(default_factory=set)

    def add(self, other: "Week") -> None:
        """Add more tables of the same week."""
        self.tables += other.tables
        self.moves += other.moves
        self.servers |= other.servers
        self.people |= other.people


@dataclass(frozen=True, slots=True)
class UsagePage:
    """A stretch of tables, newest first."""

    last_id: TableId | None
    """None if there are no more."""
    weeks: Mapping[date, Week]
    """By their Mondays."""


class UsageStore(Protocol):
    """Counts tables. Each method is a transaction and may raise StoreUnavailable."""

    async def count_all(self) -> Usage:
        """Return the totals."""

    async def read_usage(self, before: TableId, limit: int) -> UsagePage:
        """Return what was played at a stretch of tables, newest first."""


async def count_weeks(store: UsageStore, since: date) -> Mapping[date, Week]:
    """Return the weeks from a Monday on, the newest first; tables are opened in the order of their ids."""
    weeks: dict[date, Week] = {}
    before: TableId | None = _BEYOND_ALL
    while before is not None:
        page = await store.read_usage(before, _PAGE)
        for monday, week in page.weeks.items():
            if monday >= since:
                weeks.setdefault(monday, Week()).add(week)
        before = page.last_id if not page.weeks or min(page.weeks) >= since else None
    return dict(sorted(weeks.items(), reverse=True))
