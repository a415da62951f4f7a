"""Registers tournaments."""

from bot.features.blocks.service import Blocks
from bot.features.moderation.service import Bans
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.service import ServerRules, SettingsCache
from bot.features.tournaments.access import TournamentAccess
from bot.features.tournaments.announcing import Announcements
from bot.features.tournaments.commands import Tournaments, TournamentsCog
from bot.features.tournaments.director import Director
from bot.features.tournaments.messages import (
    TakePlaceId,
    TournamentButtonId,
    TournamentGamesId,
    TournamentPageId,
)
from bot.features.tournaments.model import (
    ADVANCE_KIND,
    DEADLINE_KIND,
    FORGOTTEN_KIND,
    REMINDER_KIND,
    START_KIND,
    TournamentReason,
)
from bot.features.tournaments.organizer_messages import (
    DecisionId,
    GameOptionId,
    GameOptionsPageId,
    MoreTimeId,
    PickGameId,
)
from bot.features.tournaments.organizing import Organizers
from bot.features.tournaments.refusals import TOURNAMENT_ERROR_MESSAGES
from bot.features.tournaments.replacing import Replacements
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.features.tournaments.service import TournamentService
from bot.features.tournaments.start_times import START_TIME_ERROR_MESSAGES
from bot.platform.registration import ClientEvent, JobKind
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register tournaments."""
    service = TournamentService(app.db, app.service(Blocks), app.clock)
    messages = DiscordTournamentMessages(app.table_messages.message_client, app.games, app.pictures, app.languages)
    log = app.service(ModeratorLog)
    announcements = Announcements(
        app.service(SettingsCache),
        messages,
        log,
        lambda guild_id: app.find_server(guild_id),  # noqa: PLW0108 - set later
        app.games,
    )
    director = Director(app.db, service, app.tables, messages, announcements, log)
    rules = app.service(ServerRules)
    access = TournamentAccess(service, director, rules, log, app.games)
    organizers = Organizers(access, service, director, rules, app.games, app.clock)
    replacements = Replacements(
        access,
        service,
        messages,
        app.db,
        app.clock,
        settings=app.service(SettingsCache),
        blocks=app.service(Blocks),
        bans=app.service(Bans),
    )
    tournaments = Tournaments(access, organizers, service, director, app.games, rules, app.pictures, app.clock)
    app.service(Bans).leavers.append(service.leave_server)
    return Feature(
        services=(service, director, tournaments, organizers, replacements),
        cogs=(TournamentsCog(),),
        buttons={
            **dict.fromkeys((TournamentButtonId, TournamentPageId, TournamentGamesId), tournaments.press),
            TakePlaceId: replacements.take,
            **dict.fromkeys((MoreTimeId, PickGameId, DecisionId, GameOptionId, GameOptionsPageId), organizers.press),
        },
        refusals=(TOURNAMENT_ERROR_MESSAGES, START_TIME_ERROR_MESSAGES),
        ending_reasons=(
            TournamentReason.UNKNOWN,
            TournamentReason.HAS_STARTED,
            TournamentReason.NOT_RUNNING,
            TournamentReason.OVER,
            TournamentReason.NOT_IN_IT,
        ),
        follows=(director.on_table_changed,),
        listeners={ClientEvent.CHANNEL_DELETED: service.abandon_in_channel},
        jobs=(
            JobKind(ADVANCE_KIND, director.run_advance_job),
            JobKind(START_KIND, director.start),
            JobKind(REMINDER_KIND, director.remind),
            JobKind(DEADLINE_KIND, director.end_time),
            JobKind(FORGOTTEN_KIND, director.close_forgotten),
        ),
        each_minute=(replacements.prune,),
        leave=service.leave_all,
        end_in_server=service.close_in,
        close=director.close,
    )
