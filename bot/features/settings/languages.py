"""The languages that servers and people have chosen, and the languages that Discord last named for them."""

from typing import Final

from bot.features.settings.all_settings import LANGUAGE, SEEN_LANGUAGE
from bot.features.settings.kinds import Chosen
from bot.features.settings.service import SettingsCache
from bot.platform.discord.languages import KnownTags
from bot.platform.tasks import TaskSet

_MOST_SECONDS: Final = 0.5
"""How long an interaction waits for the choices of a person of whom nothing is in memory yet."""


class StoredLanguages:
    """Reads and notes languages. What is in memory is used at once, and read again in the background."""

    def __init__(self, settings: SettingsCache) -> None:
        self._settings = settings
        self._reading = TaskSet("language")
        self._noting = TaskSet("seen language")
        self._noted: dict[int, str] = {}
        """By server or person, the languages that are being stored."""

    async def find(self, scope_id: int) -> KnownTags:
        """Return the languages of a server or a person, or none if the database is too slow."""
        if self._settings.recent(scope_id) is None:
            self._reading.start(scope_id, self._read(scope_id))
            if self._settings.known(scope_id) is None:
                await self._reading.wait(scope_id, _MOST_SECONDS)
        chosen = self._settings.known(scope_id) or Chosen()
        return KnownTags(chosen.get(LANGUAGE), self._noted.get(scope_id) or chosen.get(SEEN_LANGUAGE))

    def note(self, scope_id: int, code: str, owner_id: int | None) -> None:
        """Store what Discord names for a server or a person, for messages before or without their next event."""
        self._noted[scope_id] = code
        self._noting.start(scope_id, self._store(scope_id, code, owner_id))

    async def close(self, seconds: float) -> None:
        """Finish within some seconds."""
        await self._reading.close(seconds)
        await self._noting.close(seconds)

    async def _store(self, scope_id: int, code: str, owner_id: int | None) -> None:
        try:
            await self._settings.change(scope_id, SEEN_LANGUAGE, lambda _: code, owner_id=owner_id)
        finally:
            self._noted.pop(scope_id, None)

    async def _read(self, scope_id: int) -> None:
        await self._settings.get(scope_id)
