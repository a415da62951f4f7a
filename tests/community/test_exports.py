"""An export of much data lets everyone else go on, whatever its size."""

import gzip
import json
import threading
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from bot.features.privacy import service as privacy
from bot.features.privacy.model import ExportedRow
from bot.features.privacy.service import PersonalDataService
from bot.platform.places import Location
from bot.platform.time_slices import TimeSlices
from bot.tables.lobby import make_occupant
from bot.tables.model import Entry
from bot.tables.schema import move_values, moves
from bot.tables.storage import open_table
from tests.support.fakes import NOON, ROBIN, make_service, make_table
from tests.support.loop_turns import A_SLICE, SteppingClock, count_loop_turns
from tests.support.memory_database import MemoryDatabase

TABLES_ON_PAGE, MOVES_AT_TABLE = 10, 50
ROWS_ON_PAGE = TABLES_ON_PAGE * MOVES_AT_TABLE
"""How many moves are read at once."""


def make_people(pages: int) -> PersonalDataService:
    """Make a service over the moves of a person, so many that they are read in some pages."""
    db = MemoryDatabase()
    for number in range(pages * TABLES_ON_PAGE):
        db.run(add_played_table, Location(3, number))
    service = make_service(db)
    service.time_slices = TimeSlices(SteppingClock())
    leave: Any = None
    return PersonalDataService(db, service, leave, service.cache.clear)


def add_played_table(connection: Connection, location: Location) -> None:
    table = make_table(make_occupant(ROBIN, 500), location=location)
    header = open_table(connection, table.header, table.seats)
    played = [Entry(step, 0, "rolé", "digest", step, NOON) for step in range(1, MOVES_AT_TABLE + 1)]
    connection.execute(insert(moves), [move_values(header.id, entry) for entry in played])


def rows_of(data: bytes) -> dict[str, list[ExportedRow]]:
    found: dict[str, list[ExportedRow]] = json.loads(data)["data"]
    return found


async def test_others_have_their_turn_after_each_slice_of_rows() -> None:
    pages = 4
    service = make_people(pages)
    async with count_loop_turns() as turns:
        before = turns.taken
        exported = await service.export(ROBIN.id)
        assert turns.taken - before > pages * ROWS_ON_PAGE / A_SLICE
    found = rows_of(exported.data)
    steps = list(range(1, MOVES_AT_TABLE + 1))
    assert [row["step"] for row in found["moves"]] == steps * pages * TABLES_ON_PAGE
    assert {row["text"] for row in found["moves"]} == {"rolé"}
    assert list(found) == ["tables", "seats", "moves"], "tables without rows are left out"


async def test_nothing_is_an_export_too() -> None:
    assert rows_of((await make_people(0).export(ROBIN.id)).data) == {}


async def test_a_large_export_is_compressed_in_parts_and_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privacy, "_MAX_PLAIN_BYTES", 1000)
    sizes: list[int] = []
    write = gzip.GzipFile.write

    def note(file: gzip.GzipFile, part: Any) -> int:
        assert threading.current_thread() is not threading.main_thread()
        sizes.append(len(part))
        return write(file, part)

    monkeypatch.setattr(gzip.GzipFile, "write", note)
    exported = await make_people(3).export(ROBIN.id)
    assert exported.name.endswith(".gz")
    text = gzip.decompress(exported.data)
    assert len(rows_of(text)["moves"]) == 3 * ROWS_ON_PAGE
    assert max(sizes) < len(text) / 2, "no part is as long as a thread must not hold up the others"


async def test_what_exceeds_the_limit_is_left_out_and_the_file_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    complete = await make_people(1).export(ROBIN.id)
    monkeypatch.setattr(privacy, "_MAX_BYTES", 2 * len(complete.data))
    exported = await make_people(4).export(ROBIN.id)
    assert not exported.is_complete
    assert json.loads(exported.data)["is_complete"] is False
    assert len(rows_of(exported.data)["moves"]) == ROWS_ON_PAGE
