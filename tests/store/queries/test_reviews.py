"""Reviews of finished games, on every database."""

from bot.features.reviews import storage as review_storage
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from tests.store.samples import Connect, make_header


async def test_the_newest_review_of_a_table_is_kept(connect: Connect) -> None:
    db, other = await connect(), await connect()
    tables = [(await db.write(table_storage.open_table, make_header(channel_id=channel), ())).id for channel in (1, 2)]
    await db.maintain(review_storage.put, tables[0], "{}")
    await db.maintain(review_storage.put, tables[0], '{"unit": "⚅"}')
    assert await other.read(review_storage.find, tables[0]) == '{"unit": "⚅"}'
    assert await other.read(review_storage.find, tables[1]) is None


async def test_a_table_that_does_not_exist_has_no_review(db: Database) -> None:
    assert await db.read(review_storage.find, 7) is None
