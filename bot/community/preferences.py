"""What servers prefer, remembered for a while."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from bot.community.ports import PreferenceBook
from bot.tables.model import Place, Preferences
from bot.tables.ports import StoreUnavailable

log = logging.getLogger(__name__)

_SIZE = 5000
_FRESH_SECONDS = 60.0
"""Another process may have written down something else since."""


class _Known(NamedTuple):
    since: float
    preferences: Preferences


class PreferenceCache:
    """Knows what is preferred where, without asking the book at every click."""

    def __init__(self, book: PreferenceBook, clock: Callable[[], float] = time.monotonic, size: int = _SIZE) -> None:
        self._book = book
        self._clock = clock
        self._size = size
        self._known: OrderedDict[int, _Known] = OrderedDict()
        self._choosing = asyncio.Lock()

    def at_hand(self, place: Place) -> Preferences | None:
        """Return what is preferred at a place if the book need not be asked."""
        known = self._known.get(place.scope_id)
        is_fresh = known is not None and self._clock() - known.since < _FRESH_SECONDS
        return known.preferences if known is not None and is_fresh else None

    async def of(self, place: Place) -> Preferences:
        """Return what is preferred at a place; what was known last, or the defaults, while nothing can be read."""
        if preferences := self.at_hand(place):
            return preferences
        known = self._known.get(place.scope_id)
        try:
            found = await self._book.preferences(place.scope_id)
        except StoreUnavailable as fault:
            log.debug("what is preferred in %s can't be read: %s", place.scope_id, fault)
            return known.preferences if known else Preferences()
        newer = self._known.get(place.scope_id)
        if newer is None or newer is known:
            return self._keep(place, found)
        # It was chosen here meanwhile, perhaps after the book was read.
        return newer.preferences

    async def change(self, place: Place, choose: Callable[[Preferences], Preferences]) -> Preferences:
        """Choose anew what is preferred at a place; raises StoreUnavailable."""
        async with self._choosing:
            chosen = choose(await self._book.preferences(place.scope_id))
            await self._book.prefer(place.scope_id, chosen)
            return self._keep(place, chosen)

    def _keep(self, place: Place, preferences: Preferences) -> Preferences:
        self._known[place.scope_id] = _Known(self._clock(), preferences)
        self._known.move_to_end(place.scope_id)
        while len(self._known) > self._size:
            self._known.popitem(last=False)
        return preferences
