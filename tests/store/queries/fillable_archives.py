"""Archives that results can be put into: the store and the fake, which keep the same promises."""

from typing import Protocol

from bot.app.ports import ResultStore
from bot.app.store import SqlStore
from bot.tables.model import PublishedRevision, Status, TableUpdate
from bot.tables.seat_result import Result
from tests.store.samples import make_header, revise
from tests.support.fake_archive import FakeArchive


class FillableArchive(Protocol):
    """An archive that results can be put into."""

    @property
    def archive(self) -> ResultStore: ...

    async def put(self, *games: list[Result]) -> None:
        """Keep the results of tables, numbered from 1 in this order."""


class FillableFake:
    def __init__(self) -> None:
        self.archive = FakeArchive()

    async def put(self, *games: list[Result]) -> None:
        for game in games:
            self.archive.results.extend(game)


class FillableStore:
    def __init__(self, store: SqlStore) -> None:
        self.archive = store

    async def put(self, *games: list[Result]) -> None:
        for game in games:
            header = await self.archive.open_table(make_header(), [])
            await self.archive.mark_published([PublishedRevision(header.id, 1, 1000 + header.id)])
            assert header.id == game[0].table_id
            await self.archive.save(TableUpdate(revise(header, Status.FINISHED), results=game))
