"""Animations and reviews of finished games, on every database."""

from datetime import timedelta

from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.model import Erasure
from bot.features.replays import storage as animation_storage
from bot.features.replays.storage import AnimationKey
from bot.features.reviews import storage as review_storage
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import Occupant, TableId
from bot.tables.schema import DELETED_NAME
from tests.store.samples import NOON, Connect, make_header


def _key(table_id: TableId, language: str = "en", theme: str = "dark") -> AnimationKey:
    return AnimationKey(table_id, language, theme)


async def test_the_newest_animation_and_review_of_a_table_are_kept(connect: Connect) -> None:
    db, other = await connect(), await connect()
    table_id = (await db.write(table_storage.open_table, make_header(), ())).id
    for image, review in ((b"first", "{}"), (bytes(range(256)) * 1000, '{"unit": "⚅"}')):
        assert await db.maintain(animation_storage.put, _key(table_id), image, ())
        await db.maintain(review_storage.put, table_id, review)
        assert await other.read(animation_storage.find, _key(table_id)) == image
        assert await other.read(review_storage.find, table_id) == review
    for other_key in (_key(table_id + 1), _key(table_id, "de"), _key(table_id, theme="standard")):
        assert await other.read(animation_storage.find, other_key) is None
    assert await other.read(review_storage.find, table_id + 1) is None


PEOPLE = (Occupant("Robin", 11), Occupant("", None, "normal"), Occupant("Wren", 12))


async def test_it_is_not_stored_if_someone_in_it_was_deleted_meanwhile(connect: Connect) -> None:
    db, other = await connect(), await connect()
    table_id = (await db.write(table_storage.open_table, make_header(), PEOPLE)).id
    assert await db.maintain(animation_storage.put, _key(table_id), b"with both names", PEOPLE)
    await other.maintain(privacy_storage.erase_from_tables, Erasure(12, -4711, NOON), 200)
    assert await db.read(animation_storage.find, _key(table_id)) is None
    assert not await db.maintain(animation_storage.put, _key(table_id), b"with both names", PEOPLE)
    assert await db.read(animation_storage.find, _key(table_id)) is None
    now = (*PEOPLE[:2], Occupant(DELETED_NAME, -4711))
    assert await db.maintain(animation_storage.put, _key(table_id), b"with one name", now)


async def test_it_goes_with_a_name_that_is_forgotten(db: Database) -> None:
    table_id = (await db.write(table_storage.open_table, make_header(at=NOON - timedelta(days=900)), PEOPLE)).id
    await db.maintain(animation_storage.put, _key(table_id), b"with both names", PEOPLE)
    assert await db.maintain(privacy_storage.forget_name, 12, NOON, 200)
    assert await db.read(animation_storage.find, _key(table_id)) is None
    assert not await db.maintain(animation_storage.put, _key(table_id), b"with both names", PEOPLE)
