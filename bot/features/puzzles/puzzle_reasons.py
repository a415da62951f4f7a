"""Why a puzzle is not shown or answered."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class PuzzleReason(RefusalReason):
    """Why a puzzle is not shown or answered."""

    NO_PUZZLES = "no_puzzles"
    UNKNOWN_PUZZLE = "unknown_puzzle"
    PUZZLE_NOT_ANSWERED = "puzzle_not_answered"


PUZZLE_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    PuzzleReason.NO_PUZZLES: N_("I have no such puzzles at the moment."),
    PuzzleReason.UNKNOWN_PUZZLE: N_("This puzzle can't be answered here any more. `/puzzle` shows today's."),
    PuzzleReason.PUZZLE_NOT_ANSWERED: N_("You haven't answered this puzzle. `/puzzle` shows today's."),
}
"""What is said for each reason."""
