"""The log of a server: lines in a channel that its managers have chosen, so that moderators can trace what was done."""

import logging
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final

from bot.features.settings.posts import LOG
from bot.features.settings.service import SettingsCache
from bot.languages import speaking
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import MessageClient, post_text
from bot.platform.discord.languages import Languages
from bot.platform.discord.rate_limits import Urgency
from bot.platform.tasks import TaskSet

log = logging.getLogger(__name__)

_MOST_WAITING: Final = 50
"""The most lines of a server that wait; older ones are dropped."""


class ModeratorLog:
    """Posts lines in the background, in order. A line that can't be posted, or that a restart cuts off, is lost."""

    def __init__(self, settings: SettingsCache, message_client: MessageClient, languages: Languages) -> None:
        self._settings = settings
        self._languages = languages
        self._message_client = message_client
        self._waiting: defaultdict[int, deque[Callable[[], str]]] = defaultdict(lambda: deque(maxlen=_MOST_WAITING))
        self.tasks = TaskSet("moderator log")

    def note(self, guild_id: int | None, describe: Callable[[], str]) -> None:
        """Post a line soon; direct messages have no log. Mentions in the line notify no one.

        Args:
            guild_id: The server.
            describe: Returns the line, in the language that is spoken: the server's.
        """
        if guild_id is not None:
            self._waiting[guild_id].append(describe)
            self.tasks.start(guild_id, self._post_waiting(guild_id))

    async def post(self, channel_id: int, line: str) -> bool:
        """Post a line in a channel now; return whether it is there."""
        try:
            await post_text(self._message_client, channel_id, (), line, urgency=Urgency.REMINDER)
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("a line of the log of channel %s is lost: %s", channel_id, fault)
            return False
        return True

    async def _post_waiting(self, guild_id: int) -> None:
        channels: frozenset[int] = (await self._settings.get(guild_id)).get(LOG)
        language = await self._languages.of_server(guild_id)
        while lines := self._waiting.get(guild_id):
            with speaking(language):
                line = lines.popleft()()
            for channel_id in channels:
                await self.post(channel_id, line)
        self._waiting.pop(guild_id, None)

    def clear(self) -> None:
        """Forget the lines that wait."""
        self._waiting.clear()
