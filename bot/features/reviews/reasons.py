"""Why there is no review."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class ReviewReason(RefusalReason):
    """Why there is no review."""

    NO_REVIEW = "no_review"
    REVIEW_FAILED = "review_failed"


REVIEW_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ReviewReason.NO_REVIEW: N_("There is nothing to review in this game. *Replay* shows how it went."),
    ReviewReason.REVIEW_FAILED: N_("Something went wrong while I reviewed this game. Please try again in a minute."),
}
"""What is said for each reason."""
