"""The facts of the host's refusals, for their messages."""

from dataclasses import dataclass

from bot.rules.refusals import Refusal, RefusalFacts
from bot.tables.model import TableId
from bot.tables.table import Table


@dataclass(frozen=True)
class TableFacts(RefusalFacts):
    """The table in question."""

    table: Table


@dataclass(frozen=True)
class PlaceTakenFacts(TableFacts):
    """The table that occupies a place; the message depends on who asks."""

    asker_id: int


@dataclass(frozen=True)
class OrphanFacts(RefusalFacts):
    """A table whose game is no longer installed."""

    table_id: TableId


@dataclass(frozen=True)
class LimitFacts(RefusalFacts):
    """The limit."""

    most: int


@dataclass(frozen=True)
class GameFacts(RefusalFacts):
    """The title of a game."""

    game: str


@dataclass(frozen=True)
class GamesFacts(RefusalFacts):
    """The titles of all games, as a list in words."""

    games: str


@dataclass(frozen=True)
class PlacesFacts(RefusalFacts):
    """Channels where something can be done, as a list in words."""

    channels: str


@dataclass(frozen=True)
class RolesFacts(RefusalFacts):
    """Roles that may do something, as a list in words."""

    roles: str


@dataclass(frozen=True)
class NameFacts(RefusalFacts):
    """The name of a person, escaped for Markdown."""

    name: str


@dataclass(frozen=True)
class LinkFacts(RefusalFacts):
    """The URL of a message."""

    link: str


def refused_table(refusal: Refusal) -> Table | None:
    """Return the table in a refusal's facts, or None."""
    return refusal.facts.table if isinstance(refusal.facts, TableFacts) else None
