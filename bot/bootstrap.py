"""The composition root: builds the parts of the bot and connects them.

Every process and every test that needs more than one part gets them from here, with other parts where it says so.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Protocol

from bot.community.best_scores import BestScores
from bot.community.blocks import Blocks
from bot.community.daily_bag.service import COMMIT_KIND, PUBLISH_KIND, DailyBagService
from bot.community.daily_bag.standings import DailyStandings
from bot.community.host_news import HOST_NEWS, HostNewsService
from bot.community.jobs import JobHandler, JobRunner
from bot.community.people import PeopleCache
from bot.community.ports import CommunityStore, PersonStore
from bot.community.preferences import PreferenceCache
from bot.community.privacy.services import PrivacyServices
from bot.community.puzzles import PuzzleService
from bot.community.rating_news import RatingNews
from bot.community.seasons.service import SEASON_JOB, Seasons
from bot.community.service import ResultsService
from bot.community.tip_lines import TipLines
from bot.community.tournaments.director import Director
from bot.community.tournaments.service import TournamentService
from bot.content import DATA, PuzzleFiles, digest_arrays
from bot.observability.disk import DiskSpace
from bot.observability.health import HealthServer
from bot.observability.metrics import Metrics
from bot.pictures.animation import Animator
from bot.pictures.service import PictureService
from bot.pictures.symbols import COMMON_SYMBOLS, SymbolPainter
from bot.rules.symbols import Symbol
from bot.settings import Settings
from bot.store.backup import BACKUP, ScheduledBackups
from bot.store.metered import MeteredStore
from bot.tables.actions.idle import IdleLimits
from bot.tables.clock_state import HALF_TIME, TIME_UP
from bot.tables.ports import HostStore
from bot.tables.preferences import SeasonLength
from bot.tables.registry import AnyPackage, load_games
from bot.tables.runtime.clocks import TurnClocks
from bot.tables.runtime.host import Host
from bot.tables.runtime.host_settings import HostSettings
from bot.tables.runtime.thinker import WORKERS, Games, Thinker
from bot.ui.client.client import ParlourClient
from bot.ui.client.command_sync import KeyValueStore
from bot.ui.client.emoji_sync import EmojiSync
from bot.ui.client.services import DiscordRequests, Services
from bot.ui.delivery.message_client import MessageClient
from bot.ui.delivery.message_sender import DiscordMessageSender
from bot.ui.delivery.picture_attachments import PictureAttacher, PictureDrawer
from bot.ui.delivery.rate_limits import RateLimiter
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.delivery.tournament_messages import DiscordTournamentMessages
from bot.ui.dispatcher import Dispatcher
from bot.ui.drafts import Drafts
from bot.ui.features.animations import Animations, ReplayAnimator
from bot.ui.features.badges import Badges
from bot.ui.features.blocks import BlockCommands
from bot.ui.features.boards import Boards
from bot.ui.features.daily_bag import DailyBags
from bot.ui.features.features import Features
from bot.ui.features.game_list import GameList
from bot.ui.features.guides import Guides
from bot.ui.features.hands import Hands
from bot.ui.features.help import Help
from bot.ui.features.hints import HintCommands
from bot.ui.features.idle_tables import IdleTableCommands
from bot.ui.features.invitations import InvitationCommands
from bot.ui.features.lessons import Lessons
from bot.ui.features.lobby_commands import LobbyCommands
from bot.ui.features.my_tables import MyTablesCommands
from bot.ui.features.options import OptionPanels
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.pings import Pings
from bot.ui.features.privacy import PrivacyCommands
from bot.ui.features.puzzles import Puzzles
from bot.ui.features.readings import Readings
from bot.ui.features.replays import Replays
from bot.ui.features.results import ResultsCommands
from bot.ui.features.reviews import Reviewer, Reviews
from bot.ui.features.seats import SeatCommands
from bot.ui.features.settings import SettingsPanels
from bot.ui.features.settings_commands import SettingsCommands
from bot.ui.features.sharing import Sharing
from bot.ui.features.table_commands import TableCommands
from bot.ui.features.table_controls import TableControls
from bot.ui.features.table_requests import TableRequests
from bot.ui.features.table_threads import TableThreads
from bot.ui.features.tips import TipCommands
from bot.ui.features.tournaments import Tournaments
from bot.ui.features.turn_clocks import TurnClockCommands
from bot.ui.interactions.callback_client import CallbackClient, HttpCallbackClient
from bot.ui.interactions.ephemeral_messages import EphemeralMessages
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.interactions.server_rules import ServerRules
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.render.error_messages import ErrorMessages
from bot.ui.render.screen_cache import clear_screens
from bot.workers import WorkerPool


class Storage(HostStore, CommunityStore, PersonStore, KeyValueStore, Protocol):
    """A store of everything that the bot keeps."""


@dataclass(frozen=True, slots=True)
class Bot:
    """The parts of a bot's process; nothing runs yet."""

    store: MeteredStore
    pictures: PictureService
    workers: WorkerPool[Games]
    """They choose the moves of computer players."""
    disk: DiskSpace | None
    """The disk of an SQLite file."""
    health: HealthServer
    client: ParlourClient
    backups: ScheduledBackups

    async def close(self) -> None:
        """Close what the client does not."""
        self.pictures.close()
        await self.workers.close()
        await self.health.stop()
        await self.store.close()


