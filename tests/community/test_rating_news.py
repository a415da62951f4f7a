"""What finished tables did to ratings is read once, and only where somebody expects it."""

from dataclasses import replace

import pytest

from bot.features.results import storage as result_storage
from bot.features.results.service import RatingNews
from bot.platform.places import Location
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.fakes import ROBIN, WREN, make_service
from tests.support.finished_games import play_to_end
from tests.support.memory_database import MemoryDatabase

HERE = Location(3, 70)


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


async def finish(db: MemoryDatabase, location: Location = HERE, computers: int = 0) -> Table:
    people = (ROBIN,) if computers else (ROBIN, WREN)
    table = await play_to_end(make_service(db), location, *people, computers=computers)
    db.calls.clear()
    return table


async def test_a_finished_table_is_asked_about_once(db: MemoryDatabase) -> None:
    table = await finish(db)
    news = RatingNews(db)
    assert news.known(table) is None
    for _ in range(2):
        await news.load(table)
        known = news.known(table)
        assert isinstance(known, tuple)
        assert [change.user_id for change in known] == [ROBIN.id, WREN.id]
    assert db.calls == [result_storage.find_changes]


async def test_nothing_is_asked_about_other_tables(db: MemoryDatabase) -> None:
    news, finished = RatingNews(db), await finish(db)
    playing = replace(finished, header=replace(finished.header, status=Status.PLAYING))
    for table in (playing, await finish(db, computers=1), await finish(db, Location(None, 5))):
        await news.load(table)
        assert news.known(table) is None
    assert db.calls == []


async def test_a_result_is_shown_without_while_the_database_is_down(db: MemoryDatabase) -> None:
    table = await finish(db)
    db.broken = {result_storage.find_changes}
    news = RatingNews(db)
    await news.load(table)
    assert news.known(table) is None
    db.broken = set()
    await news.load(table)
    assert news.known(table)
