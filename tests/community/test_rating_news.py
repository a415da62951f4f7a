"""What finished tables did to ratings is read once, and only where somebody expects it."""

from collections.abc import Sequence
from dataclasses import replace

from bot.features.profiles.service import ResultsService
from bot.features.results.rating_model import NEW, NotRated, RatingChange
from bot.features.results.rating_news import RatingNews
from bot.tables.model import Location, Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.table import Table
from tests.support.fake_archive import FakeArchive
from tests.support.fake_store import FakeStore
from tests.support.fakes import ROBIN, WREN, make_service
from tests.support.finished_games import play_to_end

HERE = Location(3, 70)
CHANGES = (RatingChange(1, 0, ROBIN.id, NEW, NEW),)


class CountingArchive(FakeArchive):
    """Knows the same changes of every table, and counts the questions."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[TableId] = []
        self.changes: Sequence[RatingChange] = CHANGES
        self.is_down = False

    async def rating_changes(self, table_id: TableId) -> Sequence[RatingChange]:
        self.questions.append(table_id)
        if self.is_down:
            raise StoreUnavailable
        return self.changes


async def finish(location: Location = HERE, computers: int = 0) -> Table:
    people = (ROBIN,) if computers else (ROBIN, WREN)
    return await play_to_end(make_service(FakeStore()), location, *people, computers=computers)


async def test_a_finished_table_is_asked_about_once() -> None:
    archive, table = CountingArchive(), await finish()
    news = RatingNews(ResultsService(archive))
    assert news.known(table) is None
    for _ in range(2):
        await news.load(table)
        assert news.known(table) == CHANGES
    assert archive.questions == [table.id]


async def test_a_table_that_counts_for_nobody_has_a_reason() -> None:
    archive, table = CountingArchive(), await finish()
    archive.changes = ()
    news = RatingNews(ResultsService(archive))
    await news.load(table)
    assert news.known(table) is NotRated.REPEATED_PAIR
    hinted = replace(table, header=replace(table.header, id=99, hinted=frozenset({0})))
    await news.load(hinted)
    assert news.known(hinted) is NotRated.HINTS
    assert archive.questions == [table.id], "its results say so"


async def test_nothing_is_asked_about_other_tables() -> None:
    archive = CountingArchive()
    news, finished = RatingNews(ResultsService(archive)), await finish()
    playing = replace(finished, header=replace(finished.header, status=Status.PLAYING))
    for table in (playing, await finish(computers=1), await finish(Location(None, 5))):
        await news.load(table)
        assert news.known(table) is None
    assert archive.questions == []


async def test_a_result_is_shown_without_while_the_database_is_down() -> None:
    archive, table = CountingArchive(), await finish()
    archive.is_down = True
    news = RatingNews(ResultsService(archive))
    await news.load(table)
    assert news.known(table) is None
    archive.is_down = False
    await news.load(table)
    assert news.known(table) == CHANGES
