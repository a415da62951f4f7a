"""What is written by statements made into text once: the same as SQLAlchemy writes."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeAlias

import pytest
from sqlalchemy import Connection, bindparam, text, update
from sqlalchemy.exc import IntegrityError, StatementError

from bot.store import writing
from bot.store.schema import moves, tables
from bot.store.sqlite import raw_move as prepared
from bot.store.sqlite.connection import driver_connection_of
from bot.store.store import SqlStore
from bot.tables.model import Entry, Header
from tests.store.samples import IN_NEPAL, LARGEST_ID, NOON, ROBIN, make_header, make_move

SHARP = NOON.replace(microsecond=0)
THERE = datetime(2026, 3, 1, 17, 45, 0, 7, tzinfo=IN_NEPAL)

Save: TypeAlias = Callable[[Header], tuple[Header, Entry]]

Errors: TypeAlias = type[Exception] | tuple[type[Exception], ...]

COLUMNS = {"tables": tables.columns.keys(), "moves": moves.columns.keys()}


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'parlour.db'}"


def with_whole_second(header: Header) -> tuple[Header, Entry]:
    after, entry = make_move(header)
    return replace(after, updated_at=SHARP, awaited_since=SHARP), replace(entry, at=SHARP)


def with_other_zone(header: Header) -> tuple[Header, Entry]:
    after, entry = make_move(header)
    return replace(after, updated_at=THERE, awaited_since=THERE - timedelta(days=1)), replace(entry, at=THERE)


def with_nulls(header: Header) -> tuple[Header, Entry]:
    after, entry = make_move(header, "")
    return replace(after, to_move=None, lobby_click_id=None), replace(entry, click_id=None)


def with_limits(header: Header) -> tuple[Header, Entry]:
    after, entry = make_move(header, 'Rob\'in "%s" :text ? 🪺')
    after = replace(after, awaits_computer=True, lobby_click_id=LARGEST_ID, options='{"name": ":salt"}')
    return after, replace(entry, click_id=LARGEST_ID)


def read_stored(connection: Connection) -> list[tuple[object, ...]]:
    """Return what the file holds of the table and its moves, each value with the type that SQLite gave it."""
    queries = [
        f"SELECT {', '.join(f'{name}, typeof({name})' for name in names)} FROM {table}"  # noqa: S608
        for table, names in COLUMNS.items()
    ]
    return [tuple(row) for query in queries for row in connection.execute(text(query))]


class TestSaveMove:
    @pytest.mark.parametrize("save", [make_move, with_whole_second, with_other_zone, with_nulls, with_limits])
    async def test_leaves_what_sqlalchemy_leaves(self, store: SqlStore, save: Save) -> None:
        opened = await store.open_table(make_header(), [ROBIN])
        after, entry = save(opened)

        def both_ways(connection: Connection) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
            before = connection.begin_nested()
            writing.save(connection, after, None, entry, ())
            by_sqlalchemy = read_stored(connection)
            before.rollback()
            prepared.save_move(connection, after, entry)
            return by_sqlalchemy, read_stored(connection)

        by_sqlalchemy, by_text = await store._database.write(both_ways)
        assert len(by_text) == 2
        assert by_text == by_sqlalchemy

    async def test_keeps_the_microseconds_of_a_whole_second(self, store: SqlStore) -> None:
        after, entry = with_whole_second(await store.open_table(make_header(), [ROBIN]))
        await store.save(after, None, entry)
        header, move = await store._database.read(read_stored)
        assert header.count("2026-03-01 12:00:00.000000") == 2
        assert move[-2:] == ("2026-03-01 12:00:00.000000", "text")


class TestRun:
    RENAMED = update(tables).where(tables.c.id == bindparam("number"))

    async def test_says_how_many_rows_it_has_written(self, store: SqlStore) -> None:
        header = await store.open_table(make_header(), [ROBIN])

        def rename(connection: Connection, number: int) -> int:
            return prepared.execute_raw(
                driver_connection_of(connection), self.RENAMED, {"number": number, "game": "hearts"}
            )

        assert await store._database.write(rename, header.id) == 1
        assert await store._database.write(rename, header.id + 1) == 0

    async def test_writes_those_columns_that_there_are_values_for(self, store: SqlStore) -> None:
        header = await store.open_table(make_header(), [ROBIN])

        def change(connection: Connection) -> None:
            prepared.execute_raw(driver_connection_of(connection), self.RENAMED, {"number": header.id, "salt": "first"})
            prepared.execute_raw(
                driver_connection_of(connection),
                self.RENAMED,
                {"number": header.id, "salt": "second", "awaits_computer": True},
            )

        await store._database.write(change)
        record = await store.load(header.id)
        assert record is not None
        assert record.header == replace(header, salt="second", awaits_computer=True)

    @pytest.mark.parametrize(
        ("values", "error", "said"),
        [
            ({"updated_at": NOON.replace(tzinfo=None)}, StatementError, "without a zone"),
            ({"updated_at": "noon"}, StatementError, "tzinfo"),
            ({"awaits_computer": "perhaps"}, StatementError, "boolean"),
            ({"options": None}, (sqlite3.IntegrityError, IntegrityError), "NOT NULL"),
        ],
    )
    async def test_what_cannot_be_stored_is_said_as_sqlalchemy_says_it(
        self, store: SqlStore, values: dict[str, object], error: Errors, said: str
    ) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        named = {"number": header.id, "salt": "a secret", **values}
        with pytest.raises(error, match=said) as by_text:
            await store._database.write(
                lambda connection: prepared.execute_raw(driver_connection_of(connection), self.RENAMED, named)
            )
        with pytest.raises(error, match=said):
            await store._database.write(Connection.execute, self.RENAMED, named)
        assert "a secret" not in str(by_text.value)