def build_store(settings: Settings, metrics: Metrics) -> MeteredStore:
    """Build the store of a bot.

    Raises:
        ValueError: The database's URL is wrong.
    """
    return MeteredStore(settings.database_url.get_secret_value(), metrics)


def build_bot(settings: Settings, games: Mapping[str, AnyPackage], store: MeteredStore, metrics: Metrics) -> Bot:
    """Build a bot from its settings around its store."""
    folder = settings.database_folder
    disk = None if folder is None else DiskSpace(folder)
    surfaces = {key: package.surface for key, package in games.items()}
    pictures = PictureService(DATA, settings.picture_folder, surfaces)
    workers: WorkerPool[Games] = WorkerPool(load_games, size=WORKERS, note_loss=metrics.count_lost_worker)
    backups = make_backups(settings)
    client = build_client(
        store,
        games,
        make_host_settings(settings),
        metrics=metrics,
        pictures=pictures,
        thinker=Thinker(games, workers),
        dev_guild_id=settings.dev_guild_id,
        emoji_sync=EmojiSync(SymbolPainter(DATA), symbols_of(games)),
        jobs={BACKUP: backups.run},
    )
    return Bot(store, pictures, workers, disk, HealthServer(metrics, store, disk), client, backups)


def make_backups(settings: Settings) -> ScheduledBackups:
    """Return the backups that the bot makes by its settings."""
    hours = settings.backup_every_hours
    return ScheduledBackups(
        settings.database_url.get_secret_value(),
        settings.backups,
        every=None if hours is None else timedelta(hours=hours),
        keep=settings.backup_keep,
    )


def symbols_of(games: Mapping[str, AnyPackage]) -> tuple[Symbol, ...]:
    """Return all symbols that have art."""
    return (*COMMON_SYMBOLS, *(symbol for package in games.values() for symbol in package.symbols))


def make_host_settings(settings: Settings) -> HostSettings:
    """Return how a host treats its tables by the bot's settings."""
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
    store: Storage,
    games: Mapping[str, AnyPackage],
    settings: HostSettings = HostSettings(),
    *,
    metrics: Metrics | None = None,
    pictures: PictureDrawer | None = None,
    thinker: Thinker | None = None,
    dev_guild_id: int | None = None,
    emoji_sync: EmojiSync | None = None,
    jobs: Mapping[str, JobHandler] = MappingProxyType({}),
) -> ParlourClient:
    """Build a client with its host; without a picture drawer, tables are shown in words.

    Without a thinker, computer players think in threads. There may be jobs besides those of the services.
    """
    metrics, limits = metrics or Metrics(), RateLimiter()
    requests = DiscordRequests(limits, MessageClient(limits), HttpCallbackClient(metrics, limits))
    attacher = PictureAttacher(pictures, PreferenceCache(store), metrics)
    tip_lines = TipLines(PeopleCache(store), attacher.preferences)
    table_messages = DiscordTableMessages(
        requests.messages,
        Drafts(),
        attacher,
        tip_lines=tip_lines,
        best_scores=BestScores(store),
        daily_standings=DailyStandings(store),
        rating_news=RatingNews(ResultsService(store)),
    )
    sender = DiscordMessageSender(requests.messages)
    host = Host(store, games, table_messages, sender, settings, thinker=thinker)
    news = HostNewsService(store, sender, lambda: host.service.clock())  # noqa: PLW0108 - a test may give it another clock
    jobs = {**jobs, HOST_NEWS: news.run}
    services = build_services(store, host, table_messages, requests.callbacks, jobs=jobs)
    client = ParlourClient(services, requests, store, metrics, dev_guild_id=dev_guild_id, emoji_sync=emoji_sync)
    metrics.gateway, metrics.request_stats = client, limits
    return client


