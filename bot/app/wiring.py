"""What serves the tables of a host, wired to it: services, features, jobs and chores."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from types import MappingProxyType

from bot.app.buttons import build_handlers
from bot.app.cogs import build_cogs
from bot.app.error_messages import ErrorMessages
from bot.app.error_replies import ErrorReplies
from bot.app.features import Features
from bot.app.hooks import TABLE_HOOKS
from bot.app.notices import Notices
from bot.app.services import Services
from bot.app.table_parts import TableKnowledge
from bot.app.text_caches import clear_texts
from bot.features.badges.commands import Badges
from bot.features.blocks.commands import BlockCommands
from bot.features.blocks.service import Blocks
from bot.features.boards.commands import Boards
from bot.features.daily_bag.commands import DailyBags
from bot.features.daily_bag.service import COMMIT_KIND, PUBLISH_KIND, DailyBagService
from bot.features.fairness.dice_proof import DiceProofs
from bot.features.help.handlers import GameList, Guides, Help
from bot.features.hints.handlers import HintCommands
from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.invitations.handlers import InvitationCommands
from bot.features.lessons.handlers import Lessons
from bot.features.my_tables.commands import MyTablesCommands
from bot.features.new_tables.commands import add_new_commands
from bot.features.new_tables.handlers import NewTables
from bot.features.privacy.commands import PrivacyCommands
from bot.features.privacy.retention import RETENTION
from bot.features.privacy.servers import LEFT_SERVER
from bot.features.privacy.services import PrivacyServices
from bot.features.profiles.commands import ResultsCommands
from bot.features.profiles.service import ResultsService
from bot.features.puzzles.commands import Puzzles
from bot.features.puzzles.service import PuzzleService
from bot.features.reminders.handlers import Pings
from bot.features.reminders.messages import ping_button
from bot.features.replays.animations import Animations
from bot.features.replays.handlers import Replays
from bot.features.reviews.handlers import Reviewer, Reviews
from bot.features.seasons.service import SEASON_JOB, Seasons
from bot.features.settings import storage as setting_storage
from bot.features.settings.handlers import SettingsCommands, SettingsPanels
from bot.features.settings.preferences import SeasonLength
from bot.features.settings.reading_aloud import reading_aloud
from bot.features.settings.rules import ServerRules
from bot.features.sharing.handlers import Sharing
from bot.features.threads import TableThreads
from bot.features.tips.handlers import TipCommands
from bot.features.tournaments.director import Director
from bot.features.tournaments.handlers import Tournaments
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.features.tournaments.service import TournamentService
from bot.features.turn_clocks.handlers import TurnClockCommands
from bot.features.turn_clocks.service import TurnClocks
from bot.pictures.animation import Animator
from bot.platform.clock import Downtime
from bot.platform.content import DATA, PuzzleFiles, digest_arrays
from bot.platform.database.database import Database
from bot.platform.discord import answers as late_pictures
from bot.platform.discord.callbacks import CallbackClient
from bot.platform.discord.dispatch import Dispatcher
from bot.platform.discord.private_messages import EphemeralMessages
from bot.platform.jobs.jobs import DowntimeListener, JobHandler, JobRunner
from bot.platform.jobs.looks import Chores
from bot.tables.compaction import COMPACTION, Compaction
from bot.tables.handlers.answers import TablePosts, TableResponses
from bot.tables.handlers.buttons import TableButtons
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.controls import TableControls
from bot.tables.handlers.hands import Hands, OutdatedHands
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.handlers.options import OptionPanels
from bot.tables.handlers.readings import Readings
from bot.tables.handlers.seats import SeatCommands
from bot.tables.host import Host
from bot.tables.model import HALF_TIME, TIME_UP
from bot.tables.shown.table_messages import DiscordTableMessages


def build_services(
    db: Database,
    host: Host,
    notices: Notices,
    table_messages: DiscordTableMessages,
    known: TableKnowledge,
    callbacks: CallbackClient,
    *,
    animator: Animator | None = None,
    jobs: Mapping[str, JobHandler] = MappingProxyType({}),
) -> Services:
    """Build what serves interactions at the tables of a host."""
    service, games, attacher = host.service, host.service.games, table_messages.picture_attacher
    results, ephemeral_messages = ResultsService(db), EphemeralMessages()
    people, preferences = known.tip_lines.people, known.tip_lines.preferences
    service.hooks = TABLE_HOOKS
    service.add_listener(known.tip_lines.on_table_changed)
    service.add_listener(known.best_scores.on_table_changed)
    service.add_listener(known.daily_standings.on_table_changed)
    responses = TableResponses(host, table_messages, callbacks)

    def clock() -> datetime:
        # Not the method: a test may give the service another clock.
        return service.clock()

    daily_bags = DailyBagService(db, clock, secrets.token_bytes)
    readings = Readings(
        service,
        table_messages,
        ephemeral_messages,
        reading_aloud(people),
        require_may_see=daily_bags.require_may_see,
        more_buttons=ping_button,
    )
    rules, error_messages = ServerRules(preferences, games), ErrorMessages(games)
    threads = TableThreads(service, rules)
    posts = TablePosts(host, table_messages, callbacks)
    tables = TableCommands(host, posts, table_messages, readings, rules.may_moderate)
    idle_tables = IdleTableCommands(host, posts, table_messages, rules)
    game_list = GameList(host, attacher, rules, threads, error_messages.of)
    outdated_hands = OutdatedHands(service, ephemeral_messages)
    replays = Replays(service, results, attacher, ephemeral_messages, daily_bags)
    puzzles = PuzzleService(
        db,
        PuzzleFiles(),
        {key: package.game.info.version for key, package in games.items() if package.puzzles is not None},
        clock,
    )
    blocks = Blocks(db, clock)
    settings = SettingsPanels(
        host,
        notices.reminders,
        notices.invitations,
        preferences,
        db,
        people=people,
        ephemeral_messages=ephemeral_messages,
    )

    async def length_of_seasons(guild_id: int) -> SeasonLength:
        return (await db.read(setting_storage.find, guild_id)).season

    seasons = Seasons(db, games, clock, length_of_seasons)
    compaction = Compaction(db, clock)
    tournaments = TournamentService(db, blocks, clock)
    director = Director(db, tournaments, service, DiscordTournamentMessages(table_messages.message_client, games))
    service.add_listener(director.on_table_changed)
    puzzle_commands = Puzzles(
        puzzles, service, host.thinker, attacher, ephemeral_messages=ephemeral_messages, rules=rules
    )
    caches = (people, preferences, table_messages, known.best_scores, known.tip_lines)
    more_caches = (known.daily_standings, known.rating_news, outdated_hands, replays, puzzle_commands)
    clear_caches = [each.clear for each in (*caches, *more_caches)]
    clear_caches += attacher.clear, late_pictures.forget_all, clear_texts
    privacy = PrivacyServices(db, service, tournaments, clear_caches)
    hands = Hands(
        host,
        tables,
        attacher,
        ephemeral_messages,
        outdated_hands=outdated_hands,
        readings=readings,
        parts=table_messages.parts,
    )
    hints = HintCommands(
        service,
        host.thinker,
        preferences,
        tables,
        table_responses=responses,
        ephemeral_messages=ephemeral_messages,
    )
    features = Features(
        blocks=BlockCommands(blocks, notices.invitations),
        tables=tables,
        controls=TableControls(host, table_messages.drafts, responses, readings),
        lobbies=LobbyCommands(host, tables, responses, readings, rules.may_moderate),
        options=OptionPanels(service, responses, ephemeral_messages, hints.explain),
        seats=SeatCommands(host, tables, responses, readings),
        hands=hands,
        dice_proofs=DiceProofs(service, daily_bags.bag),
        new_tables=NewTables(service, posts, attacher, rules, threads=threads, idle_tables=idle_tables),
        idle_tables=idle_tables,
        invitations=InvitationCommands(notices.invitations, service, tables, rules),
        game_list=game_list,
        help=Help(game_list, attacher, ephemeral_messages),
        lessons=Lessons(host, posts, attacher, rules),
        guides=Guides(games, attacher, ephemeral_messages),
        hints=hints,
        readings=readings,
        tips=TipCommands(known.tip_lines, responses),
        replays=replays,
        results=ResultsCommands(results, games, attacher, known.best_scores, db),
        boards=Boards(results, seasons, service, attacher),
        rules=rules,
        sharing=Sharing(attacher),
        reviews=Reviews(
            replays,
            Reviewer(host.thinker, db, service.time_slices, digest_arrays),
            attacher,
            ephemeral_messages,
        ),
        animations=Animations(replays, animator or Animator(DATA), db, attacher, service.time_slices),
        badges=Badges(db, games, attacher),
        settings=settings,
        settings_commands=SettingsCommands(settings, games),
        privacy=PrivacyCommands(privacy, ephemeral_messages),
        puzzles=puzzle_commands,
        daily_bags=DailyBags(daily_bags, known.daily_standings, service, ephemeral_messages, rules=rules, hands=hands),
        clocks=TurnClockCommands(service, readings),
        my_tables=MyTablesCommands(db, games),
        pings=Pings(service, notices.reminders, db, tables, ephemeral_messages),
        tournaments=Tournaments(tournaments, director, games, rules, clock),
        outdated_hands=outdated_hands,
        ephemeral_messages=ephemeral_messages,
    )
    error_replies = ErrorReplies(error_messages, host.publisher.restore)
    buttons = TableButtons(service, features.controls, hands, responses)
    dispatcher = Dispatcher(build_handlers(service, features, buttons), error_replies.send)
    handlers: dict[str, JobHandler] = {
        COMMIT_KIND: daily_bags.commit,
        COMPACTION: compaction.run,
        PUBLISH_KIND: daily_bags.publish,
        SEASON_JOB: seasons.end_due,
        **build_turn_clock_jobs(notices.clocks),
        **director.handlers,
        **privacy.handlers,
        **jobs,
    }

    def leave_out(downtimes: Iterable[Downtime]) -> None:
        service.clock.leave_out(downtimes)

    listener = DowntimeListener(leave_out, notices.clocks.add_downtime)
    runner = JobRunner(db, clock, handlers, listener, irrevocable=(LEFT_SERVER, RETENTION, SEASON_JOB))
    chores = Chores(
        db,
        clock,
        (*notices.looks(), runner.look(), privacy.people.look()),
        each_round=(runner.note_alive, host.keep_up),
        each_minute=(*notices.each_minute(), daily_bags.begin, seasons.check, compaction.check),
        after_outage=host.sweep_soon,
    )
    add_commands = partial(add_new_commands, packages=games.values())
    return Services(
        host, features, dispatcher, error_replies, attacher, runner, build_cogs(), add_commands, notices, chores
    )


def build_turn_clock_jobs(clocks: TurnClocks) -> Mapping[str, JobHandler]:
    """Build what does the jobs of turn clocks."""
    return {
        HALF_TIME: lambda job: clocks.pass_half_time(int(job.key), job.due_at),
        TIME_UP: lambda job: clocks.end_time(int(job.key), job.due_at),
    }
