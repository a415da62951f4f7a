"""Registers challenges."""

import secrets

from bot.features.challenges import storage
from bot.features.challenges.commands import Challenges, ChallengesCog
from bot.features.challenges.ids import ChallengeId, OthersMenuId
from bot.features.challenges.messages import playing_buttons, result_buttons, result_lines
from bot.features.challenges.model import CHALLENGE_ERROR_MESSAGES
from bot.features.challenges.pings import DailyPings
from bot.features.challenges.posts import DAILY_POST, DailyPosts
from bot.features.challenges.service import COMMIT_KIND, PUBLISH_KIND, ChallengeService
from bot.features.puzzles.service import PuzzleService
from bot.features.reminders.handlers import Pings
from bot.features.replays.messages import ReplayId
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import DAILY_CHANNEL, DAILY_HOUR, DAILY_ZONE
from bot.features.settings.service import ServerRules, SettingsCache
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.handlers.hands import Hands
from bot.tables.shown.parts import ButtonPart, Place, TextPart


def register(app: App) -> Feature:
    """Register challenges."""
    challenges = ChallengeService(app.db, app.clock, secrets.token_bytes)
    pings = DailyPings(app.db, app.clock, app.sender)
    settings = app.service(SettingsCache)
    posts = DailyPosts(
        app.db,
        settings,
        challenges,
        app.service(PuzzleService),
        games=app.games,
        message_client=app.table_messages.message_client,
        pictures=app.pictures,
        moderator_log=app.service(ModeratorLog),
        # Both are set later.
        find_server=lambda guild_id: app.find_server(guild_id),  # noqa: PLW0108
        find_membership=lambda guild_id: app.find_membership(guild_id),  # noqa: PLW0108
    )
    for setting in (DAILY_CHANNEL, DAILY_HOUR, DAILY_ZONE):
        settings.add_hook(setting, posts.plan)
    app.service(SettingsPanels).warnings[DAILY_CHANNEL] = posts.warn
    commands = Challenges(
        challenges,
        app.tables,
        app.ephemeral_messages,
        app.pictures,
        puzzles=app.service(PuzzleService),
        open_replay=lambda click, pressed: app.handlers[ReplayId](click, pressed),  # noqa: PLW0108 - registered later
        daily_pings=pings,
        rules=app.service(ServerRules),
        hands=app.service(Hands),
    )
    app.require_may_see, app.find_shared_seed = challenges.require_may_see, challenges.seed
    app.service(Pings).choose_daily = commands.choose_ping
    return Feature(
        services=(challenges, pings, posts, commands),
        cogs=(ChallengesCog(),),
        buttons={ChallengeId: commands.press, OthersMenuId: commands.open_game},
        refusals=(CHALLENGE_ERROR_MESSAGES,),
        hooks=(
            Hook(Happened.OPENED, in_transaction=storage.begin),
            Hook(Happened.ENDED, in_transaction=storage.end),
        ),
        lines=(
            TextPart(
                Place.PRIVATE_RESULT,
                lambda table: result_lines(table, challenges.known_standing(table)),
                challenges.load_standing,
            ),
        ),
        table_buttons=(
            ButtonPart(Place.PRIVATE_RESULT_BUTTON, result_buttons),
            ButtonPart(Place.PLAYER_BUTTON, playing_buttons),
        ),
        follows=(challenges.observe_end,),
        jobs=(
            JobKind(COMMIT_KIND, challenges.commit),
            JobKind(PUBLISH_KIND, challenges.publish),
            JobKind(DAILY_POST, posts.run),
        ),
        each_minute=(challenges.begin,),
        looks=(pings.look(),),
        personal_caches=(challenges.clear, commands.clear),
    )
