"""The composition root: builds the parts of the bot and connects them.

Processes, and tests that need more than one part, get their parts here, and may replace some of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.app.features import register_features
from bot.features.new_tables.commands import add_new_commands
from bot.features.reminders.service import Reminders
from bot.features.settings.service import SettingsCache
from bot.pictures.rolls import ROLLS_IDLE_SECONDS, RollPainter, RollService
from bot.pictures.service import PictureService
from bot.pictures.symbols import COMMON_SYMBOLS, SymbolPainter
from bot.platform.catalogues import Catalogues
from bot.platform.content import DATA
from bot.platform.database.backup import BACKUP, ScheduledBackups
from bot.platform.database.database import Database, open_database
from bot.platform.discord.client import DiscordRequests, ParlourClient
from bot.platform.discord.emoji_sync import EmojiSync
from bot.platform.discord.gateway import IdentifyGate
from bot.platform.discord.http import MessageClient
from bot.platform.discord.interaction_responses import CallbackClient
from bot.platform.discord.languages import Languages
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.rate_limits import RateLimiter
from bot.platform.jobs.shard_leases import ShardLease, split_shards
from bot.platform.notices.sending import MessageSender
from bot.platform.observability.health import DiskSpace, HealthServer
from bot.platform.observability.metrics import Metrics
from bot.platform.places import ShardRange
from bot.platform.registration import JobKind
from bot.rules.picture import Symbol
from bot.settings import Settings
from bot.tables.app import App
from bot.tables.host import Host
from bot.tables.registry import AnyPackage, GameRegistry, load_games
from bot.tables.service import HostSettings, IdleLimits
from bot.tables.shown.parts import TableParts
from bot.tables.shown.screen import Drafts
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.thinker import WORKERS, Games, Thinker
from bot.tables.usage import read_stats
from bot.workers import WorkerPool


@dataclass(frozen=True, slots=True)
class Bot:
    """The parts of a bot's process, before anything runs."""

    db: Database
    pictures: PictureService
    rolls: RollService
    workers: WorkerPool[Games]
    """The workers that choose the moves of computer players."""
    disk: DiskSpace | None
    """The disk of an SQLite database."""
    health: HealthServer
    client: ParlourClient
    backups: ScheduledBackups

    async def close(self) -> None:
        """Close the parts that the client does not close."""
        self.pictures.close()
        await self.rolls.close()
        await self.workers.close()
        await self.health.stop()
        await self.db.close()


def build_store(settings: Settings, metrics: Metrics) -> Database:
    """Build the store of a bot."""
    return open_database(settings.database_url.get_secret_value(), metrics)


def build_bot(settings: Settings, games: GameRegistry, db: Database, metrics: Metrics) -> Bot:
    """Build a bot around its store."""
    folder = settings.database_folder
    disk = None if folder is None else DiskSpace(folder)
    surfaces = {key: package.look.surface for key, package in games.items()}
    pictures = PictureService(DATA, settings.picture_folder, surfaces)
    metrics.sources.lookups["pictures"] = lambda: (pictures.hits, pictures.misses)
    draw = partial(RollPainter, DATA, settings.picture_folder, surfaces)
    # People wait for animations, but not for long.
    painters = WorkerPool(
        draw, size=1, note_loss=metrics.count_lost_worker, niceness=0, idle_seconds=ROLLS_IDLE_SECONDS
    )
    rolls = RollService(pictures, painters)
    workers: WorkerPool[Games] = WorkerPool(load_games, size=WORKERS, note_loss=metrics.count_lost_worker)
    backups = make_backups(settings)
    if disk is not None and settings.backup_every_hours is not None:
        metrics.sources.last_backup_at = lambda: backups.last_at
    client = build_client(
        db,
        games,
        make_host_settings(settings),
        metrics=metrics,
        pictures=pictures,
        rolls=rolls,
        thinker=Thinker(games, workers),
        dev_guild_id=settings.dev_guild_id,
        user_install=settings.user_install,
        emoji_sync=EmojiSync(SymbolPainter(DATA), symbols_of(games)),
        jobs=(JobKind(BACKUP, backups.run),),
    )
    return Bot(
        db,
        pictures,
        rolls,
        workers,
        disk,
        HealthServer(metrics, db.ping, partial(db.read, read_stats), disk),
        client,
        backups,
    )


