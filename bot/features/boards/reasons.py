"""Why a leaderboard is not shown or posted."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class BoardReason(RefusalReason):
    """Why a leaderboard is not shown or posted."""

    NO_BOARD_YET = "no_board_yet"
    BOARD_POSTED = "board_posted"


BOARD_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    BoardReason.NO_BOARD_YET: N_("No one here is on a leaderboard yet. `/play` lists the games."),
    BoardReason.BOARD_POSTED: N_("This page was posted here within the last ten minutes: {link}"),
}
"""What is said for each reason."""
