"""An export of much data lets everyone else go on, whatever its size."""

import gzip
import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from bot.features.privacy import people
from bot.features.privacy.model import ExportedPage, ExportedRow, Key
from bot.features.privacy.people import PersonalDataService
from bot.platform.time_slices import TimeSlices
from tests.support.fake_privacy import FakePrivacy
from tests.support.fake_store import FakeStore
from tests.support.fakes import make_service
from tests.support.loop_turns import A_SLICE, SteppingClock, count_loop_turns

ROWS_ON_PAGE = 500


class StoreOfMuch(FakePrivacy):
    """Has some pages of moves, none of seats, and a row of results."""

    exported_tables: Sequence[str] = ("moves", "seats", "results")

    def __init__(self, pages: int) -> None:
        super().__init__()
        self._pages = {"moves": pages, "seats": 0, "results": 1}

    async def export_rows(self, user_id: int, table: str, after: Key | None, limit: int) -> ExportedPage | None:
        number = 0 if after is None else int(str(after[0])) + 1
        if number >= self._pages[table]:
            return None
        rows: list[ExportedRow] = [{"step": number * ROWS_ON_PAGE + at, "text": "rolé"} for at in range(ROWS_ON_PAGE)]
        return ExportedPage(rows if table == "moves" else rows[:1], (number,))


def make_people(pages: int) -> PersonalDataService:
    service = make_service(FakeStore())
    service.time_slices = TimeSlices(SteppingClock())
    store: Any = StoreOfMuch(pages)
    tournaments: Any = None
    return PersonalDataService(store, service, tournaments, ())


def rows_of(data: bytes) -> dict[str, list[ExportedRow]]:
    found: dict[str, list[ExportedRow]] = json.loads(data)["data"]
    return found


async def test_others_have_their_turn_after_each_slice_of_rows() -> None:
    pages = 4
    async with count_loop_turns() as turns:
        before = turns.taken
        exported = await make_people(pages).export(11)
        assert turns.taken - before > pages * ROWS_ON_PAGE / A_SLICE
    found = rows_of(exported.data)
    assert [row["step"] for row in found["moves"]] == list(range(pages * ROWS_ON_PAGE))
    assert found["results"] == [{"step": 0, "text": "rolé"}]
    assert list(found) == ["moves", "results"]


async def test_nothing_is_an_export_too() -> None:
    assert rows_of((await make_people(0).export(11)).data) == {"results": [{"step": 0, "text": "rolé"}]}


async def test_a_large_export_is_compressed_in_parts_and_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_MAX_PLAIN_BYTES", 1000)
    sizes: list[int] = []
    write = gzip.GzipFile.write

    def note(file: gzip.GzipFile, part: Any) -> int:
        assert threading.current_thread() is not threading.main_thread()
        sizes.append(len(part))
        return write(file, part)

    monkeypatch.setattr(gzip.GzipFile, "write", note)
    exported = await make_people(3).export(11)
    assert exported.name.endswith(".gz")
    text = gzip.decompress(exported.data)
    assert len(rows_of(text)["moves"]) == 3 * ROWS_ON_PAGE
    assert max(sizes) < len(text) / 2, "no part is as long as a thread must not hold up the others"


async def test_what_exceeds_the_limit_is_left_out_and_the_file_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_MAX_BYTES", 30_000)
    exported = await make_people(4).export(11)
    assert not exported.is_complete
    assert json.loads(exported.data)["is_complete"] is False
    assert len(rows_of(exported.data)["moves"]) == ROWS_ON_PAGE
