"""Why there is no replay or animation."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class ReplayReason(RefusalReason):
    """Why there is no replay or animation."""

    NOTHING_TO_REPLAY = "nothing_to_replay"
    UNKNOWN_REPLAY = "unknown_replay"
    NOT_OVER = "not_over"
    NO_REPLAY = "no_replay"
    NO_ANIMATION = "no_animation"
    NO_ANIMATION_OF_DAILY_BAGS = "no_animation_of_daily_bags"


REPLAY_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ReplayReason.NOTHING_TO_REPLAY: N_(
        "No one has finished a game here yet, so there's nothing to replay. `/play` lists the games."
    ),
    ReplayReason.UNKNOWN_REPLAY: N_(
        "That game wasn't played here. Choose one that `/table replay` suggests, or leave it out for the newest."
    ),
    ReplayReason.NO_ANIMATION: N_("This game has no pictures here. *Share* below its result posts it in words."),
    ReplayReason.NO_ANIMATION_OF_DAILY_BAGS: N_(
        "Its replay would show the dice to people who haven't played this bag. *Share* below its result posts it "
        "without them."
    ),
    ReplayReason.NOT_OVER: N_("This game isn't finished, so there's nothing to replay yet: {link}"),
    ReplayReason.NO_REPLAY: N_("The rules have changed since this game was played, so it can't be replayed."),
}
"""What is said for each reason."""
