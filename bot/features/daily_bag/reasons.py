"""Why a daily bag can't be played or shown."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class DailyBagReason(RefusalReason):
    """Why a daily bag can't be played or shown."""

    NO_DAILY_BAG = "no_daily_bag"
    DAILY_BAG_OPEN = "daily_bag_open"
    DAILY_BAG_SEALED = "daily_bag_sealed"


DAILY_BAG_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    DailyBagReason.NO_DAILY_BAG: N_("There's no daily bag today. `/magic-bag new` opens one of your own."),
    DailyBagReason.DAILY_BAG_OPEN: N_(
        "Your attempt at this bag is still open: {link}\nYou can practise with the same bag once it's over."
    ),
    DailyBagReason.DAILY_BAG_SEALED: N_(
        "Until its seed is published, this bag is shown only to people who have finished it. `/daily` shows today's, "
        "and when its seed is published."
    ),
}
"""What is said for each reason."""