def build_services(
    store: CommunityStore,
    host: Host,
    table_messages: DiscordTableMessages,
    callbacks: CallbackClient,
    animator: ReplayAnimator | None = None,
    *,
    jobs: Mapping[str, JobHandler] = MappingProxyType({}),
) -> Services:
    """Build what serves interactions at the tables of a host."""
    service, games, attacher = host.service, host.service.games, table_messages.picture_attacher
    results, ephemeral_messages = ResultsService(store), EphemeralMessages()
    people = table_messages.tip_lines.people
    service.add_listener(table_messages.tip_lines.on_table_changed)
    service.add_listener(table_messages.best_scores.on_table_changed)
    service.add_listener(table_messages.daily_standings.on_table_changed)
    responses = TableResponses(host, table_messages, callbacks)
    readings = Readings(service, table_messages, people, ephemeral_messages)

    def clock() -> datetime:
        # Not the method: a test may give the service another clock.
        return service.clock()

    daily_bags = DailyBagService(store, clock, secrets.token_bytes)
    rules = ServerRules(attacher.preferences, games)
    threads = TableThreads(service, rules)
    tables = TableCommands(
        host, table_messages, callbacks, readings, rules=rules, threads=threads, daily_bags=daily_bags
    )
    idle_tables = IdleTableCommands(host, tables, table_messages, rules, threads)
    game_list = GameList(service, attacher, rules, threads)
    lessons = Lessons(service, tables, attacher, rules)
    outdated_hands = OutdatedHands(service, ephemeral_messages)
    replays = Replays(service, results, attacher, ephemeral_messages)

    puzzles = PuzzleService(
        store,
        PuzzleFiles(),
        {key: package.game.info.version for key, package in games.items() if package.puzzles is not None},
        clock,
    )
    blocks = Blocks(store, service.clock)
    settings = SettingsPanels(host, attacher.preferences, store, people, ephemeral_messages)

    async def length_of_seasons(guild_id: int) -> SeasonLength:
        return (await store.load_preferences(guild_id)).season

    seasons = Seasons(store, games, clock, length_of_seasons)
    tournaments = TournamentService(store, blocks, clock)
    director = Director(store, tournaments, service, DiscordTournamentMessages(table_messages.message_client, games))
    service.add_listener(director.on_table_changed)
    puzzle_commands = Puzzles(puzzles, service, attacher, ephemeral_messages, rules)
    caches = (people, attacher.preferences, table_messages, table_messages.best_scores, table_messages.tip_lines)
    more_caches = (table_messages.daily_standings, table_messages.rating_news, outdated_hands, replays, puzzle_commands)
    clear_caches = [each.clear for each in (*caches, *more_caches)]
    privacy = PrivacyServices(store, service, [*clear_caches, clear_screens])
    features = Features(
        blocks=BlockCommands(blocks, host.invitations),
        tables=tables,
        controls=TableControls(host, table_messages.drafts, responses, readings),
        lobbies=LobbyCommands(host, tables, responses, readings, rules),
        options=OptionPanels(service, attacher.preferences, responses, ephemeral_messages),
        seats=SeatCommands(host, tables, responses, readings),
        hands=Hands(host, tables, attacher, ephemeral_messages, outdated_hands=outdated_hands, readings=readings),
        requests=TableRequests(service, idle_tables, lessons, rules),
        idle_tables=idle_tables,
        invitations=InvitationCommands(host.invitations, service, tables, rules),
        game_list=game_list,
        help=Help(game_list, attacher),
        lessons=lessons,
        guides=Guides(games, attacher, ephemeral_messages),
        hints=HintCommands(
            service,
            host.thinker,
            attacher.preferences,
            tables,
            table_responses=responses,
            ephemeral_messages=ephemeral_messages,
        ),
        readings=readings,
        tips=TipCommands(table_messages.tip_lines, responses),
        replays=replays,
        results=ResultsCommands(results, games, attacher, table_messages.best_scores, store),
        boards=Boards(results, seasons, service, attacher),
        rules=rules,
        sharing=Sharing(attacher),
        reviews=Reviews(
            replays,
            Reviewer(host.thinker, store, service.time_slices, digest_arrays),
            attacher,
            ephemeral_messages,
        ),
        animations=Animations(replays, animator or Animator(DATA), store, attacher),
        badges=Badges(store, games, attacher),
        settings=settings,
        settings_commands=SettingsCommands(settings, games),
        privacy=PrivacyCommands(privacy, ephemeral_messages),
        puzzles=puzzle_commands,
        daily_bags=DailyBags(daily_bags, table_messages.daily_standings, service, ephemeral_messages, rules),
        clocks=TurnClockCommands(service, readings),
        my_tables=MyTablesCommands(store, games),
        pings=Pings(host, store, tables, ephemeral_messages),
        tournaments=Tournaments(tournaments, director, games, rules, clock),
        outdated_hands=outdated_hands,
        ephemeral_messages=ephemeral_messages,
    )
    error_replies = ErrorReplies(ErrorMessages(games))
    dispatcher = Dispatcher(service, features, responses, error_replies)
    handlers: dict[str, JobHandler] = {
        COMMIT_KIND: daily_bags.commit,
        PUBLISH_KIND: daily_bags.publish,
        SEASON_JOB: seasons.end_due,
        **build_turn_clock_jobs(host.clocks),
        **director.handlers,
        **privacy.handlers,
        **jobs,
    }
    runner = JobRunner(store, clock, handlers, host.clocks.add_downtime)
    for check in (daily_bags.begin, seasons.check, runner.check, privacy.people.check):
        host.add_check(check)
    return Services(host, features, dispatcher, error_replies, attacher, runner)


def build_turn_clock_jobs(clocks: TurnClocks) -> Mapping[str, JobHandler]:
    """Build what does the jobs of turn clocks."""
    return {
        HALF_TIME: lambda job: clocks.pass_half_time(int(job.key), job.due_at),
        TIME_UP: lambda job: clocks.end_time(int(job.key), job.due_at),
    }
