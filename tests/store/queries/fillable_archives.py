"""A store that results can be put into."""

from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import PublishedRevision, Result, Status, TableUpdate
from tests.store.samples import make_header, revise
from tests.support.ended_tables import save_end


class FillableArchive:
    """A store that results can be put into."""

    def __init__(self, db: Database) -> None:
        self.archive = db

    async def put(self, *games: list[Result]) -> None:
        """Keep the results of tables, numbered from 1 in this order."""
        for game in games:
            header = await self.archive.write(table_storage.open_table, make_header(), [])
            await self.archive.maintain(
                table_storage.mark_published, [PublishedRevision(header.id, 1, 1000 + header.id)]
            )
            assert header.id == game[0].table_id
            await save_end(self.archive, TableUpdate(revise(header, Status.FINISHED)), game)
