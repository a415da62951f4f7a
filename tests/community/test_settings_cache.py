"""Settings are read at intervals and written one after another."""

import asyncio

import pytest

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import REMINDERS, TIPS
from bot.features.settings.kinds import Chosen
from bot.features.settings.service import SettingsCache
from bot.platform.database.errors import StoreUnavailable
from tests.support.chosen_settings import chosen
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate

HERE, THERE, DIRECT = 3, 4, 70
QUIET = chosen({REMINDERS: False})


class FakeTimer:
    """A clock that shows the seconds it was set to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


async def test_settings_are_read_once_a_minute_so_choices_of_another_process_are_seen_then(db: MemoryDatabase) -> None:
    watch = FakeTimer()
    cache = SettingsCache(db, watch)
    await cache.get(HERE)
    db.chosen[HERE] = QUIET
    watch.now += 59
    assert await cache.get(HERE) == Chosen()
    watch.now += 1
    assert await cache.get(HERE) == QUIET
    assert db.calls == [setting_storage.find] * 2


async def test_choices_of_this_process_are_seen_immediately(db: MemoryDatabase) -> None:
    cache = SettingsCache(db)
    await cache.get(HERE)
    assert await cache.change(HERE, REMINDERS, lambda _: False) == QUIET
    assert await cache.get(HERE) == db.chosen[HERE] == QUIET


async def test_a_choice_made_during_a_read_is_not_overwritten(db: MemoryDatabase) -> None:
    cache = SettingsCache(db)
    db.after[setting_storage.find] = gate = Gate()
    reading = asyncio.create_task(cache.get(HERE))
    await gate.reached.wait()
    del db.after[setting_storage.find]
    await cache.change(HERE, REMINDERS, lambda _: False)
    gate.open()
    assert await reading == await cache.get(HERE) == QUIET


async def test_an_entry_evicted_during_a_read_is_cached_again(db: MemoryDatabase) -> None:
    watch = FakeTimer()
    cache = SettingsCache(db, watch, size=1)
    await cache.get(HERE)
    watch.now += 600
    db.after[setting_storage.find] = gate = Gate()
    db.chosen[HERE] = QUIET
    reading = asyncio.create_task(cache.get(HERE))
    await gate.reached.wait()
    del db.after[setting_storage.find]
    await cache.get(THERE)
    gate.open()
    assert await reading == cache.recent(HERE) == QUIET


async def test_a_failed_read_is_logged_and_returns_the_last_known_settings(
    db: MemoryDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.features.settings.service")
    watch = FakeTimer()
    cache = SettingsCache(db, watch)
    db.chosen[HERE] = QUIET
    await cache.get(HERE)
    db.broken = {setting_storage.find}
    watch.now += 600
    assert await cache.get(HERE) == QUIET
    assert await cache.get(THERE) == Chosen()
    assert [record.levelname for record in caplog.records] == ["DEBUG"] * 2


async def test_a_choice_that_cannot_be_stored_raises(db: MemoryDatabase) -> None:
    cache = SettingsCache(db)
    db.broken = {setting_storage.change}
    with pytest.raises(StoreUnavailable):
        await cache.change(HERE, REMINDERS, lambda _: False)
    assert await cache.get(HERE) == Chosen()


async def test_the_cache_is_bounded(db: MemoryDatabase) -> None:
    cache = SettingsCache(db, size=2)
    for location in (HERE, THERE, DIRECT, HERE):
        await cache.get(location)
    assert db.calls == [setting_storage.find] * 4


async def test_what_another_process_has_changed_is_read_when_it_matters(db: MemoryDatabase) -> None:
    cache, other = SettingsCache(db), SettingsCache(db)
    before = await cache.get(HERE)
    after = await other.change(HERE, TIPS, lambda is_on: not is_on)
    assert await cache.get(HERE) == before
    assert await cache.reload(HERE) == await cache.get(HERE) == after


async def test_a_follower_is_told_of_changes_made_here(db: MemoryDatabase) -> None:
    cache, told = SettingsCache(db), list[bool]()

    async def note() -> None:
        told.append((await cache.get(HERE)).get(REMINDERS))

    cache.follow(REMINDERS, note)
    await cache.change(HERE, TIPS, lambda _: False)
    await cache.change(HERE, REMINDERS, lambda _: False)
    assert told == [False]
