"""Preferences are read at intervals and written one after another."""

import asyncio
from dataclasses import replace

import pytest

from bot.features.settings import storage as setting_storage
from bot.features.settings.people import PreferenceCache
from bot.features.settings.preferences import Preferences
from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location
from tests.support.fakes import HERE
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate

THERE = Location(guild_id=4, channel_id=80)
DIRECT = Location(guild_id=None, channel_id=70)
QUIET = Preferences(theme=None, reminds=False)


class FakeTimer:
    """A clock that shows the seconds it was set to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


async def test_preferences_are_read_once_a_minute(db: MemoryDatabase) -> None:
    watch = FakeTimer()
    cache = PreferenceCache(db, watch)
    for second in range(61):
        watch.now = 1000.0 + second
        await cache.get(HERE)
    assert db.calls == [setting_storage.find] * 2


async def test_choices_of_another_process_are_seen_after_a_minute(db: MemoryDatabase) -> None:
    watch = FakeTimer()
    cache = PreferenceCache(db, watch)
    await cache.get(HERE)
    db.chosen[HERE.scope_id] = QUIET
    assert await cache.get(HERE) == Preferences()
    watch.now += 60
    assert await cache.get(HERE) == QUIET


async def test_choices_of_this_process_are_seen_immediately(db: MemoryDatabase) -> None:
    cache = PreferenceCache(db)
    await cache.get(HERE)
    assert await cache.change(HERE, lambda old: replace(old, reminds=False)) == Preferences(reminds=False)
    assert await cache.get(HERE) == db.chosen[HERE.scope_id] == Preferences(reminds=False)


async def test_a_choice_made_during_a_read_is_not_overwritten(db: MemoryDatabase) -> None:
    cache = PreferenceCache(db)
    db.after[setting_storage.find] = gate = Gate()
    reading = asyncio.create_task(cache.get(HERE))
    await gate.reached.wait()
    del db.after[setting_storage.find]
    await cache.change(HERE, lambda _: QUIET)
    gate.open()
    assert await reading == await cache.get(HERE) == QUIET


async def test_an_entry_evicted_during_a_read_is_cached_again(db: MemoryDatabase) -> None:
    watch = FakeTimer()
    cache = PreferenceCache(db, watch, size=1)
    await cache.get(HERE)
    watch.now += 600
    db.after[setting_storage.find] = gate = Gate()
    db.chosen[HERE.scope_id] = QUIET
    reading = asyncio.create_task(cache.get(HERE))
    await gate.reached.wait()
    del db.after[setting_storage.find]
    await cache.get(THERE)
    gate.open()
    assert await reading == cache.cached(HERE) == QUIET


async def test_a_failed_read_is_logged_and_returns_the_last_known_preferences(
    db: MemoryDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.features.settings.people")
    watch = FakeTimer()
    cache = PreferenceCache(db, watch)
    db.chosen[HERE.scope_id] = QUIET
    await cache.get(HERE)
    db.broken = {setting_storage.find}
    watch.now += 600
    assert await cache.get(HERE) == QUIET
    assert await cache.get(THERE) == Preferences()
    assert [record.levelname for record in caplog.records] == ["DEBUG"] * 2


async def test_a_choice_that_cannot_be_stored_raises(db: MemoryDatabase) -> None:
    cache = PreferenceCache(db)
    db.broken = {setting_storage.change}
    with pytest.raises(StoreUnavailable):
        await cache.change(HERE, lambda _: QUIET)
    assert await cache.get(HERE) == Preferences()


async def test_the_cache_is_bounded(db: MemoryDatabase) -> None:
    cache = PreferenceCache(db, size=2)
    for location in (HERE, THERE, DIRECT, HERE):
        await cache.get(location)
    assert db.calls == [setting_storage.find] * 4


async def test_what_another_process_has_changed_is_read_when_it_matters(db: MemoryDatabase) -> None:
    cache, other = PreferenceCache(db), PreferenceCache(db)
    before = await cache.get(HERE)
    after = await other.change(HERE, lambda old: replace(old, tips=not old.tips))
    assert await cache.get(HERE) == before
    assert await cache.reload(HERE) == await cache.get(HERE) == after
