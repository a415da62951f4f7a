"""The facts of what the host refuses."""

from dataclasses import dataclass

from bot.rules.refusals import Refusal, RefusalFacts
from bot.tables.model import TableId
from bot.tables.table import Table


@dataclass(frozen=True)
class TableFacts(RefusalFacts):
    """The table that is in question; sentences name its game, its opener, its link and so on."""

    table: Table


@dataclass(frozen=True)
class PlaceTakenFacts(TableFacts):
    """The table that takes up a place; the sentence depends on who asks."""

    asker_id: int


@dataclass(frozen=True)
class LevelFacts(TableFacts):
    """The levels of computer players at a table, separated by commas."""

    levels: str


@dataclass(frozen=True)
class OrphanFacts(RefusalFacts):
    """A table of a game that is not hosted any more."""

    table_id: TableId


@dataclass(frozen=True)
class LimitFacts(RefusalFacts):
    """The most that is allowed."""

    most: int


@dataclass(frozen=True)
class GameFacts(RefusalFacts):
    """The title of a game."""

    game: str


@dataclass(frozen=True)
class GamesFacts(RefusalFacts):
    """The titles of the games that are hosted, in words."""

    games: str


@dataclass(frozen=True)
class PersonFacts(RefusalFacts):
    """The name of a person, safe to show."""

    name: str


@dataclass(frozen=True)
class LinkFacts(RefusalFacts):
    """The address of a message."""

    link: str


@dataclass(frozen=True)
class PermissionFacts(RefusalFacts):
    """The permissions that are missing, in words."""

    permissions: str


def refused_table(refusal: Refusal) -> Table | None:
    """Return the table that a refusal is about, if any."""
    return refusal.facts.table if isinstance(refusal.facts, TableFacts) else None
