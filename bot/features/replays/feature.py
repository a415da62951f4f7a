"""Registers replays."""

from bot.features.replays.animations import Animations
from bot.features.replays.handlers import Replays
from bot.features.replays.messages import AnimationId, MomentId, ReplayId, replay_buttons
from bot.features.replays.model import REPLAY_ERROR_MESSAGES
from bot.features.replays.moments import Moments
from bot.features.results.service import ResultsService
from bot.pictures.animation import Animator
from bot.platform.content import DATA
from bot.tables.app import App, Feature
from bot.tables.handlers.public_posts import PublicPosts
from bot.tables.shown.parts import ButtonPart, Place


def register(app: App) -> Feature:
    """Register replays."""
    results = app.service(ResultsService)
    replays = Replays(app.tables, results, app.pictures, app.ephemeral_messages, app.require_may_see)
    posts = PublicPosts(app.pictures, app.table_messages.message_client)
    animations = Animations(
        replays,
        Animator(DATA),
        app.db,
        app.pictures,
        posts=posts,
        time_slices=app.tables.time_slices,
        parts=app.table_messages.parts,
    )
    moments = Moments(replays, posts, app.db.metrics)
    return Feature(
        services=(replays, animations, moments),
        buttons={
            ReplayId: replays.go_to_step,
            MomentId: moments.share,
            AnimationId: lambda click, pressed: animations.share(click, str(pressed.table_id)),
        },
        refusals=(REPLAY_ERROR_MESSAGES,),
        table_buttons=(ButtonPart(Place.RESULT_BUTTON, replay_buttons),),
        personal_caches=(replays.clear,),
    )
