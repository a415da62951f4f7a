"""What servers prefer, remembered for a while."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from cachetools import LRUCache

from bot.community.ports import PreferenceStore
from bot.tables.model import Place, Preferences
from bot.tables.ports import StoreUnavailable

log = logging.getLogger(__name__)

_MAX_SCOPES = 5000
_MAX_AGE_SECONDS = 60.0
"""Another process may have written down something else since."""


class _CachedPreferences(NamedTuple):
    since: float
    preferences: Preferences


class PreferenceCache:
    """Knows what is preferred where, without asking the book at every click."""

    def __init__(
        self, book: PreferenceStore, clock: Callable[[], float] = time.monotonic, size: int = _MAX_SCOPES
    ) -> None:
        self._store = book
        self._clock = clock
        # No TTLCache: while the store is down, an outdated entry is better than the defaults.
        self._entries: LRUCache[int, _CachedPreferences] = LRUCache(size)
        self._change_lock = asyncio.Lock()

    def cached(self, place: Place) -> Preferences | None:
        """Return what is preferred at a place if the book need not be asked."""
        known = self._entries.get(place.scope_id)
        is_fresh = known is not None and self._clock() - known.since < _MAX_AGE_SECONDS
        return known.preferences if known is not None and is_fresh else None

    async def get(self, place: Place) -> Preferences:
        """Return what is preferred at a place; what was known last, or the defaults, while nothing can be read."""
        if preferences := self.cached(place):
            return preferences
        known = self._entries.get(place.scope_id)
        try:
            found = await self._store.load_preferences(place.scope_id)
        except StoreUnavailable as fault:
            log.debug("what is preferred in %s can't be read: %s", place.scope_id, fault)
            return known.preferences if known else Preferences()
        newer = self._entries.get(place.scope_id)
        if newer is None or newer is known:
            return self._cache(place, found)
        # It was chosen here meanwhile, perhaps after the book was read.
        return newer.preferences

    async def change(self, place: Place, choose: Callable[[Preferences], Preferences]) -> Preferences:
        """Choose anew what is preferred at a place; raises StoreUnavailable."""
        async with self._change_lock:
            chosen = choose(await self._store.load_preferences(place.scope_id))
            await self._store.save_preferences(place.scope_id, chosen)
            return self._cache(place, chosen)

    def _cache(self, place: Place, preferences: Preferences) -> Preferences:
        self._entries[place.scope_id] = _CachedPreferences(self._clock(), preferences)
        return preferences