def make_backups(settings: Settings) -> ScheduledBackups:
    """Return the scheduled backups according to the settings."""
    hours = settings.backup_every_hours
    return ScheduledBackups(
        settings.database_url.get_secret_value(),
        settings.backups,
        every=None if hours is None else timedelta(hours=hours),
        keep=settings.backup_keep,
    )


def make_shard_lease(settings: Settings, db: Database) -> ShardLease | None:
    """Return the lease of shards according to the settings; None if the process serves all shards."""
    chosen = settings.shards
    if chosen is None:
        return None
    if chosen.first is None or chosen.last is None:
        return ShardLease(db, split_shards(chosen.count, settings.shards_per_process))
    return ShardLease(db, [ShardRange(chosen.first, chosen.last, chosen.count)])


def symbols_of(games: Mapping[str, AnyPackage]) -> tuple[Symbol, ...]:
    """Return all symbols that have art."""
    return (*COMMON_SYMBOLS, *(symbol for package in games.values() for symbol in package.look.symbols))


def make_host_settings(settings: Settings) -> HostSettings:
    """Return the host's settings according to the bot's."""
    hours, days = settings.set_aside_after_hours, settings.abandoned_after_days
    return HostSettings(
        computer_pause=settings.computer_pause,
        reminders=settings.reminders,
        cache_bytes=settings.table_cache_mib * 1024 * 1024,
        max_open_tables=settings.open_tables,
        idle_limits=IdleLimits(
            put_aside_after=None if hours is None else timedelta(hours=hours),
            abandon_after=None if days is None else timedelta(days=days),
        ),
    )


def build_client(
    db: Database,
    games: GameRegistry,
    settings: HostSettings = HostSettings(),
    *,
    metrics: Metrics | None = None,
    pictures: PictureService | None = None,
    rolls: RollService | None = None,
    thinker: Thinker | None = None,
    dev_guild_id: int | None = None,
    user_install: bool = False,
    emoji_sync: EmojiSync | None = None,
    jobs: tuple[JobKind, ...] = (),
    catalogues: Catalogues | None = None,
) -> ParlourClient:
    """Build a client with its host.

    Without a picture drawer, tables are shown in words; without rolls, no dice move; without a thinker, computer
    players think in threads. `jobs` come in addition to those of the features.
    """
    metrics = metrics or Metrics()
    limits = RateLimiter(metrics)
    requests = DiscordRequests(limits, MessageClient(limits), CallbackClient(metrics, limits))
    chosen_settings = SettingsCache(db)
    attacher = PictureAttacher(pictures, chosen_settings.theme_of, metrics, rolls, chosen_settings.motion_of)
    languages = Languages(catalogues or Catalogues())
    table_messages = DiscordTableMessages(requests.messages, Drafts(), attacher, TableParts(), languages.of_place)
    host = Host(db, games, table_messages, settings, thinker=thinker)
    app = App(db, host, table_messages, requests.callbacks, MessageSender(requests.messages, languages), languages)
    app.provide(chosen_settings)
    register_features(app, jobs)
    client = ParlourClient(
        app,
        requests,
        metrics,
        identify_gate=IdentifyGate(db),
        add_commands=partial(add_new_commands, packages=games.values()),
        dev_guild_id=dev_guild_id,
        user_install=user_install,
        emoji_sync=emoji_sync,
    )
    cache = host.service.cache
    metrics.sources.latencies, metrics.sources.shard_count = client.latencies_by_shard, lambda: client.shard_count
    metrics.sources.invalid_requests = limits.invalid_requests
    metrics.sources.waiting_requests = limits.waiting_requests
    metrics.sources.lookups["tables"] = lambda: (cache.hits, cache.misses)
    metrics.sources.queues |= {
        "click": client.in_flight.oldest_seconds,
        "request": limits.oldest_seconds,
        "reminder": app.service(Reminders).tasks.oldest_seconds,
    }
    return client
