"""Lists the tables where a person sits."""

from bot.features.my_tables import storage
from bot.features.my_tables.model import MOST_TABLES, PAGE_SIZE, Awaited, MyTables
from bot.platform.database.database import Database
from bot.platform.paging import clamp_page


async def page_of_tables(store: Database, user_id: int, page: int) -> MyTables:
    """Return the page of a person's tables nearest to a number."""
    found = await store.read(storage.find, user_id, MOST_TABLES)
    nearest = clamp_page(page, len(found), PAGE_SIZE)
    start = (nearest.number - 1) * PAGE_SIZE
    yours = sum(each.awaited is Awaited.YOU for each in found)
    return MyTables(found[start : start + PAGE_SIZE], nearest, yours)
