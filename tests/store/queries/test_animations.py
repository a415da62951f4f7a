"""Animations of finished games, on every database."""

from datetime import timedelta

from bot.app.store import SqlStore
from bot.features.privacy.model import DELETED_NAME, Erasure
from bot.tables.model import Occupant
from tests.store.samples import NOON, Connect, make_header


async def test_the_newest_animation_of_a_table_is_kept(connect: Connect) -> None:
    store, other = await connect(), await connect()
    tables = [(await store.open_table(make_header(channel_id=channel), ())).id for channel in (1, 2)]
    assert await store.save_animation(tables[0], b"first", ())
    assert await store.save_animation(tables[0], bytes(range(256)) * 1000, ())
    assert await other.load_animation(tables[0]) == bytes(range(256)) * 1000
    assert await other.load_animation(tables[1]) is None


async def test_a_table_that_does_not_exist_has_no_animation(store: SqlStore) -> None:
    assert await store.load_animation(7) is None


PEOPLE = (Occupant("Robin", 11), Occupant("Computer", None, "normal"), Occupant("Wren", 12))


async def test_it_is_not_stored_if_someone_in_it_was_deleted_meanwhile(connect: Connect) -> None:
    store, other = await connect(), await connect()
    table_id = (await store.open_table(make_header(), PEOPLE)).id
    assert await store.save_animation(table_id, b"with both names", PEOPLE)
    await other.erase_from_tables(Erasure(12, -4711, NOON), 200)
    assert await store.load_animation(table_id) is None
    assert not await store.save_animation(table_id, b"with both names", PEOPLE)
    assert await store.load_animation(table_id) is None
    now = (*PEOPLE[:2], Occupant(DELETED_NAME, -4711))
    assert await store.save_animation(table_id, b"with one name", now)


async def test_it_goes_with_a_name_that_is_forgotten(store: SqlStore) -> None:
    table_id = (await store.open_table(make_header(at=NOON - timedelta(days=900)), PEOPLE)).id
    await store.save_animation(table_id, b"with both names", PEOPLE)
    assert await store.forget_name(12, NOON, 200)
    assert await store.load_animation(table_id) is None
    assert not await store.save_animation(table_id, b"with both names", PEOPLE)
