"""Moves are written by compiled statements, exactly as SQLAlchemy would write them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import StatementError

from bot.app.store import SqlStore
from bot.platform.database.sqlite import compiled_move
from bot.tables import writing
from bot.tables.model import Entry, Header, TableUpdate
from bot.tables.ports import Conflict
from bot.tables.schema import moves, tables
from tests.store.samples import make_header, make_move
from tests.support.databases import create_schema

SaveMove = Callable[[Connection, Header, Entry], None]


def save_by_sqlalchemy(connection: Connection, header: Header, entry: Entry) -> None:
    writing.save(connection, TableUpdate(header, entry))


async def rows_after(file: Path, save: SaveMove, *, click_id: int | None) -> list[tuple[Any, ...]]:
    """Return the rows of a table after a move, as the file has them."""
    create_schema(file)
    store = SqlStore(f"sqlite:///{file}")
    after, entry = make_move(await store.open_table(make_header(), []))
    await store.database.write(save, after, replace(entry, click_id=click_id))
    found = await store.database.read(
        lambda connection: [tuple(row) for each in (tables, moves) for row in connection.execute(select(each))]
    )
    await store.close()
    return found


@pytest.mark.parametrize("click_id", [None, 2**63 - 1])
async def test_the_rows_are_those_that_sqlalchemy_writes(tmp_path: Path, click_id: int | None) -> None:
    compiled = await rows_after(tmp_path / "compiled.db", compiled_move.save_move, click_id=click_id)
    assert len(compiled) == 2
    assert compiled == await rows_after(tmp_path / "usual.db", save_by_sqlalchemy, click_id=click_id)


@pytest.mark.parametrize("save", [compiled_move.save_move, save_by_sqlalchemy])
async def test_a_move_made_twice_or_without_its_table_is_a_conflict(tmp_path: Path, save: SaveMove) -> None:
    create_schema(tmp_path / "a.db")
    store = SqlStore(f"sqlite:///{tmp_path / 'a.db'}")
    header = await store.open_table(make_header(), [])
    after, entry = make_move(header)
    await store.save(TableUpdate(after, entry))
    stored = await store.load(header.id)
    next_revision = replace(after, revision=after.revision + 1)
    for refused in (after, next_revision, replace(next_revision, id=header.id + 1)):
        with pytest.raises(Conflict):
            await store.database.write(save, refused, entry)
    assert await store.load(header.id) == stored
    await store.close()


@pytest.mark.parametrize("save", [compiled_move.save_move, save_by_sqlalchemy])
async def test_a_time_without_a_zone_is_refused(tmp_path: Path, save: SaveMove) -> None:
    create_schema(tmp_path / "a.db")
    store = SqlStore(f"sqlite:///{tmp_path / 'a.db'}")
    after, entry = make_move(await store.open_table(make_header(), []))
    with pytest.raises(StatementError, match="without a zone"):
        await store.database.write(save, after, replace(entry, at=entry.at.replace(tzinfo=None)))
    await store.close()
