"""The languages that servers and people have chosen, and those in which Discord was last seen to be shown to people."""

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
        """By person, the languages that are being stored."""

    async def find(self, scope_id: int) -> KnownTags:
        """Return the languages of a server or a person, or none if the database is too slow."""
        if self._settings.recent(scope_id) is None:
            self._reading.start(scope_id, self._read(scope_id))
            if self._settings.known(scope_id) is None:
                await self._reading.wait(scope_id, _MOST_SECONDS)
        chosen = self._settings.known(scope_id) or Chosen()
        return KnownTags(chosen.get(LANGUAGE), self._noted.get(scope_id) or chosen.get(SEEN_LANGUAGE))

    def note(self, user_id: int, code: str) -> None:
        """Store the language of a person's Discord, for messages that answer no interaction."""
        self._noted[user_id] = code
        self._noting.start(user_id, self._store(user_id, code))

    async def close(self, seconds: float) -> None:
        """Finish within some seconds."""
        await self._reading.close(seconds)
        await self._noting.close(seconds)

    async def _store(self, user_id: int, code: str) -> None:
        try:
            await self._settings.choose_for(user_id, SEEN_LANGUAGE, code)
        finally:
            self._noted.pop(user_id, None)

    async def _read(self, scope_id: int) -> None:
        await self._settings.get(scope_id)
