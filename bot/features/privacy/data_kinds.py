"""The kinds of columns, and what becomes of rows of people and servers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from sqlalchemy import Column, Table

from bot.app.schema import metadata


class Kind(Enum):
    """What a column may contain."""

    PERSON = auto()
    """A person's id."""
    NAME = auto()
    """The name of the row's person."""
    TEXT = auto()
    """Text or a file in which ids or names of people may stand."""
    CLICK = auto()
    """The id of a click."""
    SERVER = auto()
    """A server's id."""
    PLACE = auto()
    """An id within a server, such as a channel's."""
    HIDDEN = auto()
    """What nobody may see before a table is over."""
    PLAIN = auto()
    """Nothing of these."""


class Erasing(Enum):
    """What becomes of a row of a person whose data is deleted."""

    DELETE = auto()
    RENAME = auto()
    """It stays with a pseudonym and without the name."""
    CLEAR = auto()
    """It stays without the id."""
    WITH_TABLE = auto()
    """It is made anonymous or deleted together with the seats of its table (`bot.features.privacy.erasure`)."""
    BY_TEXT = auto()
    """It is deleted if the id stands in its text."""
    NONE = auto()
    """It says nothing about people."""


class Leaving(Enum):
    """What becomes of a row of a server whose data is deleted."""

    DELETE = auto()
    CLEAR = auto()
    """It is a person's, and stays without the server."""
    WITH_TABLE = auto()
    """It goes with its table."""
    WITH_BOARD = auto()
    """It goes with its board."""
    WITH_TOURNAMENT = auto()
    AT_THE_END = auto()
    """It goes when everything else has: it may be what deletes the rest."""
    NONE = auto()


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What a table of the database says about people and servers."""

    table: Table
    kinds: Mapping[str, Kind]
    erasing: Erasing
    leaving: Leaving
    exported_by: tuple[str, ...]
    """The columns by which a person's rows are found for their export."""
    seen_at: str | None
    """The column that says when a row's person was seen."""

    def columns(self, kind: Kind) -> Iterator[Column[Any]]:
        """Yield the columns of a kind."""
        return (self.table.c[name] for name, each in self.kinds.items() if each is kind)


def classify(
    table: str,
    erasing: Erasing,
    leaving: Leaving,
    exported_by: str | None = None,
    seen_at: str | None = None,
    **kinds: str,
) -> tuple[str, PersonalData]:
    """Classify the columns of a table, named in one text per kind."""
    by_column = {column: Kind[kind.upper()] for kind, columns in kinds.items() for column in columns.split()}
    found_by = tuple((kinds.get("person", "") if exported_by is None else exported_by).split())
    return table, PersonalData(metadata.tables[table], by_column, erasing, leaving, found_by, seen_at)
