"""A cache of preferences, which every click needs."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from cachetools import LRUCache

from bot.features.settings import storage
from bot.features.settings.preferences import Preferences, SettingsAuthor
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location

log = logging.getLogger(__name__)

_MAX_SCOPES = 5000
_MAX_AGE_SECONDS = 60.0
"""How long an entry is used before the store is asked again: another process may have changed it."""


class _CachedPreferences(NamedTuple):
    loaded_at: float
    preferences: Preferences


class PreferenceCache:
    """Caches the preferences of servers and direct messages."""

    def __init__(self, store: Database, clock: Callable[[], float] = time.monotonic, size: int = _MAX_SCOPES) -> None:
        self._store = store
        self._clock = clock
        # No TTLCache: while the store is down, an outdated entry is better than the defaults.
        self._entries: LRUCache[int, _CachedPreferences] = LRUCache(size)
        self._change_lock = asyncio.Lock()

    def cached(self, location: Location) -> Preferences | None:
        """Return the preferences at a location if they are cached and recent."""
        entry = self._entries.get(location.scope_id)
        is_recent = entry is not None and self._clock() - entry.loaded_at < _MAX_AGE_SECONDS
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
            loaded = await self._store.read(storage.find, location.scope_id)
        except StoreUnavailable as fault:
            log.debug("the preferences of %s can't be loaded: %s", location.scope_id, fault)
            return outdated.preferences if outdated else Preferences()
        newer = self._entries.get(location.scope_id)
        if newer is None or newer is outdated:
            return self._cache(location, loaded)
        # They were changed here meanwhile, perhaps after they were loaded.
        return newer.preferences

    async def reload(self, location: Location) -> Preferences:
        """Return the preferences at a location as they are stored now, what another process has changed included.

        Raises:
            StoreUnavailable: They can't be loaded.
        """
        async with self._change_lock:
            return self._cache(location, await self._store.read(storage.find, location.scope_id))

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
            changed = await self._store.write(storage.change, location.scope_id, choose, author, owner_id)
            return self._cache(location, changed)

    def clear(self) -> None:
        """Forget everything, until it is needed again."""
        self._entries.clear()

    def _cache(self, location: Location, preferences: Preferences) -> Preferences:
        self._entries[location.scope_id] = _CachedPreferences(self._clock(), preferences)
        return preferences
