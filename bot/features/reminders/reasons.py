"""Why pings can't be chosen."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class PingReason(RefusalReason):
    """Why pings can't be chosen."""

    NO_PINGS_HERE = "no_pings_here"
    UNKNOWN_ZONE = "unknown_zone"
    NO_QUIET_HOURS = "no_quiet_hours"


PING_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    PingReason.NO_PINGS_HERE: N_("There are no pings here: no one else is waiting, or the game is over."),
    PingReason.UNKNOWN_ZONE: N_("I don't know that time zone. Choose one from the list, such as `Europe/Berlin`."),
    PingReason.NO_QUIET_HOURS: N_("Quiet hours must end at another hour than they begin. `/ping anytime` ends them."),
}
"""What is said for each reason."""
