"""Rows of every table of the database with a person's id and name wherever one fits, and a search for them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Connection, Double, Integer, LargeBinary, Text, insert, select

from bot.app.databases import SCHEMA
from bot.features.privacy.personal_data import PERSONAL_DATA, Kind
from bot.tables.compaction import compress_entries, decompress_entries

AT = datetime(2026, 3, 1, tzinfo=UTC)
_SAMPLES = {Boolean: False, BigInteger: 1, Integer: 1, Double: 1.0, Text: "x", LargeBinary: b"x"}


def sample_row(table: str, number: int, **known: object) -> dict[str, object]:
    """Return a row of a table: values by the kinds of its columns, samples for all others.

    Args:
        table: The table.
        number: Makes the keys of rows different.
        known: Values by the names of kinds.
    """
    columns = SCHEMA.tables[table].columns
    return {column.name: _value(column, PERSONAL_DATA[table].kinds[column.name], number, known) for column in columns}


def _value(column: Column[Any], kind: Kind, number: int, known: dict[str, object]) -> object:
    if column.name in ("id", "table_id") or (column.primary_key and kind is Kind.PLAIN and not column.foreign_keys):
        return _key(column, number)
    if column.name in ("kicked", "kept"):
        # Nothing but ids stands there.
        return f" {known['person']} " if "person" in known else ""
    name = {Kind.KEPT: Kind.PERSON, Kind.TITLE: Kind.NAME}.get(kind, kind).name.lower()
    if name in known:
        given = known[name]
        return str(given).encode() if isinstance(column.type, LargeBinary) else given
    if column.foreign_keys:
        return number
    if kind is Kind.PLAIN and column.nullable:
        return None
    value: object = next((sample for kind, sample in _SAMPLES.items() if isinstance(column.type, kind)), AT)
    fitting = {
        "status": "finished",
        "company": "people",
        "clock": "none",
        "pace": "calm",
        "entries": compress_entries(()),
    }
    return fitting.get(column.name, value)


def _key(column: Column[Any], number: int) -> object:
    if isinstance(column.type, Text):
        return f"k{number}"
    return AT + timedelta(seconds=number) if column.name.endswith("_at") else number


def fill_database(connection: Connection, number: int, **known: object) -> None:
    """Insert a row into every table."""
    for table in SCHEMA.sorted_tables:
        connection.execute(insert(table), sample_row(table.name, number, **known))


def find_everywhere(connection: Connection, *wanted: object) -> Iterator[str]:
    """Yield the columns in which an id, or a text within a text, is found."""
    texts = [str(each) for each in wanted]
    for table in SCHEMA.sorted_tables:
        for row in connection.execute(select(table)).mappings():
            for name, value in row.items():
                # A compressed text hides what stands in it.
                shown = decompress_entries(value) if name == "entries" else value
                if any(text in str(shown) for text in texts):
                    yield f"{table.name}.{name}"
