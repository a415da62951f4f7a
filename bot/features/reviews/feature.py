"""Registers reviews."""

from bot.features.replays.handlers import Replays
from bot.features.results.milestones import Milestones
from bot.features.reviews.handlers import Reviewer, Reviews
from bot.features.reviews.hindsight import Hindsight
from bot.features.reviews.messages import ReviewId, ReviewPageId, review_buttons
from bot.features.reviews.model import REVIEW_ERROR_MESSAGES
from bot.platform.content import digest_arrays
from bot.tables.app import App, Feature
from bot.tables.shown.parts import ButtonPart, FactPart, Place, TextPart


def register(app: App) -> Feature:
    """Register reviews."""
    reviewer = Reviewer(app.host.thinker, app.db, app.tables.time_slices, digest_arrays)
    reviews = Reviews(app.service(Replays), reviewer, app.pictures, app.ephemeral_messages)
    hindsight = Hindsight(
        app.tables,
        app.service(Replays),
        reviewer,
        app.service(Milestones),
        lambda table_id: app.host.publisher.wake(table_id, again=True),
    )

    async def close(seconds: float) -> None:
        await hindsight.close(seconds)
        await reviewer.close(seconds)

    return Feature(
        services=(reviews, hindsight),
        buttons={
            ReviewId: lambda click, pressed: reviews.show(click, pressed.table_id),
            ReviewPageId: lambda click, pressed: reviews.show(click, pressed.table_id, pressed.shown),
        },
        refusals=(REVIEW_ERROR_MESSAGES,),
        table_buttons=(ButtonPart(Place.RESULT_BUTTON, review_buttons),),
        follows=(hindsight.on_table_changed,),
        lines=(TextPart(Place.RESULT_TIP, hindsight.tips),),
        facts=(FactPart(hindsight.facts),),
        personal_caches=(hindsight.clear,),
        close=close,
    )
