"""What a database holds, and whether people know of more."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from bot.app.databases import migrate
from bot.platform.database.database import open_database
from bot.platform.time_slices import TimeSlices
from bot.tables import storage as table_storage
from bot.tables.model import Header, Status, StoredTable, TableId
from bot.tables.replay import restore
from bot.tables.schema import tables as table_rows
from bot.tables.table import Table
from tests.e2e.crash.observer import ObservedAnswer, Observer, find_lost
from tests.support.games import load_games_once

GAMES = load_games_once()


async def load_records(address: str) -> list[StoredTable]:
    """Return all tables of a database."""
    db = open_database(address)
    try:
        await migrate(db)
        records = [await db.read(table_storage.load, table_id) for table_id in await db.read(_read_ids)]
    finally:
        await db.close()
    return [record for record in records if record is not None]


def _read_ids(connection: Connection) -> Sequence[int]:
    return connection.scalars(select(table_rows.c.id).order_by(table_rows.c.id)).all()


async def restore_tables(records: Sequence[StoredTable]) -> dict[TableId, Table]:
    """Replay the moves of all tables."""
    slices = TimeSlices()
    return {record.header.id: await restore(record, GAMES[record.header.game], slices) for record in records}


async def check_records(
    records: Sequence[StoredTable], answers: Sequence[ObservedAnswer], steps: Mapping[TableId, int]
) -> dict[TableId, Table]:
    """Check that everything people know of is in the database, and fits together.

    Args:
        records: All tables of the database.
        answers: What people were answered before these were loaded.
        steps: The newest step of each table that they had seen.
    """
    tables = await restore_tables(records)
    for record in records:
        _check(record, steps.get(record.header.id, 0))
    gone = find_lost(answers, tables)
    assert not gone, gone
    return tables


def _check(record: StoredTable, seen_step: int) -> None:
    header = record.header
    assert header.status in (Status.LOBBY, Status.PLAYING, Status.FINISHED)
    assert [entry.step for entry in record.entries] == list(range(1, header.step + 1))
    assert seen_step <= header.step, "people have seen more than is on disk"
    clicks = [entry.click_id for entry in record.entries if entry.click_id is not None]
    assert len(set(clicks)) == len(clicks), "no click has moved twice"


def find_behind(records: Sequence[StoredTable], observer: Observer) -> list[Header]:
    """Return the tables that are not shown as they are in the database."""
    headers = [record.header for record in records]
    return [header for header in headers if not _is_shown(header, observer)]


def _is_shown(header: Header, observer: Observer) -> bool:
    seen = header.status is Status.PLAYING and observer.newest_steps[header.id] >= header.step
    return seen or header.published >= header.revision
