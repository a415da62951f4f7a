"""Saves ends of tables with results that no game has had."""

from collections.abc import Sequence

from sqlalchemy import Connection

from bot.features.badges.awarding import award
from bot.features.results.accounts import add_results
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import Award, Result, TableUpdate


async def save_end(
    db: Database, change: TableUpdate, results: Sequence[Result], earned: Sequence[Award] = ()
) -> Sequence[Award]:
    """Save a change with the results and what was earned, and return what is awarded."""

    def save(connection: Connection) -> Sequence[Award]:
        table_storage.save(connection, change)
        add_results(connection, results)
        return award(connection, change.header, results, earned)

    return await db.write(save)
