"""Following the talk: at the start of a person's turn a table is posted at the end of its channel if people talk there.

Posting it costs two requests of low urgency. Whatever fails leaves the table where it is.
"""

import logging
from typing import Final, NamedTuple

from cachetools import LRUCache, TTLCache

from bot.features.settings.all_settings import TABLES
from bot.features.settings.choices import TablesChoice
from bot.features.settings.service import SettingsCache
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, PostedMeanwhile
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.app import App, Feature
from bot.tables.handlers.talk import LEAST_STAY, NewestMessages
from bot.tables.model import Status, TableId
from bot.tables.publisher import Publisher
from bot.tables.shown.screen import Drafts
from bot.tables.table import Table
from bot.tables.turns import find_forced_end

log = logging.getLogger(__name__)

_MAX_TABLES: Final = 5000

FOLLOW_SECONDS: Final = 1.5
"""How long a roll may take to come to rest before the table moves."""


class _Posted(NamedTuple):
    message_id: int
    step: int


class Following:
    """Moves tables to the end of channels in which people talk."""

    def __init__(
        self, publisher: Publisher, newest_messages: NewestMessages, drafts: Drafts, settings: SettingsCache
    ) -> None:
        self._publisher = publisher
        self._newest_messages = newest_messages
        self._drafts = drafts
        self._settings = settings
        self._posted: LRUCache[TableId, _Posted] = LRUCache(_MAX_TABLES)
        """The newest message of each table, with the step at which it was first seen."""
        self._tried: TTLCache[TableId, bool] = TTLCache(_MAX_TABLES, LEAST_STAY.total_seconds())
        self._tasks = TaskSet("following table")

    def on_table_changed(self, table: Table) -> None:
        """Move a table if a person's turn begins and people have talked since it was posted."""
        message_id, step = table.header.message_id, table.header.step
        talk = self._newest_messages.find(table.header.location.channel_id)
        if message_id is None or talk is None or table.header.is_private or table.header.location.is_outside:
            return
        posted = self._posted.get(table.id)
        if posted is None or posted.message_id != message_id:
            posted = self._posted[table.id] = _Posted(message_id, step)
        if _begins_turn(table) and table.id not in self._tried and talk.is_past(message_id, step - posted.step):
            self._tasks.start_later(table.id, FOLLOW_SECONDS, lambda: self._follow(table))

    async def close(self, seconds: float) -> None:
        """Finish moving tables, within some seconds."""
        await self._tasks.close(seconds)

    async def _follow(self, table: Table) -> None:
        if (await self._settings.get(table.header.location.scope_id)).get(TABLES) is TablesChoice.STAY:
            return
        if self._drafts.of(table) != EMPTY_DRAFT:
            return
        self._tried[table.id] = True
        try:
            replaced = await self._publisher.repost(table.id, before=table, at_step=table.header.step, is_urgent=False)
        except (ChannelUnreachable, DeliveryFailed, PostedMeanwhile, Refusal, StoreUnavailable) as fault:
            log.debug("table %s does not follow the talk: %s", table.id, fault)
            return
        if replaced is not None:
            await self._publisher.remove_replaced(table, replaced)


def _begins_turn(table: Table) -> bool:
    """Return whether a person is to move and has not begun their turn."""
    is_awaited = table.header.status is Status.PLAYING and not table.header.awaits_computer
    return is_awaited and bool(table.news) and table.news[-1].ends_turn and find_forced_end(table) is None


def register(app: App) -> Feature:
    """Register following the talk."""
    following = Following(
        app.host.publisher, app.newest_messages, app.table_messages.drafts, app.service(SettingsCache)
    )
    return Feature(services=(following,), follows=(following.on_table_changed,), close=following.close)
