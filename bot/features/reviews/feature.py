"""Registers reviews."""

from bot.features.replays.handlers import Replays
from bot.features.reviews.handlers import Reviewer, Reviews
from bot.features.reviews.messages import ReviewId, review_buttons
from bot.features.reviews.model import REVIEW_ERROR_MESSAGES
from bot.platform.content import digest_arrays
from bot.tables.app import App, Feature
from bot.tables.shown.parts import ButtonPart, Place


def register(app: App) -> Feature:
    """Register reviews."""
    reviewer = Reviewer(app.host.thinker, app.db, app.tables.time_slices, digest_arrays)
    reviews = Reviews(app.service(Replays), reviewer, app.pictures, app.ephemeral_messages)
    return Feature(
        services=(reviews,),
        buttons={ReviewId: lambda click, pressed: reviews.show(click, pressed.table_id)},
        refusals=(REVIEW_ERROR_MESSAGES,),
        table_buttons=(ButtonPart(Place.RESULT_BUTTON, review_buttons),),
        close=reviewer.close,
    )
