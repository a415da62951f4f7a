"""A cache of what tables need to know of people."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.features.profiles.model import PersonalPreferences, PersonFacts
from bot.features.settings import people_storage, storage
from bot.features.settings.preferences import Preferences, SettingsAuthor
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location
from bot.platform.tasks import TaskSet
from bot.rules.picture import Theme
from bot.tables.model import Status
from bot.tables.results import results_of
from bot.tables.table import Table

log = logging.getLogger(__name__)

_MAX_PEOPLE: Final = 20_000
_MAX_AGE_SECONDS: Final = 300.0
"""How old facts may be before they are loaded again: another process may have changed them."""


class _CachedFacts(NamedTuple):
    loaded_at: float
    facts: PersonFacts


class PeopleCache:
    """Caches facts about people, loaded in the background so that no click waits for them."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic, size: int = _MAX_PEOPLE) -> None:
        self._db = db
        self._clock = clock
        self._entries: LRUCache[int, _CachedFacts] = LRUCache(size)
        self._change_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._tasks = TaskSet("person")

    def known(self, user_id: int) -> PersonFacts | None:
        """Return what is known of a person, however old."""
        entry = self._entries.get(user_id)
        return None if entry is None else entry.facts

    async def get(self, user_id: int) -> PersonFacts:
        """Return what is known of a person, or load it.

        Raises:
            StoreUnavailable: Nothing is known, and it can't be loaded.
        """
        return self.known(user_id) or await self._load(user_id)

    async def change(
        self, user_id: int, choose: Callable[[PersonalPreferences], PersonalPreferences]
    ) -> PersonalPreferences:
        """Change and save a person's own preferences.

        Raises:
            StoreUnavailable: They can't be saved.
        """
        async with self._change_locks.setdefault(user_id, asyncio.Lock()):
            facts = await self._db.write(people_storage.change, user_id, choose)
            return self._cache(user_id, facts).preferences

    def on_table_changed(self, table: Table) -> None:
        """Load the players of a table if they are unknown, in the lobby at the latest, and note what they finish."""
        if table.header.status is Status.FINISHED:
            self._note_finished(table)
        elif table.header.status.is_open:
            for occupant in table.seats:
                if occupant.user_id is not None and self._is_outdated(occupant.user_id):
                    self._tasks.start(occupant.user_id, self._load_in_background(occupant.user_id))

    def clear(self) -> None:
        """Forget everyone, until they are needed again."""
        self._entries.clear()

    async def close(self, seconds: float) -> None:
        """Finish what is being loaded, within some seconds."""
        await self._tasks.close(seconds)

    def _is_outdated(self, user_id: int) -> bool:
        entry = self._entries.get(user_id)
        return entry is None or self._clock() - entry.loaded_at >= _MAX_AGE_SECONDS

    def _note_finished(self, table: Table) -> None:
        for result in results_of(table):
            entry = self._entries.get(result.user_id or 0)
            if entry is not None and result.user_id is not None and result.departure is None:
                finished = entry.facts.finished_games | {result.game}
                self._entries[result.user_id] = entry._replace(facts=replace(entry.facts, finished_games=finished))

    async def _load_in_background(self, user_id: int) -> None:
        await self._load(user_id)

    async def _load(self, user_id: int) -> PersonFacts:
        outdated = self._entries.get(user_id)
        loaded = await self._db.read(people_storage.find, user_id)
        newer = self._entries.get(user_id)
        if newer is None or newer is outdated:
            return self._cache(user_id, loaded)
        # They were changed here meanwhile, perhaps after they were loaded.
        return newer.facts

    def _cache(self, user_id: int, facts: PersonFacts) -> PersonFacts:
        self._entries[user_id] = _CachedFacts(self._clock(), facts)
        return facts


_MAX_SCOPES = 5000
_CACHE_MAX_AGE_SECONDS = 60.0
"""How long an entry is used before the store is asked again: another process may have changed it."""


class _CachedPreferences(NamedTuple):
    loaded_at: float
    preferences: Preferences


class PreferenceCache:
    """Caches the preferences of servers and direct messages."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic, size: int = _MAX_SCOPES) -> None:
        self._db = db
        self._clock = clock
        # No TTLCache: while the store is down, an outdated entry is better than the defaults.
        self._entries: LRUCache[int, _CachedPreferences] = LRUCache(size)
        self._change_lock = asyncio.Lock()

    def cached(self, location: Location) -> Preferences | None:
        """Return the preferences at a location if they are cached and recent."""
        entry = self._entries.get(location.scope_id)
        is_recent = entry is not None and self._clock() - entry.loaded_at < _CACHE_MAX_AGE_SECONDS
        return entry.preferences if entry is not None and is_recent else None

    def newest(self, location: Location) -> Preferences | None:
        """Return the preferences at a location if they are cached, however old."""
        entry = self._entries.get(location.scope_id)
        return None if entry is None else entry.preferences

    async def get(self, location: Location) -> Preferences:
        """Return the preferences at a location; if they can't be loaded, an outdated entry or the defaults."""
        if preferences := self.cached(location):
            return preferences
        outdated = self._entries.get(location.scope_id)
        try:
            loaded = await self._db.read(storage.find, location.scope_id)
        except StoreUnavailable as fault:
            log.debug("the preferences of %s can't be loaded: %s", location.scope_id, fault)
            return outdated.preferences if outdated else Preferences()
        newer = self._entries.get(location.scope_id)
        if newer is None or newer is outdated:
            return self._cache(location, loaded)
        # They were changed here meanwhile, perhaps after they were loaded.
        return newer.preferences

    async def theme_of(self, location: Location) -> Theme | None:
        """Return the theme of the pictures at a location; None if its tables are in words."""
        return (await self.get(location)).theme

    async def reload(self, location: Location) -> Preferences:
        """Return the preferences at a location as they are stored now, what another process has changed included.

        Raises:
            StoreUnavailable: They can't be loaded.
        """
        async with self._change_lock:
            return self._cache(location, await self._db.read(storage.find, location.scope_id))

    async def change(
        self,
        location: Location,
        choose: Callable[[Preferences], Preferences],
        author: SettingsAuthor | None = None,
        owner_id: int | None = None,
    ) -> Preferences:
        """Change and save the preferences at a location; with an author, the change is recorded.

        Args:
            location: The location.
            choose: Returns the changed preferences.
            author: Who changes those of a server.
            owner_id: Whose direct messages the location is, unless it is in a server.

        Raises:
            StoreUnavailable: They can't be saved.
        """
        async with self._change_lock:
            changed = await self._db.write(storage.change, location.scope_id, choose, author, owner_id)
            return self._cache(location, changed)

    def clear(self) -> None:
        """Forget everything, until it is needed again."""
        self._entries.clear()

    def _cache(self, location: Location, preferences: Preferences) -> Preferences:
        self._entries[location.scope_id] = _CachedPreferences(self._clock(), preferences)
        return preferences
