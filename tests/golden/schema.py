"""The schema of the database as text, for both databases.

Tables, and the lines within a table, are sorted: neither the order of columns nor who defines a table matters.
"""

from collections.abc import Iterator

from sqlalchemy import Dialect, Table, make_url
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.app.databases import SCHEMA


def sqlite_schema() -> str:
    """Return the schema of SQLite."""
    return _describe(make_url("sqlite://").get_dialect()())


def postgres_schema() -> str:
    """Return the schema of PostgreSQL."""
    return _describe(make_url("postgresql+psycopg://").get_dialect()())


def _describe(dialect: Dialect) -> str:
    tables = sorted(SCHEMA.tables.values(), key=lambda table: table.name)
    return "\n".join("".join(f"{line}\n" for line in _describe_table(table, dialect)) for table in tables)


def _describe_table(table: Table, dialect: Dialect) -> Iterator[str]:
    """Yield the parts of the table's DDL, and its indexes."""
    head, _, rest = str(CreateTable(table).compile(dialect=dialect)).strip().partition("(\n")
    body, _, options = rest.rpartition("\n)")
    yield head.strip()
    yield from sorted(f"    {line.strip().removesuffix(',')}" for line in body.splitlines())
    if options.strip():
        yield f"    {options.strip()}"
    yield from sorted(f"    {CreateIndex(index).compile(dialect=dialect)}" for index in table.indexes)
