"""Reviews of finished games, on every database."""

from bot.app.store import SqlStore
from tests.store.samples import Connect, make_header


async def test_the_newest_review_of_a_table_is_kept(connect: Connect) -> None:
    store, other = await connect(), await connect()
    tables = [(await store.open_table(make_header(channel_id=channel), ())).id for channel in (1, 2)]
    await store.save_review(tables[0], "{}")
    await store.save_review(tables[0], '{"unit": "⚅"}')
    assert await other.load_review(tables[0]) == '{"unit": "⚅"}'
    assert await other.load_review(tables[1]) is None


async def test_a_table_that_does_not_exist_has_no_review(store: SqlStore) -> None:
    assert await store.load_review(7) is None
