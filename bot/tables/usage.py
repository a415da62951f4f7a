"""How much the bot is used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from bot.tables.model import TableId


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
