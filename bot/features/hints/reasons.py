"""Why there is no hint."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class HintReason(RefusalReason):
    """Why there is no hint."""

    NO_HINTS = "no_hints"
    NO_HINTS_IN_LESSONS = "no_hints_in_lessons"
    NO_HINTS_IN_DAILY_BAGS = "no_hints_in_daily_bags"
    NO_HINTS_IN_TOURNAMENTS = "no_hints_in_tournaments"
    HINTS_OFF_HERE = "hints_off_here"
    HINTS_OFF_IN_SERVER = "hints_off_in_server"
    HINT_FAILED = "hint_failed"


HINT_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    HintReason.NO_HINTS: N_("I have no hints for {game}."),
    HintReason.NO_HINTS_IN_LESSONS: N_("A lesson has no hints: its text tells you what to do."),
    HintReason.NO_HINTS_IN_TOURNAMENTS: N_("There are no hints in tournaments: titles are won without help."),
    HintReason.NO_HINTS_IN_DAILY_BAGS: N_("The daily bag has no hints. Once it's over, *Review* says what was best."),
    HintReason.HINTS_OFF_HERE: N_(
        "Hints are off at this table. For the next one, its host can turn them on with *Options* before the start."
    ),
    HintReason.HINTS_OFF_IN_SERVER: N_("Hints are off here. A server manager can turn them on with `/settings show`."),
    HintReason.HINT_FAILED: N_("I couldn't work out a hint just now, and none was counted. Try again in a moment."),
}
"""What is said for each reason."""
