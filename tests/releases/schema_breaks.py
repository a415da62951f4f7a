"""What keeps code from using a schema that is newer than the code's own."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Inspector


def can_use(known: str, version: str) -> bool:
    """Return whether the code for one version of the schema can use another, as the name of that one says."""
    return known[:4] >= version[-4:]


def find_breaks(used: Inspector, there: Inspector) -> list[str]:
    """Return what code can't cope with.

    Args:
        used: The tables and columns that the code uses.
        there: Those that the database has.
    """
    present = set(there.get_table_names())
    return [
        flaw
        for table in used.get_table_names()
        for flaw in (_breaks_of_table(table, used, there) if table in present else [f"{table} is gone"])
    ]


def _breaks_of_table(table: str, used: Inspector, there: Inspector) -> Iterator[str]:
    known, present = _columns(used, table), _columns(there, table)
    for name, column in known.items():
        if name not in present:
            yield f"{table}.{name} is gone"
        elif _kind(column) != _kind(present[name]):
            yield f"{table}.{name} is {' '.join(_kind(present[name]))}, not {' '.join(_kind(column))}"
    for name, column in present.items():
        if name not in known and not column["nullable"] and column["default"] is None:
            yield f"{table}.{name} needs a value"
    for columns in sorted(_unique(there, table) - _unique(used, table)):
        yield f"{table}: {columns} must be unique"
    for columns in sorted(_references(there, table) - _references(used, table)):
        yield f"{table}: {columns} must exist"


def _columns(inspector: Inspector, table: str) -> dict[str, Any]:
    return {column["name"]: column for column in inspector.get_columns(table)}


def _kind(column: Any) -> tuple[str, str]:
    return str(column["type"]), "or NULL" if column["nullable"] else "without NULL"


def _unique(inspector: Inspector, table: str) -> set[str]:
    """Return the columns of unique indexes, constraints and the primary key, each with its condition."""
    found = {_join(inspector.get_pk_constraint(table)["constrained_columns"])}
    found |= {_join(each["column_names"]) for each in inspector.get_unique_constraints(table)}
    for index in inspector.get_indexes(table):
        if index["unique"]:
            condition = index.get("dialect_options", {}).get("sqlite_where", "")
            found.add(f"{_join(index['column_names'])} {condition}".strip())
    return found


def _references(inspector: Inspector, table: str) -> set[str]:
    keys = inspector.get_foreign_keys(table)
    return {f"{_join(key['constrained_columns'])} in {key['referred_table']}" for key in keys}


def _join(columns: Sequence[str | None]) -> str:
    return ", ".join(map(str, columns))
