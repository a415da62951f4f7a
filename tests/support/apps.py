"""The features of the bot, registered around a host without a connection."""

from functools import cache
from typing import Any

from bot.app.features import register_features
from bot.features.settings.service import SettingsCache
from bot.pictures.service import PictureService
from bot.platform.catalogues import Catalogues
from bot.platform.discord.http import MessageClient
from bot.platform.discord.languages import Languages
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.rate_limits import RateLimiter
from bot.platform.observability.metrics import Metrics
from bot.tables.app import App
from bot.tables.host import Host
from bot.tables.registry import GameRegistry
from bot.tables.shown.parts import TableParts
from bot.tables.shown.screen import Drafts
from bot.tables.shown.table_messages import DiscordTableMessages
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase

_NOWHERE: Any = None


def make_table_messages(
    settings: SettingsCache,
    message_client: Any = None,
    pictures: PictureService | None = None,
    metrics: Metrics | None = None,
    rolls: Any = None,
) -> DiscordTableMessages:
    """Make what shows tables, to which no feature has added anything yet."""
    metrics = metrics or Metrics()
    attacher = PictureAttacher(pictures, settings.theme_of, metrics, rolls, settings.motion_of)
    message_client = message_client or MessageClient(RateLimiter(metrics))
    return DiscordTableMessages(message_client, Drafts(), attacher, TableParts(), Languages(Catalogues()).of_place)


def make_app(
    host: Host,
    db: MemoryDatabase,
    settings: SettingsCache,
    table_messages: DiscordTableMessages,
    *,
    callbacks: Any = _NOWHERE,
    sender: Any = _NOWHERE,
) -> App:
    """Register all features around a host."""
    app = App(db, host, table_messages, callbacks, sender, Languages(Catalogues()))
    app.provide(settings)
    register_features(app)
    return app


def make_unconnected_app(db: MemoryDatabase, games: GameRegistry) -> App:
    """Register all features around a host that shows its tables to no one."""
    settings = SettingsCache(db)
    table_messages = make_table_messages(settings)
    return make_app(Host(db, games, table_messages), db, settings, table_messages)


@cache
def shared_app() -> App:
    """Return features without any tables, for what needs only their lines, hooks and sentences."""
    return make_unconnected_app(MemoryDatabase(), load_games_once())
