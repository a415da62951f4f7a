"""What serves the tables of a host, wired to it: services, features, jobs and checks."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from bot.community.blocks import Blocks
from bot.community.compaction import COMPACTION, Compaction
from bot.community.daily_bag.service import COMMIT_KIND, PUBLISH_KIND, DailyBagService
from bot.community.jobs import DowntimeListener, JobHandler, JobRunner
from bot.community.ports import CommunityStore
from bot.community.privacy.retention import RETENTION
from bot.community.privacy.servers import LEFT_SERVER
from bot.community.privacy.services import PrivacyServices
from bot.community.puzzles import PuzzleService
from bot.community.seasons.service import SEASON_JOB, Seasons
from bot.community.service import ResultsService
from bot.community.tournaments.director import Director
from bot.community.tournaments.service import TournamentService
from bot.content import DATA, PuzzleFiles, digest_arrays
from bot.pictures.animation import Animator
from bot.tables.clock import Downtime
from bot.tables.clock_state import HALF_TIME, TIME_UP
from bot.tables.preferences import SeasonLength
from bot.tables.runtime.clocks import TurnClocks
from bot.tables.runtime.host import Host
from bot.ui.client.services import Services
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.delivery.tournament_messages import DiscordTournamentMessages
from bot.ui.dispatcher import Dispatcher
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
from bot.ui.interactions import late_pictures
from bot.ui.interactions.callback_client import CallbackClient
from bot.ui.interactions.ephemeral_messages import EphemeralMessages
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.interactions.server_rules import ServerRules
from bot.ui.interactions.table_posts import TablePosts
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.render.error_messages import ErrorMessages
from bot.ui.render.text_caches import clear_texts


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

    def clock() -> datetime:
        # Not the method: a test may give the service another clock.
        return service.clock()

    daily_bags = DailyBagService(store, clock, secrets.token_bytes)
    readings = Readings(service, table_messages, people, ephemeral_messages, daily_bags)
    rules = ServerRules(attacher.preferences, games)
    threads = TableThreads(service, rules)
    posts = TablePosts(host, table_messages, callbacks)
    tables = TableCommands(host, posts, table_messages, readings, rules=rules, threads=threads, daily_bags=daily_bags)
    idle_tables = IdleTableCommands(host, posts, table_messages, rules, threads)
    game_list = GameList(host, attacher, rules, threads)
    lessons = Lessons(host, posts, attacher, rules)
    outdated_hands = OutdatedHands(service, ephemeral_messages)
    replays = Replays(service, results, attacher, ephemeral_messages, daily_bags)
    puzzles = PuzzleService(
        store,
        PuzzleFiles(),
        {key: package.game.info.version for key, package in games.items() if package.puzzles is not None},
        clock,
    )
    blocks = Blocks(store, clock)
    settings = SettingsPanels(host, attacher.preferences, store, people, ephemeral_messages)

    async def length_of_seasons(guild_id: int) -> SeasonLength:
        return (await store.load_preferences(guild_id)).season

    seasons = Seasons(store, games, clock, length_of_seasons)
    compaction = Compaction(store, clock)
    tournaments = TournamentService(store, blocks, clock)
    director = Director(store, tournaments, service, DiscordTournamentMessages(table_messages.message_client, games))
    service.add_listener(director.on_table_changed)
    puzzle_commands = Puzzles(
        puzzles, service, host.thinker, attacher, ephemeral_messages=ephemeral_messages, rules=rules
    )
    caches = (people, attacher.preferences, table_messages, table_messages.best_scores, table_messages.tip_lines)
    more_caches = (table_messages.daily_standings, table_messages.rating_news, outdated_hands, replays, puzzle_commands)
    clear_caches = [each.clear for each in (*caches, *more_caches)]
    clear_caches += attacher.clear, late_pictures.forget_all, clear_texts
    privacy = PrivacyServices(store, service, tournaments, clear_caches)
    hands = Hands(host, tables, attacher, ephemeral_messages, outdated_hands=outdated_hands, readings=readings)
    features = Features(
        blocks=BlockCommands(blocks, host.invitations),
        tables=tables,
        controls=TableControls(host, table_messages.drafts, responses, readings),
        lobbies=LobbyCommands(host, tables, responses, readings, rules),
        options=OptionPanels(service, attacher.preferences, responses, ephemeral_messages),
        seats=SeatCommands(host, tables, responses, readings),
        hands=hands,
        requests=TableRequests(service, idle_tables, lessons, rules),
        idle_tables=idle_tables,
        invitations=InvitationCommands(host.invitations, service, tables, rules),
        game_list=game_list,
        help=Help(game_list, attacher, ephemeral_messages),
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
        animations=Animations(replays, animator or Animator(DATA), store, attacher, service.time_slices),
        badges=Badges(store, games, attacher),
        settings=settings,
        settings_commands=SettingsCommands(settings, games),
        privacy=PrivacyCommands(privacy, ephemeral_messages),
        puzzles=puzzle_commands,
        daily_bags=DailyBags(
            daily_bags, table_messages.daily_standings, service, ephemeral_messages, rules=rules, hands=hands
        ),
        clocks=TurnClockCommands(service, readings),
        my_tables=MyTablesCommands(store, games),
        pings=Pings(host, store, tables, ephemeral_messages),
        tournaments=Tournaments(tournaments, director, games, rules, clock),
        outdated_hands=outdated_hands,
        ephemeral_messages=ephemeral_messages,
    )
    error_replies = ErrorReplies(ErrorMessages(games), host.publisher.restore)
    dispatcher = Dispatcher(service, features, responses, error_replies)
    handlers: dict[str, JobHandler] = {
        COMMIT_KIND: daily_bags.commit,
        COMPACTION: compaction.run,
        PUBLISH_KIND: daily_bags.publish,
        SEASON_JOB: seasons.end_due,
        **build_turn_clock_jobs(host.clocks),
        **director.handlers,
        **privacy.handlers,
        **jobs,
    }

    def leave_out(downtimes: Iterable[Downtime]) -> None:
        service.clock.leave_out(downtimes)

    listener = DowntimeListener(leave_out, host.clocks.add_downtime)
    runner = JobRunner(store, clock, handlers, listener, irrevocable=(LEFT_SERVER, RETENTION, SEASON_JOB))
    host.begin_checks_with(runner.note_alive)
    host.start_jobs_with(runner.check)
    host.follow_deletions_with(privacy.people.note_deletions)
    for check in (daily_bags.begin, seasons.check, compaction.check):
        host.add_check(check)
    return Services(host, features, dispatcher, error_replies, attacher, runner)


def build_turn_clock_jobs(clocks: TurnClocks) -> Mapping[str, JobHandler]:
    """Build what does the jobs of turn clocks."""
    return {
        HALF_TIME: lambda job: clocks.pass_half_time(int(job.key), job.due_at),
        TIME_UP: lambda job: clocks.end_time(int(job.key), job.due_at),
    }
